"""Plays the plan of docs/results and writes its page: picture, figures and games to watch.

    python -m scripts.results              plays the rows that docs/results/figures.json lacks, then writes everything
    python -m scripts.results --draw       writes picture and page from the figures; nothing is played
    python -m scripts.results --again 3    plays the first three wall sets of every row again, and compares

Programs of others are fetched first, see `python -m scripts.anchors`. A row that was interrupted goes on where it was.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS
from scripts.anchors.__main__ import home, seated
from scripts.laws import ROOT
from scripts.results.page import drawn, page
from scripts.results.plan import OWN, LadderPlan, Played, Row, origin_of, read_plan, titled
from scripts.results.playing import play, read

PLACE = ROOT / "docs" / "results"
PLAN, FIGURES, GAMES = "plan.toml", "figures.json", "games"


def kept(place: Path, plan: LadderPlan) -> dict[str, Row]:
    """Return the rows of this plan that were played before, by title. BadInput if the file is damaged."""
    path = place / FIGURES
    if not path.is_file():
        return {}
    try:
        played = msgspec.json.decode(path.read_bytes(), type=Played)
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: {error}; remove it, and what it had is played again") from error
    rows = {row.title: row for row in played.rows} if played.seed == plan.seed else {}
    wanted = {titled(name, beside): (sets, origin_of(name)) for name, beside, sets in plan.rows()}
    return {title: row for title, row in rows.items() if wanted.get(title) == (row.sets, row.origin)}


def whole(place: Path, plan: LadderPlan) -> Played:
    """Return what was played. BadInput if a row of the plan is missing."""
    rows = kept(place, plan)
    titles = [titled(name, beside) for name, beside, _ in plan.rows()]
    if missing := [title for title in titles if title not in rows]:
        raise BadInput(f"{place / FIGURES} lacks “{missing[0]}” as the plan and the anchors have it: play it first")
    return Played(plan.seed, tuple(rows[title] for title in titles))


def played(place: Path, plan: LadderPlan, out: Path, spec: Callable[[str], str]) -> dict[Path, bytes]:
    """Play the rows that the figures lack. Return the new figures and games, by file."""
    rows, found = kept(place, plan), dict[Path, bytes]()
    for name, beside, sets in plan.rows():
        title, folder = titled(name, beside), out / titled(name, beside).replace(" ", "-")
        if title in rows:
            continue
        print(f"{title}: {sets * SEATS:,} hanchan in {folder}", flush=True)
        play(plan, name, beside, sets, folder, spec)
        rows[title] = read(name, beside, sets, folder)
        for game in range(SEATS) if title in plan.watch else ():
            record = folder / "records" / f"game-{game:04}.json"
            found[place / GAMES / f"{folder.name}-{game + 1}.json"] = record.read_bytes()
    figures = Played(plan.seed, tuple(rows[titled(name, beside)] for name, beside, _ in plan.rows()))
    return {place / FIGURES: msgspec.json.format(msgspec.json.encode(figures)) + b"\n", **found}


def write(files: Mapping[Path, bytes]) -> None:
    """Write each file whole."""
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        replace_whole(path, content)


def pages(place: Path, plan: LadderPlan) -> dict[Path, bytes]:
    """Draw picture and page."""
    found = whole(place, plan)
    return {place / "ladder.svg": drawn(plan, found).encode(), place / "index.md": page(plan, found).encode()}


def again(place: Path, plan: LadderPlan, sets: int, spec: Callable[[str], str]) -> bool:
    """Play the first wall sets of every row again, and say which came out as in the figures."""
    same = True
    for row in whole(place, plan).rows:
        number, before = min(sets, row.sets), _children()
        with tempfile.TemporaryDirectory() as folder:
            play(plan, row.name, row.beside, number, Path(folder, "match"), spec)
            found = read(row.name, row.beside, number, Path(folder, "match")).ranks == row.ranks[: number * SEATS]
        said = "the same ranks" if found else "OTHER RANKS"
        print(f"{row.title}: {number * SEATS} hanchan, {said}, {_children() - before:.1f} CPU s", flush=True)
        same &= found
    return same


def _children() -> float:
    """CPU seconds of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.results", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "results", help="folder of the matches")
    parser.add_argument("--place", type=Path, default=PLACE, help="folder of plan and page [docs/results]")
    parser.add_argument("--from", dest="source", metavar="DIR", help="a clone of majiang-ai, instead of GitHub")
    parser.add_argument("--draw", action="store_true", help="play nothing")
    parser.add_argument("--again", type=int, metavar="N", help="play the first N wall sets of every row again")
    given = parser.parse_args(words)

    @cache
    def spec(name: str) -> str:
        return name if name in OWN else seated(name, home(), given.source)

    try:
        with telling(given.place):
            plan = read_plan(given.place / PLAN)
            if given.again is not None:
                return 0 if again(given.place, plan, max(given.again, 1), spec) else 1
            if not given.draw:
                given.out.mkdir(parents=True, exist_ok=True)
                write(played(given.place, plan, given.out, spec))
            write(pages(given.place, plan))
    except BadInput as error:
        print(f"results: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
