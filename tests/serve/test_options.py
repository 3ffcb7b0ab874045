"""Options of running games: the same as `jantaku view` shows of the finished record, at every moment, for operators."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.languages.majiang.rule import Item
from jantaku.table.play.beginnings import RecordPlace
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.view.riichi import stream_of
from jantaku.table.riichi.ruleset import preset
from jantaku.table.serve.streams import Options
from jantaku.table.serve.watching import WatchPage
from tests.kit.cases import cases, kept_cases
from tests.kit.records import PLAYERS, TONPU, keep_games
from tests.records.view.screen import Held, play_held
from tests.serve.serving import Client, Drawer, Served, plan_of, play_out


def book(path: Path) -> list[Item]:
    """The turns of a finished journal as `jantaku view` has them."""
    stream = json.loads(msgspec.json.encode(stream_of(load(path))[0]))
    return [item for item in stream if item.get("turn") is not None]


def asked(options: Options, game: int, turn: int) -> list[Item]:
    """What is told of a turn and those behind it."""
    told = options.answer(json.dumps({"game": game, "turn": turn}))
    assert told is not None
    answer: Item = json.loads(told)
    assert answer.keys() == {"game", "turns"} and answer["game"] == game
    turns: list[Item] = answer["turns"]
    return turns


def written(journal: bytes) -> list[int]:
    """Numbers of the turns in a journal, or in a part of one, that are there with what came of them."""
    lines = [json.loads(line) for line in journal.split(b"\n")[:-1]]
    return [line["turn"] for line, following in pairwise(lines) if "turn" in line and following]


@pytest.mark.long
@cases(
    "players, rules",
    ("dice,caller,shanten,dice", "tenhou"),
    ("caller,crash,caller,silly", "mleague"),
    ("shanten,caller,dice,cheat", "showa"),
)
def test_every_decision_has_the_options_that_its_record_shows(players: str, rules: str, tmp_path: Path) -> None:
    """Asked as the page does, from where they are missing; and from the end, where nothing can be kept from before."""
    keep_games(tmp_path, players.split(","), preset(rules), seed="3", games=2)
    options = Options(tmp_path)
    for game in range(2):
        turns = book(journal_of(tmp_path, game))
        assert len(turns) > 100
        told: list[Item] = []
        while len(told) < len(turns):
            told += asked(options, game, turns[len(told)]["turn"])
        assert told == turns
        for turn in turns[::-20]:
            assert asked(options, 1 - game, 1)[0]["turn"] == 1
            assert asked(options, game, turn["turn"])[0] == turn


def test_a_journal_that_breaks_off_anywhere_tells_the_options_of_all_whole_turns(tmp_path: Path) -> None:
    """Half lines, turns whose events are not there yet, kyoku that have just begun."""
    (tmp_path / "whole").mkdir()
    play_held(tmp_path / "whole", (), lambda held: None, length="one")
    whole, part = journal_of(tmp_path / "whole", 0), journal_of(tmp_path, 0)
    turns, content = book(whole), whole.read_bytes()
    begin = content.index(b'{"turn":')
    for cut in [*range(begin - 200, begin + 400), *range(begin + 400, len(content), 97)]:
        part.write_bytes(content[:cut])
        there = len(written(content[:cut]))
        told = asked(Options(tmp_path), 0, turns[0]["turn"])
        assert len(told) in (there, there - 1) and told == turns[: len(told)]


def test_a_game_that_goes_on_from_a_record_tells_the_options_of_what_is_played_now(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    first = Path(play_held(tmp_path / "first", (), lambda held: None).records[0])
    keep_games(tmp_path, PLAYERS, TONPU, seed="5", begin=RecordPlace(load(first), kyoku=2, turn=9))
    turns = book(journal_of(tmp_path, 0))
    assert asked(Options(tmp_path), 0, turns[0]["turn"])[0] == turns[0]


def test_where_the_engine_cannot_follow_no_options_are_told_and_nothing_breaks(tmp_path: Path) -> None:
    path = Path(play_held(tmp_path, (), lambda held: None).records[0])
    turns, lines = book(path), path.read_bytes().splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if line.startswith(b'{"dapai"')]
    wrong = places[10]
    lines[wrong] = b'{"dapai":{"l":%d,"p":"z7"}}\n' % ((json.loads(lines[wrong])["dapai"]["l"] + 1) % 4)
    path.write_bytes(b"".join(lines))
    options = Options(tmp_path)
    told = asked(options, 0, turns[0]["turn"])
    assert 0 < len(told) <= 11 and told == turns[: len(told)]
    assert asked(options, 0, turns[len(told) + 1]["turn"]) == []
    assert asked(options, 0, turns[-1]["turn"])[0] == turns[-1]  # the other kyoku are as they were
    path.write_bytes(b"no journal\n" + b"".join(lines[1:]))
    assert asked(options, 0, turns[0]["turn"]) == []


@kept_cases("text", "[" * 9000)
def test_what_is_no_question_is_not_answered(text: str, tmp_path: Path) -> None:
    assert Options(tmp_path).answer(text) is None


def test_a_game_or_a_turn_that_is_not_there_has_no_options(tmp_path: Path) -> None:
    play_held(tmp_path, (), lambda held: None, length="one")
    assert asked(Options(tmp_path), 1, 1) == asked(Options(tmp_path), 0, 1_000_000) == []


def answers_of(frames: list[str]) -> list[Item]:
    told: list[Any] = [json.loads(frame) for frame in frames]
    return [one for one in told if isinstance(one, dict) and "turns" in one]


def test_the_public_stream_never_has_options_whatever_is_asked(tmp_path: Path) -> None:
    """The operator has them while the same game is played, and later of earlier games."""
    question = {"game": 0, "turn": 1}
    frames: dict[str, list[str]] = {}

    def look(client: Drawer, message: Item, number: int) -> bool:
        if number == 40:
            for name, query in (("operator", "?token=op"), ("public", ""), ("empty", "?token=")):
                looker = Client(served.at(f"/watch/r{query}"))
                looker.send(question)
                if query == "?token=op":
                    while not answers_of(looker.frames):
                        looker.get()
                lookers[name] = looker
        return False

    lookers: dict[str, Client] = {}
    with Served(plan_of(tmp_path), rooms=("r",), operator_token="op") as served:
        early = Client(served.at("/watch/r"))
        early.send(question)
        outcome, drawers = play_out(served, [look, None, None, None])
        turns = book(Path(outcome.records[0]))
        later = Client(served.at("/watch/r?token=op"))
        later.send({"game": 0, "turn": turns[-1]["turn"]})
        while not answers_of(later.frames):
            later.get()
    assert answers_of(later.frames) == [{"game": 0, "turns": turns[-1:]}]
    frames = {name: looker.rest() for name, looker in lookers.items()}
    (answer,) = answers_of(frames["operator"])
    assert answer["turns"] == turns[: len(answer["turns"])] != []
    for seen in (frames["public"], frames["empty"], early.rest(), *(drawer.frames for drawer in drawers)):
        assert seen and not any('"options"' in frame or '"turns"' in frame for frame in seen)


def test_who_may_see_running_games_may_ask_for_the_options_of_all_of_them(tmp_path: Path) -> None:
    """While the second game is played, of the first and of the second."""
    told: list[Item] = []

    def look(held: Held) -> None:
        client = Client(viewer.address.replace("http:", "ws:").replace("#", "?"))
        earlier = [(0, book(journal_of(tmp_path, 0))[-1]["turn"])] if told else []
        for number, (game, turn) in enumerate([*earlier, (len(earlier), 1)], 1):
            client.send({"game": game, "turn": turn})
            while len(answers_of(client.frames)) < number:
                client.get()
        told.extend(answers_of(client.frames))
        client.close()

    with WatchPage(tmp_path, 0) as viewer:
        play_held(tmp_path, (30,), look, length="one", games=2)
    first, second = (book(journal_of(tmp_path, game)) for game in range(2))
    assert [answer["game"] for answer in told] == [0, 0, 1]
    assert told[0]["turns"] == first[: len(told[0]["turns"])] != []
    assert told[1]["turns"] == first[-1:]
    assert told[2]["turns"] == second[: len(told[2]["turns"])] != []
