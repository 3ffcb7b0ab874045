"""Prepares records of riichi for the viewer's page.

`moment_of` is the table at one moment as a picture: what `terminal.position` prints, as SVG for a notebook or page.
"""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Final

from jantaku.table.drawing.columns import shortened
from jantaku.table.drawing.faces import colours_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.items import final_of, items_of
from jantaku.table.languages.majiang.order import with_answers
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.convert.readers import walls_of, writes_points_with_decimals
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.offers import offers
from jantaku.table.records.replay.option_values import option_values
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview
from jantaku.table.records.view.page import Viewed
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.picture import HEIGHT, WIDTH, element, hand_row, placed
from jantaku.table.riichi.pieces.seats import WINDS, after
from jantaku.table.riichi.pieces.tiles import NAMES

SIDE: Final = 1200
"""Length of the table's sides, in units of which a tile is 60 wide."""
_CENTRE: Final = SIDE // 2
_LONG = 6
"""Tiles in a row of a river, as at a table; the third row goes on."""
_ROWS = 3
_FELT, _INK, _FAINT = "#1d5c47", "#f4f1e4", "#b9d3c8"
_HAND: Final = 0.8
_RIVER: Final = 0.72
"""Sizes of the tiles in hands and rivers."""


def table_svg(board: Board, names: Sequence[str], bottom: int = 0, acting: int | None = None) -> str:
    """The whole table as one SVG element, the seat `bottom` below and the others counter-clockwise.

    Seats are those of the kyoku, `names` by seat; `acting` is the seat on turn. A tile that was called is dim, one that
    was discarded as drawn has a line on it, a riichi tile lies on its side.
    """
    parts = [f'<rect width="{SIDE}" height="{SIDE}" rx="24" fill="{_FELT}"/>', _middle(board)]
    for seat in range(board.seats):
        turn = -90 * after(seat, -bottom, board.seats)
        parts.append(f'<g transform="rotate({turn} {_CENTRE} {_CENTRE})">{_seat(board, names, seat, acting)}</g>')
    return element("".join(parts), (0, 0, SIDE, SIDE), _text(f"{_kyoku(board)} {', '.join(names)}"), 0.5)


def _kyoku(board: Board) -> str:
    return f"{WINDS[board.round % 4]}{board.kyoku + 1}局 {board.honba}本場"


def _middle(board: Board) -> str:
    """The kyoku, the sticks, the tiles left and the indicators."""
    shown = "".join(placed(tile, WIDTH * place, 0) for place, tile in enumerate(board.indicators))
    left = _CENTRE - len(board.indicators) * WIDTH * 0.6 / 2
    return (
        _words(_CENTRE, _CENTRE - 38, _kyoku(board), 36, "middle")
        + _words(_CENTRE, _CENTRE, f"供託 {board.sticks}  残り {board.live}", 26, "middle")
        + f'<g transform="translate({left:.0f} {_CENTRE + 22}) scale(0.6)">{shown}</g>'
    )


def _seat(board: Board, names: Sequence[str], seat: int, acting: int | None) -> str:
    """The hand, river and name of a seat, as they lie before the player below."""
    tiles, width = hand_row(board.hands[seat])
    size = min(_HAND, (SIDE - 2 * HEIGHT) / max(width, 1))
    hand_top = SIDE - (WIDTH + HEIGHT) * size - 16
    left = (SIDE - width * size) / 2
    mark = "▶ " if seat == acting else ""
    stick = "  リーチ" if board.riichi[seat] else ""
    said = f"{mark}{WINDS[seat]} {shortened(names[seat])}  {board.scores[seat]}{stick}"
    return (
        f'<g transform="translate({left:.0f} {hand_top:.0f}) scale({size:.3f})">{tiles}</g>'
        + f'<g transform="translate({_CENTRE - 3 * WIDTH * _RIVER:.0f} {_CENTRE + 174}) scale({_RIVER})">'
        + _river(board, seat)
        + "</g>"
        + _words(_CENTRE, _CENTRE + 152, _text(said), 26, "middle", _INK if seat == acting else _FAINT)
    )


def _river(board: Board, seat: int) -> str:
    """The discards in rows of six; of those that were called only a shade is left."""
    river = board.rivers[seat]
    parts = []
    x = row = 0
    for place, tile in enumerate(river.tiles):
        if place % _LONG == 0 and 0 < place < _LONG * _ROWS:
            x, row = 0, row + 1
        lies = place in river.sideways
        wide = HEIGHT if lies else WIDTH
        top = row * HEIGHT
        parts.append(placed(tile, x, top + (HEIGHT - WIDTH) * lies, lies=lies, dim=place in river.called_by))
        if river.tsumogiri[place]:
            parts.append(f'<rect x="{x + 8}" y="{top + HEIGHT - 8}" width="{wide - 16}" height="5" fill="#6b6557"/>')
        x += wide
    return "".join(parts)


def _text(words: str) -> str:
    """Words of a record as text of the picture: what XML cannot hold, or nobody can see, is shown as �."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words))


def _words(x: float, y: float, text: str, size: int, anchor: str, colour: str = _INK) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f"font-family=\"'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans',sans-serif\" "
        f'xml:space="preserve">{text}</text>'
    )


def head_of(record: Record, notes: Sequence[str] = (), review: WholeReview | None = None) -> Item:
    """The page's description of a record, shown before its first item."""
    final = record.final
    return {
        "file": record.path.name,
        "title": record.title or (f"seed {record.seed} game {record.number}" if record.seed else record.path.name),
        "player": list(record.names),
        "faces": colours_of(record.names),
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
    return Viewed(head_of(record, notes, review), partial(stream_of, record, review), record.hidden)
