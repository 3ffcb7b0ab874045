"""The same bots wherever their minds are play the same game, also over connections that break: the seat is taken back
with all that it had heard."""

import functools
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.players.adapters import websocket
from jantaku.players.bots.caller import Caller
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import PlayerGone
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seeds import of_bot
from tests.kit.pace import SOON
from tests.serve.secrets import Spectator, untimed
from tests.serve.serving import CLOCK, Drawer, Hook, Item, Served, Tapped, plan_of, play_out

BOTS = {"a": ("shanten", Shanten), "b": ("caller", Caller), "c": ("shanten", Shanten), "d": ("caller", Caller)}


def played_here(folder: Path) -> bytes:
    """The 牌譜 of a game played by the runner, as `jantaku play` does it, under the title of the first in room r."""
    plan = plan_of(folder, length="tonpu")
    entrants = tuple(enlist([f"{bot}?name={name}" for name, (bot, _) in BOTS.items()]))
    table = RiichiTable(plan.rules, tuple(BOTS), plan.seed, Keeping(folder, "test", title="r, game 1"))
    outcome = play_one(Plan(entrants, 1, plan.seed, Mode.PER_TURN, CLOCK, OnFault.DEFAULT), 0, table)
    assert outcome.faults == ({}, {}, {}, {})
    return Path(outcome.records[-1]).read_bytes()


@pytest.mark.parametrize(
    "dialects", [("majiang", "majiang", "mjai", "mjai-lines"), ("majiang-2015",) * 4], ids=["numbered", "2015"]
)
def test_a_bot_plays_alike_here_and_over_websocket_in_every_dialect(dialects: tuple[str, ...], tmp_path: Path) -> None:
    here = played_here(tmp_path / "here")
    with Served(plan_of(tmp_path / "served", length="tonpu")) as served:
        players = [
            Tapped(served.at("/play/r"), name, dialect, functools.partial(BOTS[name][1], seed=of_bot("9", 0, place)))
            for place, (name, dialect) in enumerate(zip(BOTS, dialects, strict=True))
        ]
        outcome = served.outcome()
        for player in players:
            player.join()
    assert outcome.faults == ({}, {}, {}, {})
    assert Path(outcome.records[-1]).read_bytes() == here


def test_our_client_repeats_what_the_server_says_to_refuse_it(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("club",), token="x") as served:
        with pytest.raises(PlayerGone, match=r"token: wrong for room club \(1008\)"):
            websocket.play(websocket.Visit(served.at("/play/club"), "alice"), Shanten)
        port = served.server.port
    with pytest.raises(PlayerGone, match=f"ws://127.0.0.1:{port}/play/r cannot be reached: "):
        websocket.play(websocket.Visit(f"ws://127.0.0.1:{port}/play/r", "alice"), Shanten)


def test_our_client_comes_back_when_its_connection_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice, in the ninth message and in the fourteenth that it is told then."""
    breaks = [9, 14]

    class Breaking(websocket.Frames):
        def __iter__(self) -> Iterator[bytes]:
            after = breaks.pop(0) if breaks else 0
            for number, line in enumerate(super().__iter__(), 1):
                if number == after:
                    self._connection.socket.shutdown(socket.SHUT_RDWR)
                yield line

    monkeypatch.setattr(websocket, "Frames", Breaking)
    with Served(plan_of(tmp_path, "ws,shanten,shanten,shanten"), rooms=("r",), games=1) as served:
        websocket.play(websocket.Visit(served.at("/play/r"), "alice", key="k"), Shanten)
        outcome = served.outcome()
    assert breaks == [] and outcome.ending == "over" and set(outcome.faults[0]) <= {"gone"}


class Break:
    """`leave` closes a client's connection when `when` comes true; the client with `stay` waits until it is back."""

    def __init__(self, when: Hook) -> None:
        self.left, self.back = threading.Event(), threading.Event()
        self._when = when

    def leave(self, client: Drawer, message: Item, number: int) -> bool:
        if self.left.is_set() or not self._when(client, message, number):
            return False
        client.close()
        self.left.set()
        return True

    def stay(self, client: Drawer, message: Item, number: int) -> bool:
        if client.draws(message) and self.left.is_set():
            assert self.back.wait(SOON)
        return False


def played_with_a_break(served: Served, broken: Break) -> tuple[Outcome, list[Drawer], Drawer]:
    """A game in which a leaves and comes back: how it ended, the drawers, and a as it came back."""
    address = served.at("/play/r")
    hooks = [broken.leave, broken.stay, None, None]
    drawers = [Drawer(f"{address}?name={name}&key=k{name}", hook) for name, hook in zip("abcd", hooks, strict=True)]
    assert broken.left.wait(SOON)
    again = Drawer(f"{address}?name=a&key=ka")
    again.player = drawers[0].player
    broken.back.set()
    outcome = served.outcome()
    for drawer in (*drawers, again):
        drawer.join()
    return outcome, drawers, again


def third_draw() -> Hook:
    drawn: list[int] = []

    def hook(client: Drawer, message: Item, number: int) -> bool:
        if client.draws(message):
            drawn.append(number)
        return len(drawn) == 3

    return hook


def test_who_comes_back_hears_what_it_had_heard_and_plays_on(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path / "clean")) as served:
        _, clean = play_out(served, [None] * 4)
    with Served(plan_of(tmp_path / "broken")) as served:
        outcome, drawers, again = played_with_a_break(served, Break(third_draw()))
    assert outcome.faults == ({"gone": 1}, {}, {}, {})
    before = drawers[0].frames
    assert untimed(again.frames[: len(before)]) == untimed(before)
    assert untimed(again.frames) == untimed(clean[0].frames)
    assert [one.frames for one in drawers[1:]] == [one.frames for one in clean[1:]]
    assert Spectator(again.player).hidden(again.frames) == []


@pytest.mark.long
def test_the_catch_up_begins_with_the_current_kyoku(tmp_path: Path) -> None:
    second_deal: Hook = lambda client, message, number: message.get("qipai", {}).get("jushu") == 1  # noqa: E731
    with Served(plan_of(tmp_path, length="tonpu")) as served:
        outcome, _, again = played_with_a_break(served, Break(second_deal))
    assert set(outcome.faults[0]) <= {"gone"} and outcome.faults[1:] == ({}, {}, {})
    kinds = [next(iter(json.loads(frame))) for frame in again.frames[:2]]
    assert kinds == ["kaiju", "qipai"] and '"jushu":1' in again.frames[1]
    assert Spectator(again.player).hidden(again.frames) == []
