"""One running program that is a player: lines in, lines out, and the certainty that it ends.

The table's threads never wait for the program but for an answer: what is sent goes into the pipe at once or on a
backlog, which a thread of the program's own empties. The thread that waits for a line reads the pipe itself: handing
each line from thread to thread would cost more than all else. Between two messages what the program says waits in its
pipe. Another thread waits for the end of the process and ends whatever that has left behind.
"""

import atexit
import contextlib
import os
import selectors
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from jantaku.players.adapters.pipes import guardian
from jantaku.players.adapters.pipes.lines import CHUNK, Splitter, read_pipe
from jantaku.players.adapters.pipes.starting import Started, spawn
from jantaku.players.adapters.pipes.stderr import StderrLog
from jantaku.players.adapters.pipes.waiting import PipeWait, Wakeup
from jantaku.players.sandbox.start import Sandbox
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerGone, PlayerNotReady, PlayerSilent
from jantaku.table.languages.wire.dialect import Heard

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

GOODBYE = 0.5
"""Seconds for a graceful exit after a program's input was closed."""
GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""
BACKLOG = 8 << 20
"""Backlog limit in bytes for a program that does not read; beyond that it is terminated."""
UNREAD = 4 << 20
"""Bytes of received lines that may wait for the table; beyond that the program is blocked (backpressure)."""
UNREAD_LINES = 1 << 14
"""The same in lines: short ones take far more memory than their bytes."""
SETTLING = 0.1
"""Seconds in which a broken pipe may turn out to be the end of the process, which is the better reason."""
_LAST_CHUNKS = 64  # more than any pipe holds

running: "set[Program]" = set()
"""The programs that this process has started and that have not ended."""
os.register_at_fork(after_in_child=running.clear)  # a forked child has no programs: they belong to its parent


def programs_left() -> int:
    """The number of programs started here that have not ended."""
    return len(running)


@atexit.register
def end_all() -> None:
    """Kill every program that this process has started, and wait for its end. Programs that are shutting down get a
    moment for it, others none: at interpreter exit no new threads can be started."""
    for program in list(running):
        if not program.stopping:
            program.kill()
    for program in list(running):
        program.join(GOODBYE + 2 * GRACE)
    guardian.dismiss()


