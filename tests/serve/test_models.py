"""A seat for a language model: played over MCP with the official client, by the texts alone."""

import queue
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from jantaku.players.adapters.websocket import Visit
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.runner import play_one
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import chi, pon
from jantaku.table.riichi.pieces.tiles import TILE, sort_tiles
from jantaku.table.serve import model_seat as model
from jantaku.table.serve.commands.mcp import ModelOptions, own_table
from jantaku.table.serve.joining import visit_to
from jantaku.table.serve.model_seat import LEAVING, AwayTable, ModelGame
from jantaku.table.serve.model_server import Tools, server_of
from scripts.pace import SOON
from tests.kit.command import Jantaku
from tests.kit.models import OVER, answer_of, played
from tests.serve.serving import Served, plan_of


def sitting_of(folder: Path, *, length: str = "one", limit: float = 60) -> ModelGame:
    return ModelGame(own_table(ModelOptions(length=length, seed="7", limit=limit, out=folder)))


def journal_in(folder: Path) -> Path:
    (journal,) = folder.glob("*.jsonl")
    return journal


def assert_nothing_hidden(journal: Path, seen: list[str]) -> None:
    """No text before the end tells what another drew, or half of what it was dealt."""
    record = load(journal)
    deal = record.log[0][0]
    assert isinstance(deal, events.KyokuStart)
    seats = len(record.names)
    me = (record.names.index("model") - deal.dealer) % seats
    running = [text for text in seen if "Your hand: " in text]
    own = model.tiles_text(sort_tiles(deal.hands[me] or ()))
    assert own in running[0] or len(running) > 3
    for text in running:
        assert text.count("Your hand: ") == 1
        others = [seat for seat in range(seats) if seat != me]
        assert not re.search(rf"({'|'.join(model.SEATS[seat] for seat in others)}) drew (?!a tile)", text)
        for seat in others:
            tiles = sort_tiles(deal.hands[seat] or ())
            assert model.tiles_text(tiles[:7]) not in text and model.tiles_text(tiles[6:]) not in text


def test_a_scripted_model_plays_a_kyoku_with_the_official_client_and_the_record_verifies(tmp_path: Path) -> None:
    sitting = sitting_of(tmp_path / "out")
    seen: list[str] = []

    async def talk() -> None:
        async with Client(server_of(Tools(sitting))) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {
                "rules", "start_game", "see_table", "wait", "act"
            }  # fmt: skip

            async def call(name: str, given: dict[str, object]) -> str:
                result = await client.call_tool(name, given)
                (content,) = result.content
                assert isinstance(content, TextContent)
                seen.append(("error: " if result.is_error else "") + content.text)
                return seen[-1]

            assert (await call("act", {"question": 1, "action": "1"})) == "error: no game was begun: call start_game"
            text = await call("start_game", {})
            asked = answer_of(text)
            assert asked is not None
            number = asked[0]
            assert (await call("act", {})).startswith("error: nothing was played: act needs question")
            while OVER not in text:
                said = answer_of(text)
                answer: dict[str, object] = {} if said is None else {"question": said[0], "action": said[1]}
                text = await call("wait" if said is None else "act", answer)
            assert not text.startswith("error") and "the game is over" in text
            late = await call("act", {"question": number, "action": "1"})
            assert late.startswith("error: nothing was played: no question is open: the game is over")

    anyio.run(talk)
    sitting.close()  # the journal is whole when its table is done
    record = load(journal_in(tmp_path / "out"))
    assert record.rules is not None and verify(record, record.rules).difference is None
    assert_nothing_hidden(journal_in(tmp_path / "out"), seen)


def test_a_model_plays_where_three_play(tmp_path: Path) -> None:
    sitting = ModelGame(
        own_table(ModelOptions(against="dice,caller", rules="tenhou-3p", length="one", seed="0", out=tmp_path / "out"))
    )
    tools = Tools(sitting)
    seen = list(played(tools, tools.call("start_game", {})))
    sitting.close()
    record = load(journal_in(tmp_path / "out"))
    assert record.rules is not None and verify(record, record.rules).difference is None
    assert_nothing_hidden(journal_in(tmp_path / "out"), seen)
    text = "\n".join(seen)
    assert "set a north aside (a dora; draw another tile)" in text and "Norths aside: 1." in text
    assert re.search(r"(East|South|West) set a north aside;", text) and "\nNorth (" not in text


def test_the_other_seats_are_named_one_for_all_or_each(tmp_path: Path) -> None:
    for preset, others in (("tenhou", "a,b"), ("tenhou-3p", "a,b,c")):
        with pytest.raises(BadInput, match=f"--against {others}: give one bot for all other seats, or one for each of"):
            own_table(ModelOptions(against=others, rules=preset, length="one", seed="3", out=tmp_path))


