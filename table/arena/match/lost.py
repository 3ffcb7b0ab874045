"""Finds hanchan whose records a power cut took, and lines that contradict their records.

Only the line of each hanchan is synced to disk (fsync), because records are large; this module checks whether the
records are complete. If a line and its record give different results, somebody has changed the line by hand: the
record is right.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from jantaku.table.arena.match.figures.summary import HanchanSummary, print_of, result_of
from jantaku.table.arena.match.hanchan import stem_of
from jantaku.table.ground.errors import BadInput

_RESULT = ("set", "players", "ended", "scores", "ranks", "points")


def lost(records: Path, lines: Iterable[HanchanSummary]) -> set[int]:
    """Return the hanchan whose records are missing or incomplete. Takes about a millisecond for each. BadInput for a
    record that cannot be read, and for a line that contradicts its record; `lines` start at line 2 of their file."""
    found = set()
    for number, line in enumerate(lines, 2):
        stem = records / stem_of(line.game)
        if not _is_whole(stem, line):
            found.add(line.game)
        elif line.print:
            _refuse_other_result(line, stem.with_suffix(".jsonl"), number)
    return found


def _refuse_other_result(line: HanchanSummary, journal: Path, number: int) -> None:
    told = result_of(journal.read_bytes(), line.game, str(journal))
    if other := [name for name in _RESULT if getattr(line, name) != getattr(told, name)]:
        raise BadInput(
            f"{', '.join(other)} differ from {journal.parent.name}/{journal.name}; the record is right: "
            "remove the line, and its hanchan is played again",
            f"line {number}",
        )


def _is_whole(stem: Path, line: HanchanSummary) -> bool:
    """Return whether the records of a hanchan are complete. A void hanchan may have none; one without an end has no
    牌譜."""
    if not line.print:
        return True
    try:
        journal = stem.with_suffix(".jsonl").read_bytes()
        if line.ended:
            msgspec.json.decode(stem.with_suffix(".json").read_bytes(), type=msgspec.Raw)
    except (FileNotFoundError, msgspec.DecodeError):
        return False
    except OSError as error:
        raise BadInput(f"{error.filename}: cannot be read: {error.strerror}") from None
    return print_of(journal) == line.print
