"""Validates what a player returned, once, at the boundary: no object of the player's gets past this module.

Comparing, printing or even inspecting a foreign object may run foreign code, so all of it is guarded. The verdict for
each fault is in `faults.py`.
"""

from collections.abc import Callable
from types import CoroutineType
from typing import Final

from jantaku.table.ground.errors import PlayerFault
from jantaku.table.ground.foreign.traces import bounded, trace_of
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Answer, Choice, Evidence, Verdict
from jantaku.table.judge.faults import CONFINED, NO_ANSWER, RAISED, Cause, Fault
from jantaku.table.judge.timing import spent

Catches = type[BaseException] | tuple[type[BaseException], ...]
"""The exception types that count as the player's fault when its code raises them."""

IN_A_THREAD: Catches = BaseException
"""In a thread every exception out of a player's code is the player's: signal handlers never run there."""
IN_THE_MAIN_THREAD: Catches = (Exception, SystemExit, GeneratorExit)
"""In the main thread Ctrl-C and a test's time-out must pass: they are not the player's fault."""

# Final copies for speed: compiled code looks another module's names up at every use
_OK: Final = Verdict.OK
_SHOWN = 160  # most characters of foreign text in a record or log line


def weigh(choice: Choice, given: object, game: Game, catches: Catches) -> tuple[Action, Fault | None]:
    """Return the action to play, and the fault in what was `given`, or None. The action is always one of our own
    options, never the object that the player returned: that might claim to be equal to everything."""
    if given is choice.default:
        return choice.default, None  # found without listing the options, which most questions never need
    option = choice.find(given)
    if option is not None:
        return option, None
    try:
        if type(given) is CoroutineType and not given.cr_suspended:
            given.close()  # nobody awaits it, which Python would tell of on standard error
            return choice.default, Fault(Cause.NO_ACTION, "answer is async, and nothing awaits it: write def answer")
        if not game.accepts(given):
            return choice.default, Fault(Cause.NO_ACTION, f"{shown(given, catches)} is not an action of this game")
        options = choice.twin().options  # in the same order; copies, since a foreign `==` gets them as its operand
        if given in options:
            return choice.options[options.index(given)], None
    except catches as fault:
        reason = f"an answer that cannot be compared: {fault_in_words(fault, catches)}"
        return choice.default, Fault(Cause.INCOMPARABLE, reason)
    reason = not_offered(shown(given, catches), shown(choice.options, catches))
    return choice.default, Fault(Cause.NOT_OFFERED, reason)


def not_offered(said: str, options: str) -> str:
    """The reason for an answer that is not among the options, both given as text."""
    return f"{_short(said)} is not among the options {_short(options)}"


def timed(answer: Answer, allowed: float, margin: float, default: Action) -> Answer:
    """Return `answer` with its verdict by the clock: an answer after the deadline is late, whatever it says."""
    if answer.used <= allowed:
        return answer
    if answer.used <= allowed + margin:
        return answer.turned(Verdict.OK_MARGIN, answer.action) if answer.verdict is _OK else answer
    return too_late(answer, default, margin)


def too_late(answer: Answer, default: Action, margin: float) -> Answer:
    """Return `answer` as a late one. One without an answer (`NO_ANSWER`) stays unchanged."""
    if answer.verdict in NO_ANSWER:
        return answer
    fault = Fault(Cause.TOO_LATE, f"answered after {spent(answer.used, answer.allowed, margin)}")
    return answer.turned(fault.verdict, default, fault.reason)


def fault_of(raised: BaseException, catches: Catches) -> Fault:
    """Return the fault that an exception out of a player's code stands for."""
    cause = next(cause for kind, cause in RAISED.items() if isinstance(raised, kind))
    if isinstance(raised, PlayerFault):
        cause = CONFINED.get(_text_of(raised, "limit", catches), cause)
    return Fault(cause, fault_in_words(raised, catches))


def trace_left(raised: BaseException, catches: Catches, *, remote: bool) -> Evidence:
    """Return the traceback of an exception out of a player's code; for a remote player the traceback that its process
    sent."""
    try:
        if remote and isinstance(raised, PlayerFault):
            return Evidence(bounded(_text_of(raised, "trace", catches)))
        return Evidence(trace_of(raised))
    except catches:
        return Evidence()


def in_objects(choice: Choice, given: object, catches: Catches) -> Evidence:
    """What a player in this process answered, and the options that it had."""
    return Evidence(came=shown(given, catches), offered=tuple(shown(option, catches) for option in choice.options))


def shown(thing: object, catches: Catches) -> str:
    """`repr(thing)` in one short line, whatever its `__repr__` does."""
    return _one_line(repr, thing, catches)


def told(fault: BaseException, catches: Catches) -> str:
    """`str(fault)` in one short line, whatever its `__str__` does."""
    return _one_line(str, fault, catches)


def fault_in_words(fault: BaseException, catches: Catches) -> str:
    """An exception as "KeyError: 'x'", in one short line, whatever its `__str__` does. A `PlayerFault` gives its
    message alone, which an adapter wrote for people."""
    text = told(fault, catches)
    if text and isinstance(fault, PlayerFault):
        return text
    return f"{type(fault).__name__}: {text}" if text else type(fault).__name__


def _text_of(fault: PlayerFault, attribute: str, catches: Catches) -> str:
    """An attribute of a player's exception if it is a text, else empty, whatever the attribute does."""
    try:
        text = getattr(fault, attribute)
        return text if type(text) is str else ""
    except catches:
        return ""


def _one_line(write: Callable[[object], str], thing: object, catches: Catches) -> str:
    try:
        return _short(write(thing))
    except catches:
        return f"<{type(thing).__name__} that cannot be printed>"


def _short(text: str) -> str:
    text = " ".join(text.split()).encode(errors="replace").decode()  # lone surrogates cannot be stored
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
