"""An executor on a Ray cluster (extra `ray`): actors that keep the bots loaded. Ray places, watches and schedules the
actors."""

import logging
import os
import secrets
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayActorError, RayTaskError

from jantaku.table.arena.match.plan.matchfile import Needs
from jantaku.table.arena.match.plan.plan import Job, PoolPlan
from jantaku.table.arena.match.workers.hanchan import HanchanTable, Places, PlayedHanchan, Queue, died, give_up
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import search_path

_KEEPER = 'exec 3<&0; (cat <&3; rm -rf -- "$1") &'
"""Shell script: starts a child that waits for the end of its input and then removes the folder in `$1`."""


@contextmanager
def joined() -> Iterator[None]:
    """Connect to the cluster at RAY_ADDRESS, else start a local one that ends with this process. An existing connection
    is reused. BadInput if there is no cluster at that address."""
    if ray.is_initialized():
        yield
        return
    # Nodes look for bots where this process does.
    paths = os.pathsep.join(search_path(os.getcwd()))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    logging.getLogger("ray").setLevel(logging.ERROR)
    environment = {"env_vars": {"PYTHONPATH": paths}}
    where = None if "RAY_ADDRESS" in os.environ else "local"  # Ray must join no other cluster on this machine
    try:
        try:
            ray.init(where, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
        except ConnectionError as error:
            raise BadInput(f"RAY_ADDRESS = {os.environ.get('RAY_ADDRESS')}: {str(error).splitlines()[0]}") from error
        yield
    finally:
        ray.shutdown()


class _Table:
    """One table on a node of the cluster. Its records travel with the result."""

    def __init__(self, plan: PoolPlan) -> None:
        folder = Path(tempfile.gettempdir(), f"jantaku-{secrets.token_hex(8)}")
        self._keeper = _gone_with_us(folder)  # first: an actor may be killed while it is made, and leaves nothing
        folder.mkdir(0o700)
        self._table = HanchanTable(plan, Places(folder)).__enter__()  # never left: the table ends with this process

    def play(self, job: Job) -> PlayedHanchan:
        """Play one hanchan."""
        return self._table.play(job)


def _gone_with_us(folder: Path) -> "subprocess.Popen[bytes]":
    """Have a folder, which need not exist yet, removed when this process ends in any way: Ray kills actors without
    warning. Keep the returned object, whose input closes with this process."""
    keeper = subprocess.Popen(
        ["/bin/sh", "-c", _KEEPER, "sh", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,  # signals to our process group must not reach it
    )
    keeper.wait()  # the shell ends at once; its child, the one that waits, goes on
    return keeper


class OnRay:
    """An executor of `count` actors (None: as many as fit) on the cluster that `joined` has connected. One table takes
    the resources `needs`; BadInput if no node has them. The bots must be importable on every node."""

    def __init__(self, plan: PoolPlan, count: int | None, needs: Needs) -> None:
        self._plan, self._needs = plan, needs
        room = sum(_room(node["Resources"], needs) for node in ray.nodes() if node["Alive"])
        if not room:
            raise BadInput(
                f"[resources]: a table of this match takes {needs.cpus:g} cpus and {needs.gpus:g} gpus; "
                "no node of the cluster has them"
            )
        self._count = count or room

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        queue = Queue(jobs)
        under_way: dict[Any, tuple[Any, Job]] = {}
        idle: list[Any] = []
        try:
            while True:
                while len(under_way) < self._count and (job := queue.next()):
                    self._begin(idle.pop() if idle else self._actor(), job, under_way)
                if not under_way:
                    return
                (done, *_), _ = ray.wait(list(under_way), num_returns=1)
                actor, job = under_way.pop(done)
                played, alive = self._result(done, job, queue)
                if alive:
                    idle.append(actor)
                if played is not None:
                    yield played
        finally:
            for actor in (*idle, *(actor for actor, _ in under_way.values())):
                ray.kill(actor)

    def _result(self, done: Any, job: Job, queue: Queue) -> tuple[PlayedHanchan | None, bool]:
        """Return a hanchan that was played or given up, None if it is to be replayed; and whether its actor lives."""
        try:
            return ray.get(done), True
        except RayActorError as error:
            if queue.back(job):
                return None, False
            return give_up(self._plan, job, None, died(str(error).splitlines()[0])), False
        except RayTaskError as error:
            raise error.as_instanceof_cause() from None

    def _begin(self, actor: Any, job: Job, under_way: dict[Any, tuple[Any, Job]]) -> None:
        under_way[actor.play.remote(job)] = (actor, job)

    def _actor(self) -> Any:
        return ray.remote(_Table).options(num_cpus=self._needs.cpus, num_gpus=self._needs.gpus).remote(self._plan)


def _room(node: Mapping[str, float], needs: Needs) -> int:
    """Return how many tables with these needs fit on a node."""
    asked = [(node.get("CPU", 0.0), needs.cpus or 1.0), (node.get("GPU", 0.0), needs.gpus)]
    return min(int(there / taken + 1e-9) for there, taken in asked if taken)
