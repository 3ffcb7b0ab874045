"""A match on a Ray or Dask cluster whose nodes share this folder."""

import subprocess
import sys
from pathlib import Path

ENGINE, OF, MATCH = sys.argv[1], sys.argv[2], [*sys.argv[3:], "--workers", "0", "--quiet"]
HERE, PARTS = Path.cwd(), range(1, int(OF) + 1)


def play(part: int) -> None:
    subprocess.run(["jantaku", *MATCH, "--part", f"{part}/{OF}", "--out", f"parts/{part}"], cwd=HERE, check=True)


if __name__ == "__main__":
    if ENGINE == "ray":
        import ray

        task = ray.remote(num_cpus=1, num_gpus=0, max_retries=3, retry_exceptions=True)(play)
        ray.get([task.remote(part) for part in PARTS])
    else:
        from dask.distributed import Client

        with Client() as client:  # of DASK_SCHEDULER_ADDRESS; without one, workers of this machine
            client.gather(client.map(play, PARTS, retries=3, pure=False))
