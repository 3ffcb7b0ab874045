"""Reads many records for one command: finds them in folders, takes one after another with progress, and names broken
ones."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from jantaku.table.cli.options import argument
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.play.entry import refusal
from jantaku.table.records.journal.lines import games_in
from jantaku.table.records.journal.places import ENDINGS, PLANS, RECORDS, REVIEWS

_BEST_FIRST = ("journal", "paifu", "mjlog", "mjai", "tenhou6", "2015")
"""Formats, the most complete first. If a folder has several records of one game, the first of these is read."""
_READ = (*ENDINGS, (".mjlog", "mjlog"), (".xml", "mjlog"))
"""Formats by the ending of a file that is read."""
_LOG_ID = re.compile(r"\??\d{10}gm-[\w&=-]+$")
"""Matches the name of a log that is saved under Tenhou's id, without an ending."""
_UNREADABLE, _DIFFERS = 2, 1
"""Exit codes."""


class Found(NamedTuple):
    """A record, and its path inside the named folder, without the ending."""

    path: Path
    place: Path


class InsAndOut(NamedTuple):
    """The words of a command that reads records and writes something."""

    found: list[Found]
    target: Path
    several: bool
    """Whether there may be several records: a folder, more than one file, or a file with several games is named."""


def ins_and_out() -> Any:
    """Declare a field for the words `IN… OUT`, see `parted`."""
    return argument("IN… OUT", type=click.Path(path_type=Path, allow_dash=True))


def parted(words: Sequence[Path]) -> InsAndOut:
    """Split the words into the records named by all but the last, and the last. BadInput if there is no record."""
    *sources, target = words
    if not sources:
        raise BadInput(f"Missing argument 'OUT': name the file or folder to write after {target}")
    found = [one for source in sources for one in found_in(source)]
    return InsAndOut(found, target, len(sources) > 1 or len(found) > 1 or sources[0].is_dir())


def found_in(source: Path) -> list[Found]:
    """Return the records that a word names: the file, or all in the folder and below. BadInput if there is none."""
    if not source.is_dir():
        if not os.path.lexists(source):
            games_in(source)  # of FILE#2 the file is there
        return [Found(game, Path(stem)) for stem, game in _games(_stem(source.name)[0], source)]
    found = [
        Found(game, path.relative_to(source).with_name(name))
        for stem, path in _records_under(source)
        for name, game in _games(stem, path)
    ]
    if not found:
        endings = ", ".join(sorted({ending for ending, _ in _READ}))
        raise BadInput(f"{source}: there is no record in this folder or below it (files that end with {endings})")
    return found


def _games(stem: str, path: Path) -> list[tuple[str, Path]]:
    """Return the games of a file, each with its name: the name of the file, and a number if the file holds several. A
    file that cannot be read counts as one game, so that its reader says why."""
    try:
        games = games_in(path)
    except BadInput:
        games = [path]
    return [(stem + game.name.removeprefix(path.name).replace("#", "-"), game) for game in games]


def _records_under(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the records of a tree in the order of their names, one per game; of a match, only those in its folder of
    records. Hidden files and folders are skipped."""
    for place, folders, files in os.walk(folder, onerror=_refuse):
        played = not PLANS.isdisjoint(files)
        folders[:] = [RECORDS] if played else sorted(name for name in folders if name[0] != ".")
        best: dict[str, tuple[int, str]] = {}
        for name in () if played else files:
            stem, rank = _stem(name)
            if name[0] != "." and rank < len(_BEST_FIRST):
                best[stem] = min(best.get(stem, (rank, name)), (rank, name))
        yield from ((stem, Path(place, best[stem][1])) for stem in sorted(best, key=_as_counted))


def _as_counted(name: str) -> list[tuple[int, str]]:
    """Return a sort key by which game-9999 comes before game-10000."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _refuse(error: OSError) -> None:
    raise BadInput(f"{error.filename}: cannot be read: {error.strerror}")


def _stem(name: str) -> tuple[str, int]:
    """Return a file's name without a record's ending, and the rank of its format: lower is more complete."""
    plain = name.removesuffix(".gz")
    if plain.endswith(REVIEWS):
        return plain, len(_BEST_FIRST)
    for ending, form in _READ:
        if plain.endswith(ending):
            return plain.removesuffix(ending), _BEST_FIRST.index(form)
    return plain, _BEST_FIRST.index("mjlog") if _LOG_ID.match(plain) else len(_BEST_FIRST)


def each(found: Sequence[Found], treat: Callable[[Found], str]) -> int:
    """Treat the records one after another, with a bar on a terminal. Unreadable records are named and skipped, and
    `treat` may return a message about one; if there is only one record, failing to read it is an error. Return the exit
    code."""
    from jantaku.table.cli.screen import Screen, bar  # rich takes a start's time, and other commands draw nothing

    screen = Screen(err=True)
    code = broken = 0
    with bar(screen, shown=screen.is_terminal) as drawn:
        task = drawn.add_task("records", total=len(found))
        for one in found:
            try:
                if said := treat(one):
                    code = max(code, _DIFFERS)
                    say(said, err=True)
            except BadInput as error:
                if len(found) == 1:
                    raise
                broken += 1
                say(f"left out: {refusal(error) if isinstance(error, OtherGame) else error}", err=True)
            drawn.advance(task)
    if broken == len(found):
        raise BadInput(f"none of the {broken} files could be read; nothing was written")
    if broken:
        say(f"{broken} of {len(found)} files {'was' if broken == 1 else 'were'} left out", err=True)
    return _UNREADABLE if broken else code
