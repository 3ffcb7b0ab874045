"""Shows a finished game to its players: every hand, what a bot would have done in their place, and files to keep.

A process of its own does the work, at a low priority and one request at a time: no running table waits for it.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import command_of, environment, part
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import read_any, write_any
from jantaku.table.records.view.page import Book, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.serve.riichi.gallery import OVER

REVIEWERS = ("shanten", "caller")
"""The bots that can review."""
QUEUE = 4
"""Most requests that may wait."""
LONGEST = 60.0
"""Seconds after which the process is killed."""
_LOW = 10
"""How much the niceness of the process is above a table's."""
BUSY = "too many look back at their games just now; try again in a minute"


class Form(StrEnum):
    STREAM = "stream"
    """A list of the head and all items, for the viewer's page."""
    PAGE = "page"
    """The viewer with the game in it, as one file."""
    PAIFU = "paifu"
    """The 牌譜."""


class Wish(msgspec.Struct, frozen=True):
    """A request: the journal of the game, the form, and the bot `by` that reviews the player `seat`, if any."""

    journal: str
    form: Form = Form.STREAM
    by: str = ""
    seat: Annotated[int, Meta(ge=0, le=3)] = 0


def wish_of(journal: Path, query: Mapping[str, str]) -> Wish:
    """Parse a request from the query of a WebSocket address: `as=FORM&by=BOT&seat=N`, all of them optional. BadInput if
    a value is not allowed."""
    form, by, seat = query.get("as", Form.STREAM), query.get("by", ""), query.get("seat", "0")
    if form not in list(Form):
        raise BadInput(f"as={form[:20]}: allowed are {', '.join(Form)}")
    if by not in ("", *REVIEWERS):
        raise BadInput(f"by={by[:20]}: allowed are {', '.join(REVIEWERS)}")
    if seat not in ("0", "1", "2", "3"):
        raise BadInput(f"seat={seat[:20]}: allowed are 0 to 3")
    return Wish(str(journal), Form(form), by, int(seat))


class LookingBack:
    """Shows finished games. Thread-safe."""

    def __init__(self) -> None:
        self._changes, self._turn = threading.Lock(), threading.Lock()
        self._waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def show(self, wish: Wish, line: Line) -> Visitor:
        """Send the result in one message, when its turn comes. BadInput if too many wait."""
        line.one_way = True
        with self._changes:
            if self._waiting > QUEUE:
                raise BadInput(BUSY)
            self._waiting += 1
        threading.Thread(target=self._work, args=(wish, line), name="looking-back", daemon=True).start()
        return DelegatedVisitor(lambda text: None, lambda: None)

    def close(self) -> None:
        """Kill the process, and start none any more."""
        with self._changes:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def _work(self, wish: Wish, line: Line) -> None:
        try:
            with self._turn:
                made = None if line.is_closing else self._made(wish)
        finally:
            with self._changes:
                self._waiting -= 1
        if made is None:
            line.hang_up(CloseCode.POLICY_VIOLATION, "this game cannot be shown; its record may have been moved away")
            return
        line.say(made)
        line.hang_up(CloseCode.NORMAL_CLOSURE, OVER)

    def _made(self, wish: Wish) -> bytes | None:
        """Return what was asked for; None if it cannot be made."""
        command = command_of("jantaku.table.serve.riichi.looking_back", msgspec.json.encode(wish).decode())
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        with self._changes:
            if self._is_closed:
                return None
            self._process = subprocess.Popen(command, stdin=null, stdout=pipe, env=environment())
        with self._process as process:
            try:
                content, _ = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                return None
        with self._changes:
            self._process = None
        return content if process.returncode == 0 else None


def made(wish: Wish) -> bytes:
    """Make what is asked for. The seed is left out: the next game may have the same one."""
    read = read_any(Path(wish.journal))
    public = msgspec.structs.replace(read.record, seed=None)
    if wish.form is Form.PAIFU:
        return write_any(public, "paifu")[0]
    review = None
    if wish.by:
        review = part("arena", "forks.review").review_of(read.record, {wish.seat: enlist([wish.by])[0]})
    entry = viewed(public, read.notes, review).entry()
    if wish.form is Form.PAGE:
        return page(Book([entry])).content
    return msgspec.json.encode([entry.head, *(entry.items or ())])


def main() -> None:
    """The process: reads one `Wish` as JSON from its command line, and writes the result to stdout."""
    if hasattr(os, "nice"):
        os.nice(_LOW)
    try:
        content = made(msgspec.convert(json.loads(sys.argv[1]), Wish))
    except (BadInput, OSError) as problem:
        sys.exit(f"a game cannot be looked back at: {problem}")
    sys.stdout.buffer.write(content)


if __name__ == "__main__":
    main()
