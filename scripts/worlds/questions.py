"""Questions of records, each with the hands of all seats as they lay; and a question as it is put to a bot."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jantaku.table.ground.port import Question
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.offers import Offer, noted
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import Position, line_of
from jantaku.table.riichi.mask import dealt_to
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.tiles import KIND, KINDS
from jantaku.table.riichi.world import copy_of

Hand = list[int]
"""The counts of its concealed tiles, by kind."""


class Truth(NamedTuple):
    """A question as its seat sees it, its player, the concealed tiles of all seats, and its kyoku."""

    line: str
    player: str
    hands: list[list[int]]
    kyoku: tuple[Path, int]

    @property
    def counts(self) -> list[Hand]:
        """By seat, the concealed tiles by kind."""
        return [counts_of(hand) for hand in self.hands]


def truths(files: Sequence[Path]) -> Iterator[Truth]:
    """Yield the questions of records. BadInput for a file that cannot be read."""
    for file in files:
        record = read_any(file).record

        def noting(
            game: RiichiGame, file: Path = file, names: Sequence[str] = record.names
        ) -> Callable[[Offer], Truth]:
            def noted_of(offer: Offer) -> Truth:
                seat = seat_of(offer.player, game.first_dealer + game.standing.kyoku, game.seats)
                board, missed = game.kyoku.board, game.kyoku.ready.missed[seat]
                line = line_of(copy_of(board, seat), offer.choice, seat=seat, missed=missed)
                return Truth(line, names[offer.player], [list(hand.tiles) for hand in board.hands], (file, offer.kyoku))

            return noted_of

        yield from noted(record, None, noting)


def counts_of(tiles: Sequence[int]) -> Hand:
    counts = [0] * KINDS
    for tile in tiles:
        counts[KIND[tile]] += 1
    return counts


def others(position: Position) -> list[int]:
    return [seat for seat in range(position.board.seats) if seat != position.seat]


def question_to(bot: Any, position: Position) -> Question:
    """Show a position to a bot that plays from its board, and return the question that is put to it."""
    dealt_to(position.seat, position.board, bot.shown_board)
    bot.shown_board.catch_up(position.board, position.seat)
    return Question(0, position.seat, position.choice)
