"""Runs the command in a child process and supervises it: no bot can keep it from ending, or end it unnoticed.

A bot in the table's process may hold the interpreter's lock (GIL) for ever: then no signal handler runs there, and no
thread of ours. It may also exit the process silently, with exit code 0. The parent is small and runs no third-party
code: it forwards signals, kills a child that does not end by itself, and reports what happened.
"""

import contextlib
import ctypes
import gc
import mmap
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Final, NoReturn

from setproctitle import setproctitle

from jantaku.table.ground.clock import Deadline, now
from jantaku.table.judge.heartbeat import Heartbeat, Supervision

LEAVING: Final = 4.5
"""Seconds that the child has to end after Ctrl-C or SIGTERM before it is killed."""
CUT_OFF: Final = 2
"""The exit code if a bot has ended the child, or if the child had to be killed because of a bot."""
_LOOK = 0.5  # seconds between two looks at the child
_TOLD = 0.2  # seconds within which a signal to the whole process group reaches the child
_FINISHED = b"\xff"  # not the number of a signal
_ENDS = (signal.SIGINT, signal.SIGTERM)
_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "stopped by SIGTERM"}
# si_code of a signal sent by kill(2), which may be for this process alone; the terminal signals the whole group
_BY_A_PROCESS = 0
_PR_SET_PDEATHSIG = 1

memory: mmap.mmap | None = None
"""The shared heartbeat of the child's table; None in a process that is not supervised."""


def supervised(run: Callable[[], NoReturn]) -> NoReturn:
    """Run in a supervised child, and exit with its exit code. Runs in this process if the system lacks what supervision
    needs."""
    global memory
    if sys.platform == "win32" or not hasattr(signal, "sigtimedwait") or not hasattr(os, "fork"):
        run()
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    setproctitle("jantaku")  # other programs of this user can read this process's command line and initial environment
    heard, told = os.pipe()
    for end in (heard, told):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if SIGCHLD is ignored, as some shells leave it, wait() fails
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # scripts start background commands (&) with SIGINT ignored
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_BLOCK, {*_ENDS, signal.SIGCHLD})
    gc.freeze()  # else the child's first collection copies every page that it shares with this process
    parent, child = os.getpid(), os.fork()
    if child:
        os.close(told)
        # nothing here needs an orderly end, which takes as long as a quarter of a bare start
        os._exit(_Supervisor(child, heard, Supervision(Heartbeat(memory), child)).watch())
    os.close(heard)
    die_with(parent)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)  # the C-level handler writes to it without the lock
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*_ENDS, signal.SIGCHLD})
        run()
    except KeyboardInterrupt:  # before the handlers were installed
        sys.exit(128 + signal.SIGINT)
    finally:
        with contextlib.suppress(OSError):
            os.write(told, _FINISHED)


def die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent, whose pid is given, dies. Has no effect if the system does not
    support that."""
    with contextlib.suppress(OSError, AttributeError):
        if sys.platform != "win32":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)


class _Supervisor:
    def __init__(self, child: int, heard: int, supervision: Supervision) -> None:
        self._child, self._heard, self._supervision = child, heard, supervision
        self._told: set[int] = set()
        """Signals that the child has received."""
        self._finished = False
        self._ending: tuple[Deadline, int] | None = None
        """The deadline at which the child is killed, and the signal that caused it; None while nothing is ending."""

    def watch(self) -> int:
        """The exit code, once the child is no more."""
        # for the type checker: `supervised` has tested that sigtimedwait exists
        if sys.platform == "darwin" or sys.platform == "win32":
            raise NotImplementedError
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
                if self._ending[0].over:
                    return self._cut_off(self._ending[1])
            elif self._supervision.look(now()):  # a stopped child is left alone until it is continued
                return self._give_up()

    def _give_up(self) -> int:
        """Kill a child whose interpreter's lock a bot keeps, and return the exit code."""
        seat = self._supervision.culprit()
        self._kill()
        who = "a bot" if seat is None else f"the bot on seat {seat}"
        _say(
            f"{who} has kept the interpreter's lock for {self._supervision.silent:.0f} s, "
            "so that nobody else could play: "
            "the game was cut off. isolate=process gives a bot a process of its own"
        )
        return CUT_OFF

    def _patience(self) -> float:
        left = None if self._ending is None else self._ending[0].left
        return _LOOK if left is None else min(_LOOK, left)

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for number in os.read(self._heard, mmap.PAGESIZE):
                self._finished |= number == _FINISHED[0]
                self._told.add(number)
                if number in _ENDS:
                    self._begin_to_end(number)

    def _begin_to_end(self, number: int) -> None:
        if self._ending is None:
            self._ending = Deadline(LEAVING), number

    def _pass_on(self, number: int, by_a_process: bool) -> None:
        """Forward a signal to the child if only this process got it."""
        self._begin_to_end(number)
        until = Deadline(_TOLD)
        while number not in self._told and by_a_process and not until.over:
            select.select([self._heard], [], [], until.left)
            self._listen()
        if number not in self._told and by_a_process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, number)
        self._told.discard(number)  # the same signal may be sent to this process alone next time

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
        if sys.platform == "win32":
            raise NotImplementedError
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"jantaku: {text}\n".encode())
