"""Onlookers of riichi games over WebSocket: a public stream, and one for the operator.

The table's thread only appends events to a queue. A thread of the gallery turns them into messages, a few per second
and once for all onlookers, and only if there are any: onlookers cost the table next to nothing.
"""

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import command_of, environment, part
from jantaku.table.ground.port import Answer
from jantaku.table.languages.majiang.items import LINES, Encoder, writes_decimals
from jantaku.table.play.roster import enlist
from jantaku.table.records.convert.readers import read_any, write_any
from jantaku.table.records.view.page import Book, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import events
from jantaku.table.riichi.mask import masked
from jantaku.table.serve.net.line import DelegatedVisitor, Line, Visitor
from jantaku.table.serve.seat import same_secret
from jantaku.table.serve.watching import Gallery, JournalStream, Options, Stream

NOBODY = -1
"""The seat of an observer that sees no hidden tile."""
PAUSE = 0.4
"""Least seconds between two messages to onlookers: a table of fast bots plays dozens of turns in that time."""
OVER = "the game is over"
Turn = Sequence[events.Event]
"""The events of one turn."""
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items by event, made at import because most events are among them."""


class _Public(Stream):
    """The public view of a game, `delay` turns late. Makes items only while there are onlookers."""

    def __init__(self, delay: int) -> None:
        super().__init__()
        self._over = False
        self._delay = delay
        self._title = ""
        self._encoder = Encoder()
        self._waiting: deque[Turn] = deque()
        """Turns that are not shown yet."""
        self._turns: list[Turn] = []
        """All turns of the game."""

    def next_game(self, title: str) -> None:
        """Start another game, whose turns come from now on."""
        self._title, self._over = title, False
        self._waiting.clear()
        self._turns = []

    def take(self, new: Turn) -> None:
        """Add the events of a turn."""
        self._waiting.append(new)
        self._turns.append(new)

    def again(self) -> "_Public":
        """Return a copy of the finished game, without onlookers."""
        public = _Public(0)
        public.next_game(self._title)
        public.finish()
        public._waiting.extend(self._turns)
        return public

    def finish(self) -> None:
        """The game is over: nothing need be delayed any more."""
        self._over = True

    def catch_up(self) -> None:
        """Show the turns that are old enough."""
        items: list[bytes] = []
        while len(self._waiting) > (0 if self._over else self._delay):
            for event in self._waiting.popleft():
                if isinstance(event, events.HanchanStart):
                    self._begin(event)
                items += self._told_as(masked(event, NOBODY))
        self.add(items)

    def _told_as(self, event: events.Event) -> Sequence[bytes]:
        line = _WRITTEN.get(event)  # most events are draws and discards
        if line is not None:
            return (line,)
        item = self._encoder.encode(event)
        return () if item is None else (msgspec.json.encode(item),)

    def _begin(self, start: events.HanchanStart) -> None:
        self._encoder = Encoder(decimals=writes_decimals(start.rules))
        self.begin({"title": self._title, "player": start.names, "qijia": start.first_dealer})


class RiichiGallery(Gallery):
    """Onlookers of one game after another. Implements `Looker`."""

    def __init__(self, delay: int = 0) -> None:
        self._public, self._operators = _Public(delay), JournalStream()
        super().__init__(self._public, self._operators)
        self._told: deque[Callable[[], None]] = deque()
        """Calls appended by the table's thread."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._sender: threading.Thread | None = None

    def next_game(self, title: str, journal: Path) -> None:
        """Begin a game, whose journal will be at that path. Its title differs from the last game's, so that nobody
        mixes them up."""
        with self._lock:
            if self._sender is None:  # without onlookers the last game need not be shown
                self._told.clear()
            self._told.append(partial(self._next, title, journal))

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        with self._lock:
            self._take_in()
            (self._operators if operator else self._public).catch_up()
            visitor = super().admit(line, operator=operator, options=options)
            sender = None
            if self._sender is None and self._farewell is None:
                sender = self._sender = threading.Thread(target=self._send, name="gallery", daemon=True)
        if sender is not None:
            sender.start()
        return visitor

    def events(self, new: Turn) -> None:
        self._told.append(partial(self._public.take, new))
        if not self._news.is_set():  # asking is cheaper; safe, as `_send` clears it before it reads
            self._news.set()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Does nothing: questions tell of hidden tiles, as only a holder of certain tiles is asked to call."""

    def close(self) -> None:
        """Take note that the game is over. Onlookers may stay for the next one."""
        self._told.append(self._public.finish)
        self._news.set()

    def kept(self, journal: Path, ticket: str) -> "KeptGame":
        """Return the finished game for later onlookers. `journal` is its journal; the holders of `ticket` played in
        it."""
        with self._lock:
            self._take_in()
            return KeptGame(self._public.again(), journal, ticket)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        with self._lock:
            self._take_in()
            self._catch_up()
            super().dismiss(code, reason)
        self._closing.set()
        self._news.set()

    def _send(self) -> None:
        """Send what is new until the gallery is closed. The loop of a thread."""
        while not self._closing.is_set():
            self._news.wait()
            self._news.clear()
            with self._lock:
                self._take_in()
                self._catch_up()
                pause = max(self._public.tell(), self._operators.tell())
            self._closing.wait(max(PAUSE, pause))

    def _take_in(self) -> None:
        """Run the calls from the table's thread. Call with the lock held."""
        while self._told:
            self._told.popleft()()

    def _next(self, title: str, journal: Path) -> None:
        self._catch_up()
        self._public.next_game(title)
        self._operators.next_game(journal, title)

    def _catch_up(self) -> None:
        """Show what is new to all streams that have onlookers. Call with the lock held."""
        for stream in (self._public, self._operators):
            if stream.lines:
                stream.catch_up()


class KeptGame(Gallery):
    """A finished game: its public view, and its journal for the operator. An onlooker gets all of it at once."""

    def __init__(self, public: _Public, journal: Path, ticket: str) -> None:
        self.journal = journal
        self._ticket = ticket
        self._streams = public, JournalStream()
        self._streams[1].next_game(journal)
        super().__init__(*self._streams)
        super().dismiss(CloseCode.NORMAL_CLOSURE, OVER)

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        with self._lock:
            self._streams[operator].catch_up()
            return super().admit(line, operator=operator, options=options)

    def is_open_to(self, ticket: str) -> bool:
        """Return whether this is the ticket of its players, who may see everything now."""
        return bool(self._ticket) and same_secret(ticket, self._ticket)


# Shows a finished game to its players: every hand, what a bot would have done in their place, and files to keep.
#
# A process of its own does the work, at a low priority and one request at a time: no running table waits for it.

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
    """The form in which a game is sent."""

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
        command = command_of("jantaku.table.serve.riichi.gallery", msgspec.json.encode(wish).decode())
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
