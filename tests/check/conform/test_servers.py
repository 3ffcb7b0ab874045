"""Servers held against the card: ours is clean, and each seeded defect of a told game fails its own check."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.check.conform import guest
from jantaku.table.check.conform.called import Called, called_on
from jantaku.table.check.conform.client import Check
from jantaku.table.check.conform.guest import Door, Lines, Parted, door_of, merged
from jantaku.table.check.conform.netplay import Wired
from jantaku.table.check.conform.troubles import ONE
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.play.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.net.line import LineDoor
from jantaku.table.serve.riichi.seats import Handshake
from scripts.pace import SOON, UNIT
from tests.kit.command import Jantaku
from tests.serve.serving import Served, plan_of

Item = dict[str, Any]
RULES = with_settings(preset("tenhou"), ONE)
"""Of the told game: one kyoku."""


@pytest.mark.parametrize("dialect", ["mjsonp", "majiang", "riichilab"])
def test_our_own_server_is_clean(dialect: str, tmp_path: Path) -> None:
    """All that its clients are told fits the card, follows by our own engine, and is one game by the rules."""
    lines = LineDoor("127.0.0.1", 0, Handshake())
    with Served(plan_of(tmp_path, "ws,ws,ws,ws"), doors=[lines]) as served:
        address = f"mjsonp://127.0.0.1:{lines.port}/club" if dialect == "mjsonp" else served.at("/play/club")
        door = door_of(address, dialect)
        assert door is not None
        server = Called(door, 4, RULES)
        found = {check.name: check for check in called_on(server, tries=False)}
    assert failed(found) == [], found
    assert found["replayed"].about.startswith("1 kyoku") and found["replayed"].status == "passed"
    assert {check.status for check in found.values()} == {"passed", "not reached"}
    assert {entry.seat for entry in server.transcript} == {f"conform-{number}" for number in range(1, 5)}


@pytest.mark.parametrize(
    ("dialect", "bad", "heard"),
    [
        ("riichilab", "late", ['"status":"defaulted"', '"status":"stale"']),
        ("majiang", "late", ['"defaults":[']),
        ("riichilab", "oversized", []),
        ("mjsonp", "oversized", ['"type":"error"']),
        ("riichilab", "old number", []),
    ],
)
def test_what_is_late_or_too_long_is_tried_at_a_server(
    dialect: str, bad: str, heard: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late is what comes behind the time that the server tells."""
    monkeypatch.setattr(guest, "LATE", 10 * UNIT)
    lines = LineDoor("127.0.0.1", 0, Handshake())
    clock = Clock(turn=10 * UNIT, reaction=10 * UNIT, start=SOON)
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri", clock=clock), doors=[lines]) as served:
        address = f"mjsonp://127.0.0.1:{lines.port}/club" if dialect == "mjsonp" else served.at("/play/club")
        door = door_of(address, dialect)
        assert door is not None
        (first,) = Called(door, 1, RULES).game("after", bad)
    assert first.after is not None and len(first.sent) == 1
    told = "".join(first.after)
    assert [word for word in heard if word not in told] == []
    assert bad != "oversized" or "closed" in first.ended or "broke" in first.ended


def test_a_server_that_tells_no_time_is_not_waited_for() -> None:
    assert guest._time_in(b'{"type":"tsumo"}') is None and guest._time_in(b"[]") is None
    assert guest._time_in(b'[{"type":"tsumo","timer":{"left":3.5}}]') == 3.5
    assert guest._time_in(b'{"time":{"deadline_ms":18000}}') == 18.0


def failed(found: dict[str, Check]) -> list[str]:
    return [name for name, check in found.items() if check.status == "failed"]


def streams() -> list[list[Item]]:
    """What a server of the original mjai tells each seat of one kyoku."""
    game = RiichiGame(RULES, walls_from("conform", 0, RULES), ("a", "b", "c", "d"))
    seats = [Wired("mjsonp", one.make(0)) for one in enlist(["shanten", "caller", "shanten", "caller"])]
    Judge(game, seats, mode="inline").run()
    for seat in seats:
        seat.close()
    return [[json.loads(line.data) for line in seat.lines if line.by_table] for seat in seats]


TOLD = streams()


