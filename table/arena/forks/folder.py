"""The folder of a comparison, beside its baseline.

    compare.json    the plan
    forks.jsonl     one `ForkedGame` per forked hanchan of the baseline: the source of all results

Lines come as hanchan are done, and are put in order at the end. A kill loses the hanchan in progress; an incomplete
last line is ignored.

`Screening` is what the forks say about the candidate; it is screened in stages.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from jantaku.table.arena.forks.fork import Fork, ForkedGame, ForkedHanchan
from jantaku.table.arena.forks.rollout import StandingWorth, spread_of
from jantaku.table.arena.match.figures.statistics import Interval, Looks, Mean
from jantaku.table.arena.match.hanchan import Executor
from jantaku.table.arena.match.plan import Job
from jantaku.table.ground.disk import append, await_disk, replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import bytes_of
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.play.spec import Terms
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.rules import Rules

PLAN, FORKS = "compare.json", "forks.jsonl"


class ForkPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the lines of a comparison: the baseline and the candidate."""

    jantaku_compare: int = 1
    version: str
    baseline: str
    """Digest of the baseline's plan."""
    candidate: Terms
    name: str
    fingerprint: str


class ForkStore:
    """An open folder of a comparison; one process at a time."""

    def __init__(self, folder: Path, plan: ForkPlan) -> None:
        """Start a comparison, or continue the same one. BadInput if the folder holds something else."""
        self.folder, self.plan = folder, plan
        path = folder / FORKS
        with telling(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.path.lexists(folder / PLAN):
                refuse_other(folder, plan)
            else:
                if os.path.lexists(path):
                    raise BadInput(f"{folder} holds {FORKS} without {PLAN}; give a new or empty folder")
                replace_whole(folder / PLAN, msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
            path.touch()
            self.games, whole = read_forks(path)
            os.truncate(path, whole)
            self._file = path.open("ab", buffering=0)

    def keep(self, game: ForkedGame) -> None:
        """Store one hanchan. Once this returns, it survives a kill and a power cut."""
        with telling(self.folder):
            append(self._file, msgspec.json.encode(game) + b"\n")
            os.fsync(self._file.fileno())
        self.games[game.game] = game

    def finish(self, games: Sequence[int], results: dict[str, bytes]) -> None:
        """Put the lines of these hanchan in order, and write further files by name."""
        self._file.close()
        with telling(self.folder):
            lines = [msgspec.json.encode(self.games[game]) + b"\n" for game in games]
            replace_whole(self.folder / FORKS, b"".join(lines))
            for name, content in results.items():
                (self.folder / name).parent.mkdir(exist_ok=True)
                replace_whole(self.folder / name, content)
            await_disk(self.folder)

    def close(self) -> None:
        """Close the file. May be called again."""
        self._file.close()


def read_forks(path: Path) -> tuple[dict[int, ForkedGame], int]:
    """Read the lines of an earlier run, by hanchan; return as well how many bytes are whole lines."""
    games, whole = dict[int, ForkedGame](), 0
    for number, line in enumerate(bytes_of(path, LARGEST).splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        try:
            game = msgspec.json.decode(line, type=ForkedGame)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} line {number}: broken: {error}; nothing was changed") from None
        games[game.game] = game
        whole += len(line)
    return games, whole


def fork_plan_in(folder: Path) -> ForkPlan:
    """Read the plan of the comparison in a folder."""
    path = folder / PLAN
    try:
        return msgspec.json.decode(bytes_of(path, LARGEST), type=ForkPlan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: is not the plan of a comparison: {error}") from None


def refuse_other(folder: Path, plan: ForkPlan) -> None:
    """Raise BadInput if the folder holds another comparison."""
    old = fork_plan_in(folder)
    if old == plan:
        return
    if old.fingerprint != plan.fingerprint and msgspec.structs.replace(old, fingerprint=plan.fingerprint) == plan:
        raise BadInput(f"{folder}: the code of {plan.name} has changed since; compare it with another --out")
    told = "; ".join(
        f"{key}: {_shown(getattr(old, key))} there, {_shown(getattr(plan, key))} here"
        for key in ForkPlan.__struct_fields__
        if getattr(old, key) != getattr(plan, key)
    )
    raise BadInput(f"{folder} holds another comparison: {told}; give another --out")


def _shown(value: object) -> str:
    return value.described if isinstance(value, Terms) else str(value)


# What the forks say about the candidate: how its rank and points would differ, to first order, in the place of the
# baseline's player.
#
# The gain of a fork is the worth of the candidate's way less the worth of the record's way, by the value model, for
# the seat that differs; the mean over the fork's walls. A hanchan's gain is the sum over its kyoku, divided by its
# seats. The unit of the interval is the hanchan. Gains in rank count upwards: a positive lead is a better player.

FARTHEST = 3.0
"""Largest distance, in ranks, of a hanchan's gain from its expectation: what a seat can gain or lose."""


FEWEST = 50
"""There is no interval below this number of hanchan: gains are skewed, and t intervals of 30 hanchan cover too
little."""


class Screening(msgspec.Struct, frozen=True):
    """The estimate. `rank` is by how much the candidate's mean rank is better than 2.5 in the place of the baseline's
    player, `points` the same in final points; neither has an interval below `FEWEST` hanchan. `kyoku` counts each kyoku
    once per seat, `forked` counts them where the candidate differs."""

    hanchan: int
    rank: Interval
    points: Interval
    kyoku: int
    forked: int
    walls: int
    asked: int
    spread: float
    faults: dict[str, int]
    controlled: int
    """Hanchan in which the baseline's own player was asked beside its record."""
    unrepeated: int
    """How often it did not repeat its record there, see `ForkedGame.again`."""
    looks: Looks = Looks.ONCE

    @property
    def share(self) -> float:
        """The share of kyoku in which the candidate differs."""
        return self.forked / self.kyoku if self.kyoku else 0.0


class JudgedFork(msgspec.Struct, frozen=True):
    """A decision that differs, with its gain: a line of `decisions.jsonl`. `event`, `before`, `kind` and `hand` are as
    in `ReviewedDecision`. `rank` is positive if the candidate's way ends nearer to first place; `half` is the
    half-width of its 95 % interval over the walls, None with too few walls."""

    game: int
    kyoku: int
    name: str
    turn: int
    event: int
    before: int
    player: int
    kind: str
    hand: str
    played: Item
    said: Item
    rank: float
    half: float | None
    points: float
    walls: int
    verdict: str


class Judged(NamedTuple):
    """The estimate, and the decisions it is made of."""

    screening: Screening
    decisions: Sequence[JudgedFork]
    """The largest gain in rank first."""


def judged(games: Iterable[ForkedGame], rules: Rules, looks: Looks = Looks.ONCE) -> Judged:
    """Compute the estimate and the gains of these hanchan; there must be at least one. The value model is fitted to the
    same hanchan, so that results depend on all of them but not on their order."""
    known = sorted(games, key=lambda one: one.game)
    worth = StandingWorth(rules, spread_of(one.standings for one in known))
    ranks, points, decisions = Mean(), Mean(), list[JudgedFork]()
    for game in known:
        found = judged_forks(game, worth)
        gain = gain_of(found, game.seats)
        ranks.add(gain[0])
        points.add(gain[1])
        decisions += found
    faults: dict[str, int] = {}
    for game in known:
        for verdict, count in game.faults.items():
            faults[verdict] = faults.get(verdict, 0) + count
    screening = Screening(
        hanchan=len(known),
        rank=_stated(ranks.seen(looks, FARTHEST if looks is not Looks.ONCE else 0.0), len(known)),
        points=_stated(points.seen(looks), len(known)),
        kyoku=sum(game.kyoku for game in known),
        forked=len(decisions),
        walls=sum(one.walls for one in decisions),
        asked=sum(game.asked for game in known),
        spread=round(worth.spread, 1),
        faults=dict(sorted(faults.items())),
        controlled=sum(game.again >= 0 for game in known),
        unrepeated=sum(max(game.again, 0) for game in known),
        looks=looks,
    )
    decisions.sort(key=lambda one: (-one.rank, one.game, one.kyoku, one.player))
    return Judged(screening, decisions)


def _stated(found: Interval, hanchan: int) -> Interval:
    return found if hanchan >= FEWEST else Interval(found.mean, None)


def judged_forks(game: ForkedGame, worth: StandingWorth) -> list[JudgedFork]:
    """Judge the forks of one hanchan by that value model."""
    return [_judged(game, fork, worth) for fork in game.forks]


def gain_of(forks: Sequence[JudgedFork], seats: int) -> tuple[float, float]:
    """Return the gain of one hanchan in ranks and in points: the mean over its seats."""
    return sum(one.rank for one in forks) / seats, sum(one.points for one in forks) / seats


def _judged(game: ForkedGame, fork: Fork, worth: StandingWorth) -> JudgedFork:
    rank, points = Mean(), 0.0
    for other, own in fork.ways:
        theirs, ours = (worth.outlook(way.standing, way.over, fork.player, game.first_dealer) for way in (other, own))
        rank.add(ours.rank - theirs.rank)
        points += theirs.points - ours.points
    standing = game.standings[fork.kyoku - 1]
    return JudgedFork(
        game=game.game,
        kyoku=fork.kyoku,
        name=kyoku_text(standing.round_wind, standing.kyoku, standing.honba),
        turn=fork.turn,
        event=fork.event,
        before=fork.before,
        player=fork.player,
        kind=fork.kind,
        hand=fork.hand,
        played=fork.played,
        said=fork.said,
        rank=round(rank.mean, 6),
        half=None if (half := rank.interval.half) is None else round(half, 6),
        points=round(points / len(fork.ways), 4),
        walls=len(fork.ways),
        verdict=fork.verdict,
    )


# Screens a candidate in stages: play the baseline a little further, fork its new hanchan, look, and go on while
# nothing is decided. Confirmation is an ordinary match; see `wants_match`.

Confirm = Literal["auto", "always", "never"]
OTHER = 0.4
"""From this share of different kyoku on, a candidate counts as another player, not as a change: forks would cost more
than whole hanchan, and say something else."""
UNSURE, MOST_PROBED = 0.2, 4
"""While the share is within `UNSURE` of `OTHER`, one more hanchan is asked about, up to `MOST_PROBED`."""
LARGE = 0.1
"""From this share of different kyoku on, the candidate reaches too many states that the baseline's player does not,
which forks never see."""
NEAR = 2.0
"""A lead within this many half-widths of zero may change its sign: forks are right to first order only."""


class Probe(msgspec.Struct, frozen=True):
    """How often the candidate differs, found out before anything is forked: it is only asked beside the first hanchan
    of the baseline, which is cheaper than playing. `kyoku` counts each kyoku once per seat, `differing` those in which
    it differs."""

    hanchan: int = 0
    kyoku: int = 0
    differing: int = 0
    asked: int = 0

    @property
    def share(self) -> float:
        """The share of kyoku in which it differs."""
        return self.differing / self.kyoku if self.kyoku else 0.0

    @property
    def is_other(self) -> bool:
        """Whether it is another player rather than a change."""
        return self.share >= OTHER

    @property
    def reason(self) -> str:
        """Why whole hanchan are played and nothing is forked."""
        return f"it plays otherwise in {self.share:.0%} of all kyoku, so forks cost more and say less"

    @property
    def is_sure(self) -> bool:
        """Whether one more hanchan would hardly change the answer."""
        return self.hanchan >= MOST_PROBED or (self.kyoku > 0 and abs(self.share - OTHER) > UNSURE)

    def with_hanchan(self, one: ForkedGame) -> "Probe":
        """Return the probe with one more hanchan."""
        kyoku, differing = self.kyoku + one.kyoku, self.differing + len(one.forks)
        return Probe(self.hanchan + 1, kyoku, differing, self.asked + one.asked)


class Until(msgspec.Struct, frozen=True):
    """When to stop: after `hanchan` hanchan, or earlier, when it is `decided` which player is better, or when the
    half-width is at most `ci`."""

    hanchan: int
    decided: bool = False
    ci: float | None = None

    @property
    def looks(self) -> Looks:
        """What the interval must allow for."""
        return Looks.ANY if self.decided else Looks.ONCE if self.ci is None else Looks.WIDTH

    def stages(self, workers: int) -> Iterator[int]:
        """Yield the number of hanchan at each look. The first one has a hanchan per worker; the lead is not judged
        there."""
        if workers < min(self.hanchan, FEWEST):
            yield workers
        size = FEWEST
        while self.looks is not Looks.ONCE and size < self.hanchan:
            yield size
            size *= 2
        yield self.hanchan

    def met(self, found: Screening) -> bool:
        """Return whether to stop here."""
        if found.hanchan < FEWEST:
            return False
        half = found.rank.half
        return (self.decided and found.rank.decided) or (self.ci is not None and half is not None and half <= self.ci)


def forked(executor: Executor, jobs: Iterable[Job]) -> Iterator[ForkedGame]:
    """Yield these hanchan of the baseline, forked. All players must become ready: one that cannot begin ends the
    comparison."""
    with closing(executor.run(msgspec.structs.replace(job, must_start=True) for job in jobs)) as done:
        for one in done:
            if not isinstance(one, ForkedHanchan) or one.forked is None:
                raise BadInput(f"hanchan {one.job.game} cannot be forked: {one.line.reason}")
            yield one.forked


def wants_match(found: Screening, confirm: Confirm) -> str:
    """Say why whole hanchan should be played; empty if they should not."""
    if confirm != "auto":
        return "it was asked for" if confirm == "always" else ""
    if found.share >= LARGE:
        return f"it plays otherwise in {found.share:.0%} of all kyoku, and forks see only the states of the other"
    if found.rank.decided and abs(found.rank.mean) < NEAR * (found.rank.half or 0.0):
        return "the lead is near zero, and forks tell it to first order only"
    return ""
