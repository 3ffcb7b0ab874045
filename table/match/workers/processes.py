"""Worker processes on this machine. The queue is here: an idle worker is handed the next hanchan over its own pipe, so
that nothing is locked or lost when a worker dies."""

import contextlib
import os
import pickle
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from multiprocessing import connection, get_context, parent_process
from typing import Any

import msgspec
from setproctitle import setproctitle

from table import installation, log
from table.clock import now
from table.errors import BadInput, TableFault
from table.judge.pulse import PULSE
from table.judge.vitals import SIZE, Vitals, Watcher
from table.log import logger
from table.match.plan.plan import Job, MatchPlan
from table.match.workers.crew import Queue, died
from table.match.workers.hanchan import HanchanTable, Places, PlayedHanchan, give_up
from table.supervisor import die_with

LOOK = 0.5
"""Seconds between two looks whether the workers live."""
GOODBYE = 2.0
"""Seconds that workers have to leave when they are told to; then they are killed."""

_SPAWN = get_context("spawn")  # a forked process would inherit our threads' locks and open files


class WorkerRefusal(msgspec.Struct, frozen=True):
    """What a worker sends instead of a hanchan. `ours` tells our defect from bad input."""

    message: str
    ours: bool


class Processes:
    """A crew of `count` worker processes."""

    def __init__(self, plan: MatchPlan, places: Places, count: int) -> None:
        self._plan, self._places, self._count = plan, places, count

    def run(self, jobs: Iterable[Job]) -> Generator[PlayedHanchan, None, None]:
        """See `Crew.run`."""
        queue = Queue(jobs)
        workers: list[_Worker] = []
        try:
            while True:
                while len(workers) < self._count and (job := queue.next()):
                    workers.append(_Worker(self._plan, self._places, job))
                if not workers:
                    return
                yield from self._end_silent(workers, queue)
                for worker in _with_news(workers):
                    told = worker.read()
                    if told is None:
                        workers.remove(worker)
                        yield from self._bury(worker, queue)
                        continue
                    if (job := queue.next()) is not None:
                        worker.give(job)  # first of all: it plays on while its last hanchan is written
                    else:
                        workers.remove(worker)
                        _dismiss([worker])
                    yield told
        finally:
            _dismiss(workers)

    def _end_silent(self, workers: "list[_Worker]", queue: Queue) -> Iterator[PlayedHanchan]:
        """Kill the workers that show no life any more. The hanchan of one that was only stopped is played again; a bot
        that keeps the interpreter's lock would do so once more."""
        for worker in list(workers):
            how = worker.silence()
            if how is None:
                continue
            workers.remove(worker)
            worker.process.kill()
            logger(game=worker.job.game).warning("worker killed", how=how)
            if worker.is_stopped:
                yield from self._bury(worker, queue)
                continue
            worker.ending()
            yield give_up(self._plan, worker.job, self._places.scratch, how)

    def _bury(self, worker: "_Worker", queue: Queue) -> Iterator[PlayedHanchan]:
        """A worker has died: its hanchan goes back to the queue, unless that has happened too often."""
        how = worker.ending()
        logger(game=worker.job.game).warning("worker died", how=how)
        if not queue.back(worker.job):
            yield give_up(self._plan, worker.job, self._places.scratch, died(how))


class _Worker:
    """One worker process and the hanchan that it plays."""

    def __init__(self, plan: MatchPlan, places: Places, job: Job) -> None:
        self.job = job
        self._plan = plan
        self.pipe, theirs = _SPAWN.Pipe()
        page = _SPAWN.RawArray("b", SIZE)
        self.process = _SPAWN.Process(
            target=_work, args=(theirs, plan, places, log.chosen(), page), name="jantaku worker", daemon=True
        )
        with _no_interrupts(), installation.starting():
            self.process.start()
        theirs.close()
        self._watcher = Watcher(Vitals(memoryview(page)), self.process.pid or 0)
        self.give(job)

    def give(self, job: Job) -> None:
        """Hand over the next hanchan."""
        self.job = job
        with contextlib.suppress(OSError):  # it died just now; whoever reads next finds out
            self.pipe.send(job)

    def read(self) -> PlayedHanchan | None:
        """What it has to tell; None if it has died. Raises what it was told to raise."""
        try:
            told = self.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return None
        if isinstance(told, WorkerRefusal):
            raise TableFault(told.message) if told.ours else BadInput(told.message)
        assert isinstance(told, PlayedHanchan)
        return told

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped by a signal, for too long."""
        return self._watcher.stopped > 0

    def silence(self) -> str | None:
        """Why it has shown no life for too long, in words; None if it has."""
        silent = self._watcher.look(now())
        if self.is_stopped:
            return f"it was stopped by a signal for {self._watcher.stopped:.0f} s"
        if not silent:
            return None
        place = self._watcher.culprit()
        who = "a bot" if place is None else f"{self._plan.names[self.job.seating[place]]} on seat {place}"
        return f"{who} kept the interpreter's lock for {self._watcher.silent:.0f} s"

    def ending(self) -> str:
        """How it died, in words. A process that only closed its pipe is killed."""
        self.process.join(GOODBYE)
        code = self.process.exitcode
        _dismiss([self])
        if code is None:
            return "it closed its pipe and went on"
        if code < 0:
            return f"killed by signal {-code} ({signal.strsignal(-code)})"
        return f"exit code {code}"


def _with_news(workers: list[_Worker]) -> list[_Worker]:
    """The workers that have something to tell or have died; waits for the first, and not for ever. A dead one's pipe is
    at its end."""
    ready = set(connection.wait([worker.pipe for worker in workers], LOOK))
    return [worker for worker in workers if worker.pipe in ready]


def _dismiss(workers: list[_Worker]) -> None:
    """End processes for certain, with what they play."""
    for worker in workers:
        worker.pipe.close()
        worker.process.terminate()
    until = now() + GOODBYE
    for worker in workers:
        worker.process.join(max(0.0, until - now()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """A process that is started in here ignores Ctrl-C from its first moment: its parent decides."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(
    pipe: "connection.Connection[object, object]", plan: MatchPlan, places: Places, logged: log.Chosen, page: Any
) -> None:
    """A worker's life: hanchan after hanchan until it is told to go or its parent is no more."""
    setproctitle("jantaku worker")  # programs that play here may read the environment that it was started with
    # What tables warn of is in their records; from many at once it would bury the progress bar.
    log.configure("error" if logged.level == "warning" else logged.level, json=logged.json)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.pop(installation.SAFE_PATH, None)
    parent = parent_process()
    if parent is not None and parent.pid is not None:
        die_with(parent.pid)
    PULSE.vitals = Vitals(memoryview(page))
    threading.Thread(target=_follow_parent, name="parent watch", daemon=True).start()
    try:
        table = HanchanTable(plan, places)
        while isinstance(job := pipe.recv(), Job):
            pipe.send(table.play(job))
    except (EOFError, ConnectionError):  # the parent is no more
        pass
    except BadInput as error:
        pipe.send(WorkerRefusal(str(error), ours=False))
    except Exception as error:  # it must not look like a bot that killed its process
        pipe.send(WorkerRefusal(f"{type(error).__name__}: {error}", ours=True))
    # A bot's own threads may still be busy; they must not keep the process.
    pipe.close()
    os._exit(0)


def _follow_parent() -> None:
    """Leave with the parent, however it ended, where the kernel does not see to it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
