"""Kills a match or tournament, resumes it each time, and compares it with an uninterrupted one."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from scripts.kills.lost import Lost

FILES = ("journal.jsonl", "games.sqlite", "results.json")
SEEDED = ("--seed", "9", "--length", "tonpu", "--threads", "inline")
BEGIN = {
    "match": ("--players", "dice,caller", "--format", "1v3", *SEEDED),
    "tournament": ("--players", "dice,caller,tsumogiri,dice,caller,tsumogiri,dice,caller,tsumogiri", *SEEDED),
}
"""Options by command: in a tournament of nine players one sits out each round."""
WORKERS = ("--workers", "2")


def kill(command: str, place: Path, kills: int, moments: Random, sets: int) -> str:
    """Run the whole comparison. Lost if anything was lost or duplicated."""
    whole, killed = place / "whole", place / "killed"
    amount = ["--sets", str(sets)] if command == "match" else ["--rounds", str(max(sets // 2, 1))]
    begin, plan = [command, *BEGIN[command], *amount], f"{command}.json"
    seconds = _timed([*begin, "--out", str(whole), *WORKERS])
    done = rounds = 0
    while done < kills or not (killed / "results.json").exists():
        if (killed / "results.json").exists():
            _compare(whole, killed, plan)
            shutil.rmtree(killed)
        words = [command, "--resume", str(killed)] if (killed / plan).exists() else [*begin, "--out", str(killed)]
        # Late enough that hanchan finish in between, or the match would never end.
        wait = moments.uniform(0.3, seconds * 0.6) if done < kills else None
        done += _run([*words, *WORKERS], wait)
        rounds += 1
    _compare(whole, killed, plan)
    games = len((killed / "journal.jsonl").read_bytes().splitlines()) - 1
    return f"{rounds} runs of {games} hanchan, identical to the undisturbed {command}: none lost, none twice"


def _command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "jantaku", *words, "--quiet"]


def _timed(words: list[str]) -> float:
    before = os.times().elapsed
    subprocess.run(_command(words), check=True)
    return os.times().elapsed - before


def _run(words: list[str], wait: float | None) -> bool:
    """Run it and kill it after `wait` seconds; return whether it was still running then."""
    process = subprocess.Popen(_command(words))
    try:
        if process.wait(wait) != 0:
            raise Lost(f"it failed by itself: exit code {process.returncode}")
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _compare(whole: Path, killed: Path, plan: str) -> None:
    names = [plan, *FILES, *(f"records/{path.name}" for path in sorted((whole / "records").glob("*.json")))]
    different = [name for name in names if (whole / name).read_bytes() != (killed / name).read_bytes()]
    if different or len(list((killed / "records").iterdir())) != len(list((whole / "records").iterdir())):
        raise Lost(f"different after kills: {', '.join(different) or 'other records'}")
