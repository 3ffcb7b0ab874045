"""Bots in the table's own process that break every habit: each good but for what it does in its first own turn.

`OWN` has them by name with the verdicts that they may come to. What is sabotage of the process that they share with the
table (its memory, its files, its signals) is not among them: against that a bot sits isolated or in a sandbox.
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
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from players.base import RiichiPlayer
from table.port import Action, Choice, Question
from table.riichi.actions import DISCARDS, KYUUSHU, PASS, RON, TSUMO, Call, Discard, Kan
from table.riichi.pieces.melds import ankan

OWN: dict[str, frozenset[str]] = {}
Sin = Callable[[Question], Any]


class Habit:
    """Plays the default but for one own turn."""

    sin: Sin
    done = False

    def hear(self, event: Any) -> None:
        """Nothing."""

    def answer(self, question: Question) -> Action:
        """The vice, once."""
        if self.done or PASS in question.options:
            return question.default
        self.done = True
        given: Action = type(self).sin(question)
        return given


def _may(*verdicts: str) -> Callable[[Sin], Sin]:
    def kept(sin: Sin) -> Sin:
        globals()[sin.__name__ + "_"] = type(sin.__name__, (Habit,), {"sin": staticmethod(sin), "__module__": __name__})
        OWN[sin.__name__ + "_"] = frozenset(verdicts)
        return sin

    return kept


def _raises(name: str, make: Callable[[], BaseException]) -> None:
    def sin(question: Question) -> Action:
        raise make()

    sin.__name__ = name
    _may("gone")(sin)


def _returns(name: str, make: Sin, *verdicts: str) -> None:
    def sin(question: Question) -> Any:
        return make(question)

    sin.__name__ = name
    _may(*verdicts)(sin)


# --- exceptions


class _Odd(Exception):
    """An exception whose every look is a trap."""

    def __init__(self, text: Any = "") -> None:
        self.text = text

    def __str__(self) -> str:
        if isinstance(self.text, BaseException):
            raise self.text
        return self.text  # type: ignore[no-any-return]

    __repr__ = __str__


class _Base(BaseException):
    pass


class _Renamed(Exception):
    pass


_Renamed.__name__ = "\x1b[2J[/x]<script>"

_raises("raises_base_exception", _Base)
_raises("raises_system_exit", lambda: SystemExit(0))
_raises("raises_system_exit_with_words", lambda: SystemExit("\x1b[2J"))
_raises("raises_generator_exit", GeneratorExit)
_raises("raises_stop_iteration", lambda: StopIteration(1))
_raises("raises_stop_async_iteration", StopAsyncIteration)
_raises("raises_cancelled", asyncio.CancelledError)
_raises("raises_memory_error", MemoryError)
_raises("raises_assertion", lambda: AssertionError("defect of jantaku"))
_raises("raises_timeout", lambda: TimeoutError("nothing after 3 s"))
_raises("raises_broken_pipe", BrokenPipeError)
_raises("raises_no_space", lambda: OSError(28, "No space left on device"))
_raises("raises_a_group", lambda: BaseExceptionGroup("several", [KeyError("x"), SystemExit(3)]))
_raises("raises_what_cannot_be_printed", lambda: _Odd(ValueError("no")))
_raises("raises_what_exits_when_printed", lambda: _Odd(SystemExit(0)))
_raises("raises_what_prints_as_a_number", lambda: _Odd(7))
_raises("raises_ten_megabytes", lambda: ValueError("x" * 10_000_000))
_raises("raises_escape_sequences", lambda: ValueError("\x1b]0;pwned\x07\x1b[2J\x9b2J"))
_raises("raises_markup", lambda: ValueError("[/bold] [/INST] [link=http://e]"))
_raises("raises_half_a_character", lambda: ValueError("\ud800"))
_raises("raises_a_name_of_markup", _Renamed)
_raises("raises_lines", lambda: ValueError("a\nb\r\nc\u2028d\0e"))


@_may("gone")
def recurses_for_ever(question: Question) -> Any:
    return recurses_for_ever(question)


@_may("gone")
def raises_an_endless_chain(question: Question) -> Action:
    error: BaseException = ValueError("first")
    for _ in range(5000):
        later = ValueError("later")
        later.__context__, error = error, later
    raise error


# --- answers


class _Equal:
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class _Trap:
    """Every look at it raises."""

    def __eq__(self, other: object) -> bool:
        raise SystemExit(1)

    def __hash__(self) -> int:
        raise SystemExit(1)

    def __repr__(self) -> str:
        raise SystemExit(1)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise SystemExit(1)


class _Liar:
    """Says that it is a discard."""

    tile, tsumogiri, riichi = 0, False, False

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return Discard

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class _Slow:
    """Takes its time to be compared."""

    def __eq__(self, other: object) -> bool:
        time.sleep(0.05)
        return False

    def __hash__(self) -> int:
        return 0


def _coroutine(question: Question) -> Any:
    async def later() -> Action:
        return question.default

    found = later()
    found.close()
    return found


def _generator(question: Question) -> Iterator[Action]:
    yield question.default


_NEITHER = ("malformed",)
_NOT_SENT = ("malformed", "gone")  # an isolated bot has to put it into bytes first, and that raises
_NOT = ("malformed", "illegal")
"""What passes for an option of the table's is that option: `ok` then, and nothing of the bot's goes further in."""
_returns("returns_none", lambda q: None, *_NEITHER)
_returns("returns_true", lambda q: True, *_NEITHER)
_returns("returns_a_number", lambda q: 10**5000, *_NOT_SENT)
_returns("returns_nan", lambda q: float("nan"), *_NEITHER)
_returns("returns_a_huge_text", lambda q: "x" * 50_000_000, *_NEITHER)
_returns("returns_all_options", lambda q: q.options, *_NEITHER)
_returns("returns_the_question", lambda q: q, *_NEITHER)
_returns("returns_a_class", lambda q: Discard, *_NEITHER)
_returns("returns_a_coroutine", _coroutine, *_NEITHER)
_returns("returns_a_generator", _generator, *_NEITHER)
_returns("returns_an_exception", lambda q: ValueError("no"), *_NEITHER)
_returns("returns_what_equals_everything", lambda q: _Equal(), *_NEITHER)
_returns("returns_a_trap", lambda q: _Trap(), *_NOT_SENT)
_returns("returns_a_liar", lambda q: _Liar(), "ok", *_NOT)
_returns("returns_what_compares_slowly", lambda q: _Slow(), *_NEITHER)
_returns("returns_a_discard_of_words", lambda q: Discard("m1"), *_NOT)  # type: ignore[arg-type]
_returns("returns_a_discard_of_true", lambda q: Discard(True), "ok", *_NOT)
_returns("returns_a_discard_of_a_fraction", lambda q: Discard(float(q.default.tile) + 0.5), *_NOT)  # type: ignore[attr-defined,arg-type]
_returns("returns_a_discard_below_zero", lambda q: Discard(-1), *_NOT)
_returns("returns_a_discard_of_everything", lambda q: Discard(_Equal()), "ok", *_NOT)  # type: ignore[arg-type]
_returns("returns_a_discard_of_a_trap", lambda q: Discard(_Trap()), "gone", *_NOT)  # type: ignore[arg-type]
_returns("returns_a_call_of_nothing", lambda q: Call(None), *_NOT)  # type: ignore[arg-type]
_returns("returns_a_kan_of_words", lambda q: Kan("z1111"), *_NOT)  # type: ignore[arg-type]
_returns("returns_a_kan_of_nobodys_tiles", lambda q: Kan(ankan(0, 0, 0, 0)), "illegal")
_returns("returns_a_ron_in_its_turn", lambda q: RON, "illegal")
_returns("returns_a_win_that_it_has_not", lambda q: TSUMO, "illegal")


# --- options of its own


def _inject(question: Question, action: Action) -> Action:
    choice: Any = question.choice
    for name in ("_options", "options"):
        try:
            setattr(choice, name, (*question.options, action))
        except (AttributeError, TypeError):
            try:
                object.__setattr__(choice, name, (*question.options, action))
            except (AttributeError, TypeError):
                continue
    return action


def _other_tile(question: Question) -> Action:
    return next(discard for discard in DISCARDS if discard not in question.options)


_returns("adds_an_abort_to_its_options", lambda q: _inject(q, KYUUSHU), "illegal")
_returns("adds_a_win_to_its_options", lambda q: _inject(q, TSUMO), "illegal")
_returns("adds_a_kan_to_its_options", lambda q: _inject(q, Kan(ankan(0, 0, 0, 0))), "illegal")
_returns("adds_a_tile_that_it_has_not", lambda q: _inject(q, _other_tile(q)), "illegal")


@_may("illegal", "malformed", "gone")
def changes_the_default(question: Question) -> Action:
    choice: Any = question.choice
    wanted = _other_tile(question)
    choice._default = wanted
    return wanted


@_may("illegal", "malformed", "gone")
def puts_another_choice_into_the_question(question: Question) -> Action:
    other = Choice((KYUUSHU, TSUMO), KYUUSHU)
    object.__setattr__(question, "choice", other)
    return KYUUSHU


@_may("ok", "illegal", "gone")
def takes_its_options_away(question: Question) -> Action:
    choice: Any = question.choice
    choice._options = ()
    return question.default


# --- what it does to the process that it shares, by carelessness


@_may("ok")
def prints_a_megabyte(question: Question) -> Action:
    for _ in range(1000):
        print("thinking " * 100)
    sys.stdout.flush()
    return question.default


@_may("ok")
def prints_escape_sequences_to_stderr(question: Question) -> Action:
    print("thinking", file=sys.stderr)
    return question.default


@_may("ok")
def logs_everything(question: Question) -> Action:
    logging.basicConfig(level="DEBUG")
    logging.getLogger().debug("thinking")
    return question.default


@_may("ok")
def changes_the_folder(question: Question) -> Action:
    os.chdir("/")
    return question.default


@_may("ok")
def empties_the_environment(question: Question) -> Action:
    os.environ.clear()
    return question.default


@_may("ok")
def empties_the_path(question: Question) -> Action:
    sys.path.clear()
    return question.default


@_may("ok")
def seeds_all_randomness(question: Question) -> Action:
    random.seed(0)
    numpy.random.seed(0)
    return question.default


@_may("ok")
def turns_the_collector_off(question: Question) -> Action:
    gc.disable()
    gc.freeze()
    return question.default


@_may("ok")
def lets_numpy_raise(question: Question) -> Action:
    numpy.seterr(all="raise")
    return question.default


@_may("ok")
def makes_warnings_errors(question: Question) -> Action:
    warnings.simplefilter("error")
    return question.default


@_may("ok")
def changes_the_locale(question: Question) -> Action:
    locale.setlocale(locale.LC_ALL, "C")
    return question.default


@_may("ok")
def limits_sockets(question: Question) -> Action:
    socket.setdefaulttimeout(0.001)
    return question.default


@_may("ok", "gone")
def limits_recursion(question: Question) -> Action:
    sys.setrecursionlimit(150)
    return question.default


@_may("ok", "gone")
def sets_an_alarm(question: Question) -> Action:
    """In its own thread it may not; in the judge's the handler is one that does nothing."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    return question.default


