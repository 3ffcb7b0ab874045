"""A seat for a language model: played over MCP with the official client, by the texts alone."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.types import TextContent

from players.adapters.websocket import Visit
from players.joining.finding import where
from players.models import texts
from players.models.command import own_table
from players.models.server import Tools, server_of
from players.models.tables import AwayTable, ModelGame
from table.errors import BadInput
from table.record.read import load
from table.replay.verify import verify
from table.riichi import actions, events
from table.riichi.pieces.melds import chi, pon
from table.riichi.pieces.tiles import TILE, sort_tiles
from tests.kit.command import Jantaku
from tests.server.serving import Served, plan_of

QUESTION = re.compile(r"^Question (\d+): .*\n((?:  \d+ .*\n?)+)", re.MULTILINE)


def sitting_of(folder: Path, *, length: str = "one", limit: float = 60) -> ModelGame:
    return ModelGame(own_table("model", "shanten", "tenhou", length, "7", limit, folder))


def journal_in(folder: Path) -> Path:
    (journal,) = folder.glob("*.jsonl")
    return journal


def assert_nothing_hidden(journal: Path, seen: list[str]) -> None:
    """No text before the end tells what another drew, or half of what it was dealt."""
    record = load(journal)
    deal = record.log[0][0]
    assert isinstance(deal, events.KyokuStart)
    me = (record.names.index("model") - deal.dealer) % 4
    running = [text for text in seen if "Your hand: " in text]
    own = texts.tiles_text(sort_tiles(deal.hands[me] or ()))
    assert own in running[0] or len(running) > 3
    for text in running:
        assert text.count("Your hand: ") == 1
        others = [seat for seat in range(4) if seat != me]
        assert not re.search(rf"({'|'.join(texts.SEATS[seat] for seat in others)}) drew (?!a tile)", text)
        for seat in others:
            tiles = sort_tiles(deal.hands[seat] or ())
            assert texts.tiles_text(tiles[:7]) not in text and texts.tiles_text(tiles[6:]) not in text


def answer_of(text: str) -> tuple[int, str] | None:
    """What a simple player says: a win, else no call, else what it has just drawn."""
    if (found := QUESTION.search(text)) is None:
        return None
    words = [line.split(maxsplit=1)[1] for line in found[2].strip().splitlines()]
    best = next((word for word in words if word.startswith(("tsumo", "ron"))), None)
    drawn = (word for word in words if word.startswith(("pass", "discard")) and ("drawn" in word or word == "pass"))
    return int(found[1]), best or next(drawn, words[0])


def played(tools: Tools, text: str) -> Iterator[str]:
    """Every text of a game that is played to its end."""
    yield text
    while "No move is to be made" not in text:
        said = answer_of(text)
        text = tools.call("wait", {}) if said is None else tools.call("act", {"question": said[0], "action": said[1]})
        yield text


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
            wrong: list[tuple[dict[str, object], str]] = [
                ({}, "act needs question"),
                ({"question": None, "action": []}, "act needs question"),
                ({"question": number + 9, "action": "1"}, "is not open any more or yet"),
                ({"question": number, "action": "99"}, "'99' is not one of the options"),
                ({"question": number, "action": "win!"}, "'win!' is not one of the options"),
            ]
            for given, why in wrong:
                refused = await call("act", given)
                assert refused.startswith("error: nothing was played: ") and why in refused
            assert (await call("start_game", {})).startswith("error: a game is being played already")
            assert (await call("fly", {})).startswith("error: there is no tool 'fly'; there are rules, ")
            while "No move is to be made" not in text:
                said = answer_of(text)
                answer: dict[str, object] = {} if said is None else {"question": said[0], "action": said[1]}
                text = await call("wait" if said is None else "act", answer)
            assert not text.startswith("error") and "the game is over" in text
            late = await call("act", {"question": number, "action": "1"})
            assert late.startswith("error: nothing was played: no question is open: the game is over")

    anyio.run(talk)
    record = load(journal_in(tmp_path / "out"))
    assert record.rules is not None and verify(record, record.rules).difference is None
    assert_nothing_hidden(journal_in(tmp_path / "out"), seen)


def test_who_says_nothing_has_the_default_played_and_is_told_why(tmp_path: Path) -> None:
    sitting = sitting_of(tmp_path / "out", limit=1)
    tools = Tools(sitting)
    first = answer_of(tools.call("start_game", {}))
    assert first is not None and answer_of(tools.call("see_table", {})) == first
    seat = sitting.seat
    assert seat is not None
    with seat._changed:
        assert seat._changed.wait_for(lambda: seat._number > first[0] and seat._asked is not None, 30)
    with pytest.raises(BadInput, match=rf"question {first[0]} is not open any more or yet"):
        tools.call("act", {"question": first[0], "action": "1"})
    assert f"question {first[0]}: no answer came in time; the default was played, " in tools.call("see_table", {})
    sitting.close()
    assert "No move is to be made: you have left" in tools.call("see_table", {})


def test_a_model_plays_in_a_room_of_a_server_and_is_told_its_time(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path / "rec", "ws:model,tsumogiri,tsumogiri,tsumogiri"), rooms=("r",)) as served:
        sitting = ModelGame(AwayTable(Visit("", "model"), where(served.at("").removesuffix("/"))))
        tools = Tools(sitting)
        seen = list(played(tools, tools.call("start_game", {})))
        outcome = served.outcome()
    assert not any(outcome.faults) and outcome.names[0] == "model"
    assert re.search(r"Question \d+: your move \(\d+ s left", "".join(seen))
    assert "the game is over; you are number " in seen[-1]
    assert_nothing_hidden(Path(outcome.records[0]), seen)


def test_a_server_that_is_not_there_is_told_and_another_game_can_be_tried() -> None:
    sitting = ModelGame(AwayTable(Visit("", "model"), where("ws://127.0.0.1:9/play/r")))
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
    words = [texts.option_text(option) for option in options]
    assert words == [
        "discard 5s", "discard 5s, just drawn", "discard 5s-red, just drawn", "riichi, discard 5s",
        "chi 5s with 6s 7s", "pon 5s with 5s-red 5s", "pass",
    ]  # fmt: skip
    for number, (option, word) in enumerate(zip(options, words, strict=True), 1):
        assert texts.chosen(options, str(number)) == texts.chosen(options, f" {word.upper()}. ") == option
    assert texts.chosen(options, "discard 5s-red") == options[2] and texts.chosen(options, "chi") == options[4]
    assert texts.chosen(options, "s5_") == options[1]
    assert [texts.chosen(options, word) for word in ("0", "8", "9" * 99, "", "discard", "ron")] == [None] * 6


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--against", "shanten,dice"], "--against shanten,dice: give one bot for all three seats, or three"),
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


def test_without_the_extra_the_command_names_what_installs_it(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "players.models.server", None)
    code, _, err = jantaku("mcp")
    assert code == 2 and "jantaku mcp needs " in err and "[mcp]" in err
