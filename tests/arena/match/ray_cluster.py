"""Plays matches on a Ray cluster of two nodes on this machine, one core each: run by test_ray.py, in a process of its
own, because Ray starts many things. FOLDER gets a match each: `warm-1` and `warm-2` (what a table needs leaves
room for one and for two on a node), `died` (an actor is killed once), `stopped` (Ctrl-C while it is played).

    python -m tests.arena.match.ray_cluster FOLDER
"""

import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from jantaku.table.arena.match.plan.matchfile import Needs
from jantaku.table.arena.match.workers.on_ray import OnRay
from jantaku.table.ground.errors import BadInput
from tests.arena.match.bots import FLAG
from tests.arena.match.matches import play_match, small_plan


def main(folder: Path) -> None:
    """Play them all, then say how many nodes there were."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who is started in a shell's background ignores it
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ[FLAG] = str(folder / "flag")  # before the nodes start: the actors inherit it
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        for tables in (1, 2):
            _play(folder / f"warm-{tables}", ["tests.arena.match.bots:Signs", "dice"], Needs(cpus=1 / tables))
            (folder / "flag").rename(folder / f"signed-{tables}")
        _play(folder / "died", ["tests.arena.match.bots:DiesOnce", "dice"], Needs())
        try:
            _play(folder / "greedy", ["dice", "caller"], Needs(cpus=1.5))
        except BadInput as refusal:
            print(refusal)
        _stop(folder / "stopped")
        print(f"{len(ray.nodes())} nodes")
    finally:
        ray.shutdown()
        cluster.shutdown()


def _play(folder: Path, players: list[str], needs: Needs) -> None:
    plan = small_plan(players)
    play_match(folder, plan, OnRay(plan, None, needs))


def _stop(folder: Path) -> None:
    """Press Ctrl-C as soon as a bot has been asked that never answers."""
    asked = Path(os.environ[FLAG])
    asked.unlink()
    os.mkfifo(asked)

    def press() -> None:
        asked.read_text()
        if any(Path(tempfile.gettempdir()).glob("jantaku-*/game-*.jsonl")):
            print("its journal grows")
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    try:
        _play(folder, ["tests.arena.match.bots:Hangs", "dice"], Needs())
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
