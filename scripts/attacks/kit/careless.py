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
from collections.abc import Callable
from typing import Any, TypeVar

import numpy

from jantaku.players.base import RiichiPlayer
from jantaku.players.broken.catalogue import DueAction, add, beside, properly
from jantaku.table.ground.port import Action, Question


def _raise(error: BaseException) -> None:
    raise error


def _hook(*given: Any) -> None:
    raise RuntimeError("a hook")


add("prints_escape_sequences_to_stderr", properly(lambda due: print("thinking", file=sys.stderr)), bot="ok")
add("changes_the_folder", properly(lambda due: os.chdir("/")), bot="ok")
add("empties_the_environment", properly(lambda due: os.environ.clear()), bot="ok")
add("empties_the_path", properly(lambda due: sys.path.clear()), bot="ok")
add("lets_numpy_raise", properly(lambda due: numpy.seterr(all="raise")), bot="ok")
add("makes_warnings_errors", properly(lambda due: warnings.simplefilter("error")), bot="ok")
add("changes_the_locale", properly(lambda due: locale.setlocale(locale.LC_ALL, "C")), bot="ok")
add("limits_sockets", properly(lambda due: socket.setdefaulttimeout(0.001)), bot="ok")
add("limits_recursion", properly(lambda due: sys.setrecursionlimit(150)), bot="ok gone")
add("traces_every_line", properly(lambda due: sys.settrace(lambda *_: None)), bot="ok")
add("sets_a_trace_function_that_raises_for_all_threads", properly(lambda due: threading.settrace(_hook)), bot="ok")
add("sets_a_profile_function_that_raises_for_all_threads", properly(lambda due: threading.setprofile(_hook)), bot="ok")


@beside(bot="ok")
def prints_a_megabyte(due: DueAction) -> None:
    for _ in range(1000):
        print("thinking " * 100)
    sys.stdout.flush()


@beside(bot="ok")
def logs_everything(due: DueAction) -> None:
    logging.basicConfig(level="DEBUG")
    logging.getLogger().debug("thinking")


@beside(bot="ok")
def seeds_all_randomness(due: DueAction) -> None:
    random.seed(0)
    numpy.random.seed(0)


@beside(bot="ok")
def turns_the_collector_off(due: DueAction) -> None:
    gc.disable()
    gc.freeze()


@beside(bot="ok gone")
def sets_an_alarm(due: DueAction) -> None:
    """In its own thread it cannot; in the judge's, the handler does nothing."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)


@beside(bot="ok")
def leaves_a_thread_that_does_not_end(due: DueAction) -> None:
    """The thread is no daemon: the interpreter waits for it at its end."""
    threading.Thread(target=time.sleep, args=(3600,)).start()


@beside(bot="ok")
def has_500_threads(due: DueAction) -> None:
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


@beside(bot="ok")
def opens_500_files(due: DueAction) -> None:
    globals()["_kept"] = [open(os.devnull) for _ in range(500)]  # noqa: SIM115


@beside(bot="ok")
def forks_a_child_that_goes_on(due: DueAction) -> None:
    """The child ends at once; buffers that it shares with the table must not be flushed twice."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


# --- classes that are odd before they are asked anything

ODD: dict[str, frozenset[str]] = {}
"""These classes, and their possible results; `refused`: exit code 2 and a line that names the player."""
_Kind = TypeVar("_Kind", bound=type)


def odd(verdicts: str) -> Callable[[_Kind], _Kind]:
    """Register a class with its possible results."""

    def registered(kind: _Kind) -> _Kind:
        ODD[kind.__name__] = frozenset(verdicts.split())
        return kind

    return registered


@odd("gone start_failed refused")
class Deaf:
    """Has no `hear`."""

    def answer(self, question: Question) -> Action:
        return question.default


@odd("ok refused")
class Listens(Deaf):
    """`listens` is not a bool."""

    listens = "perhaps"

    def hear(self, event: Any) -> None:
        """Does nothing."""


@odd("gone start_failed refused")
class ListensNot(Listens):
    """Looking at `listens` raises."""

    @property
    def listens(self) -> bool:  # type: ignore[override]
        raise SystemExit("no")


@odd("gone start_failed refused ok")
class HasEverything(Listens):
    """Any attribute access raises."""

    def __getattr__(self, name: str) -> Any:
        raise SystemExit(name)


@odd("gone start_failed refused")
class HearsBadly(Deaf):
    """Raises at every event."""

    def hear(self, event: Any) -> None:
        raise asyncio.CancelledError


@odd("malformed gone refused")
class Async(Deaf):
    """Its methods are coroutines."""

    async def hear(self, event: Any) -> None:
        """Is never awaited."""

    async def answer(self, question: Question) -> Action:  # type: ignore[override]
        """Is never awaited."""
        return question.default


@odd("gone refused")
class Wordless(Listens):
    """Its `answer` takes no argument."""

    def answer(self) -> Action:  # type: ignore[override]
        return None


@odd("start_failed refused")
class Demanding(Listens):
    """Cannot be made."""

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted


@odd("start_failed gone refused")
class BornNobody(Listens):
    """Its constructor returns None."""

    def __new__(cls) -> Any:
        return None


def _born(name: str, does: Callable[[], Any], verdicts: str) -> None:
    """Make a class whose constructor does that."""
    terms = {"__init__": lambda self: does(), "__module__": __name__}
    globals()[name] = odd(verdicts)(type(name, (Listens,), terms))


_born("BornBroken", lambda: _raise(asyncio.CancelledError()), "start_failed refused")
_born("BornExiting", lambda: sys.exit(0), "start_failed refused")
_born("BornInterrupted", lambda: _raise(KeyboardInterrupt()), "start_failed refused")
_born("BornLate", lambda: time.sleep(3600), "start_failed refused")


@odd("ok gone")
class ChangesItsBoard(RiichiPlayer):
    """Modifies the board that it is given, which is its own."""

    def answer(self, question: Question) -> Action:
        """Empty the board's lists, and return the default."""
        for name in ("hand", "visible"):
            found = getattr(self, name)
            if isinstance(found, list):
                found.clear()
        return question.default
