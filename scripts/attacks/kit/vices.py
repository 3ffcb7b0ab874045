"""Bots that raise and return what no bot should, and that extend their own options."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from jantaku.players.broken.catalogue import DueAction, add, beside, vice
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.actions import DISCARDS, KYUUSHU, RON, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.pieces.melds import ankan


def _raises(name: str, make: Callable[[], BaseException]) -> None:
    def does(due: DueAction) -> Action:
        raise make()

    add(name, does, bot="gone")


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


@vice(bot="gone")
def recurses_for_ever(due: DueAction) -> Any:
    return recurses_for_ever(due)


@vice(bot="gone")
def raises_an_endless_chain(due: DueAction) -> Action:
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


def _coroutine(due: DueAction) -> Any:
    async def later() -> Action:
        return due.reply  # type: ignore[no-any-return]

    found = later()
    found.close()
    return found


def _generator(due: DueAction) -> Iterator[Action]:
    yield due.reply


_NEITHER = "malformed"
_NOT_SENT = "malformed gone"  # an isolated bot must serialise it first, which raises
_NOT = "malformed illegal"
"""An object that passes for an option of the table's is replaced by that option: `ok` then, and nothing of the bot's
goes further."""
add("returns_none", lambda due: None, bot=_NEITHER)
add("returns_true", lambda due: True, bot=_NEITHER)
add("returns_a_number", lambda due: 10**5000, bot=_NOT_SENT)
add("returns_nan", lambda due: float("nan"), bot=_NEITHER)
add("returns_a_huge_text", lambda due: "x" * 50_000_000, bot=_NEITHER)
add("returns_all_options", lambda due: due.options, bot=_NEITHER)
add("returns_the_question", lambda due: due.question, bot=_NEITHER)
add("returns_a_class", lambda due: Discard, bot=_NEITHER)
add("returns_a_coroutine", _coroutine, bot=_NEITHER)
add("returns_a_generator", _generator, bot=_NEITHER)
add("returns_an_exception", lambda due: ValueError("no"), bot=_NEITHER)
add("returns_what_equals_everything", lambda due: _Equal(), bot=_NEITHER)
add("returns_a_trap", lambda due: _Trap(), bot=_NOT_SENT)
add("returns_a_liar", lambda due: _Liar(), bot="ok malformed illegal")
add("returns_what_compares_slowly", lambda due: _Slow(), bot=_NEITHER)
add("returns_a_discard_of_words", lambda due: Discard("m1"), bot=_NOT)  # type: ignore[arg-type]
add("returns_a_discard_of_true", lambda due: Discard(True), bot="ok malformed illegal")
add("returns_a_discard_of_a_fraction", lambda due: Discard(float(due.reply.tile) + 0.5), bot=_NOT)  # type: ignore[arg-type]
add("returns_a_discard_below_zero", lambda due: Discard(-1), bot=_NOT)
add("returns_a_discard_of_everything", lambda due: Discard(_Equal()), bot="ok malformed illegal")  # type: ignore[arg-type]
add("returns_a_discard_of_a_trap", lambda due: Discard(_Trap()), bot="gone malformed illegal")  # type: ignore[arg-type]
add("returns_a_call_of_nothing", lambda due: Call(None), bot=_NOT)  # type: ignore[arg-type]
add("returns_a_kan_of_words", lambda due: Kan("z1111"), bot=_NOT)  # type: ignore[arg-type]
add("returns_a_kan_of_nobodys_tiles", lambda due: Kan(ankan(0, 0, 0, 0)), bot="illegal")
add("returns_a_ron_in_its_turn", lambda due: RON, bot="illegal")
add("returns_a_win_that_it_has_not", lambda due: TSUMO, bot="illegal")


# --- options of its own


def _inject(due: DueAction, action: Action) -> Action:
    wanted = (*due.options, action)
    for name in ("_options", "options"):
        for put in (setattr, object.__setattr__):
            with contextlib.suppress(AttributeError, TypeError):
                put(due.question.choice, name, wanted)
    return action


def _other_tile(due: DueAction) -> Action:
    return next(discard for discard in DISCARDS if discard not in due.options)


add("adds_an_abort_to_its_options", lambda due: _inject(due, KYUUSHU), bot="illegal")
add("adds_a_win_to_its_options", lambda due: _inject(due, TSUMO), bot="illegal")
add("adds_a_kan_to_its_options", lambda due: _inject(due, Kan(ankan(0, 0, 0, 0))), bot="illegal")
add("adds_a_tile_that_it_has_not", lambda due: _inject(due, _other_tile(due)), bot="illegal")


@vice(bot="illegal malformed gone")
def changes_the_default(due: DueAction) -> Action:
    due.question.choice._default = _other_tile(due)
    return _other_tile(due)


@vice(bot="illegal malformed gone")
def puts_another_choice_into_the_question(due: DueAction) -> Action:
    object.__setattr__(due.question, "choice", Choice((KYUUSHU, TSUMO), KYUUSHU))
    return KYUUSHU


@beside(bot="ok illegal gone")
def takes_its_options_away(due: DueAction) -> None:
    due.question.choice._options = ()
