"""Files that are opened in the page: read as those that are named to the command, and only if the page itself asks."""

import gzip
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from jantaku.table.cli.commands.shelf import opener
from jantaku.table.cli.options import RuleOptions
from jantaku.table.play.entry import GAMES, Reading
from jantaku.table.records.convert.readers import write_any
from jantaku.table.records.journal.killed import no_seeds
from jantaku.table.records.journal.read import Record
from jantaku.table.records.view import server as module
from jantaku.table.records.view.riichi import viewed
from jantaku.table.records.view.server import LARGEST, PageServer
from tests.kit.cases import kept_cases, text_of
from tests.kit.chromium import Browser
from tests.records.view.screen import IN_A_BROWSER, exported, serving, wait_for
from tests.records.view.series import played
from tests.records.view.test_shell import DESK, PHONE, violations


@contextmanager
def running(record: Record) -> Iterator[PageServer]:
    reads = opener(GAMES["riichi"], Reading(RuleOptions(), None, no_seeds))
    with serving(viewed(record), reads=reads) as server:
        yield server


@pytest.fixture(scope="module")
def server(record: Record) -> Iterator[PageServer]:
    with running(record) as server:
        yield server


def posted(server: PageServer, name: str, content: bytes, **others: str) -> tuple[int, dict[str, Any]]:
    """The status, and what is told in JSON. `others`: headers in the place of those of the page."""
    address = f"127.0.0.1:{server.server_port}"
    headers = {"Host": address, "Origin": f"http://{address}", **others}
    connection = HTTPConnection("127.0.0.1", server.server_port)
    connection.request("POST", f"/record?name={quote(name)}", content, {k: v for k, v in headers.items() if v})
    response = connection.getresponse()
    told = response.read()
    connection.close()
    return response.status, json.loads(told) if response.getheader("Content-Type") == "application/json" else {}


