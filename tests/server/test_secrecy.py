"""No byte to a client or a watcher tells of a tile before everybody may see it, whoever comes back or comes late.

majiang-server sends the whole record, hands of all seats included, to whoever reconnects; here it is tried."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from players.bots.caller import Caller
from players.bots.shanten import Shanten
from tests.server.playing import Tapped
from tests.server.secrets import Onlooker
from tests.server.serving import Client, Served, plan_of, play_out

DIALECTS = ("majiang", "majiang-2015", "mjai", "mjai-lines")
BOTS = (Shanten, Caller)


@settings(max_examples=4)
@example(seed=899, turned=0, breaks=[[], [], [], []])
@given(
    seed=st.integers(0, 10_000),
    turned=st.integers(0, 3),
    breaks=st.lists(st.lists(st.integers(2, 60), max_size=2), min_size=4, max_size=4),
)
def test_no_hidden_tile_is_in_anything_that_is_sent(
    tmp_path_factory: pytest.TempPathFactory, seed: int, turned: int, breaks: list[list[int]]
) -> None:
    """Each of the dialects, with connections that break, a watcher from the start and one that comes in between."""
    folder = tmp_path_factory.mktemp("secrecy")
    with Served(plan_of(folder, seed=str(seed)), rooms=("r",), games=1, operator_token="op") as served:
        early = Client(served.at("/watch/r"))
        dialects = DIALECTS[turned:] + DIALECTS[:turned]
        players = [
            Tapped(served.at("/play/r"), name, dialect, BOTS[n % 2], breaks[n])
            for n, (name, dialect) in enumerate(zip("abcd", dialects, strict=True))
        ]
        late = Client(served.at("/watch/r"))
        outcome = served.outcome()
        for player in players:
            player.join()
        watched = [early.rest(), late.rest()]
    names = _names(Path(outcome.records[0]))
    dealt = _hands(Path(outcome.records[0]))
    for player, name in zip(players, "abcd", strict=True):
        seat = names.index(name)
        for frames in player.streams:
            assert Onlooker(seat).hidden(frames) == []
            assert not [hand for other, hand in dealt if other != seat for frame in frames if hand in frame]
    assert watched[0] and watched[1]
    for frames in watched:
        assert Onlooker(None).hidden(frames) == []
        assert not [hand for _, hand in dealt for frame in frames if hand in frame]


def test_the_operator_alone_sees_hidden_tiles(tmp_path: Path) -> None:
    """And so this shows that what should be found is found."""
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        operator = Client(served.at("/watch/r?token=op"))
        outcome, _ = play_out(served, [None] * 4)
        frames = operator.rest()
    found = Onlooker(None).hidden(frames)
    assert sum("zimo" in message for message in found) == 70 and sum("qipai" in message for message in found) == 1
    assert all(any(hand in frame for frame in frames) for _, hand in _hands(Path(outcome.records[0])))


@pytest.mark.parametrize(
    "message",
    ['{"kaiju": {"qijia": 0, "log": [[{"qipai": {"shoupai": []}}]]}}', '{"wall": "m1"}', '{"turn": 1, "answers": []}'],
)
def test_a_message_that_tells_more_than_it_should_is_found(message: str) -> None:
    assert len(Onlooker(0).hidden([message])) == 1


def _names(journal: Path) -> list[str]:
    names: list[str] = json.loads(journal.read_text("utf-8").partition("\n")[0])["player"]
    return names


def _hands(journal: Path) -> list[tuple[int, str]]:
    """By player id the text of every hand that was dealt, but of those that everybody is shown as they were dealt: with
    九種九牌, for one."""
    header, *lines = (msgspec.json.decode(line) for line in journal.read_bytes().splitlines())
    deals = [line["qipai"] for line in lines if "qipai" in line]
    shown = [hand for line in lines if "pingju" in line for hand in line["pingju"]["shoupai"]]
    return [
        ((header["qijia"] + deal["jushu"] + seat) % 4, hand)
        for deal in deals
        for seat, hand in enumerate(deal["shoupai"])
        if not any(hand in text for text in shown)
    ]
