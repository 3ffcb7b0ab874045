"""A crew on a Ray cluster (extra `ray`): actors that keep the bots warm. Ray places, watches and schedules them."""

import os
import sys
import tempfile
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

from table.errors import BadInput
from table.match.crew import Queue, died
from table.match.formats import SEATS
from table.match.hanchan import HanchanTable, Played, give_up
from table.match.plan import Job, MatchPlan, Needs

try:
    import ray
    from ray.exceptions import RayActorError, RayTaskError
except ImportError as error:
    raise BadInput("--on ray: Ray is not installed; pip install 'jantaku[ray]'") from error


class _Table:
    """One table on some node of the cluster. Its records travel with the result."""

    def __init__(self, plan: MatchPlan) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="jantaku-")
        self._table = HanchanTable(plan, Path(self._folder.name))

    def play(self, job: Job) -> Played:
        """One hanchan."""
        return self._table.play(job)


class OnRay:
    """A crew of `count` actors (None: as many as the cluster has room for) on the cluster at RAY_ADDRESS, or on this
    machine. The bots must be importable on every node. `needs` are by player as named in the plan."""

    def __init__(self, plan: MatchPlan, count: int | None, needs: Mapping[str, Needs]) -> None:
        if unknown := sorted(needs.keys() - set(plan.players)):
            raise BadInput(f"[resources]: {unknown[0]} is not a player of this match")
        self._plan, self._count = plan, count
        # A table holds four seats; it must have room for the four that need most.
        seats = [needs.get(spec, Needs()) for spec in plan.players]
        most = (seats * SEATS)[:SEATS] if len(seats) < SEATS else seats
        self._cpus = sum(sorted((need.cpus for need in most), reverse=True)[:SEATS])
        self._gpus = sum(sorted((need.gpus for need in most), reverse=True)[:SEATS])

    def run(self, jobs: Iterable[Job]) -> Generator[Played, None, None]:
        """See `Crew.run`."""
        started = not ray.is_initialized()
        if started:
            # Nodes look for bots where this process does.
            paths = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
            ray.init(runtime_env={"env_vars": {"PYTHONPATH": paths}}, log_to_driver=False, logging_level="warning")
        try:
            yield from self._run(Queue(jobs))
        finally:
            if started:
                ray.shutdown()

    def _run(self, queue: Queue) -> Generator[Played, None, None]:
        under_way: dict[Any, tuple[Any, Job]] = {}
        try:
            while len(under_way) < self._wanted() and (job := queue.next()):
                self._begin(self._actor(), job, under_way)
            while under_way:
                (done, *_), _ = ray.wait(list(under_way), num_returns=1)
                actor, job = under_way.pop(done)
                played, alive = self._result(done, job, queue)
                if played is not None:
                    yield played
                if (following := queue.next()) is not None:
                    self._begin(actor if alive else self._actor(), following, under_way)
                elif alive:
                    ray.kill(actor)
        finally:
            for actor, _ in under_way.values():
                ray.kill(actor)

    def _result(self, done: Any, job: Job, queue: Queue) -> tuple[Played | None, bool]:
        """A hanchan that was played or given up, or None if it is to be played again; and whether its actor lives."""
        try:
            return ray.get(done), True
        except RayActorError as error:
            if queue.back(job):
                return None, False
            return give_up(
                self._plan, job, Path(tempfile.gettempdir()) / "none", died(str(error).splitlines()[0])
            ), False
        except RayTaskError as error:
            raise error.as_instanceof_cause() from None

    def _begin(self, actor: Any, job: Job, under_way: dict[Any, tuple[Any, Job]]) -> None:
        under_way[actor.play.remote(job)] = (actor, job)

    def _actor(self) -> Any:
        return ray.remote(_Table).options(num_cpus=self._cpus, num_gpus=self._gpus).remote(self._plan)

    def _wanted(self) -> int:
        if self._count:
            return self._count
        room = ray.cluster_resources()
        by_cpus = room.get("CPU", 1) / self._cpus if self._cpus else room.get("CPU", 1)
        by_gpus = room.get("GPU", 0) / self._gpus if self._gpus else by_cpus
        return max(1, int(min(by_cpus, by_gpus)))
