"""The command runs in a child, and this process watches it: no bot can keep that from ending, or end it unseen.

A bot in the table's process may keep the interpreter's lock for ever: then no signal is heard there, and no thread of
ours runs. It may also end the process, without a word and with exit code 0. The parent is small and runs no code of
anybody's: it passes signals on, ends the child where that does not end by itself, and says what happened.
"""

import contextlib
import ctypes
import mmap
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Final, NoReturn

from setproctitle import setproctitle

from table.clock import now
from table.judge.vitals import Vitals, Watcher

LEAVING: Final = 4.5
"""Seconds that the child has to end after Ctrl-C or SIGTERM; then it is killed."""
CUT_OFF: Final = 2
"""The exit code where a bot has ended the child, or had it ended."""
_LOOK = 0.5  # seconds
_TOLD = 0.2  # seconds in which a signal that was sent to the whole group reaches the child
_FINISHED = b"\xff"  # no signal's number
_ENDS = (signal.SIGINT, signal.SIGTERM)
_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "told to end"}
_BY_A_PROCESS = 0  # si_code of a signal that was sent by kill(2): the terminal sends to the whole group
_PR_SET_PDEATHSIG = 1

memory: mmap.mmap | None = None
"""Where the child's table shows that it lives; None in a process that nobody watches."""


def supervised(run: Callable[[], NoReturn]) -> NoReturn:
    """Run in a child under this process's eyes, and end with its exit code. Where the system has not what it takes, run
    here."""
    global memory
    if not hasattr(signal, "sigtimedwait") or not hasattr(os, "fork"):
        run()
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    setproctitle("jantaku")  # programs that play may read this process's command line and first environment too
    heard, told = os.pipe()
    for end in (heard, told):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, as some shells leave it, no child can be waited for
    signal.pthread_sigmask(signal.SIG_BLOCK, {*_ENDS, signal.SIGCHLD})
    parent, child = os.getpid(), os.fork()
    if child:
        os.close(told)
        sys.exit(_Supervisor(child, heard, Watcher(Vitals(memory), child)).watch())
    os.close(heard)
    die_with(parent)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)  # written to in the C handler: the lock is not needed
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*_ENDS, signal.SIGCHLD})
        run()
    except KeyboardInterrupt:  # before anybody could heed it
        sys.exit(128 + signal.SIGINT)
    finally:
        with contextlib.suppress(OSError):
            os.write(told, _FINISHED)


def die_with(parent: int) -> None:
    """Have the kernel kill this process with its parent, whose number is given. Does nothing where it cannot."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)


class _Supervisor:
    def __init__(self, child: int, heard: int, watcher: Watcher) -> None:
        self._child, self._heard, self._watcher = child, heard, watcher
        self._told: set[int] = set()
        """Signals that the child knows of."""
        self._finished = False
        self._ending: tuple[float, int] | None = None
        """When the child is killed, and the signal for which."""

    def watch(self) -> int:
        """The exit code, once the child is no more."""
        while True:
            info = signal.sigtimedwait({*_ENDS, signal.SIGCHLD}, self._patience())
            self._listen()
            if info is not None and info.si_signo in _ENDS:
                self._pass_on(info.si_signo, by_a_process=info.si_code <= _BY_A_PROCESS)
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if ended:
                self._listen()
                return self._code(status)
            if self._ending is not None:
                if now() > self._ending[0]:
                    return self._cut_off(self._ending[1])
            elif self._watcher.look(now()):  # one that was stopped goes on when whoever did that lets it
                return self._give_up()

    def _give_up(self) -> int:
        """End a child that does not come back on its own."""
        seat = self._watcher.culprit()
        self._kill()
        who = "a bot" if seat is None else f"the bot on seat {seat}"
        _say(
            f"{who} has kept the interpreter's lock for {self._watcher.silent:.0f} s, so that nobody else could play: "
            "the game was cut off. isolate=process gives a bot a process of its own"
        )
        return CUT_OFF

    def _patience(self) -> float:
        return _LOOK if self._ending is None else max(0.0, min(_LOOK, self._ending[0] - now()))

    def _listen(self) -> None:
        """Take in what the child has told."""
        with contextlib.suppress(BlockingIOError):
            for number in os.read(self._heard, mmap.PAGESIZE):
                self._finished |= number == _FINISHED[0]
                self._told.add(number)
                if number in _ENDS:
                    self._begin_to_end(number)

    def _begin_to_end(self, number: int) -> None:
        if self._ending is None:
            self._ending = now() + LEAVING, number

    def _pass_on(self, number: int, by_a_process: bool) -> None:
        """Send the child what was sent to this process alone."""
        self._begin_to_end(number)
        until = now() + _TOLD
        while number not in self._told and by_a_process and (left := until - now()) > 0:
            select.select([self._heard], [], [], left)
            self._listen()
        if number not in self._told and by_a_process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, number)
        self._told.discard(number)  # the next is another one

    def _code(self, status: int) -> int:
        """The exit code for a child that has ended."""
        code = os.waitstatus_to_exitcode(status)
        if self._finished and code >= 0:
            return code
        if self._ending is not None:
            return 128 + self._ending[1]
        how = f"by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"with exit code {code}, by os._exit"
        _say(
            f"the process that played was ended {how}, not by jantaku: a bot can do that to its table. What was played "
            "until then is kept; isolate=process gives a bot a process of its own"
        )
        return 128 - code if code < 0 else CUT_OFF

    def _cut_off(self, number: int) -> int:
        self._kill()
        what = _WORDS[signal.Signals(number)]
        _say(f"{what}; something kept the game from ending within {LEAVING:g} s, so it was cut off")
        return 128 + number

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"jantaku: {text}\n".encode())
