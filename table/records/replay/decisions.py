"""Every decision of a record: what a player saw, its options, its answer, and how long that took.

    for decision in decisions(read_any(path).record):
    decision.view.hand, decision.options, decision.answer

The record drives the engine to find the options, so its rules must be known. A journal has every answer. From other
records the answers are inferred: a player without a visible action counts as having passed, which is a guess if another
seat's claim came first (`told` says whether the record has the answer).

`DecisionTable` writes them as a table of numbers to a Parquet file: docs/learning.md has its columns.

Rows are written in groups, so that memory does not grow with the number of records. Needs the extra `parquet`.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact, followed
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference
from jantaku.table.records.replay.offers import Offer, answered, noted
from jantaku.table.records.replay.reviewed import WholeReview
from jantaku.table.riichi import events, option_numbers
from jantaku.table.riichi.events import KyokuStart, PerSeat
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import line_of
from jantaku.table.riichi.option_numbers import discard_number, meld_number
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MARKS, Meld, meld_text
from jantaku.table.riichi.pieces.notation import hand_text
from jantaku.table.riichi.pieces.seats import SEATS, by_seat, seat_of, side_of
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


# How every kyoku and the game of a record ended, according to the record.


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


VERSION = 1
"""Version of the columns, stored in a table's metadata as `jantaku.table`. Columns may be added within a version."""
GROUP = 8192
"""Number of rows that are collected, as Arrow tables, before they are written. A game is never split."""


def schema(*, reviewed: bool = False, seats: int = SEATS, lined: bool = False) -> Any:
    """Return the columns for games with `seats` as a `pyarrow.Schema`; `reviewed` appends those of a review, `lined`
    the position line. Raises ModuleNotFoundError without the extra `parquet`."""
    import pyarrow as pa

    small, number, points = pa.int8(), pa.int16(), pa.int32()
    word = pa.dictionary(pa.int32(), pa.string())
    meld = pa.struct({"number": number, "source": small, "tiles": pa.list_(small)})
    columns = {
        # the question
        **{"file": word, "game": points, "kyoku": number, "turn": number, "event": number},
        **{"player": small, "seat": small},
        # what the seat saw
        **{"round_wind": small, "round_kyoku": small, "honba": number, "sticks": number, "live": small},
        **{"hand": pa.list_(small), "drawn": small, "last_seat": small, "last_tile": small},
        **{"scores": pa.list_(points, seats), "riichi": pa.list_(small, seats), "indicators": pa.list_(small)},
        **{"rivers": pa.list_(pa.list_(number), seats), "melds": pa.list_(pa.list_(meld), seats)},
        # its options and its answer
        **{"options": pa.list_(number), "answer": number, "told": pa.bool_()},
        **{"verdict": word, "used": pa.float64(), "allowed": pa.float64(), "meta": pa.string()},
        # what followed
        **{"ended": word, "gains": pa.list_(points, seats), "winners": pa.list_(small), "dealt_in": small},
        **{
            "final_points": pa.list_(points, seats),
            "ranks": pa.list_(small, seats),
            "final_tenths": pa.list_(points, seats),
        },
    }
    if reviewed:  # the reviewer, its choice, and what that gains
        columns |= {"by": word, "kind": word, "choice": number, "agrees": pa.bool_()}
        columns |= {"by_verdict": word, "by_reason": pa.string(), "by_meta": pa.string(), "worth": pa.float64()}
    if lined:
        columns["line"] = pa.string()
    versions = {"jantaku.table": str(VERSION), "jantaku.options": str(option_numbers.VERSION)}
    return pa.schema(columns, metadata=versions)