def test_over_standard_input_and_output_the_official_client_plays_a_kyoku(tmp_path: Path) -> None:
    """The program that a host of models starts, as it is."""
    words = ["-m", "jantaku", "mcp", "--against", "tsumogiri,dice,dice", "--length", "one", "--seed", "7"]
    program = StdioServerParameters(command=sys.executable, args=[*words, "--out", str(tmp_path / "out")])
    seen: list[str] = []

    async def talk() -> None:
        async with Client(program) as client:
            name, given = "start_game", dict[str, object]()
            while not seen or OVER not in seen[-1]:
                (content,) = (await client.call_tool(name, given)).content
                assert isinstance(content, TextContent)
                seen.append(content.text)
                said = answer_of(content.text)
                name, given = ("wait", {}) if said is None else ("act", {"question": said[0], "action": said[1]})

    anyio.run(talk)
    record = load(journal_in(tmp_path / "out"))
    assert record.rules is not None and verify(record, record.rules).difference is None
    assert "the game is over" in seen[-1]
    assert_nothing_hidden(journal_in(tmp_path / "out"), seen)


def test_a_model_waits_for_a_server_and_is_told_so_until_it_leaves() -> None:
    sitting = ModelGame(AwayTable(Visit("127.0.0.1:9/r", "model"), wait=60))
    tools = Tools(sitting, wait=0.0)
    tools.call("start_game", {})
    while "waiting, 60 s at the most: ws://127.0.0.1:9/play/r cannot be" not in tools.call("see_table", {}):
        pass
    began = now()
    sitting.close()
    assert now() - began < LEAVING / 2 and f"{OVER}: you have left" in tools.call("see_table", {})


def test_a_model_finds_a_room_that_wants_a_token_and_plays_in_the_queue_of_bots(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), token="sesame", games=3) as served:
        at = served.at("").removeprefix("ws://")
        for address in (at, f"{at}/club"):
            tools = Tools(ModelGame(AwayTable(visit_to(address, "model", "sesame"))))
            *_, last = played(tools, tools.call("start_game", {}))
            outcome = served.outcome()
            assert "the game is over; you are number " in last
            assert outcome.names.count("model") == 1 and not any(outcome.faults)
        refused = Tools(ModelGame(AwayTable(visit_to(f"{at}/club", "model", "open")))).call("start_game", {})
        assert "the table is gone: " in refused and "token" in refused


class Kind(StrEnum):
    """The kinds of bad messages."""

    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    WRONG_SEAT = "for another seat"
    NOT_POSSIBLE = "not possible"
    LATE = "late"
    STALE = "stale"
    DUPLICATE = "said twice"
    OVERSIZED = "too long"
    FULL = "to a room that is full"
    BROKEN = "not there, as the connection breaks"


WRONG: dict[Kind, tuple[str, dict[str, object], str]] = {
    Kind.MALFORMED: ("act", {"question": [], "action": {}}, "nothing was played: act needs question"),
    Kind.UNKNOWN: ("fly", {}, "there is no tool 'fly'; there are rules, start_game"),
    Kind.WRONG_SEAT: ("act", {"question": 9}, "question 9 is not open any more or yet"),
    Kind.NOT_POSSIBLE: ("act", {"action": "tsumo"}, "'tsumo' is not one of the options"),
    Kind.STALE: ("act", {"question": 1}, "question 1 is not open any more or yet"),
    Kind.OVERSIZED: ("act", {"action": "1m" * 100_000}, f"{'1m' * 40!r} is not one of the options"),
    Kind.FULL: ("start_game", {}, "a game is being played already"),
}
"""What is called, what is said otherwise than usually to question 2, and what comes back."""


@pytest.mark.parametrize("kind", Kind)
def test_a_model_that_says_what_is_no_answer_is_told_so_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    ends: queue.Queue[Outcome] = queue.Queue()

    def kept(*given: Any, **more: Any) -> Outcome:
        ends.put(outcome := play_one(*given, **more))
        return outcome

    monkeypatch.setattr(model, "play_one", kept)
    sitting = sitting_of(tmp_path / "out", limit=1 if kind is Kind.LATE else 60)
    tools = Tools(sitting)
    first = answer_of(tools.call("start_game", {}))
    assert first is not None and first[0] == 1
    second = answer_of(tools.call("act", {"question": 1, "action": first[1]}))
    assert second is not None and second[0] == 2
    usual = {"question": 2, "action": second[1]}
    if kind is Kind.BROKEN:
        sitting.close()
        assert ends.get(timeout=SOON).ending == "stopped" and OVER in tools.call("see_table", {})
        return
    if kind is Kind.LATE:
        past(sitting, 2)
    if kind is Kind.DUPLICATE:
        tools.call("act", usual)
    name, changed, why = WRONG.get(kind, ("act", {}, "nothing was played: "))
    with pytest.raises(BadInput, match=re.escape(why)) as refused:
        tools.call(name, {**usual, **changed})
    assert len(str(refused.value)) < 2000
    *_, last = played(tools, tools.call("see_table", {}))
    assert "the game is over" in last
    (mine, *others) = by_name(ends.get(timeout=SOON))
    assert not any(others) and set(mine) - {"ok_margin"} == ({"silent"} if kind is Kind.LATE else set())


