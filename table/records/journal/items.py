"""The lines of a riichi journal as typed values: one definition for everything that counts or replays journals.

`read.load` reads a whole record, with every tile. This reads only the answers, and what figures are counted from, which
is several times as fast.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Verdict, was_asked
from jantaku.table.judge.faults import ANSWERED
from jantaku.table.languages.majiang.paifu import Decimal, Seat
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.lines import GAME, Players, refuse_other
from jantaku.table.riichi.pieces.wall import School


class JournalHead(msgspec.Struct):
    """The first line, without the fields that nothing is counted from. `rules` are JSON, as they are written."""

    jantaku: int
    seed: str
    number: int
    player: Players
    qijia: int
    rules: msgspec.Raw
    walls: School = "shared"


class JournalAnswer(msgspec.Struct, kw_only=True, gc=False):
    """What every game's journal says of an answer."""

    seat: Seat
    verdict: Verdict
    used: float
    reason: str = ""

    @property
    def asked(self) -> bool:
        """Whether the question was put to the seat."""
        return was_asked(self.verdict, self.used)


class ReadAnswer(JournalAnswer, kw_only=True, gc=False):
    """An answer with its reply as it is written: most readers do not look into it."""

    reply: msgspec.Raw = msgspec.Raw(b"{}")


class AtSeat(msgspec.Struct, gc=False):
    """An item about one seat of the kyoku."""

    l: Seat  # noqa: E741  (the record's word for a seat)


class Dealt(msgspec.Struct, gc=False):
    """The deal of a kyoku. `jushu` counts the kyoku of its round wind."""

    jushu: Seat


class Won(AtSeat, gc=False):
    """A win. `baojia` is the seat that pays a ron."""

    defen: int
    baojia: Seat | None = None


class Drawn(msgspec.Struct, gc=False):
    """A kyoku without a win. `l` is the seat whose chombo ended it."""

    l: Seat | None = None  # noqa: E741


class GameEnd(msgspec.Struct):
    """The end of the game, by player."""

    defen: tuple[int, ...]
    rank: tuple[int, ...]
    point: tuple[Decimal, ...]


class JournalItem(msgspec.Struct):
    """A line after the first. `turn` and `answers` are set together, of the other fields at most one; none of them on
    lines that nothing is counted from."""

    turn: int = 0
    answers: tuple[ReadAnswer, ...] = ()
    qipai: Dealt | None = None
    lizhi: AtSeat | None = None
    fulou: AtSeat | None = None
    hule: Won | None = None
    pingju: Drawn | None = None
    jieju: GameEnd | None = None


_HEAD: Final = msgspec.json.Decoder(JournalHead)
_ITEM: Final = msgspec.json.Decoder(JournalItem)


def read_items(content: bytes, where: str) -> tuple[JournalHead, list[JournalItem]]:
    """Read a journal. An incomplete last line is ignored. BadInput, with `where` and the line, if it cannot be read."""
    head, _, lines = content[: content.rfind(b"\n") + 1].partition(b"\n")
    try:
        header = _HEAD.decode(head)
    except (ValueError, RecursionError) as error:  # bytes that are not UTF-8 raise no DecodeError
        refuse_other(where, content, GAME)
        raise BadInput(f"{where} line 1: not the header of a jantaku journal: {error}") from None
    try:
        return header, _ITEM.decode_lines(lines)
    except (ValueError, RecursionError):
        _refuse_broken(lines, where)
        raise


def _refuse_broken(lines: bytes, where: str) -> None:
    """Raise BadInput for the first line that cannot be read."""
    for number, line in enumerate(lines.split(b"\n")[:-1], 2):
        try:
            _ITEM.decode(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where} line {number}: broken: {type(error).__name__}: {error}") from None


# The answers in a journal: their shape, and the checks that all games share.

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
