"""What stands under each key of a journal's answers, so that they are refused at their place before they are read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from table.errors import BadInput
from table.formats.majiang.reading import Seat, shaped
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


def refuse_misshapen_answers(path: Path, answers: Mapping[tuple[int, int], Item]) -> None:
    """BadInput with the first place of answers that are not as answers are: those of a record."""
    for (kyoku, before), turn in answers.items():
        refuse_misshapen(turn, _Turn, f"{path} kyoku {kyoku}: answers after event {before}")
