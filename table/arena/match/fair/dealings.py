"""Reads from journals what players did to one another: who paid whom by ron, who won, who answered, and how long a
discard took that another player could call."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from jantaku.table.arena.match.folder.reading import journals
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.records.journal.items import JournalHead, JournalItem, ReadAnswer, read_items
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.riichi.pieces.seats import player_of

_STAGE: Final = 12
"""Turns of one stage of a kyoku (three of each player). Times are compared only within a stage."""
_HONOUR: Final = "z"
_REPLY: Final = msgspec.json.Decoder(dict[str, str])


class TimedReaction(msgspec.Struct, frozen=True, gc=False):
    """The player at place `asked` could call a discard: how many seconds the discarder took for it, and whether it was
    called. Only reactions of the same `kind` are compared: stage of the kyoku, number of the tile ("z" for honours),
    riichi declared so far."""

    discarder: int
    asked: int
    kind: tuple[int, str, int]
    seconds: float
    called: bool


class Conduct(msgspec.Struct):
    """What one player did. `unplayed` counts the answers that the default replaced."""

    hanchan: int = 0
    kyoku: int = 0
    wins: int = 0
    answers: int = 0
    unplayed: int = 0

    def add(self, other: "Conduct") -> None:
        """Add the counts of `other`."""
        for field in self.__struct_fields__:
            setattr(self, field, getattr(self, field) + getattr(other, field))


class Dealings(msgspec.Struct, frozen=True):
    """One hanchan. `players` and `conduct` are by place; `paid[a][b]` counts how often place `a` paid place `b` by
    ron."""

    path: Path
    players: tuple[str, ...]
    paid: tuple[tuple[int, ...], ...]
    conduct: tuple[Conduct, ...]
    reactions: tuple[TimedReaction, ...]


def read_dealings(folders: Sequence[Path]) -> Iterator[Dealings]:
    """Yield every hanchan that has a result and whose journal is in one of these folders. BadInput if a journal cannot
    be read."""
    for folder in folders:
        for path in journals(folder).values():
            if (found := dealings_of(path, bytes_of(path, LARGEST))) is not None:
                yield found


def dealings_of(path: Path, content: bytes) -> Dealings | None:
    """Read the journal of one hanchan; None if the hanchan has no result."""
    header, items = read_items(content, str(path))
    reader = _DealingsReader(header)
    try:
        for item in items:
            reader.take(item)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: a reply: {error}") from None
    if not reader.ended:
        return None
    paid = tuple(map(tuple, reader.paid))
    return Dealings(path, header.player, paid, tuple(reader.conduct), tuple(reader.reactions))


def conduct_of(played: Iterable[Dealings]) -> dict[str, Conduct]:
    """Sum up what each player did in all of these hanchan. Players stand in the order of their first hanchan."""
    found: dict[str, Conduct] = {}
    for one in played:
        for name, conduct in zip(one.players, one.conduct, strict=True):
            found.setdefault(name, Conduct()).add(conduct)
    return found


class _DealingsReader:
    """Collects the dealings from the items of one journal. Players are places at the table."""

    def __init__(self, header: JournalHead) -> None:
        self._seats = seats = len(header.player)
        self.paid = [[0] * seats for _ in range(seats)]
        self.conduct = [Conduct(hanchan=1) for _ in range(seats)]
        self.reactions: list[TimedReaction] = []
        self.ended = False
        self._first_dealer = header.qijia
        self._dealer = self._turns = self._riichi = 0

    def take(self, item: JournalItem) -> None:
        """Take the next item of the journal."""
        if item.answers:
            self._take_answers(item.answers)
        if item.qipai is not None:
            self._dealer, self._turns, self._riichi = player_of(item.qipai.jushu, self._first_dealer, self._seats), 0, 0
            for conduct in self.conduct:
                conduct.kyoku += 1
        if item.lizhi is not None:
            self._riichi += 1
        if item.hule is not None:
            winner = player_of(item.hule.l, self._dealer, self._seats)
            self.conduct[winner].wins += 1
            if item.hule.baojia is not None:
                self.paid[player_of(item.hule.baojia, self._dealer, self._seats)][winner] += 1
        self.ended |= item.jieju is not None

    def _take_answers(self, answers: Sequence[ReadAnswer]) -> None:
        self._turns += 1
        for answer in answers:
            conduct = self.conduct[answer.seat]
            conduct.answers += 1
            conduct.unplayed += not answer.verdict.good
        discard, *others = answers
        if not others or (tile := _REPLY.decode(discard.reply).get("dapai")) is None:
            return
        kind = (self._turns // _STAGE, tile[0] if tile[0] == _HONOUR else tile[1], self._riichi)
        for answer in others:
            called = "fulou" in _REPLY.decode(answer.reply)
            self.reactions.append(TimedReaction(discard.seat, answer.seat, kind, discard.used, called))
