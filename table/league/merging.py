"""Two files of one league become one: each hanchan counts once, whichever of them has it.

A hanchan is told by its walls (number and branch), by who sat where, and by their code: the numbers of bots and tables
may differ in two files. What comes from the other file is counted in the order of its own numbers, so that the result
does not depend on when it was played.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from table.errors import BadInput
from table.league.pool import League, Unit
from table.league.terms import LeagueBot
from table.match.folder.disk import telling


class Merged(msgspec.Struct, frozen=True):
    """What came of it: hanchan that are new here, that were here already, of these the ones that came out otherwise
    there, and bots that are new here."""

    new: int
    known: int
    otherwise: int
    bots: tuple[str, ...]


def merge(league: League, other: League) -> Merged:
    """Take over what the other file has. BadInput for one by other terms; nothing is changed then."""
    if found := league.terms.differences(other.terms):
        raise BadInput(
            f"{other.file.path} is another league than {league.file.path}: {'; '.join(found)}; nothing was changed"
        )
    here, added = _matched(league, other)
    units = _units(league, other, here)
    theirs = other.file.all("SELECT game, unit, ended, reason, print, record FROM games ORDER BY game")
    prints = dict(league.file.all("SELECT game, print FROM games"))
    seats: dict[int, list[tuple[Any, ...]]] = {}
    for game, *row in other.file.all("SELECT game, place, bot, rank, score, points, faults, counts FROM seats"):
        seats.setdefault(game, []).append(tuple(row))
    games: list[tuple[Any, ...]] = []
    rows: list[tuple[Any, ...]] = []
    known: list[bool] = []
    for game, unit, ended, reason, told, record in theirs:
        number = units[unit].games[game % league.terms.seats]
        if number in prints:
            known.append(prints[number] == told)
            continue
        kept = _copied(other.file.records, record, league.file.records, number)
        games.append((number, units[unit].unit, ended, reason, told, kept))
        rows += [(number, place, here[bot], *rest) for place, bot, *rest in seats[game]]
    _write(league, added, units, games, rows)
    return Merged(len(games), len(known), known.count(False), tuple(bot.label for bot in added))


def _matched(league: League, other: League) -> tuple[dict[int, int], list[LeagueBot]]:
    """By their ids those of the bots here, and the bots that are to be added for that. Who is active here stays so."""
    bots, added, here = league.bots, [], {}
    for bot in other.bots:
        found = next((one for one in bots if (one.name, one.code) == (bot.name, bot.code)), None)
        if found is None:
            versions = [one for one in bots if one.name == bot.name]
            taken = bot.state == "active" and any(one.state == "active" for one in versions)
            state = "candidate" if taken else bot.state
            found = msgspec.structs.replace(bot, id=len(bots), version=len(versions) + 1, state=state)
            bots.append(found)
            added.append(found)
        here[bot.id] = found.id
    return here, added


def _units(league: League, other: League, here: Mapping[int, int]) -> dict[int, Unit]:
    """By their numbers the tables of the other file as they are here; new ones are a batch of their own. Of those, what
    the other file has still to play is not played here."""
    ours = league.units()
    known = {(one.branch, one.walls, one.lineup): one for one in ours}
    begun = {unit for (unit,) in other.file.all("SELECT DISTINCT unit FROM games")}
    number, batch = len(ours), max((one.batch for one in ours), default=-1) + 1
    found = {}
    for unit in other.units("ORDER BY unit"):
        lineup = tuple(here[bot] for bot in unit.lineup)
        same = known.get((unit.branch, unit.walls, lineup))
        if same is None and unit.unit in begun:
            same = Unit(number, batch, unit.branch, unit.walls, lineup, dropped=True)
            number += 1
        if same is not None:
            found[unit.unit] = same
    return found


def _copied(folder: Path, record: str, to: Path, number: int) -> str:
    """Copy the files of a record under the number that its hanchan has here; the name of the journal, if there is
    one."""
    kept = ""
    for path in sorted(folder.glob(f"{Path(record).stem}.*")) if record else ():
        name = f"game-{number:04d}{path.suffix}"
        with telling(to):
            to.mkdir(mode=0o700, exist_ok=True)
            shutil.copyfile(path, to / name)
        kept = name if path.name == record else kept
    return kept


def _write(
    league: League,
    bots: list[LeagueBot],
    units: Mapping[int, Unit],
    games: list[tuple[Any, ...]],
    seats: list[tuple[Any, ...]],
) -> None:
    """In one transaction; ratings follow if nothing else is under way."""
    there = {one.unit for one in league.units()}
    new = [one for one in units.values() if one.unit not in there]
    with league.file.writing():
        for bot in bots:
            league.insert_bot(bot)
        league.insert_units(new)
        league.file.write_all("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", games)
        league.file.write_all("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seats)
    league.rate_what_is_over()
