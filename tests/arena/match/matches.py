"""Small matches for tests: mostly single kyoku between tsumogiri and dice, in this process."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.match.conduct import Finished, conduct
from jantaku.table.arena.match.executors import Executor, Here
from jantaku.table.arena.match.figures.stops import Results, Stopping
from jantaku.table.arena.match.figures.summary import Counts, HanchanSummary
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.store import Store
from jantaku.table.play.parts import PartFile, PartOf
from jantaku.table.riichi import ruleset

FILES = ("journal.jsonl", "games.sqlite", "results.json")
"""What two runs of one plan have in common byte by byte, besides the plan."""


def small_plan(players: Sequence[str] = ("dice", "tsumogiri"), length: str = "one", **flags: Any) -> MatchPlan:
    """A plan of three sets 1v3 unless `flags` say otherwise; keys of `[match]`, or of `[stop]` with `stop_` before."""
    given = {"format": "1v3", "sets": 3, "seed": 5, "threads": "inline", "players": list(players), **flags}
    keys = {f"stop.{key[5:]}" if key.startswith("stop_") else f"match.{key}": value for key, value in given.items()}
    file = read(None, keys)
    rules = ruleset.with_settings(file.rules, {"game.length": length})
    return plan_of(msgspec.structs.replace(file, rules=rules))


def play_match(folder: Path, plan: MatchPlan, executor: Executor | None = None) -> Finished[Results]:
    store = Store.create(folder, plan)
    try:
        return conduct(store, executor or Here(plan, store.places), Stopping(store.plan))
    finally:
        store.close()


def contents(folder: Path) -> dict[str, bytes]:
    """The files that must not depend on how a match or tournament was played, 牌譜 included."""
    (plan,) = (path for name in ("match", "tournament") if (path := folder / f"{name}.json").exists())
    paths = [plan, *(folder / name for name in FILES), *sorted((folder / "records").glob("*.json"))]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def resumed(folder: Path, *seeds: str) -> dict[str, bytes]:
    """The files of a match that has gone on to its end."""
    store = Store.resume(folder, *seeds)
    conduct(store, Here(store.plan, store.places), Stopping(store.plan))
    store.close()
    return contents(folder)


def line(
    game: int, number: int, players: Sequence[str], ranks: Sequence[int], points: Sequence[float] = ()
) -> HanchanSummary:
    """A hanchan that ended like this; without ranks, one that came to nothing."""
    return HanchanSummary(
        game=game,
        set=number,
        seed="1",
        rules="",
        players=tuple(players),
        ended=bool(ranks),
        reason="" if ranks else "made up",
        scores=(25000,) * len(ranks),
        ranks=tuple(ranks),
        points=tuple(points) or tuple(0.0 for _ in ranks),
        faults=({}, {}, {}, {}),
        counts=(Counts(), Counts(), Counts(), Counts()),
        print="",
    )


LINES = ("journal.jsonl", "times.jsonl")


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, but for what tells of hosts."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "parts.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def cut(whole: Path, folder: Path, part: PartOf, sets: int) -> Path:
    """Make the folder of a part from that of a whole match."""
    (folder / "records").mkdir(parents=True)
    shutil.copy(whole / "match.json", folder)
    PartFile(part.number, part.of, sets).write(folder)
    for name in LINES:
        head, *lines = (whole / name).read_bytes().splitlines(keepends=True)
        games = [msgspec.json.decode(line)["game"] for line in lines]
        size = len(lines) // sets
        own = [line for line, game in zip(lines, games, strict=True) if part.has(game // size)]
        (folder / name).write_bytes(b"".join([head, *own]))
    for game in games:
        if part.has(game // size):
            for path in (whole / "records").glob(f"game-{game:04}.*"):
                shutil.copy(path, folder / "records")
    return folder


def cut_all(whole: Path, folder: Path, of: int, sets: int) -> Sequence[Path]:
    """Make the folders of all parts."""
    return [cut(whole, folder / f"part-{number}", PartOf(number, of), sets) for number in range(1, of + 1)]
