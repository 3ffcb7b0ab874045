"""What those who played a game may have of it once it is over: every hand, what a bot would have done in their place,
and files to keep.

It is worked out in a process of its own, at a low priority and one at a time: no running table waits for it.
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

from jantaku.table.convert.reading import read_any
from jantaku.table.convert.writing import write_any
from jantaku.table.errors import BadInput
from jantaku.table.forks.reviewing import review_of
from jantaku.table.installation import search_path
from jantaku.table.play.roster import enlist
from jantaku.table.server.net.line import Line
from jantaku.table.server.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.server.riichi.gallery import OVER
from jantaku.table.view.page import Book, page
from jantaku.table.view.riichi import viewed

REVIEWERS = ("shanten", "caller")
"""The bots that may be asked."""
QUEUE = 4
"""Who may wait for the one before."""
LONGEST = 60.0
"""Seconds after which a process is given up."""
_LOW = 10
"""How much less urgent (nice) it is than a table."""
BUSY = "too many look back at their games just now; try again in a minute"


class Form(StrEnum):
    """In which form a game is wanted."""

    STREAM = "stream"
    """For the viewer's page: a list of the head and all items."""
    PAGE = "page"
    """The viewer with the game in it, one file."""
    PAIFU = "paifu"
    """The 牌譜."""


class Wish(msgspec.Struct, frozen=True):
    """What is wanted of the game with that journal; `by` is the bot that reviews the player `seat`, if one does."""

    journal: str
    form: Form = Form.STREAM
    by: str = ""
    seat: Annotated[int, Meta(ge=0, le=3)] = 0


def wish_of(journal: Path, query: Mapping[str, str]) -> Wish:
    """Read it from the address of a WebSocket: `as=FORM&by=BOT&seat=N`, all of which may be left out."""
    form, by, seat = query.get("as", Form.STREAM), query.get("by", ""), query.get("seat", "0")
    if form not in list(Form):
        raise BadInput(f"as={form[:20]}: allowed are {', '.join(Form)}")
    if by not in ("", *REVIEWERS):
        raise BadInput(f"by={by[:20]}: allowed are {', '.join(REVIEWERS)}")
    if seat not in ("0", "1", "2", "3"):
        raise BadInput(f"seat={seat[:20]}: allowed are 0 to 3")
    return Wish(str(journal), Form(form), by, int(seat))


class LookingBack:
    """Shows games that are over. Thread-safe."""

    def __init__(self) -> None:
        self._changes, self._turn = threading.Lock(), threading.Lock()
        self._waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def show(self, wish: Wish, line: Line) -> Visitor:
        """Send what is wished, one message, when its turn has come. BadInput if too many wait."""
        line.one_way = True
        with self._changes:
            if self._waiting > QUEUE:
                raise BadInput(BUSY)
            self._waiting += 1
        threading.Thread(target=self._work, args=(wish, line), name="looking-back", daemon=True).start()
        return DelegatedVisitor(lambda text: None, lambda: None)

    def close(self) -> None:
        """End what is under way."""
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
        """None if it cannot be made."""
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(search_path())}
        command = [
            sys.executable,
            "-P",
            "-m",
            "jantaku.table.server.riichi.looking_back",
            msgspec.json.encode(wish).decode(),
        ]
        with self._changes:
            if self._is_closed:
                return None
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=env)
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
    """What is wished. The seed is left out: that of one game may be that of the next."""
    read = read_any(Path(wish.journal))
    public = msgspec.structs.replace(read.record, seed=None)
    if wish.form is Form.PAIFU:
        return write_any(public, "paifu")[0]
    review = review_of(read.record, {wish.seat: enlist([wish.by])[0]}) if wish.by else None
    entry = viewed(public, read.notes, review).entry()
    if wish.form is Form.PAGE:
        return page(Book([entry])).content
    return msgspec.json.encode([entry.head, *(entry.items or ())])


def main() -> None:
    """The process: one wish as JSON in its command line, and what was wished on stdout."""
    if hasattr(os, "nice"):
        os.nice(_LOW)
    try:
        content = made(msgspec.convert(json.loads(sys.argv[1]), Wish))
    except (BadInput, OSError) as problem:
        sys.exit(f"a game cannot be looked back at: {problem}")
    sys.stdout.buffer.write(content)


if __name__ == "__main__":
    main()
