"""`jantaku compare`: is B better than A? Answered by forks of A's games, and by whole hanchan if these are needed."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec

from jantaku.table.arena.collecting import BASELINE
from jantaku.table.arena.commands.match import asked
from jantaku.table.arena.commands.runs import MatchOptions, refuse_alone, watched
from jantaku.table.arena.comparing.folder import files_of
from jantaku.table.arena.comparing.results import Comparison
from jantaku.table.arena.forks.course import baseline_of, drawing, found_in
from jantaku.table.arena.forks.folder import FORKS, ForkPlan, ForkStore
from jantaku.table.arena.forks.gains import Judged, Screening, judged
from jantaku.table.arena.forks.jobs import ForkWork
from jantaku.table.arena.forks.stages import MOST_PROBED, Confirm, Probe, Until, forked, wants_match
from jantaku.table.arena.match.conduct import PartSchedule, RunPlace, Schedule, await_turn, conduct, run
from jantaku.table.arena.match.executors import Executor, Opened
from jantaku.table.arena.match.figures.stops import Results, Stopping
from jantaku.table.arena.match.fingerprint import fingerprint
from jantaku.table.arena.match.formats import alone, even
from jantaku.table.arena.match.hanchan import HanchanTable
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.poolfile import told_apart
from jantaku.table.arena.match.processes import cpu_spent, local, resting
from jantaku.table.arena.match.records import PLAN, places_in
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.arena.match.store import Store
from jantaku.table.cli.commands.records import unique
from jantaku.table.cli.options import CommandOptions, Folder, WholeNumber, argument, option
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import here, told, typed
from jantaku.table.judge.mode import Mode
from jantaku.table.play import seeds
from jantaku.table.play.cores import usable
from jantaku.table.play.parts import WHOLE, PartOf, begun, hosted, seal
from jantaku.table.play.seating.spec import Terms, terms_of
from jantaku.table.records.journal.places import RECORDS

EPILOG = """Stage 1, forks: A plays itself, and B is asked every question of these games. Where it first differs in a
kyoku, the rest of that kyoku is played both ways. Stage 2 confirms by whole hanchan: one B against three A on paired
walls.

Examples:

\b
  jantaku compare mybots:Old mybots:New
  jantaku compare old.py:Bot new.py:Bot --hanchan 1000 --baseline baselines/old
  jantaku compare shanten mybot.py:Bot --until decided --confirm never
