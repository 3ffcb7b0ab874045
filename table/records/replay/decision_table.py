"""The decisions of records as a table of numbers in a Parquet file: docs/learning.md has its columns.

Rows are written in groups, so that memory does not grow with the number of records. Needs the extra `parquet`.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import Decision, decisions_seen, river_discards
from jantaku.table.records.replay.drive import Difference
from jantaku.table.records.replay.outcomes import KyokuOutcome, outcomes
from jantaku.table.records.replay.reviewed import WholeReview
from jantaku.table.riichi import option_numbers
from jantaku.table.riichi.option_numbers import discard_number, meld_number
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import SEATS

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
