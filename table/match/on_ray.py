"""A crew on a Ray cluster (extra `ray`): actors that keep the bots warm. Ray places, watches and schedules them."""

import logging
import os
import sys
import tempfile
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

from table.errors import BadInput
from table.match.crew import Queue, died
from table.match.hanchan import HanchanTable, Places, Played, give_up
from table.match.matchfile import Needs
from table.match.plan import Job, MatchPlan

try:
    import ray
    from ray.exceptions import RayActorError, RayTaskError
except ImportError as error:
    raise BadInput("--on ray: Ray is not installed; pip install 'jantaku[ray]'") from error


class _Table:
    """One table on some node of the cluster. Its records travel with the result."""

    def __init__(self, plan: MatchPlan) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="jantaku-")
        self._table = HanchanTable(plan, Places(Path(self._folder.name)))

    def play(self, job: Job) -> Played:
        """One hanchan."""
        return self._table.play(job)


class OnRay:
    """A crew of `count` actors (None: as many as the cluster has room for) on the cluster at RAY_ADDRESS, or on this
    machine. Each takes what a table `needs`. The bots must be importable on every node."""

    def __init__(self, plan: MatchPlan, count: int | None, needs: Needs) -> None:
        self._plan, self._count, self._needs = plan, count, needs

    def run(self, jobs: Iterable[Job]) -> Generator[Played, None, None]:
        """See `Crew.run`."""
        started = not ray.is_initialized()
        if started:
            # Nodes look for bots where this process does.
            paths = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a match tells nobody that it was played
            logging.getLogger("ray").setLevel(logging.ERROR)
            environment = {"env_vars": {"PYTHONPATH": paths}}
            where = None if "RAY_ADDRESS" in os.environ else "local"  # not the cluster that somebody left running here
            ray.init(where, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
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
        return ray.remote(_Table).options(num_cpus=self._needs.cpus, num_gpus=self._needs.gpus).remote(self._plan)

    def _wanted(self) -> int:
        """How many actors play. BadInput if not even one can."""
        room = sum(_room(node["Resources"], self._needs) for node in ray.nodes() if node["Alive"])
        if not room:
            raise BadInput(
                f"[resources]: a table of this match takes {self._needs.cpus:g} cpus and {self._needs.gpus:g} gpus; "
                "no node of the cluster has them"
            )
        return self._count or room


def _room(node: Mapping[str, float], needs: Needs) -> int:
    """How many tables with such needs a node has room for."""
    asked = [(node.get("CPU", 0.0), needs.cpus or 1.0), (node.get("GPU", 0.0), needs.gpus)]
    return min(int(there / taken + 1e-9) for there, taken in asked if taken)
