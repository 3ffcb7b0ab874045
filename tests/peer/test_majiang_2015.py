"""Games of 電脳麻将 as it was in December 2015 and a year later: what its four players were told and replied, and its
records. tests/data/games/README.md says where they are from."""

import json
import lzma
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.majiang.forms import FORM_1
from jantaku.table.languages.wire.dialect import Heard, converse
from jantaku.table.languages.wire.majiang import Majiang2015
from jantaku.table.languages.wire.majiang_reader import MajiangReader2015
from jantaku.table.play.beginnings import RecordPlace
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import driving, read_any
from jantaku.table.records.journal.read import Record, paifu_from
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.fitting import rules_of
from jantaku.table.records.replay.verify import game_of, verify
from jantaku.table.riichi import actions, ruleset
from jantaku.table.riichi.game import RiichiGame
from tests.kit.command import Jantaku

GAMES = 18
RULES = ruleset.preset("majiang-2015")
DATA = Path(__file__).parents[1] / "data" / "games" / "majiang_2015.jsonl.xz"
every_game = pytest.mark.parametrize("number", range(GAMES))


@cache
def _lines() -> list[bytes]:
    return lzma.decompress(DATA.read_bytes()).splitlines()


@cache
def original(number: int) -> Any:
    """One game: `paifu`, and `seat0`, all messages of its player 0, of which those at `reply` are its own."""
    return json.loads(_lines()[number])


def told_and_replied(number: int) -> tuple[list[Any], list[Any]]:
    """What player 0 was told and what it replied. Version 0.3.2 wraps the end of the game once more than its author's
    text on the protocol says."""
    game = original(number)
    replies = set(game["reply"])
    told = [message for at, message in enumerate(game["seat0"]) if at not in replies]
    if told[-1]["data"].keys() == {"jieju"}:
        told[-1] = {"type": "jieju", "data": told[-1]["data"]["jieju"]}
    return told, [game["seat0"][at] for at in game["reply"]]


def record_of(number: int) -> Record:
    return paifu_from(Path(original(number)["id"]), original(number)["paifu"])


def played(number: int) -> RiichiGame:
    record = record_of(number)
    drive = Drive(game_of(record, RULES, "original"), record.log)
    assert list(drive.steps()) and drive.difference is None
    return drive.game


def messages_of(line: bytes) -> list[Any]:
    return [json.loads(text) for text in line.splitlines()]


@pytest.mark.long
@every_game
def test_player_0_is_told_what_the_original_told_it(number: int) -> None:
    game, dialect = played(number), Majiang2015()
    told = [one for at in range(len(game.events)) for one in messages_of(dialect.tell(game.masked(at, 0)))]
    assert told == told_and_replied(number)[0]


@pytest.mark.long
@every_game
def test_what_the_original_tells_is_read_as_what_it_says(number: int) -> None:
    reader, dialect = MajiangReader2015(RULES), Majiang2015()
    for message in told_and_replied(number)[0]:
        events = reader.read(json.dumps(message).encode()).events
        assert [one for event in events for one in messages_of(dialect.tell(event))] == [message]


@pytest.mark.long
@every_game
def test_what_player_0_of_the_original_replies_is_legal_and_what_was_played(number: int) -> None:
    """A call that somebody else's came before is the one reply that no record shows."""
    record, dialect, reader = record_of(number), Majiang2015(), MajiangReader2015(RULES)
    game, replies = game_of(record, RULES, "original"), told_and_replied(number)[1]
    told = read = asked = 0

    def receive() -> Heard:
        nonlocal read
        read += 1
        return Heard(json.dumps(replies[read - 1]).encode(), dialect.due)

    def ask(player: int, choice: Choice, action: Action) -> None:
        nonlocal told, asked
        if player != 0 or not choice.asks:
            return
        while told < len(game.events):
            dialect.tell(game.masked(told, 0))
            told += 1
        answer = converse(dialect.ask(Question(asked, 0, choice)), lambda data: None, receive)
        asked += 1
        assert json.loads(reader.write(answer, 0)) == replies[dialect.due - 1]
        assert answer in choice.options
        assert answer == action or (isinstance(answer, actions.Call) and action is actions.PASS)

    assert list(Drive(game, record.log, asked=ask).steps())
    assert asked > 50


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("originals")
    for number in range(GAMES):
        (folder / f"{number}.json").write_text(json.dumps(original(number)["paifu"], ensure_ascii=False))
    return [folder / f"{number}.json" for number in range(GAMES)]


