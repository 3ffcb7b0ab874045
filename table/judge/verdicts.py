"""What a player handed back, weighed once at the border. Nothing of the player's own goes further in.

Comparing, printing and even looking at a foreign object may run foreign code, so all of it is guarded.
"""

from collections.abc import Callable
from typing import Final

from table.errors import PlayerFault
from table.port import Action, Choice, Verdict

Catches = type[BaseException] | tuple[type[BaseException], ...]
"""The exceptions that are a player's when they come out of its code."""

_OK: Final = Verdict.OK

IN_A_THREAD: Catches = BaseException
"""In a thread everything that comes out of a player is its own: no signal ever arrives there."""
IN_THE_MAIN_THREAD: Catches = (Exception, SystemExit, GeneratorExit)
"""In the main thread Ctrl-C and a test's time-out must get through: they are nobody's fault."""

_SHOWN = 160  # characters of a foreign text that a record or a log line can bear


def weigh(
    choice: Choice, given: object, accepts: Callable[[object], bool], catches: Catches
) -> tuple[Verdict, Action, str]:
    """Verdict (OK, ILLEGAL or MALFORMED), the action to play, and what was wrong.

    The action is always one of our own options, never the object that came back, which might claim to
    be equal to everything.
    """
    if given is choice.default:
        return _OK, choice.default, ""  # without listing the options: most of the time nobody does
    option = choice.find(given)
    if option is not None:
        return _OK, option, ""
    try:
        if not accepts(given):
            return Verdict.MALFORMED, choice.default, f"{shown(given, catches)} is not an action of this game"
        options = choice.twin().options  # in the same order; a foreign `==` is handed what it compares with
        if given in options:
            return _OK, choice.options[options.index(given)], ""
    except catches as fault:
        return Verdict.MALFORMED, choice.default, f"an answer that cannot be compared: {fault_in_words(fault, catches)}"
    listed = shown(choice.options, catches)
    return Verdict.ILLEGAL, choice.default, f"{shown(given, catches)} is not among the options {listed}"


def shown(thing: object, catches: Catches) -> str:
    """`thing` as Python writes it, in one short line, whatever its `__repr__` does."""
    return _one_line(repr, thing, catches)


def told(fault: BaseException, catches: Catches) -> str:
    """What an exception says, in one short line, whatever its `__str__` does."""
    return _one_line(str, fault, catches)


def fault_in_words(fault: BaseException, catches: Catches) -> str:
    """An exception as "KeyError: 'x'", in one short line, whatever its `__str__` does."""
    text = told(fault, catches)
    return f"{type(fault).__name__}: {text}" if text else type(fault).__name__


def limit_of(fault: PlayerFault, catches: Catches) -> str:
    """The limit of its sandbox that a player broke, whatever its exception is made of."""
    try:
        limit = fault.limit
        return limit if type(limit) is str else ""
    except catches:
        return ""


def _one_line(write: Callable[[object], str], thing: object, catches: Catches) -> str:
    try:
        text = " ".join(write(thing).split()).encode(errors="replace").decode()  # half characters cannot be kept
    except catches:
        return f"<{type(thing).__name__} that cannot be printed>"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