@_may("ok")
def traces_every_line(question: Question) -> Action:
    sys.settrace(lambda *_: None)
    return question.default


@_may("ok")
def breaks_the_hook_of_threads(question: Question) -> Action:
    def fail(*_: object) -> None:
        raise ValueError

    threading.excepthook = fail
    threading.Thread(target=fail).start()
    return question.default


@_may("ok")
def leaves_a_thread_that_does_not_end(question: Question) -> Action:
    """No daemon: the interpreter waits for it when it ends."""
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return question.default


@_may("ok")
def has_500_threads(question: Question) -> Action:
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return question.default


@_may("ok")
def opens_500_files(question: Question) -> Action:
    globals()["_kept"] = [open(os.devnull) for _ in range(500)]  # noqa: SIM115
    return question.default


@_may("ok")
def forks_a_child_that_goes_on(question: Question) -> Action:
    """The child ends at once; what it shares with the table (locks, files) must not be flushed twice."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return question.default


# --- classes that are odd before they are asked anything


class Deaf:
    """Has no `hear`."""

    def answer(self, question: Question) -> Action:
        """The default."""
        return question.default


class Listens(Deaf):
    """`listens` is no bool."""

    listens = "perhaps"

    def hear(self, event: Any) -> None:
        """Nothing."""


class ListensNot(Listens):
    """Looking at `listens` raises."""

    @property
    def listens(self) -> bool:  # type: ignore[override]
        """No."""
        raise SystemExit("no")


class HasEverything(Listens):
    """Any attribute that is looked for raises."""

    def __getattr__(self, name: str) -> Any:
        raise SystemExit(name)


class HearsBadly(Deaf):
    """Raises at every event."""

    def hear(self, event: Any) -> None:
        """No."""
        raise asyncio.CancelledError


class Async(Deaf):
    """Its methods are coroutines."""

    async def hear(self, event: Any) -> None:
        """Never awaited."""

    async def answer(self, question: Question) -> Action:  # type: ignore[override]
        """Never awaited."""
        return question.default


class Wordless(Listens):
    """`answer` takes nothing."""

    def answer(self) -> Action:  # type: ignore[override]
        """No question."""
        return None


class Demanding(Listens):
    """Cannot be made."""

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted


class BornBroken(Listens):
    """Raises when it is made."""

    def __init__(self) -> None:
        raise asyncio.CancelledError


class BornNobody(Listens):
    """Making it makes nothing."""

    def __new__(cls) -> Any:
        """Nobody."""
        return None


class BornExiting(Listens):
    """Making it wants to end the process."""

    def __init__(self) -> None:
        raise SystemExit(0)


class BornInterrupted(Listens):
    """Making it looks like Ctrl-C."""

    def __init__(self) -> None:
        raise KeyboardInterrupt


class BornLate(Listens):
    """Making it takes an hour."""

    def __init__(self) -> None:
        time.sleep(3600)


class ChangesItsBoard(RiichiPlayer):
    """Writes into the board that it is told, which is its own."""

    def answer(self, question: Question) -> Action:
        """The default."""
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
"""Odd classes, and what may come of them; `refused`: exit code 2 and a line that names the player."""
