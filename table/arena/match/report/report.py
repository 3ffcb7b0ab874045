"""The report of a match.

The report of a gate adds its verdict, and whether the new player really played.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from jantaku.table.arena.match.conduct import Finished
from jantaku.table.arena.match.figures.statistics import Figures, Interval, PlayerFigures, binomial_at_least
from jantaku.table.arena.match.figures.stops import MOST_DEFAULTS, NOBODY_PLAYS, Results, Sprt, is_certain
from jantaku.table.arena.match.figures.summary import Timing, is_bad
from jantaku.table.arena.match.figures.tally import PlayedGames, SetSums
from jantaku.table.arena.match.matchfile import even
from jantaku.table.arena.match.plan import MatchPlan, PoolPlan
from jantaku.table.arena.match.report import document
from jantaku.table.arena.match.report.document import (
    Document,
    cross_table,
    ends,
    game_list,
    plot_parts,
    points_plot,
    sequential_plot,
    share_plot,
    time_plot,
    times,
    title_of,
)
from jantaku.table.arena.match.report.tables import (
    faults_text,
    hanchan_compared,
    lost_to_clock,
    pace,
    places_in,
    sprt_text,
    verdict,
)
from jantaku.table.arena.match.store import Store
from jantaku.table.drawing.columns import counted
from jantaku.table.drawing.elements import Markup, Part, table
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.riichi import ruleset


class Content(msgspec.Struct, frozen=True):
    """Contents of a report. `facts` describe what was played, by name; `points` are by player. `test` is the state of a
    sequential test and `course` its log likelihood ratio after every set. `unit` is what a game is called."""

    facts: Mapping[str, str]
    points: Mapping[str, SetSums]
    figures: Figures | None
    times: Sequence[Timing]
    games: PlayedGames
    test: Sprt | None = None
    course: Sequence[float] = ()
    unit: str = "hanchan"


def write_match_report(path: Path, store: Store[MatchPlan], done: Finished[Results]) -> str:
    """Write the report of a match, as `write_report`."""
    plan, results = store.plan, done.results
    facts = facts_of(plan, plan.sides or ", ".join(plan.bots), f"{plan.format}, seatings {plan.seatings}")
    if results.ended_by:
        facts["ended early"] = results.ended_by
    played = done.tally.points, results.figures, done.times, done.games
    return write_report(path, Content(facts, *played, results.sprt, done.course, plan.unit))


def write_report(path: Path, content: Content) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    figures = content.figures
    if figures is None:
        return "no report without a result"
    document.write_report(path, whole_document(content, figures, path))
    return ""


def whole_document(content: Content, figures: Figures, path: Path) -> Document:
    """Make the report that stands at `path`: links are relative to it."""
    compared = hanchan_compared(figures, content.unit)
    void = f", {figures.void} without a result" if figures.void else ""
    played = f"{figures.games} {content.unit} in {counted(figures.sets, 'wall set')}{void}; {figures.legend}."
    test = content.test
    tested = [] if test is None else [f"{sprt_text(test)}. {pace(test, figures.sets)}"]
    faults = {player.name: player.faults for player in figures.players}
    parts = [
        Part("Results", _results(figures)),
        *cross_table(compared),
        *_drawings(content, figures),
        Part("Play", _play(figures.best_first), "Shares of kyoku; values without honba and sticks."),
        times(compared.names, content.times, faults),
        *game_list(content.games, path, content.unit),
    ]
    names = [player.name for player in figures.players]
    lost = filter(None, [lost_to_clock(figures, content.unit)])
    return Document(title_of(names), [verdict(compared), *tested, *lost, played], content.facts, parts)


def facts_of(plan: PoolPlan, players: str, form: str) -> dict[str, str]:
    """Say what was played, by name."""
    return {
        "players": players,
        "format": f"{form}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}, on an answer lost to the clock: {plan.clock.flag}",
    }


def _drawings(content: Content, figures: Figures) -> Sequence[Part]:
    by_name = {timing.name: timing for timing in content.times}
    timed = [by_name[player.name] for player in figures.best_first if player.name in by_name]
    drawn = {
        **results_drawn(figures.best_first, content.points, content.unit),
        "Time for an answer": time_plot("Time for an answer", timed),
    }
    if content.test is not None and content.course:
        drawn["Sequential test"] = sequential_plot("Sequential test", content.course, content.test)
    return plot_parts(drawn)


def results_drawn(players: Sequence[PlayerFigures], points: Mapping[str, SetSums], unit: str) -> dict[str, str]:
    """Draw the ranks of these players, and their points over the games, by heading. `unit`: what a game is called."""
    course = f"Points over {unit}, with the 95 % interval"
    return {
        "Ranks": ranks_drawn(players, unit),
        course: points_plot(course, {player.name: points[player.name] for player in players}, unit),
    }


def ranks_drawn(players: Sequence[PlayerFigures], unit: str) -> str:
    """Draw the shares of the ranks of these players."""
    shares = {player.name: player.ranks for player in players}
    return share_plot("Ranks", shares, ranks_of(max(map(len, shares.values()))), unit)


def ranks_of(seats: int) -> list[str]:
    """Return the ranks as heads of columns, for a table of `seats` seats."""
    return [f"{rank}." for rank in range(1, seats + 1)]


def _results(figures: Figures) -> Markup:
    players = figures.best_first
    faced = FacedNames(player.name for player in players)
    rows = [(faced.whole(player.name), *result_row(player), player.seats) for player in players]
    return table("Results", ("player", *RESULT_HEADS, *places_in(figures), "seats"), rows)


RESULT_HEADS = ("mean rank", "95 %", "mean points")
"""The heads of `result_row`, without the columns of ranks."""


def result_row(player: PlayerFigures) -> Sequence[str]:
    """Return the results of a player for a table of the page."""
    rank, points = player.rank, player.points.cell(2, sign=True)
    return rank.cell(3), ends(rank, 3), points, *(f"{share * 100:.1f} %" for share in player.ranks)


def _play(players: Sequence[PlayerFigures]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            _share(player.win_rate),
            _share(player.tsumo_share),
            _value(player.win_value),
            _share(player.deal_in_rate),
            _value(player.deal_in_value),
            _share(player.riichi_rate),
            _share(player.call_rate),
        )
        for player in players
    ]
    heads = ("player", "wins", "of them tsumo", "mean win", "deal-ins", "mean deal-in", "riichi", "with open melds")
    return table("Play", heads, rows)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f} %"


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


# Whether the new player of a gate really played. Default answers say nothing about a player, which must not pass a
# gate because of its opponents' bad luck.


class Soundness(msgspec.Struct, frozen=True):
    """How many of its seats in hanchan had a fault, for each player, and the share of the new one's questions that the
    default answered."""

    new: int
    new_seats: int
    old: int
    old_seats: int
    defaults: float

    def fails(self, error: float) -> bool:
        """Return whether the new player did not play, or has faults in more hanchan than the old one by more than
        chance explains: with equal rates, a share of faulty hanchan as large as its own would have a chance below
        `error`."""
        if self.defaults > MOST_DEFAULTS:
            return True
        if is_certain(self.new, self.new_seats, self.old, self.old_seats, error):
            return True
        share = self.new_seats / (self.new_seats + self.old_seats)
        return self.new > 0 and binomial_at_least(self.new, self.new + self.old, share) < error

    def text(self, new: str, old: str, unit: str) -> str:
        """The faults as a sentence; empty if the new player had none. `unit`: what a game is called."""
        if not self.new:
            return ""
        return (
            f"{new} had faults in {self.new} of its {self.new_seats} {unit}, in {self.defaults * 100:.1f} % of its "
            f"questions, {old} in {self.old} of {self.old_seats}"
        )


# The verdict of a gate: may the new version of a player replace the old one? As a word, a sentence, Markdown for
# people and JUnit XML for machines.

Decision = Literal["not worse", "worse", "undecided", "faulty"]
_DECISIONS: dict[str, Decision] = {"H0": "worse", "H1": "not worse", "": "undecided"}
_MARKS = {"not worse": "✅", "worse": "❌", "undecided": "❔", "faulty": "❌"}
_MEANINGFUL = re.compile(r"([\\`*_{}\[\]<>()#+\-!|~&])")
"""Characters with a meaning in Markdown, or in HTML inside it."""


class GateVerdict(msgspec.Struct, frozen=True):
    """What a gate says of the player `new`. `rank` is its mean rank against `old` on all other seats, `lead` by how
    many ranks it is better than an equal player, `points` how many more it makes per hanchan than `old` in the same
    hanchan; each has its 95 % interval. `faults` holds the faults of both. A player that fails by them is "faulty",
    unless it is worse."""

    decision: Decision
    sentence: str
    new: str
    old: str
    margin: float
    rank: Interval
    lead: Interval
    points: Interval
    sets: int
    games: int
    test: Sprt
    faults: Soundness


def verdict_of(done: Finished[Results], plan: MatchPlan, margin: float, error: float) -> GateVerdict:
    """Return the verdict of a finished match of two players, new and old. `error` is the chance of a wrong one.
    BadInput if no game has a result."""
    found, test = done.results.figures, done.results.sprt
    if found is None or test is None:
        raise BadInput(f"the gate has no verdict: no {plan.unit} has a result")
    new, old = plan.names
    of_new, of_old = ({player.name: player for player in found.players}[name] for name in plan.names)
    rank = of_new.rank
    lead = Interval(round(even(plan.seats) - rank.mean, 12), rank.half)
    by_rank = _DECISIONS[test.accepted]
    asked = sum(times.questions for times in done.times if times.name == new)
    questions = asked + of_new.faults.get(Verdict.NOT_ASKED, 0)
    bad = sum(count for word, count in of_new.faults.items() if is_bad(word))
    faults = Soundness(of_new.faulty, of_new.seats, of_old.faulty, of_old.seats, bad / questions if questions else 0.0)
    decision: Decision = "faulty" if by_rank != "worse" and faults.fails(error) else by_rank
    said = {
        "worse": f"{new} is worse than {old}",
        "not worse": f"{new} is not worse than {old} by {margin:g} rank",
        "undecided": f"it is undecided whether {new} is worse than {old} by {margin:g} rank; more --sets would tell",
    }
    story = faults.text(new, old, plan.unit)
    if decision == "faulty":
        said["faulty"], story = f"{story}; {_left(done.results, by_rank, new) or f'by rank {said[by_rank]}'}", ""
    seen = f"({_distance(lead, found, plan.unit)}){'; ' if story else ''}{story}"
    return GateVerdict(
        decision=decision,
        sentence=f"{decision.upper()}: {said[decision]} {seen}",
        new=new,
        old=old,
        margin=margin,
        rank=rank,
        lead=lead,
        points=next(pair.points for pair in found.pairs if (pair.a, pair.b) == (new, old)),
        sets=found.sets,
        games=found.games,
        test=test,
        faults=faults,
    )


def _left(results: Results, by_rank: Decision, new: str) -> str:
    """Say why the rank is open; empty if the match was not cut short."""
    if results.ended_by == NOBODY_PLAYS:
        return "nothing is compared where neither plays: mend both, jantaku exam shows what is wrong"
    return f"the rank of {new} was not played out" if by_rank == "undecided" and results.ended_by else ""


def _distance(lead: Interval, found: Figures, unit: str) -> str:
    """Say how far the player is from an equal one."""
    amount = Interval(abs(lead.mean), lead.half).text(3)
    ranks = f"{amount} ranks {'behind' if lead.mean < 0 else 'ahead of'} an equal player"
    return f"{ranks} in {found.games} {unit} of {counted(found.sets, 'wall set')}"


def markdown(verdict: GateVerdict, results: Results, unit: str) -> str:
    """Write the summary for people. `unit`: what a game is called."""
    assert results.figures is not None
    by_name = {player.name: player for player in results.figures.players}
    heads = {_RANKS: f"{' '.join(places_in(results.figures))} %", _POINTS: f"points a {unit}"}
    columns = [by_name[verdict.new], by_name[verdict.old]]
    rows = [
        ("", *(f"{_plain(player.name)} ({what})" for player, what in zip(columns, ("new", "old"), strict=True))),
        ("---", "---:", "---:"),
        *((heads.get(name, name), *map(_plain, map(cell, columns))) for name, cell in _ROWS.items()),
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    points = f"{Interval(abs(verdict.points.mean), verdict.points.half).text(1)} points"
    compared = f"{points} {'fewer' if verdict.points.mean < 0 else 'more'} than {_plain(verdict.old)}"
    facts = (
        f"In the same {unit} {_plain(verdict.new)} makes {compared}. {results.figures.legend}.",
        f"{verdict.games} {unit} in {counted(verdict.sets, 'wall set')}, seed `{results.seed}`, "
        f"{sprt_text(verdict.test)}.",
    )
    head = f"### {_MARKS[verdict.decision]} jantaku gate: {verdict.decision}"
    return "\n\n".join((head, _plain(verdict.sentence), table, *facts)) + "\n"


_RANKS, _POINTS = "ranks", "points"
_ROWS: dict[str, Callable[[PlayerFigures], str]] = {
    "mean rank": lambda player: player.rank.cell(3),
    _POINTS: lambda player: player.points.cell(1, sign=True),
    _RANKS: lambda player: " ".join(f"{share * 100:.0f}" for share in player.ranks),
    "wins a kyoku": lambda player: _share(player.win_rate),
    "deal-ins a kyoku": lambda player: _share(player.deal_in_rate),
    "riichi a kyoku": lambda player: _share(player.riichi_rate),
    "faults": lambda player: faults_text(player.faults),
}


def _plain(text: str) -> str:
    """Escape text of strangers, so that Markdown does not interpret it."""
    return _MEANINGFUL.sub(r"\\\1", " ".join(text.split()))


def junit(verdict: GateVerdict, results: Results, seconds: float) -> bytes:
    """Write one test case: it fails if the new player is worse or faulty, and is skipped if that is undecided."""
    taken = f"{seconds:.3f}"
    bad, open_ = verdict.decision in ("worse", "faulty"), verdict.decision == "undecided"
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", name="jantaku gate", tests="1", errors="0", time=taken)
    suite.set("failures", str(int(bad)))
    suite.set("skipped", str(int(open_)))
    properties = SubElement(suite, "properties")
    for name, value in _properties(verdict, results):
        SubElement(properties, "property", name=name, value=value)
    title = f"{verdict.new} is not worse than {verdict.old} by {verdict.margin:g} rank"
    case = SubElement(suite, "testcase", classname="jantaku.gate", name=title, time=taken)
    if bad:
        SubElement(case, "failure", type=verdict.decision, message=verdict.sentence).text = sprt_text(verdict.test)
    if open_:
        SubElement(case, "skipped", message=verdict.sentence)
    SubElement(suite, "system-out").text = verdict.sentence
    indent(suites)
    content: bytes = tostring(suites, "utf-8", xml_declaration=True)
    return content + b"\n"


def _properties(verdict: GateVerdict, results: Results) -> Iterator[tuple[str, str]]:
    yield "decision", verdict.decision
    yield "mean rank of the new one", verdict.rank.text(4)
    yield "points of the new one more than of the old one", verdict.points.text(2, sign=True)
    yield "faulty hanchan of the new one", f"{verdict.faults.new} of {verdict.faults.new_seats}"
    yield "hanchan", str(verdict.games)
    yield "sets", str(verdict.sets)
    yield "llr", f"{verdict.test.llr:.4f}"
    yield "seed", str(results.seed)
