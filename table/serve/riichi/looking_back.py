"""Shows a finished game to its players: every hand, what a bot would have done in their place, and files to keep.

A process of its own does the work, at a low priority and one request at a time: no running table waits for it. What
cost most takes longest, and is looked for only while no game is running.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
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
LOOKS_FOR = "allround"
"""The bot beside which the costly decisions are looked for."""
QUEUE = 4
"""Most requests that may wait."""
LONGEST, LONGEST_LOOKED = 60.0, 300.0
"""Seconds after which the process is killed; the second where it looks for what cost most."""
_LOW = 10
"""How much the niceness of the process is above a table's."""
BUSY = "too many look back at their games just now; try again in a minute"
PLAYING = "a game is running; what cost most is looked for when it is over"
GONE = "this game cannot be shown; its record may have been moved away"


class Form(StrEnum):
    STREAM = "stream"
    """A list of the head and all items, for the viewer's page."""
    PAGE = "page"
    """The viewer with the game in it, as one file."""
    PAIFU = "paifu"
    """The 牌譜."""
    COSTLY = "costly"
    """`{"looked": [KYOKU, OF]}` again and again, then `{"costly": […]}` with the decisions that cost most."""


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
    if by not in ("", LOOKS_FOR, *REVIEWERS):
        raise BadInput(f"by={by[:20]}: allowed are {', '.join(REVIEWERS)}")
    if seat not in ("0", "1", "2", "3"):
        raise BadInput(f"seat={seat[:20]}: allowed are 0 to 3")
    return Wish(str(journal), Form(form), by, int(seat))


class LookingBack:
    """Shows finished games. Thread-safe. `plays` tells whether a game is running."""

    def __init__(self, plays: Callable[[], bool] = lambda: False) -> None:
        self._plays = plays
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
                why = GONE if line.is_closing else self._made(wish, line)
        finally:
            with self._changes:
                self._waiting -= 1
        line.hang_up(CloseCode.POLICY_VIOLATION if why else CloseCode.NORMAL_CLOSURE, why or OVER)

    def _made(self, wish: Wish, line: Line) -> str:
        """Send what was asked for. Return why that cannot be; empty if it can."""
        looks = wish.form is Form.COSTLY
        if looks and self._plays():
            return PLAYING
        command = command_of("jantaku.table.serve.riichi.looking_back", msgspec.json.encode(wish).decode())
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        with self._changes:
            if self._is_closed:
                return GONE
            self._process = subprocess.Popen(command, stdin=null, stdout=pipe, env=environment())
        with self._process as process:
            timer = threading.Timer(LONGEST_LOOKED if looks else LONGEST, process.kill)
            timer.start()
            try:
                why = self._passed_on(process, line) if looks else self._sent(process, line)
            finally:
                timer.cancel()
                process.kill()
        with self._changes:
            self._process = None
        return why

    def _sent(self, process: subprocess.Popen[bytes], line: Line) -> str:
        content, _ = process.communicate()
        if process.returncode == 0:
            line.say(content)
        return "" if process.returncode == 0 else GONE

    def _passed_on(self, process: subprocess.Popen[bytes], line: Line) -> str:
        """Send each line as it comes, as long as somebody listens and no game begins."""
        assert process.stdout is not None, "it is a pipe"
        for told in process.stdout:
            if line.is_closing:
                return GONE
            if self._plays():
                return PLAYING
            line.say(told.rstrip())
        return "" if process.wait() == 0 else GONE


def write_costly(wish: Wish, write: Callable[[bytes], object]) -> None:
    """Look for the decisions that cost the player most, and write the progress and then them, a line each."""

    def looked(kyoku: int, of: int) -> None:
        write(msgspec.json.encode({"looked": [kyoku, of]}) + b"\n")

    record, by = read_any(Path(wish.journal)).record, enlist([LOOKS_FOR])[0]
    found = part("arena", "forks.costly").costly(record, wish.seat, by, looked)
    write(msgspec.json.encode({"costly": found}) + b"\n")


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
        wish = msgspec.convert(json.loads(sys.argv[1]), Wish)
        if wish.form is Form.COSTLY:
            write_costly(wish, _tell)
        else:
            sys.stdout.buffer.write(made(wish))
    except (BadInput, OSError) as problem:
        sys.exit(f"a game cannot be looked back at: {problem}")


def _tell(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
