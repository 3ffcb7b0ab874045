"""Records for commands: options, folders, and reading many with progress."""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from jantaku.table.cli.options import SEED, argument, option
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.installation import told, typed
from jantaku.table.play import seeds
from jantaku.table.play.entry import refusal
from jantaku.table.play.outcome import FaultReport, FaultReports
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.lines import games_in
from jantaku.table.records.journal.places import ENDINGS, PLANS, RECORDS, REVIEWS

# Options and folders of commands that read or write records.

FAULT = "#fault"
ANCHOR = re.compile(r"#(fault|k=\d+&e=\d+)$")
"""The part of a word after a record's name: where its page opens, at the first fault or at a kyoku and event, as in its
links."""
SHOWN = 2
"""Most names of a folder's files in a message."""


def view_command(record: Path, kyoku: int, event: int) -> str:
    """Return the command that shows a decision: kyoku from 1, and the number of its items before the decision."""
    return f"jantaku view {shlex.quote(f'{record}#k={kyoku}&e={event}')}"


class RecordFile(click.Path):
    """A file with a record; for a folder, the refusal names files in it."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; {_files_in(path)}")
        return super().convert(value, param, ctx)


def _seeds(ctx: click.Context, param: click.Parameter, seed: str | None) -> SeedsOf:
    """Return the seeds that --seed may mean: the game's own, or the seed of the run that the game belongs to."""
    return lambda number: () if seed is None else tuple({seed: None, seeds.of_game(seed, number): None})


def opened_by() -> Any:
    """Declare a field for the `SeedsOf` of --seed."""
    return option("Opens the journal of a game that was killed.", "N", flag="--seed", type=SEED, callback=_seeds)


def _files_in(folder: Path) -> str:
    for place in (folder, folder / "games"):
        if names := sorted(str(path) for path in place.glob("game-*.json*")):
            more = ", …" if len(names) > SHOWN else ""
            return f"name its files: {' '.join(names[:SHOWN])}{more} (all of them: {place}/*.jsonl)"
    return "there is no record in it (game-NNNN.jsonl)"


def unique(began: str) -> str:
    """Make a unique folder name from the time at which a run began. It reveals nothing about the game."""
    return f"{began}-{os.urandom(3).hex()}"


def folder_for(out: Path) -> Path:
    """Create the folder of --out if need be. BadInput if it cannot be used."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out: {out} cannot be used: {error.strerror}") from error
    return out


def new_folder(folder: Path) -> Path:
    """Do the same; BadInput as well if the folder holds games."""
    try:
        taken = next(folder_for(folder).glob("game-*"), None)
    except OSError as error:
        raise BadInput(f"--out: {folder} cannot be used: {error.strerror}") from error
    if taken is not None:
        raise BadInput(f"--out: {folder} holds {taken.name} already; give a new or empty folder")
    return folder


# Reads many records for one command: finds them in folders, takes one after another with progress, and names broken
# ones.

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
        raise BadInput(f"Missing argument 'OUT': behind {target} stands where to write to")
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
    """Return the games of a file, each with its name: that of the file, with a number where it holds several. A file
    that cannot be read is returned, so that its reader says why."""
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


# Reports faults to a person: two lines each on standard output, some more on standard error, and everything in a file.

FILE = "faults.txt"
"""Name of the file with all reports, beside the records."""


def keep(reports: FaultReports, folder: Path) -> Path:
    """Append all reports to the file in that folder. BadInput if that is impossible."""
    path = folder / FILE
    try:
        with path.open("a", encoding="utf-8") as file:
            say(*reports.summary(), "", *reports.details(), "", to=file)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
    return path


def tell(reports: FaultReports, folder: Path, *, quiet: bool, json: bool) -> None:
    """Keep the reports beside the records in `folder`, and print them; with `json` nothing on standard output, with
    `quiet` nothing at all."""
    if not reports:
        return
    file = keep(reports, folder)
    if quiet:
        return
    say(*reports.summary(), err=json)
    say(*reports.details(brief=True), err=True)
    say(f"all of the faults: {told(file)}", err=json)


def next_steps(reports: FaultReports, examined: Mapping[str, str], *, viewed: bool = True) -> list[str]:
    """Return the commands that lead to the first fault. `examined`: by name the players that can be examined, as on a
    command line. `viewed`: whether the game's records can be viewed."""
    first = reports.all[0]
    steps = [typed(f"view {shlex.quote(told(first.record) + FAULT)}")] if viewed else []
    if again := _once_more(first, examined):
        steps.append(again)
    if examined.get(first.player):
        steps.append(typed(f"exam {shlex.quote(examined[first.player])}"))
    return [f"{'next:' if number == 0 else '     '} {step}" for number, step in enumerate(steps)]


def _once_more(report: FaultReport, words: Mapping[str, str]) -> str:
    """Return the command that repeats the question of a fault; empty unless a command line can name all its players."""
    again = report.again
    if again is None or not all(words.get(name) for name in again.players):
        return ""
    players = shlex.quote(",".join(words[name] for name in again.players))
    place = f"--from {shlex.quote(told(report.record))} --kyoku {again.kyoku} --turn {again.turn}"
    return typed(f"play {place} --players {players} --strict")
