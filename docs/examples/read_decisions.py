"""A table of decisions as arrays to learn from, a batch at a time.

`python read_decisions.py decisions.parquet`
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from jantaku.table.riichi.option_numbers import COUNT, NAMES

Arrays = dict[str, NDArray[Any]]


def spread(lists: Any, width: int) -> NDArray[np.int8]:
    """How often each number stands in each of the lists: rows × width."""
    counts = np.zeros((len(lists), width), np.int8)
    rows = np.repeat(np.arange(len(lists)), pc.list_value_length(lists))
    np.add.at(counts, (rows, lists.flatten()), 1)
    return counts


def batches(path: str, size: int = 4096) -> Iterator[Arrays]:
    """Arrays of so many decisions each: memory does not grow with the table."""
    for batch in pq.ParquetFile(path).iter_batches(size):
        batch = batch.filter(pc.and_(pc.is_valid(batch["gains"]), pc.is_valid(batch["ranks"])))  # games with an end
        if not len(batch):
            continue
        own = np.arange(len(batch)), batch["seat"].to_numpy()
        yield {
            "hand": spread(batch["hand"], 37),
            "mask": spread(batch["options"], COUNT).astype(bool),
            "answer": batch["answer"].to_numpy(),
            "gain": batch["gains"].flatten().to_numpy().reshape(-1, 4)[own],
            "rank": batch["ranks"].flatten().to_numpy().reshape(-1, 4)[own],
        }


if __name__ == "__main__":
    for arrays in batches(sys.argv[1]):
        rows, answer = np.arange(len(arrays["answer"])), arrays["answer"]
        assert arrays["mask"][rows, answer].all()
        print({name: values.shape for name, values in arrays.items()})
        print(f"mean rank {arrays['rank'].mean():.2f}, most often: {NAMES[np.bincount(answer).argmax()]}")
