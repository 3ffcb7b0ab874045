"""`jantaku play --watch`: the page of the games while they are played, for who runs them and nobody else."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from jantaku.table.records.journal import digest
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.watching import WatchPage
from tests.cli.test_play_command import FAST
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.records.view.live import Held, play_held
from tests.serve.serving import Client, raw_visit


@contextlib.contextmanager
def playing(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A table that plays slowly enough to be met, and the address of its page."""
    command = [sys.executable, "-m", "jantaku", "play", *FAST, "--watch", "--out", str(folder), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.fullmatch(r"watch at (http://127\.0\.0\.1:\d+/watch#token=\S+)\n", process.stdout.readline())
            assert found is not None
            yield process, found[1]
        finally:
            process.kill()


def for_programs(address: str) -> str:
    """The same for a WebSocket: what is behind “#” stays in a browser, and a program says it otherwise."""
    return address.replace("http:", "ws:").replace("#", "?")


def test_the_address_is_printed_and_the_page_is_gone_with_the_last_game(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--seed", "3", "--watch", "--out", str(tmp_path / "out"))
    first, game, *_ = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert game.startswith("game 0: ")
    address = first.removeprefix("watch at ")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=SOON)


def test_a_series_of_daifugo_is_watched_as_well(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--game", "daifugo", "--threads", "inline", "--watch", "--out", str(tmp_path / "out"))
    assert (ran.code, ran.err) == (0, "")
    assert re.match(r"watch at http://127\.0\.0\.1:\d+/watch#token=\S+\ngame 0: ", ran.out)


def test_json_keeps_stdout_for_programs(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--json", "--watch", "--out", str(tmp_path))
    assert ran.out.startswith('{"game":') and ran.err.startswith("watch at http")


@pytest.mark.long
def test_who_looks_on_at_a_running_table_hears_it_to_its_end(tmp_path: Path) -> None:
    with playing(tmp_path, "--seed", "3", "--pace", "0.01") as (process, address):
        with urllib.request.urlopen(address, timeout=SOON) as page:
            assert b'"live":"?"' in page.read()
        client = Client(for_programs(address))
        code, reason = client.farewell
        process.communicate(timeout=SOON)
    assert (code, reason) == (1001, "all games are over")
    told = ",".join(client.frames)
    journal = (tmp_path / "game-0000.jsonl").read_text("utf-8").splitlines()
    events = [line for line in journal[1:] if not line.startswith(digest.BEGINNING.decode())]
    assert events and all(line in told for line in events)


@pytest.mark.long
@pytest.mark.parametrize("path", ["/watch", "/watch?token=", "/watch?token=guess", "/play/r", "/"])
def test_without_the_secret_nobody_sees_anything(tmp_path: Path, path: str) -> None:
    with playing(tmp_path, "--pace", "0.01") as (_, address):
        root = address.partition("/watch")[0].replace("http:", "ws:")
        stranger = Client(root + path)
        assert stranger.farewell[0] == 1008
        assert stranger.frames == []


@pytest.mark.long
def test_the_page_of_another_site_may_not_connect(tmp_path: Path) -> None:
    with playing(tmp_path, "--pace", "0.01") as (_, address), pytest.raises(InvalidHandshake):
        Client(for_programs(address), Origin="https://example.org")


@pytest.mark.long
def test_who_never_reads_holds_up_neither_the_table_nor_its_end(tmp_path: Path) -> None:
    sockets: list[socket.socket] = []

    def look(held: Held) -> None:
        server = cast(WebServer, SimpleNamespace(port=int(address.split(":")[2].partition("/")[0])))
        sockets.append(raw_visit(server, "/watch" + for_programs(address).partition("/watch")[2]))

    with WatchPage(tmp_path, 0) as viewer:
        address = viewer.address
        play_held(tmp_path, (5,), look, length="hanchan", games=3)
    assert len(sockets) == 3
    for sock in sockets:
        sock.close()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_page_ends_with_the_table_however_that_ends(tmp_path: Path, number: signal.Signals) -> None:
    with playing(tmp_path, "--pace", "0.05") as (process, address):
        client = Client(for_programs(address))
        client.get()
        os.kill(process.pid, number)
        over = threading.Thread(target=client.rest, daemon=True)
        over.start()
        over.join(SOON + 4)
        assert not over.is_alive()
        process.wait(SOON + 4)
        with pytest.raises((ConnectionClosed, InvalidHandshake, OSError)):
            Client(for_programs(address)).get()


def test_a_port_in_use_is_one_line_and_exit_code_2(jantaku: Jantaku, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = jantaku("play", *FAST, "--watch-port", str(port), "--out", str(tmp_path))
    assert ran.code == 2
    assert ran.err == f"jantaku: --watch-port: 127.0.0.1:{port} cannot be used: Address already in use\n"
