"""Prepares records of 大富豪 for the viewer's page."""

from functools import partial

from jantaku.table.daifugo import events
from jantaku.table.daifugo.records.record import Record
from jantaku.table.daifugo.records.replay import SeriesOptions, followed
from jantaku.table.daifugo.rules import Rules
from jantaku.table.records.journal.lines import Line
from jantaku.table.records.view.page import Viewed


def head_of(record: Record) -> Line:
    """The page's description of a record, shown before its first item."""
    header = record.header
    title = f"大富豪 {record.rules.game.letter} seed {header.seed} game {header.number}"
    end = next((line["end"] for _, line in reversed(record.lines) if "end" in line), None)
    final = end and {"points": end["points"], "ranks": end["places"]}
    return {"file": record.path.name, "title": title, "player": list(header.player), "notes": [], "final": final}


def stream_of(record: Record, rules: Rules) -> tuple[list[Line], list[str]]:
    """Return the lines of a record for the page, answers with options if they can be known, and notes on what cannot be
    known. Raises BadInput if the record contradicts itself."""
    options = SeriesOptions(record, rules)
    stream: list[Line] = []
    notes: list[str] = []
    for (number, _), told in zip(record.lines, followed(record), strict=True):
        line = told.line
        if "digest" in line:
            continue
        if "turn" in line and options.known:
            answers = [{**answer, "options": options.of(answer["seat"])} for answer in line["answers"]]
            line = {**line, "answers": answers}
        if isinstance(told.event, events.Play) and options.known:
            options.take(told.event)
            if not options.known:
                notes.append(f"options are not known from line {number} on: the rules do not allow this play")
        stream.append(line)
    return stream, notes


def viewed(record: Record, rules: Rules) -> Viewed:
    """Prepare a record for a page; `rules` determine the options. Raises BadInput if the record contradicts itself."""
    for _ in followed(record):
        pass
    return Viewed(head_of(record), partial(stream_of, record, rules))
