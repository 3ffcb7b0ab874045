"""Plays the rows of a plan as matches, and reads what came out."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import timing
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS
from scripts.results.plan import OWN, LadderPlan, Row, origin_of

RATES = ("win_rate", "tsumo_share", "win_value", "deal_in_rate", "deal_in_value", "riichi_rate", "call_rate")
LIMIT = 600
"""Seconds for an answer of a program: strength is measured here, and no answer may be lost to a busy machine."""
Spec = Callable[[str], str]
"""Returns the line by which a bot is seated."""
L = TypeVar("L", HanchanSummary, TimeLine)


def play(plan: LadderPlan, name: str, beside: str, sets: int, folder: Path, spec: Spec) -> None:
    """Play what is missing of a row; the match in the folder may have more sets. BadInput if it is another match, or
    does not end well."""
    if folder.is_dir():
        _check(plan, name, beside, sets, folder)
        if len(_first(folder / "journal.jsonl", HanchanSummary, sets)) == sets * SEATS:
            return
        words = ["--resume", str(folder)]
    else:
        words = ["--format", "1v3", "--players", f"{spec(name)},{beside}", "--sets", str(sets), "--seed", plan.seed]
        words += ["--rules", plan.rules, "--length", "hanchan", "--out", str(folder)]
        words += ["--threads", "inline"] if name in OWN else ["--limit", str(LIMIT)]
    ended = subprocess.run([sys.executable, "-m", "jantaku", "match", *words, "--quiet"]).returncode
    if ended:
        raise BadInput(f"{name} beside {beside}: the match ended with exit code {ended}; run it again to go on")


def _check(plan: LadderPlan, name: str, beside: str, sets: int, folder: Path) -> None:
    """Raise BadInput if the folder has another match than this row."""
    try:
        found = json.loads((folder / "match.json").read_text("utf-8"))
        there = (found["seed"], found["names"], found["format"], found["rules"]["game"]["length"])
        enough = found["sets"] >= sets
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{folder} is not the folder of a match ({error}): remove it") from error
    if not enough or there != (plan.seed, [name, beside], "1v3", "hanchan"):
        raise BadInput(f"{folder} has another match than the plan: remove it, or name another folder with --out")


def read(name: str, beside: str, sets: int, folder: Path) -> Row:
    """Read the first sets of a match. BadInput if a hanchan has no result."""
    lines = _first(folder / "journal.jsonl", HanchanSummary, sets)
    tally, digest, ranks = MatchTally([name, beside]), hashlib.sha256(), ""
    for line in lines:
        if not line.ranks:
            raise BadInput(f"{folder}: hanchan {line.game} has no result: {line.reason}")
        tally.add(line)
        digest.update(line.print.encode())
        ranks += str(line.ranks[line.players.index(name)])
    figures = tally.figures().players[0]
    (times,) = timing(_first(folder / "times.jsonl", TimeLine, sets), [name])
    return Row(
        name,
        beside,
        sets,
        ranks,
        rates={rate: getattr(figures, rate) for rate in RATES},
        faults=figures.faults,
        times=(_ms(times.median), _ms(times.p99)),
        origin=origin_of(name),
        rules=lines[0].rules,
        games=digest.hexdigest(),
    )


def _first(path: Path, kind: type[L], sets: int) -> Sequence[L]:
    """Read the lines of the first sets, by hanchan. BadInput if the file is damaged."""
    decoder: Any = msgspec.json.Decoder(kind)
    try:
        lines = [decoder.decode(line) for line in path.read_bytes().splitlines()[1:]]
    except (OSError, msgspec.DecodeError) as error:
        raise BadInput(f"{path}: {error}; remove the folder") from error
    return sorted((line for line in lines if line.game < sets * SEATS), key=lambda line: line.game)


def _ms(seconds: float) -> float:
    return float(f"{seconds * 1000:.2g}")
