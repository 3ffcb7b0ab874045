"""One running program that is a player: lines in, lines out, and the certainty that it ends.

The table's threads never wait for the program but for an answer: what is sent goes into the pipe at once or on a
backlog, which a thread of the program's own empties. Who waits for a line reads the pipe itself: handing each line from
thread to thread would cost more than all else. Between two messages what the program says waits in its pipe. Another
thread waits for the end of the process and ends whatever that has left behind.
"""

import contextlib
import os
import selectors
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from players.adapters.pipes import guardian
from players.adapters.pipes.ears import Bell, Ears
from players.adapters.pipes.lines import CHUNK, Splitter, read_pipe
from players.adapters.pipes.spawn import Started, spawn
from players.adapters.pipes.words import Words
from players.adapters.running import GOODBYE, GRACE, running
from players.sandbox.start import Sandbox
from table.errors import PlayerGone, PlayerNotReady, PlayerSilent
from table.wire.dialect import Heard

BACKLOG = 8 << 20
"""Bytes that may wait for a program that does not read; beyond that it is given up."""
UNREAD = 4 << 20
"""Bytes of lines that may wait for the table; beyond that the program has to wait."""
UNREAD_LINES = 1 << 14
"""So many lines may wait: short ones take far more room than their bytes."""
SETTLING = 0.1
"""Seconds in which a broken pipe may turn out to be the end of the process, which is the better reason."""
_LAST_CHUNKS = 64  # more than any pipe holds