"""
HANCHAN, MOST_UNTIL, MOST_HANCHAN = 200, 5000, 100_000
CONTROL = 20
"""As a control, A is also asked beside its own record, in one hanchan out of this many."""
SETS = 250
"""Most wall sets of a confirmation."""
NARROWEST = 0.001
"""The smallest half-width that a match accepts."""
MATCH = "match"


class CompareOptions(CommandOptions):
    a: str = argument("A")
    b: str = argument("B")
    hanchan: int | None = option(f"Hanchan of A to fork.  [default: {HANCHAN}]", "N", type=WholeNumber(2, MOST_HANCHAN))
    until: str | None = option("When to stop forking; --hanchan is the most.", "decided|ci=X")
    confirm: Confirm = option("Whether to play whole hanchan, too.", default="auto")
    baseline: Path | None = option("Folder of A's games; missing ones are played and kept.", "DIR", type=Folder())
    match: MatchOptions = MatchOptions.group(
        without=("file", "players", "format", "seatings", "games", "until", "sprt", "resume", "strict"),
        sets={"help": f"Most wall sets of 4 hanchan in the confirmation.  [default: {SETS}]"},
        out={"help": "Folder of the comparison; one that exists is continued."},
    )


@CompareOptions.command(epilog=EPILOG)
def command(options: CompareOptions) -> None:
    """Say whether the player B is better than A, at a fraction of the games that a match takes.

    A's games are kept (--baseline) and serve for every further B. The same command with the same --out continues what
    was interrupted. Players are written as in `jantaku play --players`.
    """
    if options.match.part is not None:
        with resting():
            _Compared(options, Screen(quiet=options.match.quiet or options.match.json)).play_part(options.match.part)
        return
    compared(options)


def compared(options: CompareOptions) -> Comparison:
    console = Screen(quiet=options.match.quiet or options.match.json)
    with own_output(options.match.json) as output, resting():
        found = _Compared(options, console).run()
        if output is not None:
            say(found.encoded(), to=output)
    found.tell(console)
    return found


def _until(options: CompareOptions) -> Until:
    if options.until is None:
        return Until(options.hanchan or HANCHAN)
    most, (key, _, value) = options.hanchan or MOST_UNTIL, options.until.partition("=")
    if key == "decided" and not value:
        return Until(most, decided=True)
    try:
        width = float(value) if key == "ci" else 0.0
    except ValueError:
        width = 0.0
    if not 0.0001 <= width <= 1.5:
        raise BadInput(f"--until {options.until}: allowed are decided and ci=WIDTH, for example ci=0.01")
    return Until(most, ci=width)


def _refuse_in_part(options: CompareOptions, part: PartOf) -> None:
    """Raise BadInput for options that belong to the whole, or that every part must have of its own."""
    if options.until is not None:
        raise BadInput(f"--part {part}: --until is decided by all hanchan together; give --hanchan N")
    if options.confirm != "never":
        raise BadInput(
            f"--part {part}: whether whole hanchan are played is decided by all parts; give --confirm never, and play "
            "them by jantaku match --part"
        )
    if options.baseline is not None:
        raise BadInput(f"--part {part}: a part keeps A's games itself; leave --baseline away")
    refuse_alone(options.match, part, options.match.seed)


class _Compared:
    def __init__(self, options: CompareOptions, console: Screen) -> None:
        self._options, self._console = options, console
        given = options.match
        a, b = drawing(options.a), drawing(options.b)
        for player in (a, b):
            if player.scheme == "ws":
                raise BadInput(f"player {player.bot}: every fork needs its own player, and a client connects only once")
        self._file = asked(given)
        if given.run.threads is None and given.run.limit is None and not (a.scheme or b.scheme):
            match = msgspec.structs.replace(self._file.match, threads=Mode.INLINE)
            self._file = msgspec.structs.replace(self._file, match=match)
        self._players = told_apart(b, a)
        """B and A, renamed if their names are equal, as a match of both has them."""
        self._names = self._players[1].label, self._players[0].label
        self._candidate, self._until = b, _until(options)
        if given.part is not None:
            _refuse_in_part(options, given.part)
        self._out = given.out or here(Path(f"compares/{unique(stamp())}"))
        self._baseline = options.baseline or self._out / BASELINE
        plan = baseline_of(self._file, a)
        self._plan: MatchPlan = found_in(self._baseline, plan, seeded=given.seed is not None) or plan
        self._spent: dict[str, float] = {}

    def _forks(self) -> ForkStore:
        plan = self._plan
        fork_plan = ForkPlan(
            version=plan.version,
            baseline=plan.digest,
            candidate=self._candidate,
            name=self._names[1],
            fingerprint=fingerprint(self._candidate),
        )
        return ForkStore(self._out, fork_plan)

    def play_part(self, part: PartOf) -> None:
        """Play and fork the hanchan of one part, and judge nothing. A known folder is gone on with."""
        hanchan = self._until.hanchan
        begun(self._out, part.refuse_more_than(hanchan, "hanchan"), hanchan)
        await_turn(self._baseline)
        with closing(self._forks()) as store, hosted(self._out, lambda: len(store.games)):
            ended = self._play_baseline(hanchan, part)
            jobs = [job for job in self._plan.jobs(hanchan) if job.game in ended and part.has(job.set)]
            work = ForkWork(self._candidate, self._baseline / RECORDS, CONTROL)
            for one in forked(self._executor(work), (job for job in jobs if job.game not in store.games)):
                store.keep(one)
                self._tell(len(store.games))
                self._refuse_lots(max(one.again, 0))
            store.finish([job.game for job in jobs], {})
        seal(self._out, FORKS)
        self._console.say(f"part {part}: {len(jobs)} hanchan forked: {told(self._out)}")
        self._console.say(f"when all parts are finished: {typed('collect PART… --out DIR')}")

    def run(self) -> Comparison:
        plan = self._plan
        with closing(self._forks()) as store:
            games, found = list[int](), None
            try:
                probe = Probe() if self._options.confirm == "never" else self._probed()
                if not probe.is_other:
                    self._console.say(f"stage 1, forks: {self._names[1]} asked in the games of {self._names[0]}")
                    games, found = self._screened(store)
            except KeyboardInterrupt:
                say(f"stopped; go on with the same command and --out {told(self._out)}", err=True)
                raise
            screening = None if found is None else found.screening
            reason = wants_match(screening, self._options.confirm) if screening else probe.reason
            ended = Comparison(
                names=self._names,
                seats=plan.seats,
                probe=probe,
                found=found,
                confirmation=self._confirmed(screening, reason) if reason else None,
                out=told(self._out),
                spent=self._spent,
            )
            store.finish(games, files_of(ended, plan.rules, self._baseline / RECORDS, self._out))
            return ended

    def _probed(self) -> Probe:
        """Find out how often B differs, in as few of A's hanchan as suffice."""
        probe, work = Probe(), ForkWork(self._candidate, self._baseline / RECORDS)
        for number in range(MOST_PROBED):
            ended = self._play_baseline(number + 1)
            jobs = [job for job in self._plan.jobs(number + 1) if job.game == number and number in ended]
            with self._timed("games"):
                for one in forked(self._executor(work), jobs):
                    probe = probe.with_hanchan(one)
            if probe.is_sure:
                break
        return probe

    def _screened(self, store: ForkStore) -> tuple[list[int], Judged]:
        """Stage 1: return the hanchan that count, and their estimate. The first hanchan show whether A repeats
        itself."""
        until, rules = self._until, self._plan.rules
        games, found = list[int](), None
        workers = self._file.match.workers
        for size in until.stages((usable() if workers is None else workers) or 1):
            ended = self._play_baseline(size)
            jobs = [job for job in self._plan.jobs(size) if job.game in ended]
            work = ForkWork(self._candidate, self._baseline / RECORDS, CONTROL)
            with self._timed("forks"):
                for one in forked(self._executor(work), (job for job in jobs if job.game not in store.games)):
                    store.keep(one)
                    self._tell(len(store.games))
            games = [job.game for job in jobs]
            found = judged([store.games[game] for game in games], rules, until.looks) if games else None
            if found is not None:
                self._refuse_lots(found.screening.unrepeated)
                if until.met(found.screening):
                    break
        if found is None:
            raise BadInput(f"no hanchan of {self._names[0]} has a result; see {told(self._baseline)}")
        return games, found

    def _play_baseline(self, hanchan: int, part: PartOf = WHOLE) -> set[int]:
        """Play A's games up to that number; return the numbers of the games that have a result."""
        folder, plan = self._baseline, self._plan
        there = found_in(folder, plan, seeded=True) is not None
        with closing(Store.resume(folder, plan.seed) if there else Store.create(folder, plan)) as store:
            if any(job.game not in store.kept and part.has(job.set) for job in plan.jobs(hanchan)):
                schedule: Schedule[Results] = Stopping(plan, max(hanchan, len(store.kept)))
                if part != WHOLE:
                    schedule = PartSchedule(schedule, part, 1)
                with self._timed("games"):
                    conduct(store, self._executor(HanchanTable), schedule)
            return {line.game for line in store.lines() if line.ended}

    def _executor(self, opened: Opened) -> Executor:
        workers, places = self._file.match.workers, places_in(self._baseline, self._plan)
        return local(self._plan, places, workers, opened)

    def _refuse_lots(self, unrepeated: int) -> None:
        """Raise BadInput if A does not repeat its own decisions."""
        if unrepeated:
            raise BadInput(
                f"{self._names[0]} is not reproducible: asked again in its own games, it differs {unrepeated} times; "
                "give it a method reseed(seed) if it draws random numbers, or a seed; or compare by whole hanchan: "
                f"jantaku match --format {alone(self._plan.seats)} --players {self._options.b},{self._options.a}"
            )

    def _confirmed(self, found: Screening | None, reason: str) -> Results:
        """Stage 2: play an ordinary match with a sequential test of the forks' estimate against no difference. Without
        forks: of the usual lead, or up to the width asked for."""
        self._console.say(f"{'whole hanchan alone' if found is None else 'stage 2, whole hanchan'}: {reason}")
        folder = self._out / MATCH
        stop, seats = self._file.stop, self._plan.seats
        middle = even(seats)
        if found is not None:
            rank1 = round(min(max(middle - found.rank.mean, 1.05), seats - 0.05), 2)
            stop = msgspec.structs.replace(stop, sprt=rank1 != middle, rank0=middle, rank1=rank1)
        elif self._until.ci is None:
            stop = msgspec.structs.replace(stop, sprt=True)
        else:
            stop = msgspec.structs.replace(stop, ci=max(self._until.ci, NARROWEST))
        seed = self._plan.seed if found is None else seeds.of_room(str(self._plan.seed), MATCH, 0)
        sets = self._file.match.sets or SETS
        match = msgspec.structs.replace(self._file.match, format=alone(seats), sets=sets, players=(), seed=seed)
        wanted = msgspec.structs.replace(self._file, match=match, stop=stop, player=self._seated(found is not None))
        with self._timed("match"):
            where = RunPlace(folder, (folder / PLAN).exists(), match.workers, match.pin)
            plan, watch = plan_of(wanted), partial(watched, self._options.match, Screen(quiet=True))
            ended = run(plan, where, watch, Stopping(plan), write_match_report)
        return ended.done.results

    def _seated(self, forked: bool) -> tuple[Terms, ...]:
        """Return B and A for whole hanchan. Without forks they draw lots as in any match."""
        if forked:
            return self._players
        words = (self._options.b, self._options.a)
        pairs = zip(self._players, words, strict=True)
        return tuple(msgspec.structs.replace(one, lots=terms_of(word.strip()).lots) for one, word in pairs)

    def _tell(self, done: int) -> None:
        if done & (done - 1) == 0:
            self._console.say(f"{done} hanchan forked")

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        began = cpu_spent()
        try:
            yield
        finally:
            self._spent[what] = self._spent.get(what, 0.0) + cpu_spent() - began
