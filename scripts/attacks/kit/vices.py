"""Bots that raise and return what no bot should, and that extend their own options."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.riichi.actions import DISCARDS, KYUUSHU, RON, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.pieces.melds import ankan
from scripts.attacks.kit.habit import Sin, may


def _raises(name: str, make: Callable[[], BaseException]) -> None:
    def sin(question: Question) -> Action:
        raise make()

    sin.__name__ = name
    may("gone")(sin)


def _returns(name: str, make: Sin, *verdicts: str) -> None:
    def sin(question: Question) -> Any:
        return make(question)

    sin.__name__ = name
    may(*verdicts)(sin)


# --- exceptions


class _Odd(Exception):
    """An exception whose text raises as well."""

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


@may("gone")
def recurses_for_ever(question: Question) -> Any:
    return recurses_for_ever(question)


@may("gone")
def raises_an_endless_chain(question: Question) -> Action:
    error: BaseException = ValueError("first")
    for _ in range(5000):
        later = ValueError("later")
        later.__context__, error = error, later
    raise error


# --- answers


class _Equal:
    """Equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class _Trap:
    """Comparing, hashing or printing it raises."""

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
    """Claims to be a discard."""

    tile, tsumogiri, riichi = 0, False, False

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return Discard

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class _Slow:
    """Takes long to compare."""

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
_NOT_SENT = ("malformed", "gone")  # an isolated bot must serialise it first, which raises
_NOT = ("malformed", "illegal")
"""An object that passes for an option of the table's is replaced by that option: `ok` then, and nothing of the bot's
goes further."""
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


@may("illegal", "malformed", "gone")
def changes_the_default(question: Question) -> Action:
    choice: Any = question.choice
    wanted = _other_tile(question)
    choice._default = wanted
    return wanted


@may("illegal", "malformed", "gone")
def puts_another_choice_into_the_question(question: Question) -> Action:
    other = Choice((KYUUSHU, TSUMO), KYUUSHU)
    object.__setattr__(question, "choice", other)
    return KYUUSHU


@may("ok", "illegal", "gone")
def takes_its_options_away(question: Question) -> Action:
    choice: Any = question.choice
    choice._options = ()
    return question.default
