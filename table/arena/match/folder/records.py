"""Reads records for their figures: of matches, of `jantaku play`, and from other programs. Apart from the records it
reads only the names and the stopping rule of a match."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from jantaku.table.arena.match.figures.luck import LuckTally, luck_of
from jantaku.table.arena.match.figures.statistics import Looks
from jantaku.table.arena.match.figures.stops import looks_of
from jantaku.table.arena.match.figures.summary import HanchanSummary, Spent, TimeLine, summary
from jantaku.table.arena.match.figures.tally import MatchTally, PlayedGames
from jantaku.table.arena.match.folder.hidden import PLAN, names_in, plan_in
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.records.convert.readers import read_any, recognised
from jantaku.table.records.convert.writers import write_any
from jantaku.table.records.journal.header import RECORDS
from jantaku.table.records.journal.lines import Line, content_of, from_json
from jantaku.table.records.journal.read import Record, load
from jantaku.table.riichi.rules import Rules, unit_of

_NAME = re.compile(r"game-(\d+)\.jsonl")


class Run(NamedTuple):
    """What the records of some files and folders add up to."""

    tally: MatchTally
    spent: Spent
    games: PlayedGames
    luck: LuckTally | None = None
    left_out: Sequence[str] = ()
    """Why each file was left out that could not be read."""
    units: Collection[str] = ()
    """The names of the games, by their lengths; usually one."""

    @property
    def unit(self) -> str:
        """The name of a game; "hanchan", the usual length, if there are several lengths."""
        return next(iter(self.units)) if len(self.units) == 1 else "hanchan"


def journals(folder: Path) -> dict[int, Path]:
    """Return the journals of a folder, or of the match in it, by number of hanchan."""
    inside = folder / RECORDS
    place = inside if inside.is_dir() else folder
    try:
        found = {int(match[1]): path for path in place.iterdir() if (match := _NAME.fullmatch(path.name))}
    except FileNotFoundError:
        raise BadInput(f"{folder}: there is no such folder") from None
    except NotADirectoryError:
        raise BadInput(f"{folder} is a file; name the folder that holds it: {folder.parent}") from None
    except OSError as error:
        raise BadInput(f"{folder}: cannot be read: {error.strerror}") from None
    if not found:
        raise BadInput(f"{folder}: holds no records (game-NNNN.jsonl), nor does {inside}")
    return dict(sorted(found.items()))


def numbered(paths: Sequence[Path]) -> list[tuple[int, Path]]:
    """Number these records: by the game number in the name of a jantaku journal, else by position."""
    return [(int(own[1]) if (own := _NAME.fullmatch(path.name)) else at, path) for at, path in enumerate(paths)]


def read_runs(named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Run:
    """Add up the records of all these files and folders; with `luck`, also what chance gave their players. Equal names
    count as one player."""
    matches = dict.fromkeys(path.parent.parent for paths in named.values() for path in paths)
    held = [folder for folder in matches if (folder / PLAN).is_file()]
    stopped = {looks_of(plan_in(folder, whole=False).stop) for folder in held}
    looks = next((each for each in (Looks.ANY, Looks.WIDTH) if each in stopped), Looks.ONCE)
    left_out: list[str] = []
    units: set[str] = set()
    run = Run(MatchTally(looks=looks), Spent(), PlayedGames(), LuckTally(looks) if luck else None, left_out, units)
    for word, paths in named.items():
        run.tally.expect(names_in(word) if word.is_dir() else ())
        for game, path in numbered(paths):
            try:
                units.add(_take(run, game, path))
            except BadInput as error:
                if isinstance(error, OtherGame) or word == path or _NAME.fullmatch(path.name):
                    raise
                left_out.append(str(error))
    return run


class Summarised(NamedTuple):
    """One record of any format in figures. `record` is None for a journal, which is summed up without being read in
    full; `header` is its first line."""

    line: HanchanSummary
    times: TimeLine
    header: Line
    record: Record | None

    @property
    def unit(self) -> str:
        """What the game is called, by its length."""
        return unit_of(self.header["rules"]["game"].get("length", "hanchan"))


def summarised(game: int, path: Path, rules: Rules | None = None) -> Summarised:
    """Sum up one record of any format. What a journal must have and this record lacks is filled in as by `jantaku
    convert`, its rules with `rules`. BadInput if it cannot be read."""
    content, record = content_of(path), None
    if recognised(path, content) != "journal":
        record = read_any(path, rules).record
        record.rules = record.rules or rules
        content, _ = write_any(record, "journal")
    line, times = summary(content, game, str(path))
    if not line.seed:  # its walls are unknown: a set of its own
        line = msgspec.structs.replace(line, seed=str(path))
    return Summarised(line, times, from_json(content.partition(b"\n")[0]), record)


def _take(run: Run, game: int, path: Path) -> str:
    """Add one record of any format; return what its game is called."""
    line, times, _, record = told = summarised(game, path)
    run.tally.add(line)
    run.spent.add(times)
    run.games.add_line(line, path)
    if run.luck is not None and line.ended:
        run.luck.add(line, luck_of(record or load(path)))
    return told.unit
