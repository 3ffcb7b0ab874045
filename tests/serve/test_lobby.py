"""What everybody is told of riichi rooms: who sits there, how games ended, and what was to be seen of them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import segno

from jantaku.table.judge.result import Ending
from jantaku.table.play.outcome import Outcome
from jantaku.table.serve.net import addresses
from jantaku.table.serve.net.addresses import host_and_port, reached_at
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.riichi.notices import LISTED, NAMED, RANKED, Rankings
from tests.kit.pace import SOON
from tests.serve.secrets import Spectator
from tests.serve.serving import WATCHED, Client, Drawer, Item, Served, plan_of, play_out

PLACES = "ws,ws:bob,tsumogiri,tsumogiri"


def listed(served: Served) -> Item:
    visitor = Client(served.at("/rooms"))
    told = visitor.get(SOON)
    visitor.close()
    return told


def until(looker: Client, what: Any) -> Item:
    while not what(told := looker.get(SOON)):
        pass
    return told


@pytest.mark.long
def test_the_list_shows_who_sits_where_and_lives(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, PLACES), rooms=("club",), titles={"club": "Thursday"}, token="t") as served:
        looker = Client(served.at("/rooms"))
        (room,) = looker.get(SOON)["rooms"]
        bots = [{"name": "tsumogiri-1", "bot": True}, {"name": "tsumogiri-2", "bot": True}]
        seats = [{"free": True}, {"name": "bob", "free": True}, *bots]
        assert room == {"room": "club", "state": "open", "seats": seats, "title": "Thursday", "locked": True}
        alice = Client(served.at("/play/club?name=alice&token=t&key=secret-key"))
        told = until(looker, lambda told: told["rooms"][0]["seats"][0] == {"name": "alice"})
        bob = Client(served.at("/play/club?name=bob&token=t"))
        playing = until(looker, lambda told: told["rooms"][0]["state"] == "playing")
        bob.close()
        away = until(looker, lambda told: told["rooms"][0]["seats"][1].get("away"))
        assert told["opens"] if "opens" in told else playing["rooms"][0]["games"] == away["rooms"][0]["games"] == 1
        alice.close()
        looker.close()
    assert looker.frames and not [frame for frame in looker.frames if "secret" in frame or '"t"' in frame]


def test_a_game_that_is_over_stands_in_the_list_and_can_be_looked_at_without_a_hidden_tile(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), operator_token="op") as served:
        early = Client(served.at("/watch/r"))
        outcome, _ = play_out(served, [None] * 4)
        told = listed(served)
        late, operator = Client(served.at("/record/0")), Client(served.at("/record/0?token=op"))
        assert late.farewell == operator.farewell == (1000, "the game is over")
        assert Client(served.at("/record/1")).farewell[1].startswith("game 1 is not kept here")
    (game,) = told["ended"]
    assert (game["number"], game["room"]) == (0, "r")
    assert [one["name"] for one in game["players"]] == [outcome.names[outcome.ranks.index(n)] for n in (1, 2, 3, 4)]
    assert {row["name"]: row["rank"] for row in told["standings"]} == dict(
        zip(outcome.names, outcome.ranks, strict=True)
    )
    early.rest()
    whole = [item for frame in early.frames for item in msgspec.json.decode(frame)]
    assert msgspec.json.decode(late.frames[0]) == whole
    assert Spectator(None).hidden(late.frames) == [] and Spectator(None).hidden(operator.frames) != []


def test_of_2000_rooms_200_are_listed_those_that_wait_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.table.serve.rooms.SITTING_DOWN", 1e6)  # nobody ever comes
    limits = msgspec.structs.replace(WATCHED, rooms=2000)
    with Served(plan_of(tmp_path), limits=limits) as served:
        for number in range(2000):
            room = served.house._room_for(f"r{number}", "", "")
            room.is_over = number < 1900
        told = listed(served)
    assert len(told["rooms"]) == LISTED and told["more"] == 1800 and told["opens"]
    assert [room["state"] for room in told["rooms"][99:101]] == ["open", "ended"]


def test_two_clients_of_one_name_with_own_keys_are_told_apart_and_come_back_as_they_were(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,ws,tsumogiri"), rooms=("r",)) as served:
        clients = [Client(served.at(f"/play/r?name=a&key={key}")) for key in "kl"]
        room = served.house.get("r")
        assert room is not None
        while [seat.name for seat in room.notice.seats[:2]] != ["a", "a-2"]:
            pass
        again = Client(served.at("/play/r?name=a&key=l"))
        assert clients[1].farewell == (1000, "the same client has connected once more")
        assert [seat.name for seat in room.notice.seats[:3]] == ["a", "a-2", ""]
        refused = Client(served.at("/play/r?name=a"))
        assert "the name a is taken" in refused.farewell[1]
        for client in (clients[0], again):
            client.close()


def test_a_pace_changes_nothing_but_the_time_that_a_game_takes(tmp_path: Path) -> None:
    kept = []
    for name, pace in (("quick", 0.0), ("paced", 0.005)):
        with Served(plan_of(tmp_path / name, "ws:a,tsumogiri,tsumogiri,tsumogiri", pace=pace)) as served:
            player = Drawer(served.at("/play/r?name=a"))
            outcome = served.outcome()
            player.join()
            assert outcome.faults == ({}, {}, {}, {})
            kept.append(Path(outcome.records[-1]).read_bytes())
    assert kept[0] == kept[1]


def test_a_server_that_is_told_to_end_does_not_wait_for_its_pace(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws:a,tsumogiri,tsumogiri,tsumogiri", pace=3600.0)) as served:
        player = Client(served.at("/play/r?name=a"))
        player.get()
        served.house.close()
        assert player.farewell[0] == 1001


def test_standings_are_bounded_and_the_best_come_first() -> None:
    rankings = Rankings()
    for number in range(NAMED):
        names = tuple(f"{number}-{seat}" for seat in range(4))
        rankings.add(_outcome(names, (1, 2, 3, 4), number))
    rankings.add(_outcome(("x",), (), 0))
    rows = rankings.standings
    assert len(rows) == RANKED and {row.rank for row in rows} == {1.0} and rows[0].name.endswith("-0")
    assert f"{NAMED - 1}-0" in {row.name for row in rows} and "0-0" not in {row.name for row in rows}


def _outcome(names: tuple[str, ...], ranks: tuple[int, ...], number: int) -> Outcome:
    points = tuple(50.0 - 20 * rank + number / 1000 for rank in ranks)
    faults: tuple[dict[str, int], ...] = tuple({} for _ in names)
    return Outcome(number, "1", Ending.OVER, names, (25000,) * 4, ranks, points, 1, faults, (0.0,) * 4, ())


def test_an_invitation_leads_to_the_network_as_an_address_and_as_a_code(tmp_path: Path) -> None:
    reached = ("192.168.1.7", "127.0.0.1")
    with Served(plan_of(tmp_path), rooms=("r",), reached=reached) as served:
        for origin, address in (
            (f"http://127.0.0.1:{served.server.port}", f"http://192.168.1.7:{served.server.port}/sit/r"),
            ("https://localhost", "https://192.168.1.7/sit/r"),
            ("http://[fd00::1]:80", "http://[fd00::1]:80/sit/r"),
        ):
            told = Client(served.at(f"/invite/r?at={origin}")).get(SOON)
            assert (told["address"], told["alone"]) == (address, False)
            assert told["code"] == ["".join(map(str, row)) for row in segno.make_qr(address, error="m").matrix]
        for wrong in ("", "javascript:alert(1)", "http://a/b", "http://a:b", f"http://{'a' * 300}"):
            said = "at: name this server, as at=http://192.168.1.7:8766"
            assert Client(served.at(f"/invite/r?at={wrong}")).farewell == (1008, said)
    with Served(plan_of(tmp_path)) as served:
        assert Client(served.at("/invite/r?at=http://localhost:1")).get(SOON)["alone"] is True


def test_a_server_for_everybody_is_found_at_the_addresses_of_the_network_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_outgoing", lambda family: ["10.1.2.3"])
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["127.0.0.1", "192.168.1.7", "10.1.2.3"])
    assert reached_at("0.0.0.0", Limits()) == ["10.1.2.3", "192.168.1.7", "127.0.0.1"]
    assert reached_at("0.0.0.0", Limits(hosts=("table.example",)))[0] == "table.example"
    assert reached_at("192.168.1.7", Limits()) == ["192.168.1.7"]
    assert host_and_port("fd00::1", 80) == "[fd00::1]:80"