def by_name(outcome: Outcome) -> list[dict[str, int]]:
    """What was counted, the model's first."""
    me = outcome.names.index("model")
    return [outcome.faults[me], *(one for seat, one in enumerate(outcome.faults) if seat != me)]


def past(sitting: ModelGame, number: int) -> None:
    """Wait until that question has had its time, and the next is open."""
    seat = sitting.seat
    assert seat is not None
    with seat._changed:
        assert seat._changed.wait_for(lambda: seat._number > number and seat._asked is not None, 30)


def test_who_says_nothing_has_the_default_played_and_is_told_why(tmp_path: Path) -> None:
    sitting = sitting_of(tmp_path / "out", limit=1)
    tools = Tools(sitting)
    first = answer_of(tools.call("start_game", {}))
    assert first is not None and answer_of(tools.call("see_table", {})) == first
    past(sitting, first[0])
    with pytest.raises(BadInput, match=rf"question {first[0]} is not open any more or yet"):
        tools.call("act", {"question": first[0], "action": "1"})
    assert f"question {first[0]}: no answer came in time; the default was played, " in tools.call("see_table", {})
    sitting.close()
    assert "No move is to be made: you have left" in tools.call("see_table", {})


def test_a_model_plays_in_a_room_of_a_server_and_is_told_its_time(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path / "rec", "ws:model,tsumogiri,tsumogiri,tsumogiri"), rooms=("r",)) as served:
        sitting = ModelGame(AwayTable(Visit(served.at("").removesuffix("/"), "model")))
        tools = Tools(sitting)
        seen = list(played(tools, tools.call("start_game", {})))
        outcome = served.outcome()
    assert not any(outcome.faults) and outcome.names[0] == "model"
    assert re.search(r"Question \d+: your move \(\d+ s left", "".join(seen))
    assert "the game is over; you are number " in seen[-1]
    assert_nothing_hidden(Path(outcome.records[0]), seen)


def test_a_server_that_is_not_there_is_told_and_another_game_can_be_tried() -> None:
    sitting = ModelGame(AwayTable(Visit("ws://127.0.0.1:9/play/r", "model")))
    for _ in range(2):
        assert "No move is to be made: the table is gone: ws://127.0.0.1:9/play/r cannot be" in Tools(sitting).call(
            "start_game", {}
        )
        sitting.close()


def test_an_option_is_meant_by_its_number_its_words_or_their_beginning() -> None:
    five, red = TILE["s5"], TILE["s0"]
    options = (
        actions.Discard(five), actions.Discard(five, tsumogiri=True), actions.Discard(red, tsumogiri=True),
        actions.Discard(five, riichi=True), actions.Call(chi(five, TILE["s6"], TILE["s7"])),
        actions.Call(pon(five, 1, five, red)), actions.PASS,
    )  # fmt: skip
    words = [model.option_text(option) for option in options]
    assert words == [
        "discard 5s", "discard 5s, just drawn", "discard 5s-red, just drawn", "riichi, discard 5s",
        "chi 5s with 6s 7s", "pon 5s with 5s-red 5s", "pass",
    ]  # fmt: skip
    for number, (option, word) in enumerate(zip(options, words, strict=True), 1):
        assert model.chosen(options, str(number)) == model.chosen(options, f" {word.upper()}. ") == option
    assert model.chosen(options, "discard 5s-red") == options[2] and model.chosen(options, "chi") == options[4]
    assert model.chosen(options, "s5_") == options[1]
    assert [model.chosen(options, word) for word in ("0", "8", "9" * 99, "", "discard", "ron")] == [None] * 6


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--name", "dice", "--against", "dice,caller,shanten"], "--name dice: a bot is called that"),
        (["a b"], "a b is no address"),
    ],
)
def test_a_command_line_that_cannot_be_is_one_line(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = jantaku("mcp", *words)
    assert code == 2 and why in err and len(err.splitlines()) == 1
