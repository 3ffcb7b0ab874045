"""A policy of one matrix, trained by imitation: `python train.py 400 policy.npy`, then `jantaku gate` says what it is
worth. Two files of your own take its place: a network, and what it learns from."""

import sys
from typing import Any

import numpy as np

from jantaku import KIND, shanten
from jantaku.table.learn.batch import Batch
from jantaku.table.learn.nets import NetPlayer
from jantaku.table.learn.own import ACTIONS
from jantaku.table.riichi.option_numbers import NAMES
from jantaku.table.riichi.own_numbers import FIELDS

HAND = next(field.begin for field in FIELDS if field.name == "hand")  # 14 places, and the drawn tile behind them
TSUMO, RON, PASS = (NAMES.index(word) for word in ("tsumo", "ron", "pass"))


def features(obs: Any) -> Any:
    """By row: of each kind whether the hand has one, two, three or four; and a 1."""
    tiles = obs[:, HAND : HAND + 15] - 1
    kinds = np.where(tiles > 33, 9 * tiles - 302, tiles)  # a red five is of the kind of its plain five
    counts = np.stack([(kinds == kind).sum(1) for kind in range(34)], 1)
    return np.concatenate([*[counts > n for n in range(4)], np.ones((len(obs), 1))], 1).astype(np.float32)


def teacher(obs: Any, mask: Any) -> int:
    """What is imitated: a win, else the discard that leaves the hand nearest to one, with riichi, else a pass."""
    allowed = np.flatnonzero(mask).tolist()
    discards = [number for number in allowed if number < TSUMO]
    counts = [0] * 34
    for tile in obs[HAND : HAND + 15].tolist():
        counts[KIND[tile - 1]] += tile > 0

    def left(number: int) -> tuple[int, bool]:
        kind = KIND[number % 37]
        return shanten([count - (place == kind) for place, count in enumerate(counts)]), number < 74  # no riichi

    first = next((number for number in (TSUMO, RON) if number in allowed), None)
    return first or (min(discards, key=left) if discards else PASS if PASS in allowed else sum(allowed[:1]))


def train(steps: int, rate: float = 0.3) -> Any:
    """Imitate the teacher at 32 tables, and return the weights."""
    batch, weights = Batch(32, seed="train"), np.zeros((137, ACTIONS), np.float32)
    rows = batch.rows()
    for _ in range(steps):
        count = batch.observe(rows)
        obs, mask = rows.obs[:count], rows.mask[:count]
        wanted = np.array([teacher(*row) for row in zip(obs, mask, strict=True)])
        seen = features(obs)
        chance = np.where(mask, np.exp(seen @ weights), 1e-9)
        error = chance / chance.sum(1, keepdims=True)
        error[np.arange(count), wanted] -= 1
        weights -= rate / count * (seen.T @ (error * mask))
        batch.step(wanted)
    return weights


class Policy(NetPlayer):
    """Plays by the weights: `train.py:Policy?arg.weights=policy.npy`."""

    encoder = "jantaku-1"

    def __init__(self, weights: str, seed: int = 0) -> None:
        self.weights = np.load(weights)

    def values(self, obs: Any, mask: Any) -> Any:
        return features(obs[None])[0] @ self.weights


if __name__ == "__main__":
    np.save(sys.argv[2], train(int(sys.argv[1])))
