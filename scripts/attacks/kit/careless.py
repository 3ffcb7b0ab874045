"""Bots that are careless with the process they share with the table, and classes that are odd from the start.

Sabotage of that process (its memory, its files, its signals) is not among them: against that, a bot is isolated or put
into a sandbox.
"""

import asyncio
import gc
import locale
import logging
import os
import random
import signal
import socket
import sys
import threading
import time
import warnings
from typing import Any

import numpy

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from scripts.attacks.kit.habit import may


@may("ok")
def prints_a_megabyte(question: Question) -> Action:
    for _ in range(1000):
        print("thinking " * 100)
    sys.stdout.flush()
    return question.default


@may("ok")
def prints_escape_sequences_to_stderr(question: Question) -> Action:
    print("thinking", file=sys.stderr)
    return question.default


@may("ok")
def logs_everything(question: Question) -> Action:
    logging.basicConfig(level="DEBUG")
    logging.getLogger().debug("thinking")
    return question.default


@may("ok")
def changes_the_folder(question: Question) -> Action:
    os.chdir("/")
    return question.default


@may("ok")
def empties_the_environment(question: Question) -> Action:
    os.environ.clear()
    return question.default


@may("ok")
def empties_the_path(question: Question) -> Action:
    sys.path.clear()
    return question.default


@may("ok")
def seeds_all_randomness(question: Question) -> Action:
    random.seed(0)
    numpy.random.seed(0)
    return question.default


@may("ok")
def turns_the_collector_off(question: Question) -> Action:
    gc.disable()
    gc.freeze()
    return question.default


@may("ok")
def lets_numpy_raise(question: Question) -> Action:
    numpy.seterr(all="raise")
    return question.default


@may("ok")
def makes_warnings_errors(question: Question) -> Action:
    warnings.simplefilter("error")
    return question.default


@may("ok")
def changes_the_locale(question: Question) -> Action:
    locale.setlocale(locale.LC_ALL, "C")
    return question.default


@may("ok")
def limits_sockets(question: Question) -> Action:
    socket.setdefaulttimeout(0.001)
    return question.default


@may("ok", "gone")
def limits_recursion(question: Question) -> Action:
    sys.setrecursionlimit(150)
    return question.default


@may("ok", "gone")
def sets_an_alarm(question: Question) -> Action:
    """In its own thread it cannot; in the judge's, the handler does nothing."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    return question.default


@may("ok")
def traces_every_line(question: Question) -> Action:
    sys.settrace(lambda *_: None)
    return question.default


def _raises(*given: Any) -> None:
    raise RuntimeError("a hook")


@may("ok")
def sets_a_trace_function_that_raises_for_all_threads(question: Question) -> Action:
    threading.settrace(_raises)
    return question.default


@may("ok")
def sets_a_profile_function_that_raises_for_all_threads(question: Question) -> Action:
    threading.setprofile(_raises)
    return question.default


@may("ok")
def leaves_a_thread_that_does_not_end(question: Question) -> Action:
    """The thread is no daemon: the interpreter waits for it at its end."""
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return question.default


@may("ok")
def has_500_threads(question: Question) -> Action:
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return question.default


@may("ok")
def opens_500_files(question: Question) -> Action:
    globals()["_kept"] = [open(os.devnull) for _ in range(500)]  # noqa: SIM115
    return question.default


@may("ok")
def forks_a_child_that_goes_on(question: Question) -> Action:
    """The child ends at once; buffers that it shares with the table must not be flushed twice."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return question.default


# --- classes that are odd before they are asked anything


class Deaf:
    """Has no `hear`."""

    def answer(self, question: Question) -> Action:
        """Return the default."""
        return question.default


class Listens(Deaf):
    """`listens` is not a bool."""

    listens = "perhaps"

    def hear(self, event: Any) -> None:
        """Does nothing."""


class ListensNot(Listens):
    """Looking at `listens` raises."""

    @property
    def listens(self) -> bool:  # type: ignore[override]
        """Always raises."""
        raise SystemExit("no")


class HasEverything(Listens):
    """Any attribute access raises."""

    def __getattr__(self, name: str) -> Any:
        raise SystemExit(name)


class HearsBadly(Deaf):
    """Raises at every event."""

    def hear(self, event: Any) -> None:
        """Always raises."""
        raise asyncio.CancelledError


class Async(Deaf):
    """Its methods are coroutines."""

    async def hear(self, event: Any) -> None:
        """Is never awaited."""

    async def answer(self, question: Question) -> Action:  # type: ignore[override]
        """Is never awaited."""
        return question.default


class Wordless(Listens):
    """Its `answer` takes no argument."""

    def answer(self) -> Action:  # type: ignore[override]
        """Takes no question."""
        return None


class Demanding(Listens):
    """Cannot be made."""

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted


class BornBroken(Listens):
    """Its constructor raises."""

    def __init__(self) -> None:
        raise asyncio.CancelledError


class BornNobody(Listens):
    """Its constructor returns None."""

    def __new__(cls) -> Any:
        """Return None."""
        return None


class BornExiting(Listens):
    """Its constructor exits the process."""

    def __init__(self) -> None:
        raise SystemExit(0)


class BornInterrupted(Listens):
    """Its constructor raises what Ctrl-C does."""

    def __init__(self) -> None:
        raise KeyboardInterrupt


class BornLate(Listens):
    """Its constructor takes an hour."""

    def __init__(self) -> None:
        time.sleep(3600)


class ChangesItsBoard(RiichiPlayer):
    """Modifies the board that it is given, which is its own."""

    def answer(self, question: Question) -> Action:
        """Empty the board's lists, and return the default."""
        for name in ("hand", "visible"):
            found = getattr(self, name)
            if isinstance(found, list):
                found.clear()
        return question.default


BEFORE: dict[str, frozenset[str]] = {
    "Deaf": frozenset({"gone", "start_failed", "refused"}),
    "Listens": frozenset({"ok", "refused"}),
    "ListensNot": frozenset({"gone", "start_failed", "refused"}),
    "HasEverything": frozenset({"gone", "start_failed", "refused", "ok"}),
    "HearsBadly": frozenset({"gone", "start_failed", "refused"}),
    "Async": frozenset({"malformed", "gone", "refused"}),
    "Wordless": frozenset({"gone", "refused"}),
    "Demanding": frozenset({"start_failed", "refused"}),
    "BornBroken": frozenset({"start_failed", "refused"}),
    "BornNobody": frozenset({"start_failed", "gone", "refused"}),
    "BornExiting": frozenset({"start_failed", "refused"}),
    "BornInterrupted": frozenset({"start_failed", "refused"}),
    "BornLate": frozenset({"start_failed", "refused"}),
    "ChangesItsBoard": frozenset({"ok", "gone"}),
}
"""Odd classes, and their possible results; `refused`: exit code 2 and a line that names the player."""
