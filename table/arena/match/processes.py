"""Worker processes on this machine.

The parent process holds the queue: an idle worker gets its next hanchan over a pipe of its own, so that a dying worker
leaves no lock held and no job lost. Starting a worker takes longer than many hanchan, so a match between bots that come
along begins in the parent, and a short one ends there. If several plans are played one after another, idle workers can
wait for the next plan: see `resting`.
"""

import contextlib
import os
import pickle
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from multiprocessing import connection, get_context, parent_process
from typing import Any

import msgspec
from setproctitle import setproctitle

from jantaku.table.arena.match.executors import Executor, Here, Opened, Queue, died
from jantaku.table.arena.match.hanchan import HanchanTable, JobTable, Places, PlayedHanchan, give_up
from jantaku.table.arena.match.pool import Job, PoolPlan
from jantaku.table.ground import installation, log
from jantaku.table.ground.clock import Deadline, cpu_in_all, now
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.log import logger
from jantaku.table.judge.heartbeat import SIZE, Heartbeat, Supervision
from jantaku.table.judge.stalls import STALLS
from jantaku.table.play.cores import Pinning, core_for, usable
from jantaku.table.play.seating.roster import terms_in
from jantaku.table.play.seating.spec import is_prompt
from jantaku.table.play.supervisor import die_with

LOOK = 0.5
"""Seconds between two checks whether the workers are alive."""
ALONE = 0.5
"""Seconds that the parent plays before it starts workers: about what starting them takes."""
GOODBYE = 2.0
"""Seconds in which workers have to shut down gracefully before they are killed."""

_SPAWN = get_context("spawn")  # a forked process would inherit our threads' locks and open files


class Opening(msgspec.Struct, frozen=True):
    """What a worker plays from now on, and the core that it may keep to."""

    plan: PoolPlan
    places: Places
    opened: Opened
    core: int | None = None


def local(
    plan: PoolPlan, places: Places, workers: int | None, opened: Opened = HanchanTable, *, pin: bool = True
) -> Executor:
    """Make an executor of `workers` processes on this machine. None: one per core. 0: this process plays itself.
    BadInput if its players cannot be played by these workers."""
    players = terms_in(plan.players)
    here = any(terms.scheme == "ws" for terms in players)  # clients connect to this process
    if here and workers:
        raise BadInput("--workers: ws: players connect to this process; leave --workers away")
    if here or workers == 0:
        return Here(plan, places, opened)
    alone = ALONE if workers is None and all(map(is_prompt, players)) else 0.0
    return Processes(plan, places, workers or usable(), opened, pin=pin, alone=alone)


class Processes:
    """An executor of `count` worker processes, each with a table of its own. `pin`: each may keep to one core. `alone`:
    for how many seconds this process plays before it starts any."""

    def __init__(
        self,
        plan: PoolPlan,
        places: Places,
        count: int,
        opened: Opened = HanchanTable,
        *,
        pin: bool = True,
        alone: float = 0.0,
    ) -> None:
        self._plan, self._places, self._count, self._alone = plan, places, count, alone
        self._opening = Opening(plan, places, opened)
        self._pin = pin and opened is HanchanTable  # only times of hanchan can be compared

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        queue = Queue(jobs)
        workers: list[_Worker] = []
        if self._alone and not _REST.workers:
            yield from Here(self._plan, self._places, self._opening.opened).play(queue, self._alone)
        try:
            while True:
                for worker in workers:
                    if not worker.busy and (job := queue.next()):
                        worker.give(job)
                while len(workers) < self._count and (job := queue.next()):
                    schemes = (terms.scheme for terms in terms_in(self._plan.players))
                    core = core_for(self._plan.threads, schemes, len(workers)) if self._pin else None
                    workers.append(_REST.take() or _Worker())
                    workers[-1].open(msgspec.structs.replace(self._opening, core=core), job)
                if not any(worker.busy for worker in workers):
                    return
                yield from self._end_silent(workers)
                for worker in _with_news(workers):
                    told = worker.read()
                    if told is None:
                        workers.remove(worker)
                        yield from self._bury(worker, queue)
                        continue
                    if (job := queue.next()) is not None:
                        worker.give(job)  # before the yield: it plays while the parent stores
                    yield told
        finally:
            _dismiss([worker for worker in workers if not _REST.keep(worker)])

    def _end_silent(self, workers: "list[_Worker]") -> Iterator[PlayedHanchan]:
        """Kill the workers that show no life; their hanchan are void, because what blocked them would do so again. A
        worker stopped by a signal is woken once per hanchan, which goes on: no player is charged for that time."""
        for worker in list(workers):
            how = worker.silence()
            if how is None or worker.wake() or not worker.busy:
                continue
            workers.remove(worker)
            worker.process.kill()
            logger(game=worker.job.game).warning("worker killed", how=how)
            worker.ending()
            yield give_up(self._plan, worker.job, self._places.scratch, how)

    def _bury(self, worker: "_Worker", queue: Queue) -> Iterator[PlayedHanchan]:
        """Remove a worker that has died. Its hanchan, if it had one, goes back to the queue unless its attempts are
        used."""
        how = worker.ending()
        logger(game=worker.job.game).warning("worker died", how=how)
        if worker.busy and not queue.back(worker.job):
            yield give_up(self._plan, worker.job, self._places.scratch, died(how))


