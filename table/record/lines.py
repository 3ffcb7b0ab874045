"""A journal's lines whatever the game: one JSON object each, flushed as it is written, the header first.

A kill loses at most the line that is being written. Whoever reads takes half a last line as not there.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Answer

FORMAT = 1
"""Version of the journal's format. Readers refuse a newer one."""

Line = dict[str, Any]


class Head(msgspec.Struct, frozen=True):
    """What the first line of every game's journal begins with: the format, the program, the game and its rules."""

    jantaku: int
    version: str
    game: str
    rules: dict[str, Any]
    seed: str
    number: int


class Journal:
    """Writes the journal of one game. Implements `table.judge.watch.Watch`.

    `lines_of` gives the lines of an event, `reply` an action as the game's players write it. BadInput if the
    file cannot be made; an old one is never written over.
    """

    def __init__(
        self,
        path: Path,
        header: msgspec.Struct,
        lines_of: Callable[[Any], Iterable[Line]],
        reply: Callable[[Any], Any],
    ) -> None:
        self._lines_of, self._reply = lines_of, reply
        self._json = msgspec.json.Encoder()
        self._path, self._begun = path, False
        try:
            self._file = path.open("xb", buffering=0)
        except OSError as error:
            raise BadInput(f"{path}: the journal cannot be written: {error.strerror}") from error
        self._write(header)

    def events(self, new: Sequence[Any]) -> None:
        """See `Watch.events`."""
        self._begun = True
        self._write(*(line for event in new for line in self._lines_of(event)))

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. Seats are the judge's here."""
        self._write({"turn": turn, "answers": [_answer(answer, self._reply) for answer in answers]})

    def close(self) -> None:
        """Nothing more will be written. A game that has not begun leaves no file."""
        self._file.close()
        if not self._begun:
            self._path.unlink(missing_ok=True)

    def _write(self, *lines: Any) -> None:
        self._file.write(b"".join(self._json.encode(line) + b"\n" for line in lines))


def _answer(answer: Answer, reply: Callable[[Any], Any]) -> Line:
    line: Line = {
        "seat": answer.seat,
        "question": answer.question,
        "reply": reply(answer.action),
        "verdict": answer.verdict,
        "used": round(answer.used, 6),
    }
    if answer.allowed is not None:
        line["allowed"] = round(answer.allowed, 6)
    if answer.reason:
        line["reason"] = answer.reason
    return line


def read_lines(path: Path, content: bytes) -> list[Line]:
    """The lines of a journal, the header first. BadInput with the line for what is none of ours."""
    *lines, _half = content.split(b"\n")
    found: list[Line] = []
    for number, line in enumerate(lines, 1):
        try:
            item = json.loads(line)
        except ValueError:
            raise BadInput(f"{path} line {number}: broken, not JSON") from None
        if not isinstance(item, dict):
            raise BadInput(f"{path} line {number}: not a JSON object")
        found.append(item)
    if not found:
        raise BadInput(f"{path}: the header line is missing")
    if found[0].get("jantaku", 0) > FORMAT:
        raise BadInput(f"{path}: written in format {found[0]['jantaku']}; this jantaku reads up to {FORMAT}")
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there complete or not at all. Raises BadInput; never replaces a file."""
    if path.exists():
        raise BadInput(f"{path} exists already; nothing was overwritten")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
