"""Plays the small match of the tests on a Ray cluster of two nodes on this machine: run by test_ray.py, in a process of
its own, because Ray starts many things.

    python -m tests.match.ray_cluster FOLDER BOT…
"""

import sys
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from table.match.on_ray import OnRay
from tests.match.matches import play_match, small_plan


def main(folder: Path, players: list[str]) -> None:
    """Play, then say how many nodes there were."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        plan = small_plan(players)
        play_match(folder, plan, OnRay(plan, None, {}))
        print(f"{len(ray.nodes())} nodes")
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
