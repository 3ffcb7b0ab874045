"""Measures what learners run: `python -m scripts.learners [--peers]`.

Rows a CPU second of the batch with observation and mask, by dice and with a matrix for a net, in one process and in
two. With `--peers` also PyPI's `riichienv` 0.4.11: its own loop by dice, with its own observation and mask read for
every row, in the same run.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import Pool
from typing import Any

import numpy as np

from jantaku.table.ground.clock import cpu_of_all, now
from jantaku.table.learn.batch import Batch
from scripts.bench.peers import environment
from scripts.core import compile_first

Policy = Callable[[Any, Any], Any]
PEER = """
import json, random, sys, time
from riichienv import RiichiEnv
wanted, choose, rows, games = int(sys.argv[1]), random.Random(1), 0, 0
begun = time.process_time()
while rows < wanted:
    env = RiichiEnv(game_mode="4p-red-half", seed=1000 * games, skip_mjai_logging=True)
    seen, games = env.reset(), games + 1
    while not env.done():
        answers = {}
        for player, one in seen.items():
            one.encode(); one.mask()
            legal = one.legal_actions()
            answers[player] = legal[int(choose.random() * len(legal))]
            rows += 1
        seen = env.step(answers)
print(json.dumps([rows, time.process_time() - begun]))
"""


def by_dice(chance: np.random.Generator) -> Policy:
    """A random allowed number for every row; 0 for a row without any."""

    def choose(obs: Any, mask: Any) -> Any:
        allowed, counts = np.flatnonzero(mask) % mask.shape[1], np.count_nonzero(mask, axis=1)
        begins = np.cumsum(counts) - counts
        found = np.append(allowed, 0)[begins + (chance.random(len(mask)) * counts).astype(np.int64)]
        return np.where(counts, found, 0)

    return choose


def by_matrix(chance: np.random.Generator, size: int, numbers: int) -> Policy:
    """What one product with a matrix values most."""
    weights = chance.normal(size=(size, numbers)).astype(np.float32)
    return lambda obs, mask: np.where(mask, obs.reshape(len(obs), -1).astype(np.float32) @ weights, -np.inf).argmax(1)


def pace(encoder: str, wanted: int, part: tuple[int, int] = (0, 1), *, net: bool = False) -> tuple[int, float, float]:
    """Play until `wanted` rows were answered. Return their number, the CPU seconds and the seconds that passed."""
    batch, chance = Batch(64, encoder=encoder, part=part), np.random.default_rng(1)
    rows, size = batch.rows(), int(np.prod(batch.encoder.shape))
    policy = by_matrix(chance, size, batch.encoder.numbers) if net else by_dice(chance)
    done, cpu, begun = 0, cpu_of_all(), now()
    while done < wanted:
        count = batch.observe(rows)
        batch.step(policy(rows.obs[:count], rows.mask[:count]))
        done += count
    return done, cpu_of_all() - cpu, now() - begun


def told(name: str, rows: int, cpu: float) -> None:
    print(f"{name:52} {rows / cpu:10,.0f} rows a CPU second", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.learners", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=200_000, help="rows of each line (default 200000)")
    parser.add_argument("--peers", action="store_true", help="measure riichienv as well (kept in your cache)")
    given = parser.parse_args()
    compile_first()
    for encoder in ("jantaku-1", "mortal-3"):
        wanted = given.rows if encoder == "jantaku-1" else given.rows // 5
        told(f"{encoder}, by dice", *pace(encoder, wanted)[:2])
        told(f"{encoder}, a matrix", *pace(encoder, wanted // 2, net=True)[:2])
    if given.peers:
        python = environment(lambda text: print(text, file=sys.stderr))
        ran = subprocess.run([python, "-c", PEER, str(given.rows)], capture_output=True, check=True)
        told("riichienv 0.4.11, its own observation, by dice", *json.loads(ran.stdout))
    alone = pace("jantaku-1", given.rows)
    with Pool(2) as pool:
        both = pool.starmap(pace, [("jantaku-1", given.rows, (part, 2)) for part in (0, 1)])
    rate = sum(rows / seconds for rows, _, seconds in both) / (alone[0] / alone[2])
    print(f"two processes: {rate:.2f} × the rows a second of one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
