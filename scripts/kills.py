"""Kill a match with SIGKILL at random moments, resume it each time, and compare it with one that nobody disturbed.

python -m scripts.kills --kills 50 --sets 40
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = ("match.json", "journal.jsonl", "games.sqlite", "results.json")
PLAYERS = "dice,caller"


def main() -> int:
    """The whole comparison; 0 if nothing was lost and nothing doubled."""
    given = _arguments()
    with tempfile.TemporaryDirectory(prefix="jantaku-kills-") as place:
        whole, killed = Path(place) / "whole", Path(place) / "killed"
        begin = ["--players", PLAYERS, "--format", "1v3", "--sets", str(given.sets), "--seed", "9"]
        begin += ["--length", "tonpu", "--threads", "inline"]
        seconds = _timed([*begin, "--out", str(whole), "--workers", str(given.workers)])
        moments = random.Random(given.seed)
        kills = rounds = 0
        while kills < given.kills or not (killed / "results.json").exists():
            if (killed / "results.json").exists():
                _compare(whole, killed)
                _remove(killed)
            words = ["--resume", str(killed)] if (killed / "match.json").exists() else [*begin, "--out", str(killed)]
            # Late enough that hanchan are finished in between, or there would be no end.
            wait = moments.uniform(0.3, seconds * 0.6) if kills < given.kills else None
            kills += _run([*words, "--workers", str(given.workers)], wait)
            rounds += 1
        _compare(whole, killed)
        games = len((killed / "journal.jsonl").read_bytes().splitlines()) - 1
        print(
            f"{kills} kills in {rounds} runs of {games} hanchan: identical to the uninterrupted run, "
            "none lost, none twice"
        )
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "table", "match", *words, "--quiet"]


def _timed(words: list[str]) -> float:
    before = os.times().elapsed
    subprocess.run(_command(words), check=True)
    return os.times().elapsed - before


def _run(words: list[str], wait: float | None) -> bool:
    """Run a match and kill it after `wait` seconds; whether it was still running then."""
    process = subprocess.Popen(_command(words))
    try:
        if process.wait(wait) != 0:
            raise SystemExit(f"the match failed by itself: exit code {process.returncode}")
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _compare(whole: Path, killed: Path) -> None:
    names = [*FILES, *(f"records/{path.name}" for path in sorted((whole / "records").glob("*.json")))]
    different = [name for name in names if (whole / name).read_bytes() != (killed / name).read_bytes()]
    if different or len(list((killed / "records").iterdir())) != len(list((whole / "records").iterdir())):
        raise SystemExit(f"DIFFERENT after kills: {', '.join(different) or 'other records'}")


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


if __name__ == "__main__":
    sys.exit(main())
