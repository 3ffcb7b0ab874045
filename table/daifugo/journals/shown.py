"""A record of 大富豪 as it is shown: a moment of it in the terminal, and all of it on the viewer's page."""

import copy
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import JOKER, RANKS, cards_text, rank_of, suit_of
from jantaku.table.daifugo.events import Board, Step
from jantaku.table.daifugo.journals.record import Record
from jantaku.table.daifugo.journals.replay import SeriesOptions, followed
from jantaku.table.daifugo.ranks import RANK_NAMES
from jantaku.table.daifugo.rules import Rules
from jantaku.table.drawing.columns import SeatRows, shortened
from jantaku.table.drawing.faces import colours_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.lines import Line
from jantaku.table.records.view.moment import Moment
from jantaku.table.records.view.page import Viewed

_MARKS = "♣♦♥♠"
_COLOURS = ("", "red", "red", "")
TRICK = 78
"""Columns of the trick, frame included."""


def card_text(card: int) -> Text:
    """A card in two or three columns: `♠3`, `♥10`, `JK`."""
    if card == JOKER:
        return Text("JK", style="bold magenta")
    rank = RANKS[rank_of(card)].replace("0", "10")
    return Text(_MARKS[suit_of(card)] + rank, style=_COLOURS[suit_of(card)])


def hand_text(cards: Sequence[int]) -> Text:
    """Cards as text, weakest first."""
    return Text(" ").join(map(card_text, sorted(cards)))


def position(board: Board, names: Sequence[str]) -> RenderableType:
    """The whole table with all hands."""
    reversed_order = Text("  革命", style="bold red") if board.revolution else Text()
    head = Text(f"round {board.round}  山{len(board.pile)}枚") + reversed_order
    names = [shortened(name) for name in names]
    rows = []
    for seat, hand in enumerate(board.hands):
        words = (
            f"{'▶' if seat == board.turn else ' '}{seat}",
            names[seat],
            RANK_NAMES.get(board.ranks[seat], ""),
            f"{board.points[seat]:>3} points",
            f"{board.places[seat]}位" if board.places[seat] else f"{len(hand)}枚",
        )
        rows.append((words, hand_text(hand)))
    return Group(head, SeatRows(rows), Panel(trick_text(_running(board.history), names), title="場", width=TRICK))


def _running(history: Sequence[Step]) -> list[Step]:
    """The plays and passes of the current trick."""
    tricks = [list(steps) for over, steps in groupby(history, lambda step: step.kind == "nagare") if not over]
    return [step for step in tricks[-1] if step.kind == "play"] if tricks and history[-1].kind != "nagare" else []


def trick_text(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Plays and passes, one line each."""
    lines = [Text(f"{names[step.seat]}: ") + (hand_text(step.cards) if step.cards else Text("pass")) for step in steps]
    return Text("\n").join(lines)


def moment_of(record: Record, number: int, turn: int | None) -> Moment:
    """The table after a play or pass of a round, both counted from 1; turn 0 is the beginning, before the first play,
    None the end. Raises BadInput if there is no such turn."""
    turns, rounds = 0, 0
    found: tuple[Line, Board] | None = None
    for told in followed(record):
        rounds += isinstance(told.event, events.RoundStart)
        if rounds > number:
            break
        if rounds < number or told.event is None or isinstance(told.event, events.SeriesEnd):
            continue
        if isinstance(told.event, events.Play):
            if turns == turn:
                break
            turns += 1
        found = told.line, copy.deepcopy(told.board)
    if found is None:
        raise BadInput(f"{record.path} has no round {number}; it has {rounds}")
    if turn is not None and turn > turns:
        raise BadInput(f"{record.path} round {number} has no turn {turn}; it has {turns} turn{'s' * (turns != 1)}")
    line, board = found
    names = record.header.player
    said = f"round {number} turn {turns}: {msgspec.json.encode(line).decode()}"
    return Moment(position(board, names), _data(board, names, turns), said)


def _data(board: Board, names: Sequence[str], turns: int) -> dict[str, Any]:
    return {
        "round": board.round,
        "turn": turns,
        "names": names,
        "hands": [cards_text(sorted(hand)) for hand in board.hands],
        "trick": [{"seat": step.seat, "cards": cards_text(step.cards)} for step in _running(board.history)],
        "revolution": board.revolution,
        "ranks": board.ranks,
        "points": board.points,
        "places": board.places,
        "gone": len(board.pile),
    }


def head_of(record: Record) -> Line:
    """The page's description of a record, shown before its first item."""
    header = record.header
    title = f"大富豪 {record.rules.game.letter} seed {header.seed} game {header.number}"
    end = next((line["end"] for _, line in reversed(record.lines) if "end" in line), None)
    final = end and {"points": end["points"], "ranks": end["places"]}
    return {
        "file": record.path.name,
        "title": title,
        "player": list(header.player),
        "faces": colours_of(header.player),
        "notes": [],
        "final": final,
    }


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
                notes.append(f"options are unknown from line {number} on: the rules do not allow this play")
        stream.append(line)
    return stream, notes


def viewed(record: Record, rules: Rules) -> Viewed:
    """Prepare a record for a page; `rules` determine the options. Raises BadInput if the record contradicts itself."""
    for _ in followed(record):
        pass
    return Viewed(head_of(record), partial(stream_of, record, rules))
