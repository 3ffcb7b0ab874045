"""The server under any game: who may connect, how much one may say, and that nobody can hold it up."""

import contextlib
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus

from jantaku.table.daifugo.rooms.server import pages
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net import web
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.net.web import WebServer, pages_in
from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.command import Jantaku
from tests.kit.pace import SOON, UNIT
from tests.serve.serving import Client, raw_visit


class Guest:
    """Writes down what it says; told that it was due if it says so."""

    def __init__(self, arrival: Arrival, line: Line) -> None:
        self.arrival, self.line = arrival, line
        self.said: list[str] = []
        self.left: queue.Queue[str] = queue.Queue()

    def hear(self, text: str) -> bool:
        self.said.append(text)
        self.line.say(text.encode())
        return text == "due"

    def leave(self) -> None:
        self.left.put(self.line.ended)


class House:
    def __init__(self) -> None:
        self.guests: queue.Queue[Guest] = queue.Queue()

    def welcome(self, arrival: Arrival, line: Line) -> Visitor:
        guest = Guest(arrival, line)
        line.one_way = arrival.path == "/watch"
        self.guests.put(guest)
        return guest


@contextmanager
def serving(**limits: Any) -> Iterator[tuple[WebServer, House, str]]:
    house = House()
    with WebServer(house.welcome, {}, "127.0.0.1", 0, Limits(**limits)) as server:
        yield server, house, f"ws://127.0.0.1:{server.port}"


def refused(address: str, **headers: Any) -> int:
    with pytest.raises(InvalidStatus) as refusal:
        Client(address, **headers)
    return refusal.value.response.status_code


def test_one_address_has_so_many_connections_and_others_theirs() -> None:
    with serving(per_address=2) as (_, house, address):
        clients = [Client(address), Client(address)]
        for _ in clients:
            house.guests.get(timeout=SOON)
        assert refused(address) == 503
        clients.append(Client(address, source="127.0.0.2"))
        for client in clients:
            client.close()


def test_a_connection_that_has_ended_makes_room_for_another() -> None:
    """The server learns of the end when it learns of it, so the next one may have to try again."""
    with serving(connections=1) as (_, house, address):
        for _ in range(3):
            client = None
            while client is None:
                with contextlib.suppress(InvalidStatus):
                    client = Client(address)
            house.guests.get(timeout=SOON)
            client.close()


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "http://evil.example:{port}", "null"])
def test_a_page_of_another_site_may_not_connect(origin: str) -> None:
    """Or any page that a browser shows could sit down at a table of this machine."""
    with serving(origins=("https://friend.example",)) as (server, _, address):
        assert refused(address, Origin=origin.format(port=server.port)) == 403


def test_our_own_pages_and_those_of_friends_may_connect() -> None:
    with serving(origins=("https://friend.example",)) as (server, _, address):
        for origin in (f"http://127.0.0.1:{server.port}", "https://friend.example"):
            Client(address, Origin=origin).close()


def test_too_many_messages_end_a_connection_unless_they_were_due() -> None:
    with serving(burst=5, rate=0.0) as (_, house, address):
        talker, patient = Client(address), Client(address)
        for _ in range(6):
            talker.connection.send("x")
        assert talker.farewell == (1008, "more than 0 messages a second")
        for _ in range(50):
            patient.connection.send("due")
        for _ in range(50):
            assert patient.connection.recv(SOON) == "due"
        # Whose thread comes in first is open.
        assert sorted(len(house.guests.get(timeout=SOON).said) for _ in range(2)) == [6, 50]
        patient.close()


@pytest.mark.parametrize(("path", "ends"), [("/play", True), ("/watch", False)])
def test_who_should_speak_and_does_not_is_sent_away(path: str, ends: bool) -> None:
    with serving(idle=2 * UNIT) as (_, house, address):
        guest = Client(address + path)
        left = house.guests.get(timeout=SOON).left
        if ends:
            assert left.get(timeout=SOON) == "nothing was heard for 0.2 s"
        else:
            with pytest.raises(queue.Empty):
                left.get(timeout=10 * UNIT)
        guest.close()


def test_binary_frames_and_frames_that_are_too_large_end_a_connection() -> None:
    with serving(message=100) as (_, house, address):
        binary, large = Client(address), Client(address)
        binary.connection.send(b"\x00")
        assert binary.farewell == (1003, "text frames only")
        large.connection.send("x" * 101)
        assert large.farewell[0] == 1009
        left = [house.guests.get(timeout=SOON).left.get(timeout=SOON) for _ in range(2)]  # in either order
        assert "text frames only" in left and any("1009" in words for words in left)


