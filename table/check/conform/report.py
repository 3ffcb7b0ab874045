"""The result of a check, and the files of a run."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from jantaku.table.ground.errors import BadInput

Status = Literal["passed", "failed", "not reached", "noted"]


class Check(msgspec.Struct, frozen=True):
    """One check: passed, failed, never reached, or only noted because dialects leave it open. `about` sums up the
    finding in a line; `evidence` are the lines that show it."""

    name: str
    status: Status
    about: str = ""
    evidence: tuple[str, ...] = ()


class TranscriptLine(msgspec.Struct, frozen=True):
    """A line of a transcript: the check, the seat of the conversation, its sender, and its text."""

    check: str
    seat: str
    by: Literal["table", "player"]
    line: str


def kept(folder: Path, checks: Iterable[Check], transcript: Iterable[TranscriptLine]) -> None:
    """Write `report.json` and `transcript.jsonl`. BadInput if the disk refuses."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        report = msgspec.json.format(msgspec.json.encode(list(checks)), indent=1)
        (folder / "report.json").write_bytes(report + b"\n")
        (folder / "transcript.jsonl").write_bytes(b"".join(_lines(transcript)))
    except OSError as error:
        raise BadInput(f"{error.filename or folder} cannot be written: {error.strerror}") from None


def _lines(transcript: Iterable[TranscriptLine]) -> Iterator[bytes]:
    return (msgspec.json.encode(entry) + b"\n" for entry in transcript)
