"""Bots in the sandbox that try to get out, to read what is not theirs, and to take more than they may.

Each bot sits at a real table beside three honest bots. What it finds, reaches and changes is also checked from outside;
the honest bots must not notice.
"""

import contextlib
import os
import platform
import secrets
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.players.sandbox.tree import Tree
from scripts.serving import ROOT, Ran, start
from tests.hostile.sound import sound
from tests.hostile.thief import hogs, thief
from tests.players.driving import needs_bwrap

SEED = "31337000111"
THIEF = ROOT / "tests" / "hostile" / "thief" / "thief.py"
PROCESSES = 80
LIMITS = f"limits.memory=384&limits.processes={PROCESSES}&limits.disk=16&limits.cpu=3"
SPARE = 10
"""Processes above the limit before the sandbox is ended; the sandbox's own first process is one of them."""
DAILY = {"the file itself", "a TCP server of the host", "eats memory"}
GOOD = {"ok", "ok_margin"}


def _each() -> Iterator[Any]:
    for verdict, ways in thief.WAYS:
        for way in ways:
            marks = [pytest.mark.daily] if way in DAILY else []
            yield pytest.param(way, frozenset(filter(None, [verdict])), id=way, marks=marks)


@pytest.mark.long
@pytest.mark.hostile
@needs_bwrap
@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of system calls are those of x86-64")
@pytest.mark.parametrize(("way", "verdicts"), list(_each()))
def test_a_bot_in_the_sandbox_gets_nowhere(way: str, verdicts: frozenset[str], tmp_path: Path) -> None:
    secret, folder = tmp_path / "elsewhere" / "secret.txt", tmp_path
    secret.parent.mkdir()
    own = _sources(THIEF.parent)
    canary = f"canary-{secrets.token_hex(16)}"
    secret.write_text(canary)
    with _listening(folder) as (port, place, came), _counting(way in hogs.BOMBS) as crowds:
        seated = (
            f"{THIEF}:Thief?isolate=process&sandbox=on&name=thief&env.ESCAPE={way.replace(',', ';')}"
            f"&env.ESCAPE_SEED={SEED[::-1]}&env.ESCAPE_CANARY={canary[::-1]}&env.ESCAPE_FILE={secret}&env.ESCAPE_HOME={Path.home()}"
            f"&env.ESCAPE_OUT={folder / 'out'}&env.ESCAPE_PORT={port}&env.ESCAPE_SOCKET={place}&{LIMITS}"
        )
        words = ("--length", "one", "--limit", "15", "--seed", SEED, "--json", "--out", str(folder / "out"))
        process = start("play", "--players", f"{seated},dice,dice,dice?isolate=process", *words, cwd=folder)
        out, err = process.communicate(timeout=80)
    ran = Ran(("play",), process.returncode, out.decode(), err.decode(errors="replace"), 0)
    sound(ran)
    assert ran.code == 0, ran
    noted = folder / "out" / "thief.stderr.txt"
    said = noted.read_text(errors="replace") if noted.exists() else ""
    assert "FOUND" not in said and not came, f"it has got out: {said[-500:]} {came[:3]}"
    assert secret.read_text() == canary and _sources(THIEF.parent) == own, "it has changed what is not its own"
    assert max(crowds, default=0) <= PROCESSES + SPARE, "more processes and threads than allowed"
    _blames(msgspec.json.decode(ran.out)["faults"], verdicts, said)


def _blames(faults: list[dict[str, int]], verdicts: frozenset[str], said: str) -> None:
    """Its seat alone is blamed, with one of these verdicts, or not at all where the call only fails."""
    assert not any(set(others) - GOOD for others in faults[1:]), faults
    blamed = set(faults[0]) - GOOD - {"stale"}
    assert bool(blamed & verdicts) if verdicts else not blamed, f"{faults[0]}: {said[-300:]}"


def _sources(place: Path) -> dict[str, bytes]:
    """Return the files of the bot's own folder, without those that Python makes there."""
    return {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}


@contextlib.contextmanager
def _counting(wanted: bool) -> Iterator[list[int]]:
    """Keep counting the processes and threads in sandboxes below this process."""
    crowds: list[int] = []
    over = threading.Event()

    def count() -> None:
        while not over.wait(0.02):
            crowds.append(_crowd())

    counter = threading.Thread(target=count, daemon=True)
    if wanted:
        counter.start()
    try:
        yield crowds
    finally:
        over.set()
        if wanted:
            counter.join()


def _crowd() -> int:
    ours, found = os.readlink("/proc/self/ns/pid"), 0
    for process in Tree(os.getpid()).look()[0]:
        with contextlib.suppress(OSError):  # ended meanwhile
            if os.readlink(f"/proc/{process}/ns/pid") != ours:
                found += len(os.listdir(f"/proc/{process}/task"))
    return found


@contextlib.contextmanager
def _listening(folder: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Open servers of every kind that a bot might reach; yield the port, the name of a UNIX socket, and the list of
    connections made."""
    came: list[str] = []
    place = os.path.join(folder, "s")
    over = threading.Event()
    with contextlib.ExitStack() as stack:
        kinds = [(socket.AF_INET, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
        kinds.append((socket.AF_UNIX, socket.SOCK_STREAM))
        tcp, udp, path, abstract = (stack.enter_context(socket.socket(*kind)) for kind in (*kinds, kinds[2]))
        tcp.bind(("127.0.0.1", 0))
        port: int = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        path.bind(place)
        abstract.bind("\0jantaku" + place)
        threads = []
        for name, made in (("tcp", tcp), ("udp", udp), ("path", path), ("abstract", abstract)):
            made.settimeout(0.2)
            if name != "udp":
                made.listen()
            threads.append(threading.Thread(target=_take, args=(name, made, came, over), daemon=True))
            threads[-1].start()
        try:
            yield port, place, came
        finally:
            over.set()
            for thread in threads:
                thread.join()


def _take(name: str, made: socket.socket, came: list[str], over: threading.Event) -> None:
    while not over.is_set():
        with contextlib.suppress(TimeoutError):
            if name == "udp":
                came.append(f"udp: {made.recv(100)!r}")
            else:
                made.accept()[0].close()
                came.append(name)
