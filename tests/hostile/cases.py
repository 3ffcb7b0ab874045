"""Every broken player × every way to seat it × every moment, with the expected result."""

from collections.abc import Iterator

import msgspec

from tests.broken import clients as clients  # registers what it shares with programs and bots, too
from tests.broken.catalogue import ILLEGAL, MOMENTS, NO_ACTION, SILENT, SILENT_ONCE, UNREADABLE, VICES, Vice

IN_PROCESS = {"in-process per-turn": "per-turn", "in-process resident": "resident"}
"""Ways to seat a class in the table's own process, with the judge's mode."""
REPLIES = {
    "majiang": MOMENTS,
    "majiang-2015": ("turn", "reaction", "between"),
    "mjai": MOMENTS,
    "mjai-lines": ("turn", "reaction"),
}
"""By dialect: the moments at which a reply is due."""

EVERY = "every-20"
"""For players that think too long at times; the other faults occur once."""

_SPEAKING_TWICE = ("answers_twice", "floods")
"""Without numbers, the second reply may pass for the reply to the next message."""
_SPEAKING = (*_SPEAKING_TWICE, "answers_with_blank_lines")
"""Vices that consist only of a reply; so do those with bad replies."""


class Case(msgspec.Struct, frozen=True):
    """One broken player, how it is seated, the moment of its fault, and the possible verdicts."""

    transport: str
    vice: str
    moment: str
    expected: tuple[str, ...]

    @property
    def dialect(self) -> str:
        """The dialect it is spoken to in; empty if in none."""
        kind, _, dialect = self.transport.partition(" ")
        return dialect if kind in ("exec", "ws") else ""

    def __str__(self) -> str:
        return f"{self.transport} {self.vice} {self.moment}"


def cases() -> Iterator[Case]:
    """Yield all cases. What would end the table itself is not tried in its own process."""
    for transport in (*IN_PROCESS, "isolated"):
        for vice in VICES["bot"].values():
            if vice.name != "vanishes" or transport not in IN_PROCESS:
                yield from _at_its_moments(transport, vice)
    for dialect in REPLIES:
        for vice in VICES["program"].values():
            if not vice.dialects or dialect in vice.dialects:
                yield from _in_dialect(dialect, vice)
    for vice in VICES["client"].values():
        yield from _at_its_moments("ws majiang", vice)
    for transport in (*IN_PROCESS, "isolated", *(f"exec {dialect}" for dialect in REPLIES), "ws majiang"):
        yield Case(transport, _named(transport, VICES["program"]["thinks_too_long"]), EVERY, ("silent",))


def _named(transport: str, vice: Vice) -> str:
    return vice.name if transport.startswith(("exec", "ws")) else vice.kind


def _at_its_moments(transport: str, vice: Vice) -> Iterator[Case]:
    for moment in MOMENTS:
        if expected := vice.at(moment):
            yield Case(transport, _named(transport, vice), moment, expected)


def _in_dialect(dialect: str, vice: Vice) -> Iterator[Case]:
    """Yield programs in a dialect, only at moments at which a reply is due: otherwise it is chance whether the fault
    comes before the next question."""
    speaks = vice.name in _SPEAKING or vice.verdicts in (UNREADABLE, NO_ACTION, ILLEGAL)
    for case in _at_its_moments(f"exec {dialect}", vice):
        if case.moment not in REPLIES[dialect]:
            if not speaks:
                yield msgspec.structs.replace(case, expected=_unasked(vice, case.moment))
        elif dialect == "majiang" or case.moment in ("turn", "reaction"):
            yield case
        elif vice.name not in _SPEAKING_TWICE:
            # such a dialect counts replies: after a missing one the count stays wrong
            stays = case.moment == "between" and vice.verdicts == SILENT_ONCE
            yield msgspec.structs.replace(case, expected=("silent",)) if stays else case


def _unasked(vice: Vice, moment: str) -> tuple[str, ...]:
    """The verdicts at a moment without a reply: there a program can only end, or be away at the next question."""
    if vice.verdicts == SILENT_ONCE:
        return ("ok",)
    if moment == "start" and (vice.verdicts == SILENT or vice.name == "thinks_too_long"):
        return ("silent",)
    if moment == "start" and vice.at("start") == ("start_failed",):
        return ("start_failed", *vice.at("between"))  # which one depends on its speed
    return vice.at(moment)