def got(server: PageServer, path: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", server.server_port)
    connection.request("GET", path)
    content = connection.getresponse().read()
    connection.close()
    return content


def test_every_form_that_view_reads_is_opened_and_stays_in_the_page(record: Record, game_folder: Path) -> None:
    forms = {f"game.{form}": write_any(record, form)[0] for form in ("paifu", "2015", "mjai", "tenhou6")}
    forms["game.jsonl"] = (game_folder / "game-0000.jsonl").read_bytes()
    forms["game.jsonl.gz"] = gzip.compress(forms["game.jsonl"], 1)
    with running(record) as server:
        for number, (name, content) in enumerate(forms.items(), 1):
            status, entry = posted(server, name, content)
            assert (status, entry["head"]["file"], entry["path"]) == (200, name, f"record/{number}.json"), entry
            assert entry["head"]["player"] == list(record.names)
            items = json.loads(got(server, f"/{entry['path']}"))
            assert sum("qipai" in item for item in items) == len(record.log)
        whole = got(server, "/").decode()
    assert all(f'"file":"{name}"' in whole for name in forms)


def test_what_cannot_be_shown_is_told_in_one_line_with_the_place_in_the_file(
    server: PageServer, game_folder: Path, tmp_path: Path
) -> None:
    journal = (game_folder / "game-0000.jsonl").read_bytes()
    series = played(tmp_path, 3, seats=3, letter="B", rounds=1).path.read_bytes()
    for name, content, said in (
        ("notes.txt", b"hello", "notes.txt: not a record: it is neither JSON"),
        ("empty", b"", "empty: not a record: it is neither JSON"),
        ("noise.json", bytes(range(256)) * 99, "noise.json: not a record"),
        ("half.gz", gzip.compress(journal)[:99], "half.gz: packed, but not complete"),
        ("broken.jsonl", journal.replace(b'"qipai"', b'"qipoi"', 1), "broken.jsonl kyoku 1"),
        ("deep.json", b"[" * 99999, "deep.json: not JSON"),
        ("series.jsonl", series, "series.jsonl is a record of 大富豪 and this page shows riichi: open it with jantaku"),
        ("/etc/<b>x", b"{}", "<b>x: not a record"),
        ("..", b"{}", "file: not a record"),
        ("a\u202eb", b"{}", "a\\u202eb: not a record"),
        ("a\\b\r\nc\0", b"{}", "bc: not a record"),
        ("雀" * 300, b"{}", f"{'雀' * 33}: not a record"),
    ):
        status, told = posted(server, name, content)
        assert status == 422 and told["error"].startswith(said), (name, told)
        assert "\n" not in told["error"] and "/tmp" not in told["error"], told


def test_a_bomb_does_not_end_the_page(server: PageServer, game_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.table.records.journal.lines.LARGEST", 1 << 20)
    status, told = posted(server, "bomb.gz", gzip.compress(bytes(8 << 20), 1))
    assert (status, told["error"]) == (422, "bomb.gz: too large for a record: more than 1 MiB unpacked")
    assert posted(server, "game.jsonl", (game_folder / "game-0000.jsonl").read_bytes())[0] == 200


def test_only_so_many_files_are_kept(record: Record, game_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    journal = (game_folder / "game-0000.jsonl").read_bytes()
    with running(record) as server:
        assert posted(server, "notes", b"hello")[0] == 422
        assert posted(server, "one.jsonl", journal)[0] == 200
        told = {"error": "1 files are open here; start jantaku view again for more"}
        assert posted(server, "two.jsonl", journal) == (422, told)


@kept_cases("others, status", ({"Content-Length": "9" * 50}, 411), ({"Content-Length": f"{LARGEST + 1}"}, 413))
def test_only_the_page_opens_files_and_none_too_large(server: PageServer, others: dict[str, str], status: int) -> None:
    assert posted(server, "game.json", b"{}", **others) == (status, {})


def test_a_file_that_does_not_come_whole_is_no_record(server: PageServer) -> None:
    host = f"127.0.0.1:{server.server_port}"
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=5) as line:
        line.sendall(f"POST /record HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n".encode())
        line.sendall(b"Content-Length: 9\r\n\r\n{}")
        line.shutdown(socket.SHUT_WR)
        assert b" 400 " in line.recv(1 << 12).partition(b"\r\n")[0]


GIVEN = text_of("pages/given_files.js")
TOLD = "document.querySelector('#told p')?.textContent ?? ''"
GAME = "document.getElementById('games').textContent"


def give(browser: Browser, how: str, *files: tuple[str, str]) -> None:
    browser.ask(f"({GIVEN})({json.dumps(how)}, ...{json.dumps(files)})")


class TestInABrowser:
    pytestmark = IN_A_BROWSER

    def test_a_file_is_opened_by_drop_and_choice_and_the_old_game_stays_where_one_is_not_readable(
        self, browser: Browser, server: PageServer, game_folder: Path
    ) -> None:
        text = (game_folder / "game-0000.json").read_text("utf-8")
        browser.open(f"{server.address}#k=1&e=5&l=en", *DESK)
        wait_for(browser, "document.getElementById('table').dataset.position === '1.5'")
        shown = browser.ask("viewer.book.records.length")
        give(browser, "dropped", ("<img src=x onerror=alert(1)>.json", "{}"))
        wait_for(browser, f"/not a record/.test({TOLD})")
        assert browser.ask(TOLD).startswith("<img src=x onerror=alert(1)>.json: not a record: it has neither")
        assert browser.ask("document.getElementById('table').dataset.position") == "1.5"
        give(browser, "dropped", ("mine.json", text), ("not.json", "[]"))
        wait_for(browser, f"{GAME} === 'Games {shown + 1}/{shown + 1}' && /not.json/.test({TOLD})")
        assert browser.ask("viewer.game && document.getElementById('table').dataset.position") == "1.1"
        browser.ask("document.querySelector('#told button').click()")
        assert browser.ask("getComputedStyle(document.getElementById('told')).display") == "none"
        give(browser, "chosen", ("chosen.json", text))
        wait_for(browser, f"{GAME} === 'Games {shown + 2}/{shown + 2}'")
        browser.press("g")
        assert "chosen.json" in browser.ask("document.getElementById('games-list').textContent")

    def test_a_key_and_a_button_ask_for_files(self, browser: Browser, server: PageServer) -> None:
        browser.open(f"{server.address}#l=en", *DESK)
        browser.ask("globalThis.asked = 0; document.getElementById('file').click = () => { asked++; }; 0")
        browser.press("o")
        browser.ask("document.getElementById('open').click()")
        assert browser.ask("asked") == 2

    def test_a_page_on_a_disk_says_what_opens_files(self, browser: Browser, record: Record, tmp_path: Path) -> None:
        browser.open(f"{exported(tmp_path, record)}#l=en", *DESK)
        said = "This page reads no files: open them with jantaku view FILE"
        assert browser.ask("document.getElementById('open').hidden")
        browser.press("o")
        assert browser.ask(TOLD) == said
        browser.ask("document.querySelector('#told button').click()")
        give(browser, "dropped", ("mine.json", "{}"))
        wait_for(browser, f"{TOLD} === {json.dumps(said)}")

    @pytest.mark.peer
    @pytest.mark.parametrize("size", [DESK, PHONE])
    def test_axe_finds_nothing_where_a_file_was_refused(
        self, browser: Browser, server: PageServer, peer_modules: Path, size: tuple[int, int]
    ) -> None:
        browser.open(f"{server.address}#l=en", *size)
        give(browser, "dropped", ("not.json", "{}"))
        wait_for(browser, f"/not.json: no/.test({TOLD})")
        assert violations(browser, peer_modules) == []