class _Worker:
    """One worker process and its current job; the last one if it is not `busy`."""

    job: Job
    _plan: PoolPlan

    def __init__(self) -> None:
        self.busy, self.spent = False, 0.0
        """`spent`: CPU seconds used by the worker and its children when it last became idle."""
        self.pipe, theirs = _SPAWN.Pipe()
        page = _SPAWN.RawArray("b", SIZE)
        self.process = _SPAWN.Process(
            target=_work, args=(theirs, log.chosen(), page), name="jantaku worker", daemon=True
        )
        with _no_interrupts(), installation.starting():
            self.process.start()
        theirs.close()
        self._supervision = Supervision(Heartbeat(memoryview(page)), self.process.pid or 0)

    def open(self, opening: Opening, job: Job) -> None:
        """Send what the worker plays from now on, and its first job."""
        self._plan = opening.plan
        self._supervision.forget()
        with contextlib.suppress(OSError):
            self.pipe.send(opening)
        self.give(job)

    def rest(self) -> bool:
        """Have the worker close its players, and wait until it has. Return whether it can play another plan."""
        try:
            self.pipe.send(None)
            told = self.pipe.recv() if self.pipe.poll(GOODBYE) else None
        except (EOFError, OSError):
            return False
        self.spent = told if isinstance(told, float) else 0.0
        return self.spent > 0

    def give(self, job: Job) -> None:
        self.job, self.busy, self._woken = job, True, False
        with contextlib.suppress(OSError):  # it died just now: the next `read` finds out
            self.pipe.send(job)

    def read(self) -> PlayedHanchan | None:
        """Return the worker's next message; None if it has died. Raises the error that it sent."""
        try:
            told = self.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return None
        if isinstance(told, BadInput | TableFault):
            raise told
        assert isinstance(told, PlayedHanchan)
        self.busy = False
        return told

    def wake(self) -> bool:
        """Continue a worker that a signal stopped. False if it was not stopped, or was woken in this hanchan
        already."""
        if not self._supervision.stopped or self._woken:
            return False
        self._woken = True
        self._supervision.forget()
        logger(game=self.job.game).warning("worker woken")
        if sys.platform != "win32":
            os.kill(self.process.pid or 0, signal.SIGCONT)
        return True

    def silence(self) -> str | None:
        """Say why the heartbeat has been missing for too long; None if it has not."""
        silent = self._supervision.look(now())
        if self._supervision.stopped:
            return f"it was stopped by a signal for {self._supervision.stopped:.0f} s"
        if not silent:
            return None
        place = self._supervision.culprit()
        who = "a bot" if place is None else f"{self._plan.names[self.job.seating[place]]} on seat {place}"
        return f"{who} kept the interpreter's lock for {self._supervision.silent:.0f} s"

    def ending(self) -> str:
        """Say how the worker died. A process that only closed its pipe is killed."""
        self.process.join(GOODBYE)
        code = self.process.exitcode
        _dismiss([self])
        if code is None:
            return "it closed its pipe and went on"
        if code < 0:
            return f"killed by signal {-code} ({signal.strsignal(-code)})"
        return f"exit code {code}"


