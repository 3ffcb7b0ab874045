"""`ws:NAME` among the players of `jantaku play`: the table waits for a client, game after game."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan
from jantaku.table.play.runner import play as play_plan
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.serve.transport import Awaited, awaited, close_all
from tests.kit.cases import cases
from tests.kit.pace import SOON, UNIT
from tests.serve.serving import CLOCK, Client, plan_of

ANY_PORT = "127.0.0.1:0"


@pytest.fixture(autouse=True)
def closed_afterwards() -> Iterator[None]:
    yield
    close_all()


def expected(spec: str = f"ws:alice?listen={ANY_PORT}") -> Awaited:
    terms = terms_of(spec)
    return awaited(terms, terms.bot.partition(":")[2], None)


def plan_with(player: Awaited, games: int = 1) -> Plan:
    entrants = [Entrant(player.name, "ws:alice", player), *enlist(["shanten"] * 3)]
    return Plan(tuple(entrants), games, "9", Mode.PER_TURN, CLOCK, OnFault.DEFAULT)


def play_two(visit: Visit) -> None:
    for _ in range(2):
        play(visit, Shanten)


def table_in(folder: Path, plan: Plan) -> RiichiTable:
    rules = plan_of(folder).rules
    return RiichiTable(rules, [entrant.name for entrant in plan.entrants], "9", Keeping(folder, "test"))


def test_two_games_are_played_with_a_client_that_comes_for_each(tmp_path: Path) -> None:
    player = expected()
    visit = Visit(player.address.partition("?")[0], "alice", key="k")
    client = threading.Thread(target=play_two, args=[visit], daemon=True)
    client.start()
    plan = plan_with(player, games=2)
    outcomes = list(play_plan(plan, table_in(tmp_path, plan)))
    client.join(SOON)
    assert not client.is_alive()
    assert [outcome.faults for outcome in outcomes] == [({}, {}, {}, {})] * 2


def test_without_a_client_there_is_no_game_and_it_is_said_where_it_was_waited_for(tmp_path: Path) -> None:
    player = expected()
    plan = plan_with(player)
    plan = msgspec.structs.replace(plan, clock=msgspec.structs.replace(CLOCK, start=UNIT))
    with pytest.raises(
        BadInput, match=r"player alice is not ready: no client has connected to ws://127\.0\.0\.1:\d+/play/table"
    ):
        list(play_plan(plan, table_in(tmp_path, plan)))


@pytest.mark.parametrize("query", ["name=bob", "name=alice&dialect=mjay", ""])
def test_who_is_not_waited_for_is_told_who_is(query: str) -> None:
    address = expected().address.partition("?")[0]
    code, reason = Client(f"{address}?{query}").farewell
    assert code == 1008 and ("alice" in reason or "mjai" in reason)


@cases(
    "spec, said",
    ("ws:", "'ws:' has no name; write for example ws:alice"),
    ("ws:alice?dialect=mjay", "dialect: 'mjay' is not known"),
    ("ws:alice?listen=localhost", "listen: 'localhost' is not HOST:PORT, as 127.0.0.1:8766"),
    ("ws:alice?listen=127.0.0.1:70000", "is not HOST:PORT"),
    ("ws:alice?listen=300.0.0.1:8766", "cannot be used"),
)
def test_what_cannot_be_waited_for_is_refused(spec: str, said: str) -> None:
    with pytest.raises(BadInput) as refusal:
        expected(spec)
    assert said in str(refusal.value)


def test_several_players_are_waited_for_at_one_port() -> None:
    first = expected("ws:alice?listen=127.0.0.1:0")
    second = expected("ws:bob?listen=127.0.0.1:0")
    assert first.address.partition("?")[0] == second.address.partition("?")[0]


def test_a_port_that_is_taken_is_refused() -> None:
    taken = expected().address.partition("//")[2].partition("/")[0]
    with pytest.raises(BadInput, match=f"{taken} cannot be used"):
        expected(f"ws:bob?listen={taken}")


def test_a_hall_whose_loop_has_ended_ends_the_games_of_the_main_thread() -> None:
    """At once, however long that would wait: nobody could come any more, and that is no fault of those who are waited
    for. In a process of its own: what ends the main thread there would end the run of the tests here."""
    program = """if True:
        import threading
        from jantaku.table.serve.transport import WaitingPort
        port = WaitingPort("127.0.0.1", 0)
        try:
            port._server.on_loop(port._server._loop.stop)
            threading.Event().wait(3600)
        except KeyboardInterrupt:
            port.close()
            print("interrupted")
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=SOON)
    assert ran.stdout == "interrupted\n" and "the server has ended" in ran.stderr
