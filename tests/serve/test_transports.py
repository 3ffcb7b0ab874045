"""The same bots wherever their minds are play the same game: in the table's process, in processes, over WebSocket."""

import functools
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.players.adapters import websocket
from jantaku.players.bots.caller import Caller
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import PlayerGone
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seeds import of_bot
from tests.serve.playing import Tapped
from tests.serve.serving import CLOCK, Served, plan_of

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