class _Rest:
    """Idle workers that wait for another plan. Empty outside `resting`."""

    def __init__(self) -> None:
        self.is_open = False
        self.workers: list[_Worker] = []

    def keep(self, worker: _Worker) -> bool:
        """Keep a worker that has nothing more to play; False if it has to be dismissed."""
        if not self.is_open or worker.busy or not worker.rest():
            return False
        self.workers.append(worker)
        return True

    def take(self) -> _Worker | None:
        """Return a living worker, None if there is none."""
        while self.workers:
            worker = self.workers.pop()
            if worker.process.is_alive():
                return worker
            _dismiss([worker])
        return None


_REST = _Rest()


@contextlib.contextmanager
def resting() -> Iterator[None]:
    """Inside this context, workers that have nothing more to play wait for the next plan."""
    _REST.is_open = True
    try:
        yield
    finally:
        _REST.is_open = False
        _dismiss(_REST.workers)
        _REST.workers.clear()


def cpu_spent() -> float:
    """Return `cpu_in_all` plus the CPU seconds of workers at rest."""
    return cpu_in_all() + sum(worker.spent for worker in _REST.workers)


def _with_news(workers: list[_Worker]) -> list[_Worker]:
    """Return the workers that have sent a message or have died. Waits for the first one, at most `LOOK` seconds. The
    pipe of a dead worker is at its end, which counts as ready."""
    ready = set(connection.wait([worker.pipe for worker in workers], LOOK))
    return [worker for worker in workers if worker.pipe in ready]


def _dismiss(workers: list[_Worker]) -> None:
    """End worker processes with everything that they run. Idle workers end in order, so that the system knows the CPU
    time of their programs."""
    until = Deadline(GOODBYE)
    for worker in workers:
        worker.pipe.close()
    for worker in workers:
        if not worker.busy:
            worker.process.join(until.left)
        worker.process.terminate()
    until = Deadline(GOODBYE)
    for worker in workers:
        worker.process.join(until.left)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started in this context ignore Ctrl-C from their first moment: the parent decides."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: "connection.Connection[object, object]", logged: log.Chosen, page: Any) -> None:
    """The main loop of a worker: plays job after job until it is told to stop or its parent dies."""
    setproctitle("jantaku worker")  # other programs of this user may read the initial environment
    # Warnings of tables are in their records; from many workers at once they would bury the progress bar.
    log.configure("error" if logged.level == "warning" else logged.level, json=logged.json)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.pop(installation.SAFE_PATH, None)
    parent = parent_process()
    if parent is not None and parent.pid is not None:
        die_with(parent.pid)
    STALLS.heartbeat = Heartbeat(memoryview(page))
    threading.Thread(target=_follow_parent, name="parent watch", daemon=True).start()
    try:
        while isinstance(told := pipe.recv(), Opening):
            with installation.settled(), told.opened(told.plan, told.places) as table:
                _play(pipe, table, None if told.core is None else Pinning(told.core))
            pipe.send(cpu_in_all())
    except (EOFError, ConnectionError):  # the parent has died
        pass
    except BadInput as error:
        pipe.send(error)
    except Exception as error:  # else it would look like a bot that killed the process
        pipe.send(TableFault(f"{type(error).__name__}: {error}"))
    # A bot's own threads may still be busy; they must not keep the process.
    pipe.close()
    os._exit(0)


def _play(pipe: "connection.Connection[object, object]", table: JobTable, pinning: Pinning | None) -> None:
    """Do jobs until another message comes."""
    while isinstance(job := pipe.recv(), Job):
        before = now()
        hanchan = table.play(job)
        pipe.send(hanchan)
        if pinning is not None:
            questions = sum(sum(times.counts.values()) for times in hanchan.times.times)
            pinning.played(questions, now() - before)
    if pinning is not None:
        pinning.free()


def _follow_parent() -> None:
    """Exit when the parent exits, on systems without PR_SET_PDEATHSIG."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
