"""The folder of a comparison: what is written at its end, and read for programs and notebooks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.comparing.results import DECISIONS, LINKED, LINKS, REPORT, REPORTED, RESULTS, Comparison, T
from jantaku.table.arena.comparing.words import GAMES, review_name
from jantaku.table.arena.forks.folder import FORKS
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.gains import Judged, JudgedFork, Screening
from jantaku.table.arena.forks.stages import Probe
from jantaku.table.arena.match.figures.stops import Results
from jantaku.table.arena.match.report.document import Document, page_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.ground.port import Verdict
from jantaku.table.records.journal.header import Header
from jantaku.table.records.journal.lines import LARGEST, content_of
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview, head_of, review_text
from jantaku.table.records.view.page import Book, Entry, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.rules import Rules


def files_of(compared: Comparison, rules: Rules, records: Path, out: Path) -> dict[str, bytes]:
    """Return the files by their names in `out`. Missing records are left out."""
    reviews = dict(_reviews(compared, records, out))
    found = compared.decisions
    ends_of = [one for one in (*found[:LINKED], *found[-LINKED:]) if one.rank]
    shown = sorted({one.game for one in ends_of} & reviews.keys())
    files = {
        RESULTS: msgspec.json.format(msgspec.json.encode(compared.results()), indent=1) + b"\n",
        DECISIONS: b"".join(msgspec.json.encode(one) + b"\n" for one in found),
        **{review_name(game): review_text(review) for game, review in reviews.items()},
    }
    if shown:
        files[GAMES] = page(Book([_entry(records, game, reviews[game]) for game in shown])).content
    a, b = compared.names
    facts = {"rules": ruleset.describe(rules), "beside records": f"of {a}: {compared.asked}"}
    if compared.faults:
        facts["faults"] = f"{b}: {compared.faults}"
    parts = compared.parts(REPORTED, shown, LINKS)
    files[REPORT] = page_of(Document(f"{a} → {b}", compared.sentences(), facts, parts))
    return files


def _reviews(compared: Comparison, records: Path, out: Path) -> Iterator[tuple[int, WholeReview]]:
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


class _Told(msgspec.Struct):
    a: str
    b: str
    probe: Probe | None
    screening: Screening | None
    confirmation: Results | None


def comparison(folder: Path | str) -> Comparison:
    """Read the result from the folder of a comparison (`jantaku compare … --out FOLDER`). BadInput if there is none,
    or if it is not finished."""
    place = Path(folder)
    if not (place / RESULTS).is_file() or not (place / FORKS).is_file():
        raise BadInput(f"{place}: holds no finished comparison: jantaku compare A B --out {place}")
    told = _decoded(place / RESULTS, bytes_of(place / RESULTS, LARGEST), _Told)
    lines = bytes_of(place / DECISIONS, LARGEST).splitlines()
    decisions = [_decoded(place / DECISIONS, line, JudgedFork) for line in lines]
    return Comparison(
        names=(told.a, told.b),
        seats=_seats(place / FORKS, told),
        probe=told.probe or Probe(),
        found=None if told.screening is None else Judged(told.screening, decisions),
        confirmation=told.confirmation,
        out=str(place),
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
