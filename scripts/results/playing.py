"""Plays the rows of a plan as matches, and reads what came out."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS
from scripts.results.plan import OWN, LadderPlan, Row, origin_of

RATES = ("win_rate", "tsumo_share", "win_value", "deal_in_rate", "deal_in_value", "riichi_rate", "call_rate")
LIMIT = 600
"""Seconds for an answer of a program: strength is measured here, and no answer may be lost to a busy machine."""
Spec = Callable[[str], str]
"""Returns the line by which a bot is seated."""


def play(plan: LadderPlan, name: str, beside: str, sets: int, folder: Path, spec: Spec) -> None:
    """Play what is missing of a row. BadInput if the match in the folder is another one, or does not end well."""
    if folder.is_dir():
        check(plan, name, beside, sets, folder)
        words = ["--resume", str(folder)]
    else:
        words = ["--format", "1v3", "--players", f"{spec(name)},{beside}", "--sets", str(sets), "--seed", plan.seed]
        words += ["--rules", plan.rules, "--length", "hanchan", "--pt", plan.pt, "--out", str(folder)]
        words += ["--threads", "inline"] if name in OWN else ["--limit", str(LIMIT)]
    command = [sys.executable, "-m", "jantaku", "match", *words, "--quiet"]
    if (ended := subprocess.run(command).returncode) not in (0, 3):
        raise BadInput(f"{name} beside {beside}: the match ended with exit code {ended}; run it again to go on")


def check(plan: LadderPlan, name: str, beside: str, sets: int, folder: Path) -> None:
    """Raise BadInput if the folder has another match than this row."""
    try:
        found = json.loads((folder / "match.json").read_text("utf-8"))
        there = (found["seed"], found["sets"], found["names"], found["format"], found["rules"]["game"]["length"])
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(f"{folder} is not the folder of a match ({error}): remove it") from error
    if there != (plan.seed, sets, [name, beside], "1v3", "hanchan"):
        raise BadInput(f"{folder} has another match than the plan: remove it, or name another folder with --out")


def read(name: str, beside: str, folder: Path) -> Row:
    """Read a row from the folder of its match, which is over. BadInput if a hanchan has no result."""
    figures = _json(folder / "results.json")["figures"]["players"][0]
    times = next(one for one in _json(folder / "timing.json") if one["name"] == name)
    lines = (folder / "journal.jsonl").read_bytes().splitlines()[1:]
    games = msgspec.json.Decoder(HanchanSummary)
    ranks, digest, rules = "", hashlib.sha256(), ""
    for line in sorted(map(games.decode, lines), key=lambda one: one.game):
        if not line.ranks:
            raise BadInput(f"{folder}: hanchan {line.game} has no result: {line.reason}")
        ranks += str(line.ranks[line.players.index(name)])
        rules = line.rules
        digest.update(line.print.encode())
    rates = {rate: figures[rate] for rate in RATES}
    spent = (_ms(times["median"]), _ms(times["p99"]))
    sets = len(ranks) // SEATS
    return Row(name, beside, sets, ranks, rates, figures["faults"], spent, origin_of(name), rules, digest.hexdigest())


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _ms(seconds: float) -> float:
    return float(f"{seconds * 1000:.2g}")
