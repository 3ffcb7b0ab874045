"""Fit the value function of `--luck` to records: table/arena/match/figures/outlook.py says what it is.

    python -m scripts.luckvalue DIR… --out table/arena/match/figures/outlook.npz

Every draw of the records is a row; what is learned is how its kyoku ended, and for how many points. It takes some 0.2 s
of CPU a hanchan, and 40 MB of memory for 100. Use the net on other walls than it was fitted to.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from jantaku.table.arena.match.figures.draws import END, ENDS
from jantaku.table.arena.match.figures.draws import rows_of as draws_of
from jantaku.table.arena.match.figures.outlook import OUTPUTS, TURNED, WINNER, EndsNet, Floats, features
from jantaku.table.languages.facts import WinFact
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.events import DrawReason, Ryukyoku
from jantaku.table.riichi.pieces.seats import SEATS

HIDDEN = (64, 32)
BATCH, RATE, DECAY = 1024, 1.5e-3, 0.1
LEVEL, HANDS = 0.5, 0.2
"""How much an error of a win's points and of a hand that is tenpai at a draw count in the loss; an error of how the
kyoku ends counts 1."""
Sample = tuple[NDArray[Any], NDArray[np.int64], Floats, Floats]
"""Features, how the kyoku ended (counted from the drawer), the level of the points, and by seat from the drawer on
whether it was tenpai at the draw: NaN where there was none."""


@click.command(help=(__doc__ or "").splitlines()[0])
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path))
@click.option("--rounds", default=6, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(folders: Sequence[Path], out: Path, rounds: int, seed: int) -> None:
    """Read the records, fit the net, and write it."""
    parts = list(zip(*samples(folders), strict=True))
    seen, ends, levels, tenpai = (np.concatenate(part) for part in parts)
    print(f"{len(seen)} draws of {len(parts[0])} hanchan", flush=True)
    fitted((seen, ends, levels, tenpai), rounds, seed).save(out)


def samples(folders: Sequence[Path]) -> Iterator[Sample]:
    """Yield the draws of each hanchan after which its kyoku went on."""
    for path in (path for folder in folders for path in sorted((folder / RECORDS).glob("game-*.jsonl"))):
        record = load(path)
        if record.final is None:
            continue
        ends, levels = np.full(len(record.log), END[None]), np.zeros(len(record.log), np.float32)
        tenpai = np.full((len(record.log), SEATS), np.nan, np.float32)
        for number, kyoku in enumerate(record.log):
            if isinstance(draw := kyoku[-1], Ryukyoku) and draw.reason is DrawReason.EXHAUSTIVE:
                tenpai[number] = [hand is not None for hand in draw.hands]
            if (win := next((fact for fact in kyoku if isinstance(fact, WinFact)), None)) is not None:
                ends[number] = END[win.seat, win.source]
                levels[number] = np.log2(max(win.points or 0, 500) / 1000)
        rows, _ = draws_of(record)
        at = np.arange(len(rows))
        rows = rows[rows["end"][at, rows["tile"]] < 0]
        seen = features(rows).drawn(rows["tile"]).astype(np.float16)
        seats = (rows["drawer"][:, None] + np.arange(SEATS)) % SEATS
        ended = TURNED[rows["drawer"], ends[rows["kyoku"]]]
        yield seen, ended, levels[rows["kyoku"]], np.take_along_axis(tenpai[rows["kyoku"]], seats, 1)


def fitted(told: Sample, rounds: int, seed: int) -> EndsNet:
    """Fit a net by Adam, with a rate that falls to nothing."""
    seen = told[0]
    random = np.random.default_rng(seed)
    sizes = (seen.shape[1], *HIDDEN, OUTPUTS)
    weights = [random.normal(0, (2 / a) ** 0.5, (a, b)).astype(np.float32) for a, b in pairwise(sizes)]
    weights[-1] *= 0.1
    biases = [np.zeros(size, np.float32) for size in sizes[1:]]
    some = seen[::7].astype(np.float32)
    net = EndsNet(list(zip(weights, biases, strict=True)), some.mean(0), some.std(0) + 0.02)
    parameters = [*weights, *biases]
    first, second = ([np.zeros_like(one) for one in parameters] for _ in range(2))
    steps, step = rounds * (len(seen) // BATCH), 0
    for number in range(rounds):
        order, losses = random.permutation(len(seen)), []
        for at in range(0, len(seen) - BATCH + 1, BATCH):
            now = order[at : at + BATCH]
            loss, slopes = _slopes(net, (seen[now], told[1][now], told[2][now], told[3][now]))
            losses.append(loss)
            step += 1
            rate = RATE * min(1.0, step / 200) * (0.51 + 0.5 * np.cos(np.pi * step / steps))
            for one, slope, mean, square in zip(parameters, slopes, first, second, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                by = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                one -= rate * (mean / (1 - 0.9**step) / by + DECAY * one)
        print(f"round {number + 1}: loss {np.mean(losses):.4f}", flush=True)
    return net


def _slopes(net: EndsNet, told: Sample) -> tuple[float, list[Floats]]:
    """Return the loss of a batch, and its slope by each weight and then each bias."""
    seen, ends, levels, tenpai = told
    layers = [(seen.astype(np.float32) - net.mean) / net.spread]
    for number, (weight, bias) in enumerate(net.layers):
        layers.append((np.maximum(layers[-1], 0) if number else layers[-1]) @ weight + bias)
    out, row = layers[-1], np.arange(len(ends))
    slope = np.zeros_like(out)
    chances = np.exp(out[:, : len(ENDS)] - out[:, : len(ENDS)].max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    slope[:, : len(ENDS)] = chances
    slope[row, ends] -= 1
    won = np.flatnonzero(ends != END[None])
    place = len(ENDS) + WINNER[ends[won]]
    slope[won, place] = LEVEL * (out[won, place] - levels[won])
    drawn = np.isfinite(tenpai)
    logits = out[:, -SEATS:][drawn]
    slope[:, -SEATS:][drawn] = HANDS * (1 / (1 + np.exp(-logits)) - tenpai[drawn])
    slope /= len(ends)
    by_weight, by_bias = list[Floats](), list[Floats]()
    for number in reversed(range(len(net.layers))):
        under = np.maximum(layers[number], 0) if number else layers[number]
        by_weight.insert(0, under.T @ slope)
        by_bias.insert(0, slope.sum(0))
        if number:
            slope = (slope @ net.layers[number][0].T) * (layers[number] > 0)
    return float(-np.log(chances[row, ends] + 1e-9).mean()), [*by_weight, *by_bias]


if __name__ == "__main__":
    main()
