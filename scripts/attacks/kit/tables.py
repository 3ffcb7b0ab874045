"""Plays games with one hostile player among three honest ones, and checks what must be true of them."""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from scripts.attacks.kit.attack import Failed
from scripts.attacks.kit.command import Ran, jantaku

HONEST = ("tsumogiri?name=b", "tsumogiri?name=c", "tsumogiri?name=d")
"""Players that answer at once, so that a bad verdict of one of them is the table's fault."""
SEED = "23"
"""Walls on which seat 0 draws and may react in the first kyoku."""
LIMIT = 3.0
"""Seconds for an answer: long for an honest program even on a busy machine."""
NOT_BLAME = frozenset({"ok_margin", "stale"})
"""Counted beside verdicts, but no blame."""

Outcome = dict[str, Any]


def seated(
    player: str, folder: Path, *words: str, limit: float | None = LIMIT, seconds: float = 60.0, **terms: Any
) -> tuple[Ran, list[Outcome]]:
    """Play a kyoku of this player with honest ones by `jantaku play --json`, and check what is true of every game: exit
    code 0, only JSON on standard output, only seat 0 blamed, a journal that verifies."""
    clock = [] if limit is None else ["--limit", str(limit)]
    given = ["play", "--json", "--length", "one", "--seed", SEED, "--rules", "majiang", "--out", "out", *clock]
    ran = jantaku(*given, *words, "--players", ",".join((player, *HONEST)), cwd=folder, seconds=seconds, **terms).fine()
    outcomes = outcomes_in(ran)
    for outcome in outcomes:
        innocents_are_not_blamed(ran, outcome)
        for record in outcome["records"]:
            verifies(ran, folder / record)
    return ran, outcomes


def outcomes_in(ran: Ran) -> list[Outcome]:
    """Parse its standard output, an object per game. Failed if there is anything else."""
    try:
        outcomes = [json.loads(line) for line in ran.out.splitlines()]
    except ValueError:
        raise ran.failed("standard output is not JSON lines") from None
    if not outcomes or not all(isinstance(outcome, dict) for outcome in outcomes):
        raise ran.failed("no game is told of")
    return outcomes


def innocents_are_not_blamed(ran: Ran, outcome: Outcome, innocents: Sequence[int] = (1, 2, 3)) -> None:
    """Raise Failed if one of these seats has a bad verdict."""
    blamed = {seat: faults for seat in innocents if (faults := bad(outcome["faults"][seat]))}
    if blamed:
        raise ran.failed(f"innocents are blamed: {blamed}")


def bad(faults: Mapping[str, int]) -> dict[str, int]:
    """Return the bad verdicts among the counts."""
    return {word: count for word, count in faults.items() if word not in NOT_BLAME}


def blamed_for(ran: Ran, outcome: Outcome, expected: Collection[str]) -> str:
    """Raise Failed unless seat 0 has one of these verdicts and no other; with `ok` among them it may have none."""
    found = bad(outcome["faults"][0])
    if set(found) - set(expected) or (not found and "ok" not in expected):
        raise ran.failed(f"seat 0 has {found or 'no bad verdict'}, not {' or '.join(sorted(expected))}")
    return ", ".join(f"{word} {count}" for word, count in found.items())


def verifies(ran: Ran, record: Path) -> None:
    """Raise Failed unless the record verifies."""
    try:
        read = load(record)
        assert read.rules is not None
        found = verify(read, read.rules).difference
    except BadInput as error:
        raise ran.failed(f"{record.name} cannot be read: {error}") from error
    if found is not None:
        raise ran.failed(f"{record.name} does not verify: {found}")


def nothing_beside(folder: Path, *allowed: str) -> None:
    """Raise Failed if the folder holds anything but these."""
    if found := sorted({path.name for path in folder.iterdir()} - set(allowed)):
        raise Failed(f"written beside the records: {', '.join(found)}")
