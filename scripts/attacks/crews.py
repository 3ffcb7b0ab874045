"""Attacks by matches whose players and workers break: blame, kept records, and the end of the match."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from jantaku.players.broken.catalogue import vices
from jantaku.players.broken.programs import client as client  # registers the vices of bots and programs
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import Ran, jantaku, start
from scripts.environments import PYTHON


def _bot(name: str, terms: str = "") -> tuple[str, tuple[str, ...]]:
    vice = vices("bot")[name]
    return f"{vice.does.__module__}:{vice.kind}{terms}", vice.at("turn")


def _program(name: str, *late: str) -> tuple[str, tuple[str, ...]]:
    command = f"exec:{PYTHON} -m jantaku.players.broken.programs {name} turn"
    return command, (*vices("program")[name].at("turn"), *late)


PLAYERS = {
    "raises": _bot("raises"),
    "wants to end the process": _bot("quits"),
    "hangs": _bot("hangs"),
    "answers nothing": _bot("answers_nothing"),
    "cheats": _bot("cheats"),
    "is isolated and vanishes": _bot("vanishes", "?isolate=process"),
    "is isolated and hangs": _bot("hangs", "?isolate=process"),
    "is a program that is killed": _program("killed"),
    "is a program that floods": _program("floods", "silent"),
}
"""Players of the catalogue, with their possible verdicts."""
ENDS = {
    "ends its process": "os._exit(0)",
    "kills its process": "os.kill(os.getpid(), 9)",
    "stops its process": "os.kill(os.getpid(), 19)",
    "holds the interpreter's lock": "re.match(r'(a+)+$', 'a' * 40 + 'b')",
}
"""What a bot in process can do to its worker. The match must end or go on, and say so."""
BOT = """
import os, re
class Bot:
    done = False
    def hear(self, event): pass
    def answer(self, question):
        if not Bot.done:
            Bot.done = True
            {words}
        return question.default
"""
WORDS = ("--sets", "2", "--length", "one", "--seed", "1", "--limit", "2", "--out", "out", "--json")


def attacks() -> Iterator[Attack]:
    for workers in (0, 1, 2):
        for what, (player, verdicts) in PLAYERS.items():
            yield attack(f"a player of a match with {workers} workers {what}", broken, player, verdicts, workers).but(
                seconds=80.0
            )
    for what, words in ENDS.items():
        yield attack(f"a bot of a match {what}", ends, words).but(seconds=100.0)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP, signal.SIGINT):
        yield attack(f"one worker of a match gets {number.name}", worker_gets, number).but(seconds=90.0)
    yield Attack("a bot of a match prints, and --json is JSON", prints, seconds=90)
    yield Attack("a match of 14 players ends", many, seconds=90)


def _match(player: str, folder: Path, *words: str, seconds: float = 60) -> Ran:
    players = f"{player},tsumogiri?name=b,tsumogiri?name=c,tsumogiri?name=d"
    return jantaku("match", "--players", players, *WORDS, *words, cwd=folder, seconds=seconds)


def _faults(ran: Ran) -> dict[str, dict[str, int]]:
    figures = msgspec.json.decode(ran.out)["results"]["figures"]
    return {player["name"]: player.get("faults") or {} for player in figures["players"]}


def broken(folder: Path, player: str, verdicts: tuple[str, ...], workers: int) -> None:
    """Every hanchan is played, and only that player is blamed."""
    mark = "&" if "?" in player else "?"
    ran = _match(
        f"{player}{mark}name=a&clock.max_faults=1&clock.turn=1&clock.reaction=1", folder, "--workers", str(workers)
    ).fine()
    faults = _faults(ran)
    wrong = {name: found for name, found in faults.items() if name != "a" and set(found) - {"ok_margin", "stale"}}
    if wrong:
        raise ran.failed(f"innocents are blamed: {wrong}")
    if not set(faults["a"]) & set(verdicts):
        raise ran.failed(f"the player has {faults['a']}, not {' or '.join(verdicts)}")


def ends(folder: Path, words: str) -> None:
    """With workers the match ends in time and reports the failure; `play` with the same bot does not report success."""
    (folder / "mine.py").write_text(BOT.format(words=words))
    ran = _match("mine:Bot?name=a", folder, "--workers", "2", seconds=90).clean()
    if ran.code not in (0, 1, 2, 70):
        raise ran.failed(f"exit code {ran.code}")
    if ran.code == 0 and '"void":0' in ran.out and "_exit" in words:
        raise ran.failed("hanchan whose process has ended are not void")


def worker_gets(folder: Path, number: signal.Signals) -> None:
    """The match ends by itself after a worker gets a signal; its hanchan is void or played again."""
    words = ("--sets", "20", "--seed", "1", "--length", "tonpu", "--workers", "2", "--out", "out", "--limit", "2")
    process = start("match", "--players", "shanten,shanten,caller,dice", *words, "--json", cwd=folder)
    workers: list[int] = []
    until = time.monotonic() + 20
    while len(workers) < 2 and time.monotonic() < until and process.poll() is None:
        workers = [worker for table in _children_of(process.pid) for worker in _children_of(table)]
        time.sleep(0.05)
    if not workers:
        raise Failed("no worker was seen")
    time.sleep(1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(workers[-1], number)
    out, err = process.communicate(timeout=80)
    ran = Ran(("match",), process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), 0.0).clean()
    if ran.code not in (0, 1, 2, 130, 143):
        raise ran.failed(f"exit code {ran.code}")


def _children_of(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            child = int(entry.parent.name)
            of = int(entry.read_text().rpartition(")")[2].split()[1])
            if of == parent and not any(name in left.command_of(child) for name in ("guardian", "resource_tracker")):
                found.append(child)
    return sorted(found)


def prints(folder: Path) -> None:
    """Bots print while messages are written."""
    for workers in ("0", "2"):
        ran = _match("scripts.attacks.kit.careless:PrintsAMegabyte", folder, "--workers", workers).fine()
        try:
            msgspec.json.decode(ran.out)
        except msgspec.DecodeError:
            raise ran.failed(f"standard output is not one JSON object with {workers} workers") from None
        (folder / "out").rename(folder / f"out{workers}")


def many(folder: Path) -> None:
    """A gauntlet of fourteen players is played, or refused in one line."""
    players = ",".join(f"tsumogiri?name=p{n}" for n in range(14))
    words = ("--format", "gauntlet", "--sets", "1", "--length", "one", "--threads", "inline", "--out", "out")
    ran = jantaku("match", "--players", players, *words, cwd=folder, seconds=80).sound()
    if ran.code == 2:
        ran.refused()
