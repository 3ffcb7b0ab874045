"""The causes of bad answers, and the verdict for each: only the tables `VERDICTS` and `RAISED` decide."""

from collections.abc import Mapping
from enum import StrEnum
from textwrap import shorten
from typing import Final

import msgspec

from jantaku.table.ground.errors import PlayerGone, PlayerNotReady, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.foreign.traces import place_in
from jantaku.table.ground.port import Answer, Evidence, Verdict


class Cause(StrEnum):
    """Why a seat has no good answer."""

    TOO_LATE = "the answer came after the deadline, or after the judge had settled the turn"
    NOTHING_CAME = "nothing had come when the judge ruled"
    NOT_BEGUN = "the seat's thread had not begun when its time was up"
    HEARING = "the time was up before all events were heard"
    GAVE_UP = "a remote player gave up at its deadline"
    BUSY = "the seat's thread was still inside an earlier question when the time was up"
    AUTOPILOT = "too many questions in a row out of time: nobody waits for this seat"
    NOT_OFFERED = "an action of this game that is not among the options"
    NO_ACTION = "not an action of this game"
    INCOMPARABLE = "an answer that cannot be compared with the options"
    UNREADABLE = "a message that cannot be read"
    RAISED = "an exception from the player's code"
    LEFT = "the player's process, connection or object is gone for good"
    FORFEITED = "an earlier fault, where `on_fault` is `forfeit`"
    NOT_READY = "the player never became ready, or cannot be inspected"
    MEMORY = "its sandbox ended it: too much memory"
    CPU = "its sandbox ended it: too much CPU time"
    FORBIDDEN = "its sandbox ended it: a system call, too many processes or files"


VERDICTS: Final[Mapping[Cause, Verdict]] = {
    Cause.TOO_LATE: Verdict.LATE,
    Cause.NOTHING_CAME: Verdict.SILENT,
    Cause.NOT_BEGUN: Verdict.SILENT,
    Cause.HEARING: Verdict.SILENT,
    Cause.GAVE_UP: Verdict.SILENT,
    Cause.BUSY: Verdict.NOT_ASKED,
    Cause.AUTOPILOT: Verdict.NOT_ASKED,
    Cause.NOT_OFFERED: Verdict.ILLEGAL,
    Cause.NO_ACTION: Verdict.MALFORMED,
    Cause.INCOMPARABLE: Verdict.MALFORMED,
    Cause.UNREADABLE: Verdict.MALFORMED,
    Cause.RAISED: Verdict.GONE,
    Cause.LEFT: Verdict.GONE,
    Cause.FORFEITED: Verdict.GONE,
    Cause.NOT_READY: Verdict.START_FAILED,
    Cause.MEMORY: Verdict.MEMORY,
    Cause.CPU: Verdict.CPU,
    Cause.FORBIDDEN: Verdict.FORBIDDEN,
}
RAISED: Final[Mapping[type[BaseException], Cause]] = {
    PlayerNotReady: Cause.NOT_READY,
    PlayerGone: Cause.LEFT,
    PlayerSilent: Cause.GAVE_UP,
    PlayerUnreadable: Cause.UNREADABLE,
    BaseException: Cause.RAISED,
}
"""The cause for an exception of the player's code: the first matching type counts. `CONFINED` takes precedence for a
`PlayerFault` that names a limit of the sandbox."""
CONFINED: Final[Mapping[str, Cause]] = {"memory": Cause.MEMORY, "cpu": Cause.CPU, "forbidden": Cause.FORBIDDEN}
"""The cause for each value of `PlayerFault.limit`."""

NO_ANSWER: Final = frozenset(
    {
        Verdict.GONE,
        Verdict.START_FAILED,
        Verdict.SILENT,
        Verdict.NOT_ASKED,
        Verdict.MEMORY,
        Verdict.CPU,
        Verdict.FORBIDDEN,
    }
)
"""Verdicts on questions to which the player said nothing: no answer can be late or stale."""
ANSWERED: Final = (Verdict.ILLEGAL, Verdict.MALFORMED)
"""Verdicts on answers that cannot be used: the evidence says what came and what was offered."""
OUT_OF_TIME: Final = (Verdict.LATE, Verdict.SILENT, Verdict.NOT_ASKED)
"""Verdicts on players that used up their time: answers lost to the clock."""


_SHOWN: Final = 120
"""The most characters of an illegal answer that a reason shows."""


def in_words(answer: Answer) -> str:
    """Say what was wrong with an answer, for the bot's author, and where in the bot's code, if the evidence tells."""
    place, then = place_of(answer), "then at " if answer.verdict in OUT_OF_TIME else ""
    return f"{reason_of(answer)} ({then}{place})" if place else reason_of(answer)


def reason_of(answer: Answer) -> str:
    """Say what was wrong with an answer, for the bot's author."""
    came = "" if answer.evidence is None else answer.evidence.came
    if answer.verdict is Verdict.ILLEGAL and came:
        return f"{shorten(came, _SHOWN, placeholder='…')} was not offered"
    return answer.reason


def place_of(answer: Answer) -> str:
    """Say where in the bot's code a fault was, as `mybot.py line 17`; empty if the evidence does not tell."""
    evidence = answer.evidence or Evidence()
    return place_in(evidence.trace) or (place_in(evidence.stderr) if answer.verdict in NO_ANSWER else "")


class Fault(msgspec.Struct, frozen=True, gc=False):
    """One fault of a player; `reason` says in words what was wrong."""

    cause: Cause
    reason: str
    evidence: Evidence | None = None

    @property
    def verdict(self) -> Verdict:
        return VERDICTS[self.cause]
