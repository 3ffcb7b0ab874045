"""Prepares records of riichi for the viewer's page."""

from collections.abc import Sequence
from functools import partial

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.items import final_of, items_of
from jantaku.table.languages.majiang.paifu import with_answers
from jantaku.table.languages.majiang.words import Item
from jantaku.table.records.convert.writing import walls_of, writes_points_with_decimals
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.offers import offers
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview, option_values
from jantaku.table.records.view.page import Viewed
from jantaku.table.riichi.pieces.tiles import NAMES


def head_of(record: Record, notes: Sequence[str] = (), review: WholeReview | None = None) -> Item:
    """The page's description of a record, shown before its first item."""
    final = record.final
    return {
        "file": record.path.name,
        "title": record.title or (f"seed {record.seed} game {record.number}" if record.seed else record.path.name),
        "player": list(record.names),
        "qijia": record.first_dealer,
        "walls": record.school,
        "notes": list(notes),
        "final": {"points": final.scores, "ranks": final.ranks} if final and final.ranks else None,
        **({} if review is None else {"review": review.head.by}),
    }


def stream_of(record: Record, review: WholeReview | None = None) -> tuple[list[Item], list[str]]:
    """Return the items of a record for the page, with walls, answers and options if they can be known, and notes on
    what cannot be known. With a review, each answer has what the reviewer would have done."""
    answers, notes = _turns(record)
    if review is not None:
        _add_review(answers, review)
    walls = walls_of(record)
    stream: list[Item] = []
    for number, kyoku in enumerate(record.log):
        if number < len(walls):
            wall = walls[number]
            stream.append({"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice})
        stream += with_answers(items_of(kyoku), number + 1, answers)
    if record.final is not None:
        stream.append({"jieju": final_of(record.final, decimals=writes_points_with_decimals(record))})
    return stream, notes


def _turns(record: Record) -> tuple[dict[tuple[int, int], Item], list[str]]:
    """Return the turns of a record, each answer with the options that the player had."""
    turns: dict[tuple[int, int], Item] = {key: {**turn, "answers": []} for key, turn in record.answers.items()}
    told = {(key, one["seat"]): one for key, turn in record.answers.items() for one in turn["answers"]}
    notes: list[str] = []
    try:
        for one in offers(record):
            turn = turns.setdefault(one.key, {"turn": None, "answers": []})
            answer = told.pop((one.key, one.player), {"seat": one.player, "reply": one.answer})
            turn["answers"].append({**answer, **_choice(answer, one.options)})
    except BadInput as error:
        notes.append(str(error))
    for (key, _), answer in told.items():  # answers after the first difference between engine and record
        turns[key]["answers"].append(answer)
    return turns, notes


def _add_review(turns: dict[tuple[int, int], Item], review: WholeReview) -> None:
    lines = {(one.kyoku, one.before, one.player): one for one in review.decisions}
    for key, turn in turns.items():
        for answer in turn["answers"]:
            if (line := lines.get((*key, answer["seat"]))) is not None:
                answer["review"] = _reviewed(line, answer.get("options", ()))


def _reviewed(line: ReviewedDecision, options: Sequence[Item]) -> Item:
    told: Item = {"reply": line.choice, "agrees": line.agrees, "verdict": line.verdict, "reason": line.reason}
    if line.worth is not None:
        told["worth"] = line.worth
    values = option_values(line.meta, options)
    return {**told, "meta": line.meta, **({} if values is None else {"values": values})}


def _choice(answer: Item, options: Sequence[Item]) -> Item:
    """The options of an answer, and the player's own values of them if it gave any."""
    values = option_values(answer.get("meta"), options)
    return {"options": list(options), **({} if values is None else {"values": values})}


def viewed(record: Record, notes: Sequence[str] = (), review: WholeReview | None = None) -> Viewed:
    """Prepare a record for a page, with its review if there is one."""
    return Viewed(head_of(record, notes, review), partial(stream_of, record, review), record.hidden)