@pytest.mark.parametrize("frame", [b"\x81\x82\0\0\0\0\xff\xff", b"\x81\x05hello", b"\xf1\x80\0\0\0\0"])
def test_what_is_no_websocket_message_ends_a_connection(frame: bytes) -> None:
    """Text that is not UTF-8, a frame without a mask, reserved bits."""
    with serving() as (server, house, _), raw_visit(server, "/") as sock:
        sock.sendall(frame)
        guest = house.guests.get(timeout=SOON)
        assert "sent 100" in guest.left.get(timeout=SOON) and guest.said == []


def test_who_says_goodbye_and_stays_on_the_line_is_gone() -> None:
    with serving() as (server, house, _), raw_visit(server, "/") as sock:
        sock.sendall(b"\x88\x80\0\0\0\0")
        assert house.guests.get(timeout=SOON).left.get(timeout=SOON).startswith("received 1005")


def test_a_reader_that_does_not_read_is_cut_off_and_nobody_waits_for_it() -> None:
    with serving(backlog=50, reading=2 * UNIT) as (server, house, _), raw_visit(server, "/"):
        guest = house.guests.get(timeout=SOON)
        began = now()
        for _ in range(2000):
            guest.line.say(b"x" * 10_000)
        assert now() - began < SOON
        assert guest.line.ended == "too slow: too many messages wait to be read"
        assert guest.left.get(timeout=SOON)


def test_a_server_that_closes_does_not_wait_for_who_never_reads() -> None:
    visit = contextlib.ExitStack()
    with visit, serving(reading=2 * UNIT) as (server, house, _):
        visit.enter_context(raw_visit(server, "/"))
        guest = house.guests.get(timeout=SOON)
        for _ in range(900):
            guest.line.say(b"x" * 10_000)
        began = now()
    assert now() - began < SOON + 2.5  # 2 s of which the other side has to say goodbye


def test_a_port_that_is_taken_is_said_so() -> None:
    with serving() as (server, house, _), pytest.raises(BadInput, match=f"127.0.0.1:{server.port} cannot be used"):
        WebServer(house.welcome, {}, "127.0.0.1", server.port)


def test_what_was_said_before_the_server_closes_is_heard_to_the_end() -> None:
    """More than the buffers of a connection hold, so that it is still being sent when the server closes."""
    messages, text = 400, "x" * 20_000
    with serving(backlog=messages + 1) as (server, house, address):
        client = Client(address)
        line = house.guests.get(timeout=SOON).line
        for _ in range(messages):
            line.say(text.encode())
        closing = threading.Thread(target=server.close)
        closing.start()
        assert len(client.rest()) == messages
        closing.join()
    assert client.connection.close_code == 1001


def folder(tmp_path: Path, **files: str) -> Path:
    """A folder of pages; `__` in a name is a slash, `_` a dot."""
    home = tmp_path / "site"
    for name, text in files.items():
        file = home / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return home


def test_the_files_of_a_folder_are_served_at_their_paths(tmp_path: Path) -> None:
    home = folder(tmp_path, index_html="<p>雀", js__main_js="1", _hidden="secret", _git__config="secret")
    found = pages_in(home, {"/watch/"})
    assert set(found) == {"/", "/index.html", "/js/main.js"}
    assert found["/"].kind == "text/html; charset=utf-8" and found["/js/main.js"].kind.startswith("text/javascript")
    with house_of(SHORT, beside=found) as house:
        at = house.url("").replace("ws:", "http:")
        with urlopen(f"{at}/index.html") as first, urlopen(f"{at}/js/main.js") as script:
            assert (first.read().decode(), script.read()) == ("<p>雀", b"1")
        for path in ("/.hidden", "/js/../../secret.txt", "/.git/config"):
            with pytest.raises(HTTPError, match="400"):
                urlopen(f"{at}{path}")


def test_what_lies_outside_the_folder_is_not_served(tmp_path: Path) -> None:
    home = folder(tmp_path, a_html="1")
    (tmp_path / "secret.txt").write_text("secret")
    (home / "link.txt").symlink_to(tmp_path / "secret.txt")
    (home / "above").symlink_to(tmp_path)
    assert set(pages_in(home, ())) == {"/a.html"}


def test_a_folder_not_to_serve_is_one_line(tmp_path: Path, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = jantaku("daifugo", "--port", "0", "--pages", str(tmp_path / "none"))
    assert ran.code == 2 and ran.err.startswith("jantaku: --pages: there is no folder ")
    (tmp_path / "site").mkdir()
    with pytest.raises(BadInput, match="site is empty"):
        pages_in(tmp_path / "site", ())
    taken = folder(tmp_path, daifugo__sit_js="mine")
    with pytest.raises(BadInput, match=r"the server has a page of its own at /daifugo/sit\.js"):
        pages_in(taken, pages())
    monkeypatch.setattr(web, "MOST_FILES", 0)
    with pytest.raises(BadInput, match="more than 64 MiB or 0 files"):
        pages_in(taken, ())
