"""Runs attacks: each in a process of its own, several at a time, none longer than its bound."""

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

import msgspec

from jantaku.players.adapters.environment import INHERIT
from jantaku.players.adapters.pipes import guardian
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, Row, Skipped, Verdict

Chosen = tuple[str, Attack]
"""An attack and its group."""
Told = tuple[Verdict, str]
GOODBYE = 3.0
"""Seconds in which everything that an attack started must end after it."""
LAST_WORDS = 2000
"""Characters shown of an attack's output if it does not end by itself."""

LINES = 6
"""Lines shown of the traceback of an attack that is broken itself."""

_fork = multiprocessing.get_context("fork")


def run(chosen: Sequence[Chosen], jobs: int) -> Iterator[Row]:
    """Try them, `jobs` at a time; those that measure time one after another at the end. Yield rows as they end."""
    yield from _run([one for one in chosen if not one[1].alone], jobs)
    yield from _run([one for one in chosen if one[1].alone], 1)


def _run(chosen: Sequence[Chosen], jobs: int) -> Iterator[Row]:
    waiting, running = list(reversed(chosen)), list[_Running]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(_Running(*waiting.pop()))
            soonest = min(one.until for one in running)
            ready = wait([one.pipe for one in running], max(0.0, soonest - time.monotonic()))
            for one in list(running):
                if one.pipe in ready or time.monotonic() >= one.until:
                    running.remove(one)
                    yield one.over()
    finally:
        for one in running:
            one.over()


class _Running:
    """An attack in progress."""

    _count = 0

    def __init__(self, group: str, attack: Attack) -> None:
        _Running._count += 1
        self._group, self._attack = group, attack
        self._mark = f"{os.getpid()}-{_Running._count}"
        self._place = tempfile.TemporaryDirectory(prefix="jantaku-attack-", ignore_cleanup_errors=True)
        self.pipe, theirs = _fork.Pipe(duplex=False)
        self._began = time.monotonic()
        self.until = self._began + attack.seconds
        self._process: ForkProcess = _fork.Process(
            target=_try, args=(attack, Path(self._place.name), self._mark, theirs)
        )
        self._process.start()
        theirs.close()

    def over(self) -> Row:
        """Return the result, and remove everything that the attack left."""
        seconds = time.monotonic() - self._began
        verdict, told = self._told()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        left.end(self._mark)
        self._process.join()
        self.pipe.close()
        self._place.cleanup()
        return Row(self._group, self._attack.name, verdict, told, round(seconds, 2))

    def _told(self) -> Told:
        try:
            if self.pipe.poll():
                return msgspec.json.decode(self.pipe.recv_bytes(), type=tuple[Verdict, str])
        except EOFError:
            self._process.join(GOODBYE)
            return Verdict.FAILED, f"the process of the attack has ended with {self._process.exitcode}{self._printed()}"
        return Verdict.FAILED, f"not over after {self._attack.seconds:g} s{self._printed()}"

    def _printed(self) -> str:
        text = _output(Path(self._place.name)).read_bytes()[-LAST_WORDS:].decode(errors="replace")
        return f"\n{text}" if text.strip() else ""


def _output(place: Path) -> Path:
    return place / "output.txt"


def _try(attack: Attack, place: Path, mark: str, pipe: Connection) -> None:
    """Run in the attack's process: a session of its own, no terminal, no input."""
    os.setsid()
    # Programs inherit the mark, and jantaku keeps its initial environment readable, where `left` looks for it.
    os.environ |= {left.MARK: mark, INHERIT: left.MARK, "SPT_NOENV": "1"}
    os.environ["XDG_STATE_HOME"] = str(place / ".state")  # holds journals of killed games
    with open(os.devnull, "rb") as nothing, _output(place).open("wb") as printed:
        for stream, number in ((nothing, 0), (printed, 1), (printed, 2)):
            os.dup2(stream.fileno(), number)
    told = _outcome(attack, place / "own", mark)
    sys.stdout.flush()
    pipe.send_bytes(msgspec.json.encode(told))
    os._exit(0)


def _outcome(attack: Attack, folder: Path, mark: str) -> Told:
    folder.mkdir()
    try:
        remark = attack.run(folder) or ""
    except Skipped as reason:
        return Verdict.SKIPPED, str(reason)
    except Failed as evidence:
        return Verdict.FAILED, str(evidence)
    except BaseException:  # a failed assertion, or a broken attack: not survived
        return Verdict.FAILED, "".join(traceback.format_exc().splitlines(keepends=True)[-LINES:])
    guardian.dismiss()  # it stays while this process may have programs
    if not attack.leaves and (found := left.waited_for(mark, GOODBYE)):
        return Verdict.FAILED, "still running: " + ", ".join(left.command_of(one) for one in found)
    return Verdict.SURVIVED, remark