class Program:
    """A started program. PlayerNotReady if it cannot be started. `command` is not read by a shell; the program gets a
    process group of its own. What it writes to stderr is appended to `log`, see `StderrLog`. `due`: how many replies it
    owes before anything is sent. `sandbox`: what it is confined to."""

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
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._lines: deque[Heard] = deque()
        self._unread = 0
        self._splitter = Splitter()
        self._outbox = bytearray()
        self._due = due
        self._trouble = ""
        """A pipe has ended: the description to use if the process lives on."""
        self._output_ended = False
        self._listening = False
        """Whether a thread waits for a line and has released the lock for that."""
        self._gone = ""
        """Why no more lines will come."""
        self._limit = ""
        """The limit of its sandbox that it has broken, if that is the reason."""
        self._stopping = self._buried = False
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self._started: Started = spawn(command, cwd, env, sandbox)
        self._process = self._started.process
        self.computed: Callable[[], float] = self._started.tree.cpu
        """CPU seconds that it has used so far, with all that it has started."""
        assert self._process.stderr
        self.log: StderrLog = StderrLog(self._process.stderr, log)
        """What it writes to stderr."""
        self._wakeup: Wakeup | None = None
        self._set_out(command[0])

    def _set_out(self, what: str) -> None:
        try:
            self._open_pipes()
            guardian.watch(self.pid)
            self._started.watch(self._break)
            running.add(self)
            self._launch(self._bury, "end")
            self._launch(self._carry, "pipes")
        except (OSError, RuntimeError) as error:  # out of file descriptors or threads
            self._undo()
            raise PlayerNotReady(f"{what} cannot be started: {error}") from error

    @property
    def pid(self) -> int:
        """Its process, which is also its process group."""
        return self._process.pid

    @property
    def stopping(self) -> bool:
        """Whether it was told to shut down."""
        return self._stopping

    # --- for the seat's thread

    def send(self, data: bytes, due: int) -> None:
        """Send whole lines without blocking. `due`: the number of replies that are due from now on. Nothing is sent to
        a program that has ended; `receive` reports that."""
        with self._lock:
            if due != self._due:
                if not self._gone and self._wait.readable() and self._has_room():
                    self._take()  # lines that are already there precede this message
                self._due = due
            if not data or self._gone or self._trouble:
                return
            self._outbox += data
            self._flush()
            if self._outbox or self._trouble:
                if len(self._outbox) > BACKLOG:
                    self._trouble = f"does not read its input: {len(self._outbox)} bytes are waiting"
                self._wake()

    def receive(self, until: Deadline) -> Heard:
        """The next line. PlayerSilent if none has come by `until`, PlayerGone when none will come any more."""
        with self._lock:
            while not self._lines:
                if self._gone:
                    raise self.gone()
                if (left := until.left) == 0:
                    raise PlayerSilent("no answer in time")
                self._listen(left)
            heard = self._lines.popleft()
            self._unread -= len(heard.line)
            return heard

    def wait_while(self, unfinished: Callable[[Iterable[Heard]], bool], until: Deadline) -> bool:
        """Wait until the lines that wait to be received are enough, it is gone, or until `until`; whether they are."""
        with self._changed:
            while not self._gone and unfinished(self._lines) and not until.over:
                if self._has_room():
                    self._listen(until.left)
                else:
                    self._changed.wait(until.left)
            return not (self._gone or unfinished(self._lines))

    def _has_room(self) -> bool:
        """Whether more lines may wait. The caller holds the lock."""
        return self._unread <= UNREAD and len(self._lines) <= UNREAD_LINES

    def _listen(self, left: float | None) -> None:
        """Wait for output, at most `left` seconds, and read it. The caller holds the lock; the wait releases it."""
        self._listening = True
        self._changed.release()
        try:
            self._wait.wait(left)
        finally:
            self._changed.acquire()
            self._listening = False
            if self._gone:
                self._changed.notify_all()  # the pipes may be closed now
        if not self._gone:
            self._take()

    def gone_within(self, seconds: float) -> str:
        """Why the program has ended, if it ends within `seconds`; else empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._gone, seconds)
            return self._gone

    # --- its end

    def stop(self, *, at_once: bool = False) -> None:
        """Terminate the program and its descendants, without waiting: first its input ends, then SIGTERM is sent, then
        SIGKILL. With `at_once` there is no graceful period."""
        with self._changed:
            if self._stopping:
                return
            self._stopping = True
            self._declare("was stopped")
            self._wake()
        try:
            self._launch(lambda: self._end(at_once), "stop")
        except RuntimeError:  # no thread is left for a graceful shutdown
            self.kill()

    def join(self, seconds: float) -> bool:
        """Wait until nothing of it is left, at most so long; whether that is so."""
        until = Deadline(seconds)
        while alive := [thread for thread in self._threads if thread.is_alive()]:  # others may begin meanwhile
            if until.over:
                return False
            alive[0].join(until.left)
        return True

    def kill(self) -> None:
        """SIGKILL for the program and its descendants."""
        self._signal(signal.SIGKILL)

    def _end(self, at_once: bool) -> None:
        if at_once or not self._ended.wait(GOODBYE):
            self._signal(signal.SIGTERM)
            if not self._ended.wait(GRACE):
                self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        with self._changed, contextlib.suppress(OSError):
            if not self._buried:  # after that the pid may be reused
                os.killpg(self.pid, number)

    def _bury(self) -> None:
        """Wait for the end of the process, kill its descendants, and only then release its pid."""
        # not supported everywhere; without it the pid is released a moment too early
        if hasattr(os, "waitid"):
            # the parent process ignores SIGCHLD: the pid is released at once
            with contextlib.suppress(ChildProcessError):
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
                elif self._wakeup is not None:
                    self._wakeup.drain()
        for _ in range(_LAST_CHUNKS):  # bounded: a descendant that escaped may still be writing
            self._keep()
            with self._changed:
                if not self._take():  # it may have answered before it ended
                    break
        with self._changed:
            how, limit = self._started.ending()
            self._declare(f"{how}{self.log.last()}", limit)
        self._close_pipes()

    def _face_trouble(self) -> None:
        """A pipe has ended or is full: terminate the program, unless it is just ending."""
        if self._trouble and not self._stopping and not self._ended.wait(SETTLING):
            with self._changed:
                self._declare(f"{self._trouble}{self.log.last()}")
            self.stop(at_once=True)

    def _choose(self) -> None:
        """The pipes to poll: the input while there is a backlog, the output when no thread waits for a line."""
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
        """Write as much of the backlog as the pipe takes. The caller holds the lock."""
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
            self._wait.output_ended()
            self._trouble = self._trouble or "has closed its output"
            self._wake()
        return False

    def _keep(self) -> bool:
        """Keep the program's stderr; False if there was nothing to read."""
        data = self.log.read()
        if data == b"":
            self._watch(self._stderr, selectors.EVENT_READ, False)
        return bool(data)

    # --- the words for it

    def _break(self, limit: str, what: str) -> None:
        """Called by the watch of the sandbox when a limit is broken: terminate the program."""
        with self._changed:
            if self._stopping:
                return
            self._declare(what, limit)
        self.stop(at_once=True)
        self.kill()

    def gone(self) -> PlayerGone:
        return PlayerGone(self._gone, limit=self._limit)

    def _declare(self, what: str, limit: str = "") -> None:
        """Mark the program as ended. The first reason is kept. The caller holds the lock."""
        if not self._gone:
            self._gone, self._limit = f"the program {what}", limit
            self._wait.interrupt()
        self._changed.notify_all()

    # --- opening and closing

    def _launch(self, target: Callable[[], None], what: str) -> None:
        thread = threading.Thread(target=target, name=f"jantaku {self.name} {what}", daemon=True)
        thread.start()
        self._threads.append(thread)  # last: a thread that was not started cannot be joined

    def _open_pipes(self) -> None:
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self._wakeup = Wakeup()
        self._pipes = selectors.DefaultSelector()
        for fd in (self._stderr, self._wakeup.fd):
            self._pipes.register(fd, selectors.EVENT_READ)
        self._wait = PipeWait(self._stdout)

    def _wake(self) -> None:
        """Wake up the pipe thread. The caller holds the lock."""
        if self._wakeup is not None:
            self._wakeup.wake()

    def _end_input(self) -> None:
        """Close the program's input. The caller holds the lock."""
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
            self._wait.close()
            self._close_ends()

    def _close_ends(self) -> None:
        """Close our ends of all pipes. The caller holds the lock, or nothing is shared yet."""
        wakeup, self._wakeup = self._wakeup, None
        for end in (wakeup, self._process.stdin, self._process.stdout, self.log):
            if end is not None:
                end.close()

    def _undo(self) -> None:
        """Starting has failed half-way: kill the process and release everything."""
        self.kill()
        if not self._threads:
            self._bury()
        if self._wakeup is None:
            self._close_ends()
        else:
            self._carry()