class DecisionTable:
    """A new Parquet file. It appears when it is complete; after an error it does not appear at all.

        with DecisionTable(path) as table:
          for source in sources:
            table.add(read_any(source).record)

    With `review`, only the reviewed decisions of a record are added, with the bot's choices beside them; if `lined`,
    each has its position line. Raises BadInput if the file exists, or if the disk refuses.
    """

    def __init__(self, path: Path, review: WholeReview | None = None, *, lined: bool = False) -> None:
        self._review, self._lined = review, lined
        self._schema = schema(reviewed=review is not None, lined=lined)
        self._seats = SEATS
        """Number of seats in all games of the table, set by the first game."""
        if os.path.lexists(path):
            raise BadInput(f"{path} exists already; nothing was overwritten")
        self._path, self._part = path, path.with_name(path.name + ".part")
        self._held: list[Any] = []
        """One `pyarrow.Table` per game."""
        self._writer: Any = None
        self.games = 0
        """Number of records that were added."""
        self.rows = 0

    def __enter__(self) -> Self:
        with self._telling():
            self._open()
        return self

    def _open(self) -> None:
        import pyarrow.parquet

        self._writer = pyarrow.parquet.ParquetWriter(self._part, self._schema, compression="zstd")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            with self._telling():
                if kind is None:
                    self._write()
                self._writer.close()
                if kind is None and self.games:
                    self._part.replace(self._path)
        finally:
            with contextlib.suppress(OSError):
                self._part.unlink(missing_ok=True)

    def add(self, record: Record) -> Difference | None:
        """Add all decisions of a record. Returns the first difference between engine and record, if there is one: later
        decisions are left out. Raises BadInput if the rules are unknown or hands are hidden; then nothing is added."""
        import pyarrow

        if record.hidden:
            raise BadInput(f"{record.path}: {record.hidden}; decisions are not known")
        self._fit(record)
        ended, differences = outcomes(record), list[Difference]()
        also = _beside(self._review)
        rows = [
            {
                **{"file": str(record.path), "game": self.games},
                **{"kyoku": one.kyoku, "turn": one.turn, "event": one.event, "player": one.player, **one.view},
                **{"options": one.numbers, "answer": one.number, "told": one.told},
                **{"verdict": one.verdict, "used": one.used, "allowed": one.allowed, "meta": _text(one.meta)},
                **outcome_columns(ended[one.kyoku - 1]),
                **more,
                **({"line": one.line} if self._lined else {}),
            }
            for one in decisions_seen(record, seen_columns, parted=differences.append, lined=self._lined)
            if (more := also(one)) is not None
        ]
        self._held.append(pyarrow.Table.from_pylist(rows, self._schema))
        self.games += 1
        self.rows += len(rows)
        if sum(map(len, self._held)) >= GROUP:
            with self._telling():
                self._write()
        return differences[0] if differences else None

    def _fit(self, record: Record) -> None:
        """Set the length of the per-seat lists by the first game. Raises BadInput for a later game with another number
        of players."""
        seats = len(record.names)
        if seats == self._seats:
            return
        if self.games:
            raise BadInput(f"{record.path}: {seats} players; the games before it in this table have {self._seats}")
        self._seats, self._schema = seats, schema(reviewed=self._review is not None, seats=seats, lined=self._lined)
        with self._telling():
            self._writer.close()
            self._open()

    def _write(self) -> None:
        import pyarrow

        if self._held:
            self._writer.write_table(pyarrow.concat_tables(self._held).unify_dictionaries())
        self._held = []

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn an error of the disk into a BadInput of one line."""
        try:
            yield
        except OSError as error:
            missing = not self._path.parent.exists()
            why = f"there is no folder {self._path.parent}" if missing else error.strerror or str(error)
            raise BadInput(f"{self._path} cannot be written: {why}") from None


def seen_columns(board: Board, seat: int) -> dict[str, Any]:
    """By column, what `seat` sees on its board. Tiles are 0 to 36; discards and melds are numbered as in
    `option_numbers`."""
    hand = board.hands[seat]
    return {
        "seat": seat,
        "round_wind": board.round,
        "round_kyoku": board.kyoku,
        "honba": board.honba,
        "sticks": board.sticks,
        "live": board.live,
        "hand": hand.tiles_before_draw + ([] if hand.drawn is None else [hand.drawn]),
        "drawn": hand.drawn,
        "last_seat": board.last_seat,
        "last_tile": board.last_tile,
        "scores": tuple(board.scores),
        "riichi": tuple(board.riichi),
        "indicators": tuple(board.indicators),
        "rivers": tuple([discard_number(*one) for one in river_discards(board, other)] for other in range(board.seats)),
        "melds": tuple([_meld(meld) for meld in other.melds] for other in board.hands),
    }


Columns = dict[str, Any]


def _beside(review: WholeReview | None) -> Callable[[Decision[Columns]], Columns | None]:
    """Return a function from a decision to the columns of its review; None for a decision that was not reviewed."""
    if review is None:
        return lambda one: {}
    lines = {(line.kyoku, line.turn, line.player): line for line in review.decisions}

    def columns(one: Decision[Columns]) -> Columns | None:
        line = lines.get((one.kyoku, one.turn, one.player))
        if line is None:
            return None
        choice = None if line.choice is None else one.numbers[one.options.index(line.choice)]
        told = {"by": review.head.by, "kind": line.kind, "choice": choice, "agrees": line.agrees}
        told |= {"by_verdict": line.verdict, "by_reason": line.reason, "by_meta": _text(line.meta)}
        return {**told, "worth": line.worth}

    return columns


def _text(meta: Any) -> str | None:
    return None if meta is None else msgspec.json.encode(meta).decode()


def _meld(meld: Meld) -> dict[str, Any]:
    return {"number": meld_number(meld), "source": meld.source, "tiles": meld.tiles}


_UNKNOWN = dict.fromkeys(KyokuOutcome.__struct_fields__)


def outcome_columns(outcome: KyokuOutcome | None) -> dict[str, Any]:
    """By column, what followed from a decision."""
    return {name: getattr(outcome, name) for name in _UNKNOWN} if outcome else _UNKNOWN
