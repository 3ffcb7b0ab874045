"""Finds records lost in a power cut.

Only the line of each hanchan is synced to disk (fsync), because records are large; whether the records are complete is
checked here.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from table.errors import BadInput
from table.match.figures.summary import HanchanSummary, print_of
from table.match.workers.hanchan import stem_of


def lost(records: Path, lines: Iterable[HanchanSummary]) -> set[int]:
    """Which of these hanchan have missing or incomplete records. Takes about a millisecond for each. BadInput for a
    record that is there and cannot be read."""
    return {line.game for line in lines if not _is_whole(records / stem_of(line.game), line)}


def _is_whole(stem: Path, line: HanchanSummary) -> bool:
    """A void hanchan may have no records; one without an end has no 牌譜."""
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
