"""The verdict of a gate: may the new version of a player replace the old one? As a word, a sentence, Markdown for
people and JUnit XML for machines."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from jantaku.table.arena.match.conduct import Finished
from jantaku.table.arena.match.figures.faultiness import NOBODY_PLAYS
from jantaku.table.arena.match.figures.statistics import Figures, Interval, PlayerFigures
from jantaku.table.arena.match.figures.stops import Results, Sprt
from jantaku.table.arena.match.figures.summary import is_bad
from jantaku.table.arena.match.formats import even
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.report.report import share_of
from jantaku.table.arena.match.report.soundness import Soundness
from jantaku.table.arena.match.report.tables import (
    places_in,
    sprt_text,
    unit_cells,
    unit_heads,
)
from jantaku.table.arena.match.report.verdict import faults_text
from jantaku.table.drawing.columns import counted
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict

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
        "undecided": f"it is undecided whether {new} is worse than {old} by {margin:g} rank; give more --sets",
    }
    story = faults.text(new, old, plan.unit)
    if decision == "faulty":
        said["faulty"], story = f"{story}; {_left(done.results, by_rank, new) or f'by rank {said[by_rank]}'}", ""
    seen = f"({_distance(lead, done.results, plan)}){'; ' if story else ''}{story}"
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
        return "nothing is compared, because neither plays: fix both; jantaku exam shows what is wrong"
    return f"the match ended before the rank of {new} was judged" if by_rank == "undecided" and results.ended_by else ""


def _distance(lead: Interval, results: Results, plan: MatchPlan) -> str:
    """Say how far the player is from an equal one, also without luck if that was judged."""
    found, without = results.figures, results.judged
    assert found is not None, "there is a verdict"
    told = f"{_ahead(lead)} an equal player in {found.games} {plan.unit} of {counted(found.sets, 'wall set')}"
    if not without:
        return told
    return f"{told}; without luck {_ahead(Interval(even(plan.seats) - without.mean, without.half))} it"


def _ahead(lead: Interval) -> str:
    return f"{Interval(abs(lead.mean), lead.half).text(3)} ranks {'behind' if lead.mean < 0 else 'ahead of'}"


def markdown(verdict: GateVerdict, results: Results, unit: str, *, pt: bool = False) -> str:
    """Write the summary for people, with `pt` also in rank points. `unit`: what a game is called."""
    assert results.figures is not None
    by_name = {player.name: player for player in results.figures.players}
    heads = {_RANKS: f"{' '.join(places_in(results.figures))} %", _POINTS: f"points a {unit}"}
    columns = [by_name[verdict.new], by_name[verdict.old]]
    rows = [
        ("", *(f"{_plain(player.name)} ({what})" for player, what in zip(columns, ("new", "old"), strict=True))),
        ("---", "---:", "---:"),
        *((heads.get(name, name), *map(_plain, map(cell, columns))) for name, cell in _ROWS.items()),
        *(_unit_rows(columns, results.figures) if pt else ()),
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
    "wins a kyoku": lambda player: share_of(player.win_rate),
    "deal-ins a kyoku": lambda player: share_of(player.deal_in_rate),
    "riichi a kyoku": lambda player: share_of(player.riichi_rate),
    "faults": lambda player: faults_text(player.faults),
}


def _unit_rows(columns: Sequence[PlayerFigures], figures: Figures) -> Iterator[Sequence[str]]:
    """Yield a row for rank points, and one for stable dan."""
    cells = map(unit_cells, columns)
    for head, *row in zip(unit_heads(figures.points_by_rank), *cells, strict=True):
        yield head, *map(_plain, row)


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
