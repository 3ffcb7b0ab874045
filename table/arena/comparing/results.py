"""The result of a comparison, read from its folder, for programs and notebooks.

Below are its pages: a report of the changes, reviews of the records with both choices at each decision, and a
page of the viewer with the games of the best and worst changes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlencode

import msgspec

from jantaku.table.arena.comparing.words import (
    DECISIONS,
    REPORT,
    RESULTS,
    SHOWN,
    Change,
    Changes,
    ComparedBots,
    Confirmed,
    WorthUnit,
    change_of,
    change_parts,
    reply_text,
    review_name,
)
from jantaku.table.arena.forks.folder import FORKS, Judged, JudgedFork, Probe, Screening
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.match.conduct import Results
from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.matchfile import even
from jantaku.table.arena.match.report.document import Document, ends, page_of
from jantaku.table.cli.commands.records import view_command
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import bytes_of
from jantaku.table.ground.markup.elements import Markup, Part, framed, section, table, verdict_and_facts
from jantaku.table.ground.port import Verdict
from jantaku.table.records.journal.lines import LARGEST, Header, content_of
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview, head_of, review_text
from jantaku.table.records.view.page import Book, Entry, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.rules import Rules

GAMES: Final = "games.html"
UNITS: Final = (WorthUnit("ranks", 3), WorthUnit("points", 2))
LINKED: Final = 12
"""Number of decisions from either end of the list whose games are on the page of the viewer."""
_LINKS: Final = (
    "A link opens games.html at the decision, with both choices; the command does so for any of them, in "
    "the folder of this report."
)


def pages_of(compared: ComparedBots, rules: Rules, records: Path, out: Path) -> dict[str, bytes]:
    """Return the files by their names in `out`. Missing records are left out."""
    reviews = dict(_reviews(compared, records, out))
    found = compared.decisions
    extremes = [one for one in (*found[:LINKED], *found[-LINKED:]) if one.rank]
    shown = sorted({one.game for one in extremes} & reviews.keys())
    files = {review_name(game): review_text(review) for game, review in reviews.items()}
    if shown:
        files[GAMES] = page(Book([_entry(records, game, reviews[game]) for game in shown])).content
    return {**files, REPORT: page_of(_document(compared, rules, shown)).content}


def _reviews(compared: ComparedBots, records: Path, out: Path) -> Iterator[tuple[int, WholeReview]]:
    """Yield a review of every hanchan in which the players differ, with only those decisions."""
    by_game: dict[int, list[JudgedFork]] = {}
    for one in compared.decisions:
        by_game.setdefault(one.game, []).append(one)
    for game, found in sorted(by_game.items()):
        record = journal_of(records, game)
        if not record.is_file():
            continue
        content = content_of(record)
        header = msgspec.json.decode(content.partition(b"\n")[0], type=Header)
        head = head_of(
            content,
            record,
            out / review_name(game),
            by=compared.names[1],
            names=header.player,
            seats=list(range(len(header.player))),
            rules=msgspec.convert(header.rules, Rules),
        )
        lines = [_line(one) for one in sorted(found, key=lambda one: (one.kyoku, one.turn, one.player))]
        yield game, WholeReview(head, lines)


def _line(one: JudgedFork) -> ReviewedDecision:
    good = Verdict(one.verdict).good
    return ReviewedDecision(
        kyoku=one.kyoku,
        turn=one.turn,
        event=one.event,
        before=one.before,
        player=one.player,
        kind=one.kind,
        hand=one.hand,
        played=one.played,
        choice=one.said if good else None,
        agrees=False if good else None,
        verdict=one.verdict,
        worth=one.points,
    )


def _entry(records: Path, game: int, review: WholeReview) -> Entry:
    shown = viewed(load(journal_of(records, game)), (), review)
    return shown._replace(head={**shown.head, "file": f"hanchan {game}"}).entry()


def _document(compared: ComparedBots, rules: Rules, shown: Sequence[int]) -> Document:
    names, faults = compared.names, compared.faults()
    facts = {"rules": ruleset.describe(rules), "beside records": f"of {names[0]}: {compared.asked()}"}
    if faults:
        facts["faults"] = f"{names[1]}: {faults}"
    parts = parts_of(compared, rules.game.players, shown, _LINKS)
    return Document(f"{names[0]} → {names[1]}", compared.sentences(), facts, parts)


def parts_of(
    compared: ComparedBots, seats: int, shown: Sequence[int] = (), links: str = "", listed: int = SHOWN
) -> list[Part]:
    """Make the parts of a report: both estimates, and the decisions that differ, `listed` of those that win and of
    those that cost. `shown`: the hanchan that games.html has; `links`: a sentence on where links lead."""
    per = float(seats * compared.found.screening.hanchan) if compared.found else 1.0
    changes = [_change(one, shown) for one in compared.decisions]
    return [
        Part("Result", _result(compared), "By how much the mean rank and the points of a hanchan are better."),
        *change_parts(Changes(compared.names, UNITS, (per, "a hanchan"), changes, links), listed),
    ]


def _result(compared: ComparedBots) -> Markup:
    rows = []
    for stage, rank, points, hanchan in compared.estimates():
        told = ("–", "–") if rank is None else (rank.text(4, sign=True), ends(rank, 4))
        rows.append((stage, *told, "–" if points is None else points.text(2, sign=True), hanchan))
    return table("Result", ("stage", "ranks better", "95 %", "points", "hanchan"), rows)


def _change(one: JudgedFork, shown: Sequence[int]) -> Change:
    position = {"k": one.kyoku, "e": one.event}
    link = f"{GAMES}#{urlencode({'r': shown.index(one.game) + 1, **position})}" if one.game in shown else ""
    fault = "" if Verdict(one.verdict).good else f" ({one.verdict})"
    return Change(
        kind=change_of(one.played, one.said),
        did=(reply_text(one.played), f"{reply_text(one.said)}{fault}"),
        worth=(Interval(one.rank, one.half), Interval(one.points, None)),
        hand=one.hand,
        place=(one.game, one.name, one.turn),
        command=view_command(Path(review_name(one.game)), one.kyoku, one.event),
        link=link,
    )


LISTED = 8
"""Most decisions that a notebook shows of those that win, and of those that cost."""
T = TypeVar("T", bound=msgspec.Struct)


class _Told(msgspec.Struct):
    """The content of `results.json`."""

    a: str
    b: str
    probe: Probe | None
    screening: Screening | None
    confirmation: Results | None


class Comparison(msgspec.Struct, frozen=True):
    """The result of `jantaku compare`, which asks B beside A's games. In a notebook it is shown as in the HTML
    report."""

    names: tuple[str, str]
    """A and B."""
    verdict: str
    """Whether B is better, and by how much, in a sentence."""
    screening: Screening | None
    """What the forks say; None if nothing was forked, because B is another player rather than a change."""
    confirmation: Results | None
    """The results of whole hanchan, as of a match; None if none were played."""
    decisions: tuple[JudgedFork, ...]
    """The decisions that differ, with what they win or cost, the most profitable first."""
    compared: ComparedBots
    """All of it, as the command tells it."""
    seats: int

    def _repr_html_(self) -> str:
        """The tables that a notebook shows."""
        parts = parts_of(self.compared, self.seats, listed=LISTED)
        said = verdict_and_facts(self.compared.sentences(), {})
        return framed(" → ".join(self.names), [said, *map(section, parts)])


def comparison(folder: Path | str) -> Comparison:
    """Read the result from the folder of a comparison (`jantaku compare … --out FOLDER`). BadInput if there is none,
    or if it is not finished."""
    place = Path(folder)
    if not (place / RESULTS).is_file() or not (place / FORKS).is_file():
        raise BadInput(f"{place}: holds no finished comparison: jantaku compare A B --out {place}")
    told = _decoded(place / RESULTS, bytes_of(place / RESULTS, LARGEST), _Told)
    lines = bytes_of(place / DECISIONS, LARGEST).splitlines()
    decisions = [_decoded(place / DECISIONS, line, JudgedFork) for line in lines]
    seats = _seats(place / FORKS, told)
    compared = ComparedBots(
        names=(told.a, told.b),
        probe=told.probe or Probe(),
        found=None if told.screening is None else Judged(told.screening, decisions),
        reason="",
        confirmed=None if told.confirmation is None else Confirmed(told.confirmation, "", even(seats)),
        spent={},
        out=str(place),
    )
    return Comparison(
        names=compared.names,
        verdict=compared.verdict(),
        screening=told.screening,
        confirmation=told.confirmation,
        decisions=tuple(decisions),
        compared=compared,
        seats=seats,
    )


def _seats(path: Path, told: _Told) -> int:
    """Return how many play at a table: as many as have a rank, or as a forked hanchan tells."""
    if told.confirmation is not None and told.confirmation.figures is not None:
        return len(told.confirmation.figures.players[0].ranks)
    first: Sequence[bytes] = bytes_of(path, LARGEST).splitlines()[:1]
    return _decoded(path, first[0], ForkedGame).seats if first else SEATS


def _decoded(path: Path, content: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: is not what a comparison writes: {error}") from None
