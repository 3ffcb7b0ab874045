"""Every broken player × every way to seat it × every moment, with the expected result."""

from collections.abc import Iterator, Sequence

import msgspec

MOMENTS = ("turn", "reaction", "between", "start")
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

Verdicts = Sequence[str]
_FINE = ("ok",) * 4
_GONE = ("gone",) * 4
_ENDS = ("gone", "gone", "gone", "start_failed")
_SILENT = ("silent", "silent", "silent", "start_failed")
_SILENT_ONCE = ("silent", "silent", "ok", "start_failed")
_UNREADABLE = ("malformed", "malformed", "ok", "start_failed")
_NO_ACTION = ("malformed", "malformed", "ok", "ok")
_ILLEGAL = ("illegal", "illegal", "ok", "ok")

CLASSES: dict[str, Verdicts] = {
    "Raises": _GONE,
    "Quits": _GONE,
    "Thinks": _FINE,
    "ThinksTooLong": ("silent",) * 4,
    "Hangs": ("silent",) * 4,
    "AnswersNothing": ("malformed", "malformed"),
    "AnswersNonsense": ("malformed", "malformed"),
    "Cheats": ("illegal", "illegal"),
    "DiscardsWhatOthersHold": ("illegal", "illegal"),
    "Vanishes": _GONE,
}
"""By class of `jantaku.players.broken.once`: the first bad verdict at each moment, ok if there is none."""
TALKING: dict[str, Verdicts] = {
    "none": _FINE,
    "thinks": _FINE,
    "answers_twice": _FINE,
    "answers_before_it_is_asked": _FINE,
    "repeats_old_numbers": ("silent",) * 4,
    "thinks_too_long": ("silent", "silent", "silent", "ok"),
    "is_silent": _SILENT_ONCE,
    "floods": ("malformed", "malformed", "malformed", "start_failed"),
    "writes_words": _UNREADABLE,
    "writes_a_list": _UNREADABLE,
    "writes_a_wrong_type": _NO_ACTION,
    "writes_a_tile_that_is_none": _NO_ACTION,
    "writes_two_actions": _UNREADABLE,
    "cheats": _ILLEGAL,
    "discards_what_others_hold": _ILLEGAL,
}
"""The same by vice of `jantaku.players.broken.programs`, for vices that programs and clients share."""
PROGRAMS: dict[str, Verdicts] = TALKING | {
    "exits": _ENDS,
    "killed": _ENDS,
    "leaves_a_child_at_the_pipe": _ENDS,
    "closes_its_input": ("silent", "silent", "gone silent", "start_failed"),  # it shows when it is written to again
    "closes_its_output": _ENDS,
    "hangs": _SILENT,
    "stops_in_the_middle_of_a_line": _SILENT_ONCE,
    "chatters_on_stderr": _FINE,
    "answers_with_blank_lines": _FINE,
    "writes_a_long_line": _UNREADABLE,
    "writes_nul": _UNREADABLE,
    "writes_no_utf8": _UNREADABLE,
    "writes_deep_json": _UNREADABLE,
}
CLIENTS: dict[str, Verdicts] = TALKING | {
    "never_connects": ("", "", "", "start_failed"),
    "hangs": _SILENT,
    "sends_no_pong": _GONE,
    "closes": _GONE,
    "resets": _GONE,
    "is_cut_off": _GONE,
    "comes_back_in_the_middle": ("gone", "gone", "ok gone", "ok gone"),  # if a question meets the gap
    "has_a_double": _FINE,
    "sends_in_fragments": _FINE,
    "stops_in_the_middle_of_a_frame": _SILENT,
    "sends_a_binary_frame": _GONE,
    "sends_a_huge_frame": _GONE,
    "writes_nul": _UNREADABLE,
    "writes_no_utf8": _GONE,  # WebSocket itself forbids it
    "writes_deep_json": _GONE,  # and a client's messages are short
    "floods_without_a_pause": ("malformed", "malformed", "malformed gone", "start_failed"),
}
_NUMBERED = ("answers_before_it_is_asked", "repeats_old_numbers", "writes_two_actions")
"""Vices that need replies with numbers or keys."""
_SPEAKING_TWICE = ("answers_twice", "floods")
"""Without numbers, the second reply may pass for the reply to the next message."""
_SPEAKING = {vice for vice, verdicts in PROGRAMS.items() if verdicts in (_UNREADABLE, _NO_ACTION, _ILLEGAL)} | {
    *_SPEAKING_TWICE,
    "answers_with_blank_lines",
    "speaks_for_another_seat",
}
"""Vices that consist only of a reply."""


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
        for vice, verdicts in CLASSES.items():
            if vice != "Vanishes" or transport not in IN_PROCESS:
                yield from _moments(transport, vice, verdicts)
    for dialect in REPLIES:
        yield from _in_dialect(dialect)
    for vice, verdicts in CLIENTS.items():
        yield from _moments("ws majiang", vice, verdicts)
    for transport in (*IN_PROCESS, "isolated", *(f"exec {dialect}" for dialect in REPLIES), "ws majiang"):
        slow = "thinks_too_long" if " majiang" in transport or " mjai" in transport else "ThinksTooLong"
        yield Case(transport, slow, EVERY, ("silent",))


def _moments(transport: str, vice: str, verdicts: Verdicts) -> Iterator[Case]:
    for moment, expected in zip(MOMENTS, verdicts, strict=False):
        if expected:
            yield Case(transport, vice, moment, tuple(expected.split()))


def _in_dialect(dialect: str) -> Iterator[Case]:
    """Yield programs in a dialect, only at moments at which a reply is due: otherwise it is chance whether the fault
    comes before the next question."""
    numbered = dialect == "majiang"
    for vice, verdicts in _vices_in(dialect).items():
        for case in _moments(f"exec {dialect}", vice, verdicts):
            if case.moment not in REPLIES[dialect]:
                if vice not in _SPEAKING:
                    yield _unasked(case)
            elif numbered or case.moment in ("turn", "reaction"):
                yield case
            elif vice not in _SPEAKING_TWICE:
                yield _counted(case)


def _vices_in(dialect: str) -> dict[str, Verdicts]:
    if dialect == "majiang":
        return PROGRAMS
    named = {"speaks_for_another_seat": _UNREADABLE} if dialect.startswith("mjai") else {}
    return {vice: verdicts for vice, verdicts in PROGRAMS.items() if vice not in _NUMBERED} | named


def _counted(case: Case) -> Case:
    """Adjust a case for dialects that count replies: after a missing reply the count stays wrong."""
    if case.moment == "between" and PROGRAMS.get(case.vice) == _SILENT_ONCE:
        return msgspec.structs.replace(case, expected=("silent",))
    return case


def _unasked(case: Case) -> Case:
    """Adjust a case at a moment without a reply: there a program can only end, or be away at the next question."""
    verdicts = PROGRAMS[case.vice]
    expected = case.expected
    if verdicts == _SILENT_ONCE:
        expected = ("ok",)
    elif case.moment == "start" and verdicts == _SILENT:
        expected = ("silent",)
    elif case.moment == "start" and verdicts[3] == "start_failed":
        expected = (*case.expected, *verdicts[2].split())  # which one depends on its speed
    elif case.moment == "start" and case.vice == "thinks_too_long":
        expected = ("silent",)
    return msgspec.structs.replace(case, expected=expected)