class Telling:
    """A server that tells what it tells whatever is replied. Implements `Lines`."""

    def __init__(self, told: list[Item]) -> None:
        self._told = iter(told)

    def receive(self, seconds: float) -> bytes:
        """See `Lines`."""
        for one in self._told:
            return json.dumps(one).encode()
        raise PlayerGone("it has closed the connection")

    def send(self, line: bytes) -> None:
        """See `Lines`."""

    def close(self) -> None:
        """See `Lines`."""


class Open(Door, frozen=True):
    """The door of such a server."""

    told: list[list[Item]]

    def enter(self, name: str, token: str = "") -> Lines:
        """See `Door`."""
        return Telling(self.told[int(name[-1]) - 1])


def told(change: Callable[[int, Item], Item | None]) -> dict[str, Check]:
    """The checks of a server that tells the game with a change to each message of each seat; None leaves it out."""
    said = [[new for one in one_seat if (new := change(seat, {**one}))] for seat, one_seat in enumerate(TOLD)]
    server = Called(Open("mjsonp://there", "mjsonp", 4, said), 4, RULES)
    return {check.name: check for check in called_on(server, tries=False)}


def test_a_game_that_is_told_as_it_is_passes() -> None:
    assert failed(told(lambda seat, one: one)) == []


def where(kind: str, change: Callable[[int, Item], Item | None], *, once: bool = False) -> Callable[[int, Item], Any]:
    """A change of the messages of one kind, or of the first of them that a seat hears."""
    done: set[int] = set()

    def changed(seat: int, one: Item) -> Item | None:
        if one["type"] != kind or (once and seat in done):
            return one
        done.add(seat)
        return change(seat, one)

    return changed


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (where("tsumo", lambda seat, one: {**one, "pai": "1m"} if one["pai"] == "?" else one), ["hidden"]),
        (where("dahai", lambda seat, one: {**one, "pai": "1m"}), ["tiles"]),
        (where("dahai", lambda seat, one: {**one, "pai": "1x"}), ["message-dahai", "followed"]),
        (where("dahai", lambda seat, one: {k: v for k, v in one.items() if k != "actor"}), ["message-dahai"]),
        (where("tsumo", lambda seat, one: {**one, "possible_actions": [{"type": "hora"}]}), ["offers"]),
        (where("end_game", lambda seat, one: None), ["end"]),
        (where("end_game", lambda seat, one: {**one, "scores": [1, 2, 3, 4]}), ["points"]),
        (where("start_kyoku", lambda seat, one: {**one, "honba": seat}), ["replayed"]),
    ],
)
def test_a_defect_fails_its_own_check(change: Callable[[int, Item], Item | None], checks: list[str]) -> None:
    found = told(change)
    assert set(checks) <= set(failed(found)), found
    for name in checks:
        assert found[name].evidence or found[name].about


def test_what_the_card_does_not_know_is_noted() -> None:
    found = told(where("dora", lambda seat, one: one))
    assert "message-sing" not in found
    found = told(where("end_kyoku", lambda seat, one: {"type": "sing"}))
    assert found["message-sing"].status == "noted"


def test_seats_that_were_told_different_games_part_where_they_differ() -> None:
    assert merged([{"pai": "?", "id": 0}, {"pai": "1m", "id": 1}]) == {"pai": "1m"}
    assert merged([["?", "?"], ["1m", "2m"]]) == ["1m", "2m"]
    with pytest.raises(Parted, match=r"dahai\.pai is \"1m\" and \"2m\""):
        merged([{"pai": "1m"}, {"pai": "2m"}], "dahai")


def test_addresses_have_their_dialect_and_seats() -> None:
    assert door_of("mjsonp://h:1/r", None) == Door("mjsonp://h:1/r", "mjsonp", 4)
    assert door_of("ws://h:1/ws/validate", None) == Door("ws://h:1/ws/validate", "riichilab", 1)
    assert door_of("ws://h:1/play/club", "mjai") == Door("ws://h:1/play/club", "mjai", 4)
    assert door_of("exec:node bot.js", None) is None
    with pytest.raises(BadInput, match="is no address"):
        door_of("mjsonp://h:99999/r", None)


@pytest.mark.parametrize("scheme", ["mjsonp", "ws"])
def test_a_server_that_cannot_be_reached_is_one_line(jantaku: Jantaku, scheme: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        ran = jantaku("conform", f"{scheme}://127.0.0.1:{taken.getsockname()[1]}/play")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "cannot be reached" in ran.err