@pytest.mark.long
def test_every_record_of_the_original_verifies_without_a_flag(files: list[Path], jantaku: Jantaku) -> None:
    ran = jantaku("verify", *map(str, files))
    assert ran.code == 0 and ran.out.endswith(f"{GAMES} records, 0 different\n")
    assert "its end is missing" not in ran.out


@pytest.mark.long
@every_game
def test_a_record_becomes_a_real_one_of_1_x_and_comes_back(files: list[Path], number: int) -> None:
    """The marks of riichi are there, and all that was there before: its own program cannot tell the difference."""
    read = read_any(files[number])
    assert read.record.form is FORM_1 and read.kept == {}
    assert verify(read.record, rules_of(read.record)).difference is None


def test_rules_that_do_not_fit_are_named_by_their_keys(files: list[Path], jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("verify", str(files[12]), "--rules", "majiang")
    assert ran.code == 1
    assert ran.out.endswith('preset majiang-2015: game.score_rounding = "none" does not fit, "half-up" does\n')
    whither = ("--out", str(tmp_path / "out"), "--threads", "inline")
    ran = jantaku("play", "--from", str(files[12]), "--kyoku", "2", "--rules", "showa", *whither)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "tile s0 appears 1 times; by these rules there are 0 (tiles.red_s = 0)" in ran.err
    ran = jantaku("play", "--from", str(files[12]), "--kyoku", "9", "--set", "draw.noten_penalty=0", *whither)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.endswith("preset majiang-2015: draw.noten_penalty = 0 does not fit, 3000 does\n")


@pytest.mark.long
def test_a_winner_whom_the_rules_do_not_know_is_kept_and_the_keys_are_named(
    files: list[Path], jantaku: Jantaku, tmp_path: Path
) -> None:
    """The first kyoku of this game is a double ron."""
    ran = jantaku("convert", str(files[16]), str(tmp_path / "out.json"), "--rules", "mleague")
    assert ran.code == 0
    assert "kyoku 1: kept unchanged: these rules differ at event" in ran.err
    assert "ron.max_winners = 1 does not fit, 2 does" in ran.err
    made = json.loads((tmp_path / "out.json").read_bytes())
    assert sum("hule" in item for item in made["log"][0]) == 2


@pytest.mark.long
@pytest.mark.slow
@every_game
def test_live_bots_go_on_from_random_turns(files: list[Path], number: int, tmp_path: Path) -> None:
    record = driving(files[number])
    turns = list(Drive(game_of(record, rules_of(record), "turns"), record.log).steps())
    entrants = tuple(enlist(("dice", "tsumogiri", "dice", "tsumogiri")))
    plan = Plan(entrants=entrants, games=1, seed="5", mode=Mode.INLINE, clock=Clock(), on_fault=OnFault.DEFAULT)
    for at, (kyoku, turn) in enumerate(random.Random(number).sample(turns, 2)):
        folder = tmp_path / str(at)
        folder.mkdir()
        names = [entrant.name for entrant in entrants]
        table = RiichiTable(rules_of(record), names, "5", Keeping(folder, "test"), RecordPlace(record, kyoku, turn))
        (outcome,) = play(plan, table)
        assert outcome.ranks
        made = driving(Path(outcome.records[0]))
        done = verify(made, rules_of(made))
        assert done.difference is None and done.complete
