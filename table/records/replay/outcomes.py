"""How every kyoku and the game of a record ended, according to the record."""

from collections.abc import Sequence

import msgspec

from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact, followed
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi.events import KyokuStart, PerSeat
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import by_seat


class KyokuOutcome(msgspec.Struct, frozen=True):
    """How a kyoku ended, and the game that it belongs to. Values are by seat of this kyoku, 東 first."""

    ended: str
    """`tsumo`, `ron`, or the reason of a draw: a `DrawReason`, the record's own word, or `draw`."""
    gains: PerSeat
    """Points of each seat after the kyoku minus those at its deal: payments, honba, sticks won and paid."""
    winners: tuple[int, ...]
    """The winners, in the order in which they are paid."""
    dealt_in: int | None
    """The seat whose tile a ron won on; None without a ron."""
    final_points: PerSeat | None
    """Points at the end of the game; None if the record does not have them, as for the next two."""
    ranks: PerSeat | None
    """Ranks in the game, from 1."""
    final_tenths: PerSeat | None
    """The final score with uma and oka, in tenths of a point."""


def outcomes(record: Record) -> list[KyokuOutcome | None]:
    """Return the outcome of every kyoku; None for one without a result. Raises BadInput if the record contradicts
    itself."""
    followers = followed(record.log, str(record.path))
    return [_outcome(kyoku, one.board, record.final) for kyoku, one in zip(record.log, followers, strict=True)]


def _outcome(kyoku: Sequence[Fact], board: Board, end: EndFact | None) -> KyokuOutcome | None:
    """The outcome of a kyoku; `board` is the state after it."""
    deal = kyoku[0]
    assert isinstance(deal, KyokuStart), "the follower has held that"
    results = [fact for fact in kyoku if isinstance(fact, WinFact | DrawFact)]
    if not results:
        return None
    first, wins = results[0], [fact for fact in results if isinstance(fact, WinFact)]
    source = first.source if isinstance(first, WinFact) else None
    return KyokuOutcome(
        ended=str(first.reason or "draw") if isinstance(first, DrawFact) else "tsumo" if source is None else "ron",
        gains=tuple(now - then for now, then in zip(board.scores, deal.scores, strict=True)),
        winners=tuple([win.seat for win in wins]),
        dealt_in=source,
        final_points=_by_seat(end.scores if end else None, deal.dealer),
        ranks=_by_seat(end.ranks if end else None, deal.dealer),
        final_tenths=_by_seat(end.tenths if end else None, deal.dealer),
    )


def _by_seat(values: PerSeat | None, dealer: int) -> PerSeat | None:
    """Reorder values from player order to the seats of a kyoku."""
    return None if values is None else tuple(by_seat(values, dealer))
