"""The answers in a journal: their shape, and the checks that all games share."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.faults import ANSWERED
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.items import JournalAnswer

Discarded = Annotated[str, Meta(pattern=r"^[mpsz][0-9]_?\*?\Z")]
MICROSECOND = 1e-6
"""The precision of times in a journal, in seconds."""
MeldText = Annotated[str, Meta(pattern=r"^[mpsz][-+=0-9]{3,6}\Z")]


class _Reply(Struct):
    """A seat's reply; an empty object is a pass."""

    dapai: Discarded | UnsetType = UNSET
    fulou: MeldText | UnsetType = UNSET
    gang: MeldText | UnsetType = UNSET
    hule: str | UnsetType = UNSET
    daopai: str | UnsetType = UNSET
    chombo: str | UnsetType = UNSET


class _Answer(JournalAnswer, kw_only=True):
    question: int
    reply: _Reply
    allowed: float | None = None
    cpu: float = 0.0
    wall: float = 0.0
    stalled: float = 0.0
    meta: Any = None


class _Turn(Struct):
    turn: int
    answers: list[_Answer]


def refuse_misshapen_answers(path: Path, answers: Mapping[tuple[int, int], Item]) -> None:
    """Raise BadInput, with the place, for the first answer of a record that does not have the shape of an answer."""
    for (kyoku, before), turn in answers.items():
        shaped(turn, _Turn, f"{path} kyoku {kyoku}: answers after event {before}")


def refuse_misshapen_reply(reply: Item, where: str) -> None:
    """Raise BadInput if a reply does not have the shape of a reply."""
    shaped(reply, _Reply, where)


def wrong_answer(answer: Item, default: Any, penalty: Any = None) -> tuple[str, str] | None:
    """Return what is wrong with an answer and what it should be; None if nothing is. `default` is the reply that is
    played for a seat without a good answer; `penalty` may replace an unusable one."""
    verdict, used, allowed = answer["verdict"], answer["used"], answer.get("allowed")
    for key in ("used", "cpu", "wall", "stalled"):
        if not math.isfinite(seconds := answer.get(key, 0.0)) or seconds < 0:
            return f"{key} {seconds}", "has 0 seconds or more"
    if allowed is not None and (math.isnan(allowed) or allowed < 0):
        return f"allowed {allowed}", "has 0 seconds or more"
    if verdict == Verdict.LATE and allowed is None:
        return f"{verdict} without a clock", "has that only where a time was allowed"
    if penalty is not None and answer["reply"] == penalty:
        allowed = f"has that for {' or '.join(ANSWERED)}"
        return None if verdict in ANSWERED else (f"{verdict}: {_written(penalty)}", allowed)
    if not Verdict(verdict).good:
        return (
            None
            if answer["reply"] == default
            else (f"{verdict}: {_written(answer['reply'])}", f"plays {_written(default)}")
        )
    if answer.get("reason"):
        return f"{verdict} with a reason", "has none for an answer that was played"
    if verdict == Verdict.OK and allowed is not None and used > allowed + MICROSECOND:
        return f"{verdict} after {used} s of {allowed}", "has that for answers in time"
    if verdict == Verdict.OK_MARGIN and (allowed is None or used < allowed - MICROSECOND):
        return f"{verdict} after {used} s of {allowed}", "has that for answers beyond the time that was allowed"
    return None


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()
