"""Exports a league as CSV, JSON lines or Parquet: a row for every seat of every hanchan."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.league.pool import League
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.lines import write_whole


def rows_of(league: League) -> Iterator[dict[str, Any]]:
    """Yield the rows: the hanchan and its walls, the bot of the seat (with version and fingerprint) and its result.
    `faults` is the number of its faults, `verdicts` holds them by verdict."""
    bots = league.bots
    for game, unit, seats in league.hanchan():
        for seat in seats:
            bot = bots[seat.bot]
            yield {
                "game": game.game,
                "unit": unit.unit,
                "batch": unit.batch,
                "branch": unit.branch,
                "walls": unit.walls,
                "ended": game.ended,
                "reason": game.reason,
                "print": game.print,
                "record": game.record,
                "place": seat.place,
                "rank": seat.rank,
                "score": seat.score,
                "points": seat.points,
                "bot": bot.name,
                "version": bot.version,
                "fingerprint": bot.fingerprint,
                "faults": sum(seat.faults.values()),
                "verdicts": msgspec.json.encode(seat.faults).decode(),
                **msgspec.structs.asdict(seat.counts),
            }


def export(league: League, target: Path) -> int:
    """Write all rows to a new file in the format of its ending. Return their number. BadInput for another ending."""
    if target.suffix not in KINDS:
        raise BadInput(f"{target}: a league is exported as {', '.join(KINDS)}; end the name with one of them")
    rows = list(rows_of(league))
    write_whole(target, KINDS[target.suffix](rows))
    return len(rows)


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist(list(rows)), content, compression="zstd")
    return content.getvalue()


KINDS: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], bytes]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
