"""Rooms: who may come in, when the game begins, and that one room is nothing to another."""

import json
import threading
from pathlib import Path

import msgspec
import pytest

from jantaku.table.ground.port import Player
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.journal.header import titled
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.serve.room import Disk
from tests.kit.cases import kept_cases
from tests.kit.pace import SOON, UNIT
from tests.kit.processes import wait_until
from tests.serve.serving import WATCHED, Client, Drawer, Served, plan_of, play_out


def sit(served: Served, *names: str, room: str = "r", more: str = "") -> list[Drawer]:
    return [Drawer(served.at(f"/play/{room}?name={name}{more}")) for name in names]


def refusal(served: Served, path: str) -> str:
    client = Client(served.at(path))
    code, reason = client.farewell
    assert code == 1008 and client.frames == []
    return reason


@kept_cases("path, said", ("/play/r?name=" + "x" * 33, "name: 1 to 32 characters"))
def test_who_comes_wrongly_is_told_what_is_allowed(path: str, said: str, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path)) as served:
        assert said in refusal(served, path)
        assert set(served.house) <= {"r"}


def test_a_room_named_on_the_command_line_is_the_only_one(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("club",)) as served:
        assert "allowed are club" in refusal(served, "/play/r?name=x")


def test_a_token_is_wanted_of_everybody_who_plays(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws:a,ws:b,tsumogiri,tsumogiri"), rooms=("r",), token="sesame") as served:
        assert "token" in refusal(served, "/play/r?name=a&token=Sesame")
        assert "token" in refusal(served, "/play/r?name=a")
        sit(served, "a", "b", more="&token=sesame")
        assert served.outcome().faults == ({}, {}, {}, {})


def test_who_opens_a_room_chooses_its_token(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,tsumogiri,tsumogiri")) as served:
        sit(served, "a", more="&token=mine")
        while "r" not in served.house:  # the first one is still on its way in
            pass
        assert "token" in refusal(served, "/play/r?name=b&token=yours")
        sit(served, "b", more="&token=mine")
        assert served.outcome().faults == ({}, {}, {}, {})


def test_there_are_so_many_rooms_and_one_that_everybody_has_left_makes_room(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(WATCHED, rooms=1)
    with Served(plan_of(tmp_path, "ws,ws,tsumogiri,tsumogiri"), limits=limits) as served:
        first = Client(served.at("/play/one?name=a"))
        first.send({})
        assert "error" in first.get()
        assert refusal(served, "/play/two?name=a") == "all rooms are taken; try again later"
        first.close()
        room = served.house.get("one")
        while room is not None and room.left_at is None:  # it has to learn of that
            pass
        sit(served, "a", "b", room="two")
        assert served.outcome().faults == ({}, {}, {}, {})


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,tsumogiri,tsumogiri")) as served:
        first = Client(served.at("/play/r?name=a"))
        first.send({})
        assert "error" in first.get()
        assert "the name a is taken" in refusal(served, "/play/r?name=a")
        assert "the name tsumogiri-1 is taken" in refusal(served, "/play/r?name=tsumogiri-1")
        first.close()


def test_seats_are_kept_for_names(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws:alice,ws,tsumogiri,tsumogiri")) as served:
        bob = sit(served, "bob")
        while not served.house.get("r"):
            pass
        assert refusal(served, "/play/r?name=carol") == "room r has no seat for carol"
        sit(served, "alice")
        assert served.outcome().names == ("alice", "bob", "tsumogiri-1", "tsumogiri-2")
        bob[0].join()


def test_the_host_fills_the_free_seats_with_bots(tmp_path: Path) -> None:
    """Only with those that the server offers: a name that is a module or a program would run as the server."""
    with Served(plan_of(tmp_path)) as served:
        host, other = Client(served.at("/play/r?name=a")), None
        host.send({"start": ["tests.arena.match.bots:Bot"]})
        assert "there is no bot tests.arena.match.bots:Bot; allowed are tsumogiri, shanten" in host.get()["error"]
        host.send({"start": ["exec:sh"]})
        assert "allowed are" in host.get()["error"]
        host.connection.send("[" * 10_000)
        assert "allowed is" in host.get()["error"]
        other = Client(served.at("/play/r?name=b"))
        other.send({"start": ["tsumogiri"]})
        assert other.get()["error"] == "only the host, a, may begin the game"
        host.send({"start": ["tsumogiri"]})
        for client in (host, other):
            assert "kaiju" in client.get()
            client.close()
        assert served.outcome().names == ("a", "b", "tsumogiri", "tsumogiri-2")


def test_rooms_play_at_the_same_time_and_every_record_is_sound(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,shanten,ws,shanten")) as served:
        drawers = [drawer for room in ("x", "y", "z") for drawer in sit(served, "a", "b", room=room)]
        outcomes = [served.outcome() for _ in range(3)]
        for drawer in drawers:
            drawer.join()
    assert sorted(outcome.game for outcome in outcomes) == [0, 1, 2]
    for outcome in outcomes:
        assert outcome.faults == ({}, {}, {}, {})
        record = load(Path(outcome.records[-1]))
        assert record.rules is not None and verify(record, record.rules).difference is None


def test_a_room_that_stays_is_played_in_again_with_other_walls(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=2) as served:
        first, _ = play_out(served, [None] * 4)
        second, _ = play_out(served, [None] * 4)
        assert served.house.games.finished.wait(SOON)
        assert refusal(served, "/play/r?name=a") == "room r is closed"
    walls = [json.loads(Path(game.records[0]).read_text("utf-8").splitlines()[1])["wall"] for game in (first, second)]
    assert walls[0] != walls[1]


def test_a_server_that_closes_keeps_the_records_of_games_under_way_and_leaves_no_thread(tmp_path: Path) -> None:
    reached = threading.Event()

    def hold(client: Drawer, message: object, number: int) -> bool:
        if number == 40:
            reached.set()
        return number >= 40

    with Served(plan_of(tmp_path)) as served:
        drawers = [Drawer(served.at(f"/play/r?name={name}"), hold) for name in "abcd"]
        waiting = Client(served.at("/play/lobby?name=a"))
        assert reached.wait(SOON)
    for drawer in drawers:
        drawer.join()
        assert drawer.connection.close_code == 1001
    assert waiting.farewell[0] == 1001
    assert served.outcome().ending == "stopped"
    assert load(tmp_path / "game-0000.jsonl").final is None
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith(("T1-", "room-", "line-", "web"))]


@pytest.mark.parametrize("length", ["one"])
def test_a_full_disk_ends_a_game_and_not_its_room(length: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    with Served(plan_of(tmp_path, "ws:a,tsumogiri,tsumogiri,tsumogiri"), rooms=("r",), games=2) as served:
        with monkeypatch.context() as patch:
            patch.setattr("jantaku.table.play.riichi.write_whole", full)
            sit(served, "a")[0].join()
            assert "No space left" in str(served.endings.get(timeout=SOON)[1])
        sit(served, "a")[0].join()
        assert served.outcome().ending == "over" and served.house.games.finished.wait(SOON)


def test_a_bot_that_cannot_be_made_keeps_no_guest_from_the_game(tmp_path: Path) -> None:
    def broken(seed: int) -> Player:
        raise ValueError("no weights")

    plan = plan_of(tmp_path, "ws:a,tsumogiri,ws:b,ws:c")
    bot = plan.places[1]
    assert isinstance(bot, Entrant)
    places = (plan.places[0], msgspec.structs.replace(bot, make=broken), *plan.places[2:])
    with Served(msgspec.structs.replace(plan, places=places)) as served:
        for client in sit(served, "a", "b", "c"):
            client.join()
        assert set(served.outcome().faults[1]) == {"start_failed"}


def test_a_game_that_everybody_has_left_makes_room_at_once(tmp_path: Path) -> None:
    """Somebody opens a room, begins with bots and leaves, again and again: the next one is let in all the same."""
    limits = msgspec.structs.replace(WATCHED, rooms=2)
    with Served(plan_of(tmp_path, "ws,ws,ws,ws", length="yonchan"), limits=limits) as served:
        for name in "abcdef":
            visitor = Client(served.at(f"/play/{name}?name=x"))
            visitor.send({"start": ["tsumogiri"]})
            assert "kaiju" in visitor.get()
            room = served.house.get(name)
            assert room is not None
            visitor.close()
            wait_until(lambda room=room: room.left_at is not None)  # type: ignore[misc]
        assert len(list(served.house)) <= 2
        assert [served.endings.get(timeout=SOON)[1].ending for _ in range(4)] == ["stopped"] * 4  # type: ignore[union-attr]


def test_a_game_that_everybody_has_left_ends_if_nobody_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.table.serve.rooms.COMING_BACK", 0.0)

    def is_gone() -> bool:
        served.house.tidy()
        return list(served.house) == []

    with Served(plan_of(tmp_path, "ws,ws,ws,ws", length="yonchan")) as served:
        visitor = Client(served.at("/play/r?name=x"))
        visitor.send({"start": ["shanten"]})
        visitor.get()
        assert not is_gone()
        visitor.close()
        wait_until(is_gone)
        assert served.outcome().ending == "stopped"


def test_a_room_in_which_nobody_sat_down_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.table.serve.rooms.SITTING_DOWN", UNIT)
    with Served(plan_of(tmp_path, "ws:a,ws:b,ws:c,ws:d")) as served:
        refusal(served, "/play/r?name=z")  # has no seat there
        wait_until(lambda: list(served.house) == [])


def test_a_game_is_titled_by_its_room_and_no_title_names_a_seed_that_nobody_chose(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri")
    with Served(plan, rooms=("club",), games=2) as served:
        titles = []
        for _ in range(2):
            player = Drawer(served.at("/play/club?name=a"))
            outcome = served.outcome()
            player.join()
            titles += [load(Path(path)).title for path in outcome.records]
    assert titles == ["club, game 1", "club, game 1", "club, game 2", "club, game 2"]
    assert titled("", "", seeds.of_game(seeds.fresh(), 3), 3) == "jantaku game 3"
    assert titled("", "", "7", 3) == "jantaku seed 7 game 3" and titled("", "", None, 3) == ""


def test_one_address_has_so_many_rooms(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(WATCHED, rooms_per_address=1)
    with Served(plan_of(tmp_path), limits=limits) as served:
        first = Client(served.at("/play/one?name=a"))
        first.send({})
        first.get()
        assert "too many rooms" in refusal(served, "/play/two?name=a")
        other = Client(served.at("/play/two?name=a"), source="127.0.0.2")
        other.send({})
        assert "error" in other.get()
        for client in (first, other):
            client.close()


def test_no_game_begins_when_records_take_all_their_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri")
    with Served(plan, rooms=("r",), disk=Disk(1000)) as served:
        sit(served, "a")[0].join()
        assert served.outcome().ending == "over"
        assert "closed" in refusal(served, "/play/r?name=a")
    assert capsys.readouterr().err.count("--max-disk") == 1
