"""Every decision of a record: what a player saw, its options, its answer, and how long that took.

    for decision in decisions(read_any(path).record):
        decision.view.hand, decision.options, decision.answer

The record drives the engine to find the options, so its rules must be known. A journal has every answer. From other
records the answers are inferred: a player without a visible action counts as having passed, which is a guess if another
seat's claim came first (`told` says whether the record has the answer).
"""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference
from jantaku.table.records.replay.offers import Offer, answered, noted
from jantaku.table.riichi import events
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import line_of
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MARKS, meld_text
from jantaku.table.riichi.pieces.notation import hand_text
from jantaku.table.riichi.pieces.seats import seat_of, side_of
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.words import discard_text

Four = tuple[Any, ...]
V = TypeVar("V")
"""What is noted of the table as a seat sees it."""


class DecisionView(msgspec.Struct, frozen=True):
    """The table as one seat sees it, in Majiang notation. Lists over all seats are in seat order, 東 first."""

    seat: int
    round_wind: int
    kyoku: int
    honba: int
    sticks: int
    live: int
    """Tiles left to draw."""
    hand: str
    """The own concealed tiles, the drawn one last, `*` in riichi, then the melds."""
    scores: Four
    riichi: Four
    """By seat: 0 no riichi, 1 riichi, 2 double riichi."""
    melds: Four
    """By seat, a list of melds."""
    rivers: Four
    """By seat, a list of discards, with `_` for tsumogiri, `*` for the riichi tile and the mark of the seat that called
    it."""
    indicators: tuple[str, ...]


class Decision(msgspec.Struct, Generic[V], frozen=True):
    """One question and its answer. `kyoku` and `turn` count from 1; `event` is the number of items of the kyoku, in the
    order of play, before the question; options and answer are Majiang replies, where `{}` is a pass."""

    kyoku: int
    turn: int
    event: int
    player: int
    view: V
    options: tuple[Item, ...]
    answer: Item
    numbers: tuple[int, ...]
    """The options as numbers, in the same order; see `jantaku.table.riichi.option_numbers`."""
    number: int
    """The answer as a number."""
    told: bool
    verdict: str | None = None
    used: float | None = None
    """Seconds that the answer took; None if the record does not say."""
    allowed: float | None = None
    meta: Any = None
    """What the player said beside its answer, as recorded in a journal."""
    key: tuple[int, int] = (0, 0)
    """The key of the turn in `Record.answers`."""
    line: str = ""
    """The question as a position line, see `jantaku.table.riichi.line`; empty unless lines are asked for."""


def decisions(record: Record, rules: Rules | None = None, *, lined: bool = False) -> Iterator[Decision[DecisionView]]:
    """Yield all decisions of a record with more than one option, in the order of play, up to the first difference from
    the engine. If they are to be `lined`, each has its position line, which takes some time. Raises BadInput if neither
    the record nor the caller gives the rules."""
    return decisions_seen(record, view_of, rules, lined=lined)


def decisions_seen(
    record: Record,
    look: Callable[[Board, int], V],
    rules: Rules | None = None,
    parted: Callable[[Difference], object] | None = None,
    *,
    lined: bool = False,
) -> Iterator[Decision[V]]:
    """Yield the same as `decisions`, with views made by `look(board, seat)`, where `board` is what the asked seat
    knows. `parted` is called with the difference at which the decisions end, if there is one."""
    return noted(record, rules, lambda game: _Witness(record, game, look, lined=lined).decision, parted)


class _Witness(Generic[V]):
    """Follows the game as each seat knows it."""

    def __init__(self, record: Record, game: RiichiGame, look: Callable[[Board, int], V], *, lined: bool) -> None:
        self._record, self._game, self._look, self._lined = record, game, look, lined
        self._boards = [Board() for _ in record.names]
        self._read, self._items = 0, 0

    def decision(self, offer: Offer) -> Decision[V]:
        """Make the decision for a question that is open now."""
        self._catch_up()
        seat = seat_of(offer.player, self._game.first_dealer + self._game.standing.kyoku, self._game.seats)
        answer, told = answered(self._record, offer)
        return Decision(
            kyoku=offer.kyoku,
            turn=offer.turn,
            event=self._items,
            player=offer.player,
            view=self._look(self._boards[offer.player], seat),
            options=offer.options,
            answer=answer,
            numbers=offer.numbers,
            number=offer.numbers[offer.options.index(answer)],
            told=told is not None,
            verdict=told["verdict"] if told else None,
            used=told["used"] if told else None,
            allowed=told.get("allowed") if told else None,
            meta=told.get("meta") if told else None,
            key=offer.key,
            line=self._line(offer, seat) if self._lined else "",
        )

    def _line(self, offer: Offer, seat: int) -> str:
        missed = self._game.kyoku.ready.missed[seat]
        return line_of(self._boards[offer.player], offer.choice, seat=seat, missed=missed)

    def _catch_up(self) -> None:
        """Let every seat's board hear the new events."""
        stream = self._game.events
        while self._read < len(stream):
            event = stream[self._read]
            for player, board in enumerate(self._boards):
                self._game.masked(self._read, player).apply(board)
            if isinstance(event, events.KyokuStart):
                self._items = 0
            self._items += not isinstance(event, events.HanchanStart)
            self._read += 1


def view_of(board: Board, seat: int) -> DecisionView:
    """Return what `seat` sees on its board."""
    return DecisionView(
        seat=seat,
        round_wind=board.round,
        kyoku=board.kyoku,
        honba=board.honba,
        sticks=board.sticks,
        live=board.live,
        hand=own_hand(board, seat),
        scores=tuple(board.scores),
        riichi=tuple(board.riichi),
        melds=tuple([meld_text(meld) for meld in other.melds] for other in board.hands),
        rivers=tuple(river_text(board, other) for other in range(board.seats)),
        indicators=tuple(NAMES[tile] for tile in board.indicators),
    )


def own_hand(board: Board, seat: int) -> str:
    """The hand of a seat, in the form of `DecisionView.hand`."""
    hand = board.hands[seat]
    return hand_text(hand.tiles_before_draw, hand.melds, last=hand.drawn, riichi=bool(board.riichi[seat]))


def river_text(board: Board, seat: int) -> list[str]:
    """The discards of a seat as Majiang writes a river (河): `m1`, `z2_`, `p9_*`, `s3=`."""
    called_by = board.rivers[seat].called_by
    marks = {place: MARKS[side_of(caller, seat, board.seats)] for place, caller in called_by.items()}
    return [discard_text(*one) + marks.get(place, "") for place, one in enumerate(river_discards(board, seat))]


def river_discards(board: Board, seat: int) -> list[tuple[int, bool, bool]]:
    """The discards of a seat in order: the tile, whether it was just drawn, whether it declared riichi."""
    river = board.rivers[seat]
    riichi = river.sideways[0] if board.riichi[seat] and river.sideways else -1
    both = zip(river.tiles, river.tsumogiri, strict=True)
    return [(tile, tsumogiri, place == riichi) for place, (tile, tsumogiri) in enumerate(both)]
