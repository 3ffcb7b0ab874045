"""The lines of a riichi journal as typed values: one definition for everything that counts or replays journals.

`read.load` reads a whole record, with every tile. This reads only the answers, and what figures are counted from, which
is several times as fast.
"""

from typing import Final

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict, was_asked
from jantaku.table.languages.majiang.reader import Decimal, Seat
from jantaku.table.records.journal.header import GAME, Players
from jantaku.table.records.journal.lines import refuse_other
from jantaku.table.riichi.pieces.schools import School


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
