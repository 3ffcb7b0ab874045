"""No byte to a client or a watcher tells of a tile before everybody may see it, whoever comes back or comes late.

majiang-server sends the whole record, hands of all seats included, to whoever reconnects; here it is tried."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jantaku.players.bots.caller import Caller
from jantaku.players.bots.shanten import Shanten
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.riichi.mjsonp import Handshake
from jantaku.table.serve.riichi.room import RiichiRoomPlan
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.serve.secrets import Spectator, hands_in, tiles_of
from tests.serve.serving import Client, Served, plan_of, play_out
from tests.serve.ways_in import WAYS_IN, Place, heard, program

BOTS = (Shanten, Caller)
WAYS = list(WAYS_IN.items())
PAGES = ("/", "/lobby", "/sit/r", "/riichi/sit.js", "/watch/r")
"""What anybody may fetch."""


@pytest.mark.long
@settings(max_examples=2)
@example(seed=899, turned=0, breaks=[[], [], [], []])
@example(seed=5, turned=0, breaks=[[], [40], [30], [50]])
@example(seed=3, turned=4, breaks=[[9], [30], [], [20]])
@example(seed=11, turned=8, breaks=[[], [40], [], [8]])
@example(seed=12, turned=3, breaks=[[], [20, 31], [], [8]])
@given(
    seed=st.integers(0, 10_000),
    turned=st.integers(0, len(WAYS) - 1),
    breaks=st.lists(st.lists(st.integers(2, 60), max_size=2), min_size=4, max_size=4),
)
def test_no_hidden_tile_is_in_anything_that_is_sent(
    tmp_path_factory: pytest.TempPathFactory, seed: int, turned: int, breaks: list[list[int]]
) -> None:
    """Four ways in at one table, with connections that break, a watcher from the start and one that comes in between.
    The examples that are written down go through all ways."""
    folder = tmp_path_factory.mktemp("secrecy")
    with place_of(plan_of(folder, "ws,ws,ws,ws", seed=str(seed))) as place:
        served = place.served
        early, listed = Client(served.at("/watch/r")), Client(served.at("/rooms"))
        ways = [*WAYS[turned:], *WAYS[:turned]][:4]
        seats = enumerate(zip("abcd", ways, strict=True))
        guests = [enter(place, name, BOTS[n % 2], breaks[n]) for n, (name, (_, enter)) in seats]
        late = Client(served.at("/watch/r"))
        outcome = served.outcome()
        for guest in guests:
            guest.join()
        watched = [early.rest(), late.rest()]
        fetched = [fetch(served.at(page)) for page in PAGES]
    told = fetched + listed.rest()
    assert len(told) > len(PAGES)
    journal = Path(outcome.records[0])
    for guest, name in zip(guests, "abcd", strict=True):
        for frames in guest.streams:
            assert told_too_much(journal, name, frames) == []
    assert watched[0] and watched[1]
    for frames in watched:
        assert told_too_much(journal, None, frames) == []
    assert not [hand for _, hand in _hands(journal) for text in told if hand in text]


def test_no_hidden_tile_is_told_to_a_program(tmp_path: Path) -> None:
    players = f"{program(tmp_path)},tsumogiri,ws,tsumogiri"
    clock = Clock(turn=SOON, reaction=SOON, start=SOON)
    with place_of(plan_of(tmp_path / "records", players, clock=clock)) as place:
        mjai = WAYS_IN["/play mjai-actions"](place, "a", Shanten, [])
        outcome = place.served.outcome()
        mjai.join()
    assert outcome.faults == ({}, {}, {}, {})
    assert len(frames := heard(tmp_path)) > 5
    assert told_too_much(Path(outcome.records[0]), "folder", frames) == []


def fetch(address: str) -> str:
    with urlopen(address.replace("ws:", "http:"), timeout=SOON) as page:
        text: str = page.read().decode()
    return text


@contextmanager
def place_of(plan: RiichiRoomPlan) -> Iterator[Place]:
    """A server with all its doors and a room "r", for one game."""
    door = LineDoor("127.0.0.1", 0, Handshake())
    with Served(plan, rooms=("r",), games=1, doors=[door]) as served:
        yield Place(served, door)


@cases("ways", ("/play mjai-actions", "/sit", "/play mjai"), ("/play mjai-lines-actions", "/play mjai-lines", "/sit"))
def test_no_hidden_tile_is_sent_where_three_play(tmp_path: Path, ways: tuple[str, ...]) -> None:
    rules = with_settings(preset("tenhou-3p"), {"game.length": "one"})
    with place_of(plan_of(tmp_path, "ws,ws,ws", rules=rules)) as place:
        watcher = Client(place.served.at("/watch/r"))
        guests = [WAYS_IN[way](place, name, Caller, ()) for name, way in zip("abc", ways, strict=True)]
        outcome = place.served.outcome()
        for guest in guests:
            guest.join()
        watched = watcher.rest()
    assert len(outcome.names) == 3 and watched
    journal = Path(outcome.records[0])
    assert told_too_much(journal, None, watched) == []
    for guest, name in zip(guests, "abc", strict=True):
        assert [told_too_much(journal, name, frames) for frames in guest.streams] == [[]]


def told_too_much(journal: Path, name: str | None, frames: list[str]) -> list[Any]:
    """The messages that tell the player of that name (None: who looks on) of a hidden tile: by what their fields mean,
    and whatever they mean if they hold the whole hand of another as it was dealt."""
    seat = None if name is None else _names(journal).index(name)
    dealt = [tiles_of(hand) for other, hand in _hands(journal) if other != seat]
    whole = [frame for frame in frames if any(hand in dealt for hand in hands_in(frame))]
    return Spectator(seat).hidden(frames) + whole


def test_the_operator_alone_sees_hidden_tiles(tmp_path: Path) -> None:
    """And so this shows that what should be found is found."""
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        operator = Client(served.at("/watch/r?token=op"))
        outcome, _ = play_out(served, [None] * 4)
        frames = operator.rest()
    found = Spectator(None).hidden(frames)
    assert sum("zimo" in message for message in found) == 70 and sum("qipai" in message for message in found) == 1
    assert all(any(hand in frame for frame in frames) for _, hand in _hands(Path(outcome.records[0])))


@cases(
    "message",
    '{"kaiju": {"qijia": 0, "log": [[{"qipai": {"jushu": 0, "shoupai": ["", "m1"]}}]]}}',
    '{"wall": "m1"}',
    '{"turn": 1, "answers": []}',
    '{"type": "dahai", "actor": 1, "pai": "1m", "possible_actions": [{"type": "hora", "actor": 2}]}',
    '{"type": "start_game", "jantaku": {"walls": "m1"}}',
)
def test_a_message_that_tells_more_than_it_should_is_found(message: str) -> None:
    spectator = Spectator(0)
    spectator.hidden(['{"type": "start_game", "id": 0}'])
    assert len(spectator.hidden([message])) == 1


def test_a_whole_hand_is_found_in_every_notation() -> None:
    words = [*("1m", "5pr", "9s", "E", "F"), *["2p"] * 8]
    dealt = tiles_of("m1p022222222s9z16")
    for told in (words, {"shoupai": ["m1p022222222s9z16"]}, [json.dumps(words)], {"tehais": [["?"] * 13, words]}):
        assert dealt in hands_in(json.dumps(told))


def _names(journal: Path) -> list[str]:
    names: list[str] = json.loads(journal.read_text("utf-8").partition("\n")[0])["player"]
    return names


def _hands(journal: Path) -> list[tuple[int, str]]:
    """By player id the text of every hand that was dealt, but of those that everybody is shown as they were dealt: with
    九種九牌, for one."""
    header, *lines = (msgspec.json.decode(line) for line in journal.read_bytes().splitlines())
    deals = [line["qipai"] for line in lines if "qipai" in line]
    shown = [tiles_of(hand) for line in lines if "pingju" in line for hand in line["pingju"]["shoupai"]]
    shown += [tiles_of(line["hule"]["shoupai"]) for line in lines if "hule" in line]
    return [
        ((header["qijia"] + deal["jushu"] + seat) % 4, hand)
        for deal in deals
        for seat, hand in enumerate(deal["shoupai"])
        if not any(tiles_of(hand) <= tiles for tiles in shown)
    ]
