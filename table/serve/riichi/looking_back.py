"""Shows a finished game to its players: every hand, what a bot would have done in their place, and files to keep.

A process of its own does the work, at a low priority: no running table waits for it. A server has two queues, as what
cost most takes longest; that is looked for only while no game is running, and given up soon after one begins.
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

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import command_of, environment, part
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import read_any, write_any
from jantaku.table.records.view.page import Book, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.serve.net.line import Line, blamed_on_us
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.serve.riichi.gallery import OVER
from jantaku.table.serve.riichi.notices import KEPT

REVIEWERS = ("shanten", "caller")
"""The bots whose reviews are offered."""
LOOKS_FOR = "allround"
"""The bot beside which the costly decisions are looked for."""
_CAN_REVIEW = (*REVIEWERS, LOOKS_FOR)
QUEUE = 4
"""Most requests that may wait."""
LONGEST, LONGEST_LOOKED = 60.0, 300.0
"""Seconds after which the process is killed; the second where it looks for what cost most."""
_LOW = 10
"""How much the niceness of the process is above a table's."""
_PAUSE = 0.25
"""Seconds between two looks at whether the process is to go on."""
BUSY = "too many look back at their games just now; try again in a minute"
PLAYING = "a game is running; what cost most is looked for when it is over"
GONE = "this game cannot be shown; its record may have been moved away"
TOO_LONG = "looking back at this game took too long and was given up; try again later"


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
    if by not in ("", *_CAN_REVIEW):
        raise BadInput(f"by={by[:20]}: allowed are {', '.join(_CAN_REVIEW)}")
    if seat not in ("0", "1", "2", "3"):
        raise BadInput(f"seat={seat[:20]}: allowed are 0 to 3")
    return Wish(str(journal), Form(form), by, int(seat))


class LookingBack:
    """Shows finished games, one request at a time. Thread-safe. `plays` tells whether a game is running."""

    def __init__(self, plays: Callable[[], bool] = lambda: False) -> None:
        self._plays = plays
        self._changes = threading.Lock()
        self._waiting: list[tuple[Wish, Line]] = []
        self._is_at_work = self._is_closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._found: dict[tuple[str, int], bytes] = {}
        """What cost most, by journal and seat, the oldest first: for no more games than are kept."""

    def show(self, wish: Wish, line: Line) -> Visitor:
        """Send the result when its turn comes, or at once if it is known. BadInput if too many wait."""
        line.one_way = True
        gone = DelegatedVisitor(lambda text: None, lambda: line.hang_up(CloseCode.GOING_AWAY, GONE))
        with self._changes:
            known = self._found.get((wish.journal, wish.seat)) if wish.form is Form.COSTLY else None
            if known is not None:
                line.say(known)
                line.hang_up(CloseCode.NORMAL_CLOSURE, OVER)
                return gone
            self._waiting = [one for one in self._waiting if not one[1].is_closing]
            if len(self._waiting) >= QUEUE:
                raise BadInput(BUSY)
            if self._is_at_work:
                self._waiting.append((wish, line))
                return gone
            self._is_at_work = True
        threading.Thread(target=self._work, args=(wish, line), name="looking-back", daemon=True).start()
        return gone

    def close(self) -> None:
        """Kill the process, and start none any more."""
        with self._changes:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def _work(self, wish: Wish, line: Line) -> None:
        """Do this, then what waits."""
        now: tuple[Wish, Line] | None = wish, line
        while now is not None:
            wish, line = now
            with blamed_on_us(line):
                why = self._made(wish, line)
                line.hang_up(CloseCode.POLICY_VIOLATION if why else CloseCode.NORMAL_CLOSURE, why or OVER)
            with self._changes:
                now = self._waiting.pop(0) if self._waiting else None
                self._is_at_work = now is not None

    def _made(self, wish: Wish, line: Line) -> str:
        """Send what was asked for. Return why that cannot be; empty if it can."""
        until = Deadline(LONGEST_LOOKED if wish.form is Form.COSTLY else LONGEST)
        if why := self._ends(wish, line, until):
            return why
        command = command_of("jantaku.table.serve.riichi.looking_back", msgspec.json.encode(wish).decode())
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        with self._changes:
            if self._is_closed:
                return GONE
            self._process = subprocess.Popen(command, stdin=null, stdout=pipe, env=environment())
        with self._process as process:
            sender = threading.Thread(target=self._sent, args=(process, wish, line), name="sends-back", daemon=True)
            sender.start()
            while sender.is_alive() and not (why := self._ends(wish, line, until)):
                sender.join(_PAUSE)
            process.kill()
            sender.join()
        with self._changes:
            self._process = None
        return why or ("" if process.returncode == 0 else GONE)

    def _ends(self, wish: Wish, line: Line, until: Deadline) -> str:
        """Return why the process is not to start or to go on; empty if it is."""
        if line.is_closing:
            return GONE
        if until.over:
            return TOO_LONG
        return PLAYING if wish.form is Form.COSTLY and self._plays() else ""

    def _sent(self, process: subprocess.Popen[bytes], wish: Wish, line: Line) -> None:
        """Send what the process writes: in one message, or each line as it comes where it looks for what cost most."""
        assert process.stdout is not None, "it is a pipe"
        told = b""
        if wish.form is Form.COSTLY:
            for written in process.stdout:
                line.say(told := written.rstrip())
        else:
            told = process.stdout.read()
        if process.wait() != 0:
            return
        if wish.form is not Form.COSTLY:
            line.say(told)
            return
        with self._changes:
            self._found[wish.journal, wish.seat] = told
            if len(self._found) > 4 * KEPT:
                del self._found[next(iter(self._found))]


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