class Program:
    """A started program. PlayerNotReady if it cannot be started.

    `command` is not read by a shell; the program gets a process group of its own. What it writes to stderr is
    appended to `log`, see `Words`. `due`: how many replies it owes before anything is sent. `sandbox`: what it is
    confined to.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        cwd: str | None,
        env: Mapping[str, str],
        log: Path | None,
        due: int = 0,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.name = name
        self._changed = threading.Condition()
        self._lines: deque[Heard] = deque()
        self._unread = 0
        self._splitter = Splitter()
        self._outbox = bytearray()
        self._due = due
        self._trouble = ""
        """A pipe has ended: what to say of it if the process lives on."""
        self._output_ended = False
        self._listening = False
        """Somebody is waiting for a line and has let go of the lock for that."""
        self._gone = ""
        """Why nothing will come any more."""
        self._limit = ""
        """Which limit of the sandbox it has broken, if that is why."""
        self._stopping = False
        self._buried = False
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self._started: Started = spawn(command, cwd, env, sandbox)
        self._process = self._started.process
        self._words = Words(log)
        self._bell: Bell | None = None
        self._set_out(command[0])

    def _set_out(self, what: str) -> None:
        try:
            self._open_pipes()
            guardian.watch(self.pid)
            self._started.watch(self._break)
            running.add(self)
            self._launch(self._bury, "end")
            self._launch(self._carry, "pipes")
        except (OSError, RuntimeError) as error:  # the machine has no file or no thread left
            self._undo()
            raise PlayerNotReady(f"{what} cannot be started: {error}") from error

    @property
    def pid(self) -> int:
        """Its process, which is also its process group."""
        return self._process.pid

    @property
    def stopping(self) -> bool:
        """Whether it was told to go."""
        return self._stopping

    # --- for the seat's thread

    def send(self, data: bytes, due: int) -> None:
        """Send whole lines; never waits. `due`: how many replies are due from now on.

        A program that has gone hears nothing more; `receive` says so.
        """
        with self._changed:
            if due != self._due:
                if not self._gone and self._has_room():
                    self._take()  # what is there was said before this
                self._due = due
            if not data or self._gone or self._trouble:
                return
            self._outbox += data
            self._flush()
            if len(self._outbox) > BACKLOG:
                self._trouble = f"does not read: {len(self._outbox)} bytes wait for it"
            if self._outbox or self._trouble:
                self._wake()

    def receive(self, until: float | None) -> Heard:
        """The next line. PlayerSilent when the time (of `time.monotonic`) is `until` and none has come,
        PlayerGone when none will come any more."""
        with self._changed:
            while not self._lines:
                if self._gone:
                    raise self.gone()
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    raise PlayerSilent("no answer in time")
                self._listen(left)
            heard = self._lines.popleft()
            self._unread -= len(heard.line)
            return heard

    def wait_while(self, unfinished: Callable[[Iterable[Heard]], bool], until: float) -> None:
        """Wait until the lines that came and wait to be received are enough, it is gone or the time is `until`."""
        with self._changed:
            while not self._gone and unfinished(self._lines) and (left := until - time.monotonic()) > 0:
                if self._has_room():
                    self._listen(left)
                else:
                    self._changed.wait(min(left, threading.TIMEOUT_MAX))

    def _has_room(self) -> bool:
        """Whether more lines may wait. The caller holds the lock."""
        return self._unread <= UNREAD and len(self._lines) <= UNREAD_LINES

    def _listen(self, left: float | None) -> None:
        """Wait at most so many seconds for the program to say something, and take that. The caller holds the
        lock and is without it while it waits."""
        self._listening = True
        self._changed.release()
        try:
            self._ears.wait(left)
        finally:
            self._changed.acquire()
            self._listening = False
            if self._gone:
                self._changed.notify_all()  # the pipes may be closed now
        if not self._gone:
            self._take()

    def gone_within(self, seconds: float) -> str:
        """Why the program has gone, if it goes within `seconds`; else empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._gone, seconds)
            return self._gone

    # --- its end

    def stop(self, *, at_once: bool = False) -> None:
        """End the program and all that it has started, and return at once: its input ends, then comes SIGTERM, then
        SIGKILL. With `at_once` it is not waited for that it leaves by itself."""
        with self._changed:
            if self._stopping:
                return
            self._stopping = True
            self._declare("was stopped")
            self._wake()
        try:
            self._launch(lambda: self._end(at_once), "stop")
        except RuntimeError:  # no thread is left that could be gentle
            self.kill()

    def join(self, seconds: float) -> bool:
        """Wait until nothing of it is left, at most so long; whether that is so."""
        until = time.monotonic() + seconds
        while alive := [thread for thread in self._threads if thread.is_alive()]:  # others may begin meanwhile
            if (left := until - time.monotonic()) <= 0:
                return False
            alive[0].join(left)
        return True

    def kill(self) -> None:
        """SIGKILL for the program and all that it has started."""
        self._signal(signal.SIGKILL)

    def _end(self, at_once: bool) -> None:
        if at_once or not self._ended.wait(GOODBYE):
            self._signal(signal.SIGTERM)
            if not self._ended.wait(GRACE):
                self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        with self._changed, contextlib.suppress(OSError):
            if not self._buried:  # after that the number may be somebody else's
                os.killpg(self.pid, number)

    def _bury(self) -> None:
        """Wait for the end of the process, then end what it has left behind, and only then free its number."""
        if hasattr(os, "waitid"):  # not everywhere; without it the number is free a moment too early
            with contextlib.suppress(ChildProcessError):  # whoever started us ignores SIGCHLD: it is free at once
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            self._process.wait()
        self._signal(signal.SIGKILL)
        with self._changed:
            self._buried = True
            self._process.wait()
        guardian.forget(self.pid)
        self._started.forget()
        self._ended.set()
        running.discard(self)
        with self._changed:
            self._wake()

    # --- the pipes, in a thread of their own

    def _carry(self) -> None:
        while not self._ended.is_set():
            self._face_trouble()
            self._choose()
            for key, _ in self._pipes.select():
                if key.fd == self._stdin:
                    with self._changed:
                        self._flush()
                elif key.fd == self._stdout:
                    with self._changed:
                        self._take()
                elif key.fd == self._stderr:
                    self._keep()
                elif self._bell is not None:
                    self._bell.hush()
        for _ in range(_LAST_CHUNKS):  # bounded: a child that got away may still be writing
            self._keep()
            with self._changed:
                if not self._take():  # it may have answered before it ended
                    break
        with self._changed:
            how, limit = self._started.ending()
            self._declare(f"{how}{self._words.last()}", limit)
        self._close_pipes()

    def _face_trouble(self) -> None:
        """A pipe has ended or is full: give the program up, unless it is just ending."""
        if self._trouble and not self._stopping and not self._ended.wait(SETTLING):
            with self._changed:
                self._declare(f"{self._trouble}{self._words.last()}")
            self.stop(at_once=True)

    def _choose(self) -> None:
        """What to look at: the input while something waits for it, the output when nobody listens any more."""
        with self._changed:
            self._watch(self._stdin, selectors.EVENT_WRITE, bool(self._outbox))
            talks = self._stopping and self._has_room() and not self._output_ended
            self._watch(self._stdout, selectors.EVENT_READ, talks)
            if self._stopping and not self._outbox:
                self._end_input()

    def _watch(self, pipe: int, event: int, wanted: bool) -> None:
        known = pipe in self._pipes.get_map()
        if wanted and not known:
            self._pipes.register(pipe, event)
        elif known and not wanted:
            self._pipes.unregister(pipe)

    def _flush(self) -> None:
        """Write what the pipe takes of the backlog. The caller holds the lock."""
        try:
            while self._outbox:
                del self._outbox[: os.write(self._stdin, self._outbox[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._outbox.clear()
            self._trouble = self._trouble or "has closed its input"

    def _take(self) -> bool:
        """Take lines from the program; False if there was nothing to read. The caller holds the lock."""
        data = None if self._output_ended else read_pipe(self._stdout)
        if data:
            for line in self._splitter.feed(data):
                self._lines.append(Heard(line, self._due))
                self._unread += len(line)
            return True
        if data is not None:
            self._output_ended = True
            self._ears.output_ended()
            self._trouble = self._trouble or "has closed its output"
            self._wake()
        return False

    def _keep(self) -> bool:
        """Keep what the program says for people; False if there was nothing to read."""
        data = read_pipe(self._stderr)
        if data == b"":
            self._watch(self._stderr, selectors.EVENT_READ, False)
        if data:
            self._words.take(data)
        return bool(data)

    # --- the words for it

    def _break(self, limit: str, what: str) -> None:
        """It has broken a limit of its sandbox: end it. Called by whoever watches."""
        with self._changed:
            if self._stopping:
                return
            self._declare(what, limit)
        self.stop(at_once=True)
        self.kill()

    def gone(self) -> PlayerGone:
        """What to raise now that it is gone."""
        return PlayerGone(self._gone, limit=self._limit)

    def _declare(self, what: str, limit: str = "") -> None:
        """From now on the program is gone. The first reason stands. The caller holds the lock."""
        if not self._gone:
            self._gone, self._limit = f"the program {what}", limit
            self._ears.call()
        self._changed.notify_all()

    # --- opening and closing

    def _launch(self, target: Callable[[], None], what: str) -> None:
        thread = threading.Thread(target=target, name=f"jantaku {self.name} {what}", daemon=True)
        thread.start()
        self._threads.append(thread)  # only now: nobody can join one that has not begun

    def _open_pipes(self) -> None:
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self._bell = Bell()
        self._pipes = selectors.DefaultSelector()
        for fd in (self._stderr, self._bell.fd):
            self._pipes.register(fd, selectors.EVENT_READ)
        self._ears = Ears(self._stdout)

    def _wake(self) -> None:
        """Make the thread at the pipes look again. The caller holds the lock."""
        if self._bell is not None:
            self._bell.ring()

    def _end_input(self) -> None:
        """The program reads the end of its input. The caller holds the lock."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._watch(self._stdin, selectors.EVENT_WRITE, False)
            self._trouble = self._trouble or "has no input any more"
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _close_pipes(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._listening)
            self._trouble = self._trouble or "has ended"
            self._outbox.clear()
            self._pipes.close()
            self._ears.close()
            self._close_ends()

    def _close_ends(self) -> None:
        """Close our ends of all pipes. The caller holds the lock, or there is nobody else yet."""
        bell, self._bell = self._bell, None
        for end in (bell, self._process.stdin, self._process.stdout, self._process.stderr, self._words):
            if end is not None:
                end.close()

    def _undo(self) -> None:
        """Starting has failed half way: end the process, and leave nothing of it behind."""
        self.kill()
        if not self._threads:
            self._bury()
        if self._bell is None:
            self._close_ends()
        else:
            self._carry()
