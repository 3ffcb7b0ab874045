"""Journals of 大富豪: writing, reading, and driving the engine by them.

{"jantaku": 1, "game": "daifugo", "rules": {…}, …}                         the header
{"round": {"number": 1, "ranks": [0, 0, 0]}}                               a round begins
{"deal": ["S3 H4 …", …]}, {"leader": 2}, {"exchange": [{"giver": 0, …}]}   hands as dealt, by seat
{"turn": 1, "answers": [{"seat": 2, "reply": "S3", "verdict": "ok", …}]}   what came of the question
{"play": {"seat": 2, "cards": "S3"}}                                       no cards: a pass
{"revolution": true}, {"nagare": true}, {"agari": {…}}, {"finish": {…}}    what it led to
{"end": {"points": [5, 3, 0], "places": [1, 2, 3]}}                        the end of the series
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from table.daifugo import events
from table.daifugo.actions import Put
from table.daifugo.cards import cards_text, parse_cards
from table.daifugo.game import DaifugoGame, Deals, deals_from
from table.daifugo.rules import Rules
from table.errors import BadInput
from table.port import Action
from table.record.lines import Head, Line, from_json, read_lines

GAME = "daifugo"
"""What the header of such a journal calls its game."""


class Header(Head, frozen=True):
    """The first line: what it takes to play the game again. `player` by seat; `ranks` are those of the first round."""

    player: tuple[str, ...]
    ranks: tuple[int, ...]
    driven: bool = False
    """The hands are not those of the seed."""


class Difference(msgspec.Struct, frozen=True):
    """Where a record and the engine part: `line` of the file, from 1."""

    line: int
    record: str
    engine: str

    def __str__(self) -> str:
        return f"line {self.line}: the record has {self.record}, the engine {self.engine}"


class Verified(msgspec.Struct, frozen=True):
    """What became of it. `complete` says that the record goes to the end of its series."""

    rounds: int
    events: int
    complete: bool
    difference: Difference | None


class Record(msgspec.Struct):
    """One series as read from a file: `items` as (line of the file, item), without answers."""

    path: Path
    header: Header
    rules: Rules
    items: list[tuple[int, Line]]


def reply(action: Action) -> str:
    """An action as a player writes it: the cards, nothing for a pass."""
    assert isinstance(action, Put)
    return cards_text(action.cards)


def lines_of(event: events.Event) -> Iterator[Line]:
    """The line of an event; none for what follows from the others: who sits where, sorting, whose turn it is."""
    match event:
        case events.RoundStart(number, ranks):
            yield {"round": {"number": number, "ranks": ranks}}
        case events.Deal(hands):
            yield {"deal": [cards_text(hand) for hand in hands]}
        case events.Leader(seat):
            yield {"leader": seat}
        case events.Exchange(gifts):
            yield {"exchange": [{**msgspec.structs.asdict(gift), "cards": cards_text(gift.cards)} for gift in gifts]}
        case events.Play(seat, cards):
            yield {"play": {"seat": seat, "cards": cards_text(cards)}}
        case events.Revolution(on):
            yield {"revolution": on}
        case events.Nagare():
            yield {"nagare": True}
        case events.Agari():
            yield {"agari": msgspec.structs.asdict(event)}
        case events.RoundEnd():
            yield {"finish": msgspec.structs.asdict(event)}
        case events.SeriesEnd():
            yield {"end": msgspec.structs.asdict(event)}


# --- reading -----------------------------------------------------------------------------------


def is_daifugo(path: Path) -> bool:
    """Whether the file begins as a journal of this game does. Whatever cannot be read is none."""
    try:
        with path.open("rb") as file:
            first = from_json(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and first.get("game") == GAME


def load(path: Path) -> Record:
    """Read a journal of this game. Raises BadInput with file and place for whatever is not one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    lines = read_lines(path, content)
    try:
        header = msgspec.convert(lines[0], Header)
        rules = msgspec.convert(header.rules, Rules)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path} line 1: {error}") from None
    items = [(number, line) for number, line in enumerate(lines[1:], 2) if "turn" not in line]
    return Record(path, header, rules, items)


# --- driving -----------------------------------------------------------------------------------


def game_of(record: Record, rules: Rules) -> DaifugoGame:
    """The game of a record, not yet played."""
    header = record.header
    deals: Deals = deals_from(header.seed, header.number, len(header.player))
    if header.driven:
        recorded = [_hands(record, number, item["deal"]) for number, item in record.items if "deal" in item]
        deals = _recorded(recorded)
    return DaifugoGame(rules, deals, header.player, header.ranks)


def _recorded(hands: list[events.Hands]) -> Deals:
    if not hands:
        raise BadInput("the record holds no deal")
    return lambda at: hands[min(at, len(hands)) - 1]


def _hands(record: Record, line: int, deal: Any) -> events.Hands:
    try:
        return tuple(parse_cards(hand) for hand in deal)
    except (BadInput, TypeError, AttributeError) as error:
        raise BadInput(f"{record.path} line {line}: {error}") from None


def verify(record: Record, rules: Rules) -> Verified:
    """Drive the engine by a record under `rules` and compare every item. BadInput where it cannot be understood."""
    game = game_of(record, rules)
    read = compared = 0
    difference: Difference | None = None
    while difference is None and compared < len(record.items):
        while read < len(game.events) and difference is None:
            made = [_plain(line) for line in lines_of(game.events[read])]
            read += 1
            for item in made:
                if compared < len(record.items) and difference is None:
                    difference = _difference(record.items[compared], item)
                    compared += 1
        if difference is None and compared < len(record.items):
            difference = _drive(game, record.path, *record.items[compared])
    rounds = sum("round" in item for _, item in record.items)
    complete = any("end" in item for _, item in record.items)
    return Verified(rounds, len(record.items), complete, difference)


def _drive(game: DaifugoGame, path: Path, line: int, item: Line) -> Difference | None:
    """Play what the record says next; a difference if that is nothing that may be played now."""
    turn = game.turn()
    play = item.get("play")
    if turn is None or not isinstance(play, dict):
        return Difference(line, _shown(item), "nothing" if turn is None else f"a play of seat {turn.seat}")
    try:
        action = Put(tuple(sorted(parse_cards(play["cards"]))))
    except (BadInput, KeyError, AttributeError) as error:
        raise BadInput(f"{path} line {line}: {error}") from None
    if play.get("seat") != turn.seat or action not in turn.choice.options:
        offer = ", ".join(reply(option) or "a pass" for option in turn.choice.options)
        return Difference(line, _shown(item), f"offers seat {turn.seat} only {offer}")
    game.act(action)
    game.rule((None,) * game.seats)
    return None


def _difference(recorded: tuple[int, Line], made: Line) -> Difference | None:
    line, item = recorded
    return None if item == made else Difference(line, _shown(item), _shown(made))


def _plain(line: Line) -> Line:
    """A line as it is when it has been read back."""
    plain: Line = msgspec.json.decode(msgspec.json.encode(line))
    return plain


def _shown(item: Line) -> str:
    return msgspec.json.encode(item).decode()
