"""Playing on in a league: tables are chosen in batches, played, and counted.

A batch is chosen by the results of all batches but the one before it, which may still be played then, so that no worker
waits at its end. It is written down before any of it is played. So the same commands play the same hanchan, however
many workers there are, and wherever they are killed: what is missing is played again from the same seeds.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from typing import Final

import msgspec

from jantaku.table.arena.league.file import MAIN, LeagueBot
from jantaku.table.arena.league.pool import League, Unit
from jantaku.table.arena.league.strength import Lineup, next_tables
from jantaku.table.arena.match.hanchan import Executor, PlayedHanchan, Starting
from jantaku.table.arena.match.plan import Job, PoolPlan, fingerprint
from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput, CannotStart
from jantaku.table.play import seeds
from jantaku.table.play.outcome import FaultReports
from jantaku.table.play.roster import enlist
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi import ruleset

BEHIND: Final = 2
"""How many batches before a batch the results end by which it is chosen."""


class Season:
    """One run of `jantaku league play`: the bots that can play here, and what is to be played. BadInput if they are too
    few. What was chosen with others before is dropped. `skip` is told why bots of the league do not play here, a line
    each."""

    def __init__(
        self,
        league: League,
        version: str,
        limit: int | None,
        deadline: Deadline,
        skip: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._league, self._version, self._limit, self._deadline = league, version, limit, deadline
        self._skip = skip
        self._bots = league.bots
        self.skipped: list[str] = []
        """What `skip` was told."""
        self._pool = [bot.id for bot in self._bots if bot.plays and self._can_play(bot)]
        """The bots that workers are given."""
        self._able = set(self._pool)
        """Those of them that do not fail to start."""
        self.kept = league.kept()
        """The numbers of the hanchan that count."""
        self._given = 0
        self._begin()
        for line in self.skipped:
            skip(line)

    def _begin(self) -> None:
        """Where the league was left, with the bots that are able to play."""
        league = self._league
        if len(self._able) < league.terms.seats:
            few = f"{league.file.path}: a table needs {league.terms.seats} bots, and {len(self._able)} can play here"
            raise BadInput("; ".join([few, *(self.skipped or ["add more: jantaku league add"])]))
        self._open = {one.unit: one for one in league.open_units()}
        league.drop(gone := [one for one in self._open.values() if not self._able.issuperset(one.lineup)])
        for one in gone:
            del self._open[one.unit]
        self._missing = [game for one in self._open.values() for game in one.games if game not in self.kept]
        self._batch = max((one.batch for one in league.units()), default=-1)
        self._over = league.rate_what_is_over()
        """The last batch that is over with all before it."""

    def plan(self) -> PoolPlan:
        """What workers are given: every bot of the league that plays, by its place in the pool."""
        terms, branch = self._league.terms, self._league.branch
        return PoolPlan(
            version=self._version,
            walls=terms.walls,
            players=tuple(self._league.seated(self._bots[bot]) for bot in self._pool),
            names=tuple(self._bots[bot].label for bot in self._pool),
            fingerprints=tuple(self._bots[bot].fingerprint for bot in self._pool),
            seed=terms.seed if branch == MAIN else seeds.of_branch(terms.seed, branch),
            rules=terms.rules,
            rules_digest=ruleset.digest(terms.rules),
            threads=terms.threads,
            on_fault=terms.on_fault,
            clock=terms.clock,
        )

    def play(self, executor: Executor, tell: Callable[[int], None], faults: FaultReports) -> int:
        """Play until there is nothing more to play; returns how many hanchan were played. `tell` is given that number
        after each."""
        starting, played = Starting(), 0
        while self._wanted():
            try:
                with closing(executor.run(starting.marked(self._jobs()))) as hanchan:
                    for one in chain.from_iterable(map(starting.counted, hanchan)):
                        self._keep(one, faults)
                        tell(played := played + 1)
            except CannotStart as missing:
                self._go_on_without(missing)
                starting, self._given = Starting(), played
        return played

    def _go_on_without(self, missing: CannotStart) -> None:
        """The others play on. What was in progress, or was not counted yet, is played again."""
        gone = {bot for bot in self._able if self._bots[bot].label in missing.names}
        if not gone:
            raise missing
        self._able -= gone
        labels = [self._bots[bot].label for bot in sorted(gone)]
        self.skipped.append(line := f"{', '.join(labels)} {'is' if len(gone) == 1 else 'are'} skipped: {missing}")
        self._begin()
        self._skip(line)

    def _wanted(self) -> bool:
        return not self._deadline.over and (self._limit is None or self._given < self._limit)

    def _jobs(self) -> Iterator[Job]:
        """Ends also where the next batch cannot be chosen yet."""
        while self._wanted() and (self._missing or self._choose()):
            game = self._missing.pop(0)
            self._given += 1
            number, rotation = divmod(game, self._league.terms.seats)
            unit = self._open[number]
            yield Job(game, unit.walls, tuple(self._pool.index(bot) for bot in unit.seating(rotation)))

    def _choose(self) -> bool:
        """The next batch; False if the results that it is chosen by are not all there."""
        batch = self._batch + 1
        if self._over < batch - BEHIND:
            return False
        league, terms = self._league, self._league.terms
        before = [one.lineup for one in league.units("WHERE batch = ? AND NOT dropped", self._batch)]
        tables = next_tables(league.strengths(batch - BEHIND), sorted(self._able), before, terms.batch, terms.seats)
        unit = int(league.file.all("SELECT coalesce(max(unit), -1) FROM units")[0][0]) + 1
        walls = league.file.all("SELECT coalesce(max(walls), -1) FROM units WHERE branch = ?", league.branch)[0][0] + 1
        units = [
            Unit(unit + number, batch, league.branch, walls + number, self._seated(table, walls + number))
            for number, table in enumerate(tables)
        ]
        league.plan(units)
        self._open |= {one.unit: one for one in units}
        self._missing = [game for one in units for game in one.games]
        self._batch = batch
        return True

    def _seated(self, table: Sequence[int], walls: int) -> Lineup:
        """Draw by lot which bots sit at one table."""
        lot = Numbers(f"jantaku league 1|{self._league.terms.seed}|{self._league.branch}|{walls}")
        return tuple(shuffled(table, lot))

    def _keep(self, played: PlayedHanchan, faults: FaultReports) -> None:
        """Its records, then its rows: then it counts."""
        folder, game = self._league.file.records, played.job.game
        with telling(folder):
            for name, content in played.files.items():
                replace_whole(folder / name, content)
        record = journal_of(folder, game)
        unit = self._open[game // self._league.terms.seats]
        self._league.keep(played, unit, record.name if record.name in played.files else "")
        reports = [msgspec.structs.replace(report, record=str(record)) for report in played.faults]
        faults.add(played.line.players, played.line.faults, reports)
        self.kept.add(game)
        if self.kept.issuperset(unit.games):
            del self._open[unit.unit]
            if all(one.batch != unit.batch for one in self._open.values()):
                self._over = self._league.rate_what_is_over()

    def _can_play(self, bot: LeagueBot) -> bool:
        """Whether its code is here, and the same; else it is skipped."""
        try:
            enlist([self._league.seated(bot)])
        except BadInput as missing:
            self.skipped.append(f"{bot.label} is skipped: {missing}")
            return False
        found = fingerprint(bot.player)
        if found != bot.fingerprint:
            changed = "is not the one that was added; jantaku league add takes it as a new version"
            self.skipped.append(f"{bot.label} is skipped: its code {changed if found else 'is not here any more'}")
        return found == bot.fingerprint
