"""What stands under each key of a record, so that it is refused at its place before anybody reads a value of it."""

from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from table.errors import BadInput
from table.formats.majiang.reading import Seat, end_of, fact_of, shaped
from table.formats.majiang.words import Item
from table.port import Verdict

Discarded = Annotated[str, Meta(pattern=r"^[mpsz][0-9]_?\*?\Z")]
MeldText = Annotated[str, Meta(pattern=r"^[mpsz][-+=0-9]{3,6}\Z")]


class _Reply(Struct):
    """What a seat did; nothing of it is to pass."""

    dapai: Discarded | UnsetType = UNSET
    fulou: MeldText | UnsetType = UNSET
    gang: MeldText | UnsetType = UNSET
    hule: str | UnsetType = UNSET
    daopai: str | UnsetType = UNSET


class _Answer(Struct):
    seat: Seat
    question: int
    verdict: Verdict
    used: float
    reply: _Reply
    allowed: float | None = None
    stalled: float = 0.0
    reason: str = ""


class _Turn(Struct):
    turn: int
    answers: list[_Answer]


def refuse_misshapen(value: object, kind: type[Struct], where: str) -> None:
    """BadInput if `value` has not the keys and kinds of value of `kind`. `where` names its place."""
    try:
        shaped(value, kind)
    except BadInput as error:
        raise error.within(where) from None


def refuse_misshapen_log(
    path: Path, log: list[list[Item]], final: object, answers: dict[tuple[int, int], Item]
) -> None:
    """BadInput with the first place of a record that is not as a record is: `log`, `final` and `answers` of one."""
    for kyoku, items in enumerate(log, 1):
        for event, item in enumerate(items, 1):
            try:
                fact_of(item)
            except BadInput as error:
                raise error.within(f"{path} kyoku {kyoku} event {event}") from None
    for (kyoku, before), turn in answers.items():
        refuse_misshapen(turn, _Turn, f"{path} kyoku {kyoku}: answers after event {before}")
    if final is not None:
        try:
            end_of(final)
        except BadInput as error:
            raise error.within(f"{path}: the end of the game") from None
