"""Reads a folder of records: of a match, or of `jantaku play`. Only the records are read."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from table.errors import BadInput
from table.foreign.files import bytes_of
from table.match.figures.adjusted import LuckTally
from table.match.figures.decision_times import Spent
from table.match.figures.listed import PlayedGames
from table.match.figures.looks import Looks
from table.match.figures.luck import luck_of
from table.match.figures.stopping import looks_of
from table.match.figures.summary import summary
from table.match.figures.tally import MatchTally
from table.match.folder.hidden import PLAN, RECORDS, names_in, plan_in
from table.record.lines import LARGEST
from table.record.read import load

_NAME = re.compile(r"game-(\d+)\.jsonl")


class Run(NamedTuple):
    """The contents of the records of some folders."""

    tally: MatchTally
    spent: Spent
    games: PlayedGames
    luck: LuckTally | None = None


def journals(folder: Path) -> dict[int, Path]:
    """The journals of a folder, or of the match in it, by the number of their hanchan."""
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


def read_runs(folders: Sequence[Path], *, luck: bool = False) -> Run:
    """The records of all folders together, with what chance gave their players if that is asked for. Equal names are
    taken for one player."""
    held = [folder for folder in folders if (folder / PLAN).is_file()]
    stopped = {looks_of(plan_in(folder, whole=False).stop) for folder in held}
    looks = next((each for each in (Looks.ANY, Looks.WIDTH) if each in stopped), Looks.ONCE)
    run = Run(MatchTally(looks=looks), Spent(), PlayedGames(), LuckTally(looks) if luck else None)
    for folder in folders:
        run.tally.expect(names_in(folder))
        for game, path in journals(folder).items():
            line, taken = summary(bytes_of(path, LARGEST), game, str(path))
            run.tally.add(line)
            run.spent.add(taken)
            run.games.add_line(line, path)
            if run.luck is not None and line.ended:
                run.luck.add(line, luck_of(load(path)))
    return run
