"""The fields of a position line, and the board and question that they tell. docs/position-line.md specifies them."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeVar

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.notation import parse_meld, parse_tile, parse_tiles
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, NORTH, sort_tiles, tiles_text
from jantaku.table.riichi.pieces.wall import HAND
from jantaku.table.riichi.ruleset import FILES

VERSION: Final = "jtk1"
LETTERS: Final = "ESWN"
"""The first word of every line; the letters of the seats, and of the rounds."""
_RIICHI: Final = ("", "R", "D")
_word_of, _rules_of = cache(FILES.in_a_word), lru_cache(100)(FILES.from_word)
_T = TypeVar("_T")


Subject = StrEnum("Subject", "DRAW RINSHAN CALL DISCARD KAKAN ANKAN NORTH TENPAI")
"""What a seat is asked about: its own turn (the first three), a claim (the next four), or the end of the wall."""
OWN_TURN: Final = (Subject.DRAW, Subject.RINSHAN, Subject.CALL)


class AskedSeat(NamedTuple):
    """What `seat` is asked. A claim has the seat whose tile it is, `source`, and the tile. `missed` says that the seat
    has passed up a winning tile since its last discard, or in riichi."""

    seat: int
    asked: Subject
    source: int | None = None
    tile: int | None = None
    missed: bool = False

    @property
    def text(self) -> str:
        """The question as `E/draw` or `S/discard/E/m1`."""
        claimed = "" if self.source is None or self.tile is None else f"/{LETTERS[self.source]}/{NAMES[self.tile]}"
        return f"{LETTERS[self.seat]}/{self.asked}{claimed}"


class Field(NamedTuple):
    """One field of a line that is read: its name, its text, and the column in which it begins, from 1."""

    name: str
    text: str
    column: int

    def wrong(self, problem: str, at: int = 0) -> BadInput:
        """Return the error for what stands `at` characters behind the beginning of the field."""
        return BadInput(problem, f"position line, column {self.column + at} ({self.name})")

    def read(self, reader: Callable[[str], _T], text: str, at: int = 0) -> _T:
        """Read a part of the field, with its place in the error."""
        try:
            return reader(text)
        except BadInput as error:
            raise self.wrong(error.problem, at) from None

    def matched(self, pattern: str, allowed: str) -> re.Match[str]:
        """Match the whole field."""
        if (match := re.fullmatch(pattern, self.text)) is None:
            raise self.wrong(f"“{self.text[:40]}” cannot be read; allowed: {allowed}")
        return match


def texts_of(board: Board, question: AskedSeat) -> dict[str, str]:
    """Return the text of every field by its name, in the order of the line."""
    assert board.rules is not None, "a board without rules has no line"
    hand = board.hands[question.seat]
    drawn = "" if hand.drawn is None else f"+{NAMES[hand.drawn]}"
    return {
        "version": VERSION,
        "rules": _word_of(board.rules),
        "round": f"{LETTERS[board.round]}{board.kyoku + 1}",
        "honba": f"honba={board.honba}",
        "sticks": f"sticks={board.sticks}",
        "left": f"left={board.live}",
        "indicators": f"indicators={tiles_text(board.indicators)}",
        **{LETTERS[seat]: _seat_text(board, seat) for seat in range(board.seats)},
        "hand": f"hand={tiles_text(sort_tiles(hand.tiles_before_draw))}{drawn}",
        "ask": f"ask={question.text}",
        **({"missed": "missed"} if question.missed else {}),
    }


def _seat_text(board: Board, seat: int) -> str:
    river, hand, text = board.rivers[seat], board.hands[seat], ""
    for place, tile in enumerate(river.tiles):
        text += NAMES[tile] + "." * river.tsumogiri[place]
        if place in river.sideways[:1]:
            text += _RIICHI[board.riichi[seat]] + "I" * board.ippatsu[seat]
        if place in river.called_by:
            text += LETTERS[river.called_by[place]]
    laid = [*map(meld_text, hand.melds), *([f"n{hand.aside}"] if hand.aside else [])]
    return f"{LETTERS[seat]}{board.scores[seat]}/{text}/{','.join(laid)}".rstrip("/")


_DISCARD: Final = r"([mpsz]\d)(\.?)(?:([RD])(I?))?([{}]?)"
_DISCARDS: Final = "they look like m1, p0. (tsumogiri), z7R, z7D (double riichi), z7RI (and ippatsu), s3W (called by W)"
_ASK: Final = f"ask=([{{0}}])/({'|'.join(Subject)})(?:/([{{0}}])/(..))?"
_ASKS: Final = f"ask=SEAT/WHAT or, for a claim, ask=SEAT/WHAT/SEAT/TILE; WHAT is {', '.join(Subject)}"


def board_of_text(text: str) -> tuple[Board, AskedSeat, int | None, dict[str, Field]]:
    """Read a line: the board before the tile just drawn, the question, that tile, and where each field stands.

    Counters that follow from the rest are not set. Raises BadInput for a field of another form; whether the fields fit
    each other is not checked.
    """
    fields, board = _fields(text)
    seats = LETTERS[: board.seats]
    place = fields["round"].matched(f"([ESWN])([1-{board.seats}])", f"E1 to N{board.seats}")
    hand, plus, drawn = fields["hand"].matched("hand=([^+]*)([+]?)(.*)", "hand=TILES or hand=TILES+DRAWN").groups()
    seat, asked, source, tile = fields["ask"].matched(_ASK.format(seats), _ASKS).groups()
    honba, sticks, left = (
        int(fields[name].matched(rf"{name}=(\d{{1,3}})", f"{name}= and a number from 0 to 999")[1])
        for name in ("honba", "sticks", "left")
    )
    shown = fields["indicators"].matched("indicators=(.+)", "indicators=TILES")[1]
    indicators = fields["indicators"].read(parse_tiles, shown, len("indicators="))
    concealed = fields["hand"].read(parse_tiles, hand, len("hand="))
    hands = [concealed if letter == seat else None for letter in seats]
    board.start(LETTERS.index(place[1]), int(place[2]) - 1, honba, sticks, [0] * len(seats), indicators[0], hands)
    board.live = left
    for indicator in indicators[1:]:
        board.open_indicator(indicator)
    for letter in seats:
        _lay(board, LETTERS.index(letter), fields[letter])
    question = AskedSeat(LETTERS.index(seat), Subject(asked))
    if source:
        claimed = fields["ask"].read(parse_tile, tile, len(f"ask={seat}/{asked}/{source}/"))
        question = question._replace(source=LETTERS.index(source), tile=claimed)
    if "missed" in fields:
        question = question._replace(missed=bool(fields["missed"].matched("missed", "missed, or nothing")))
    return board, question, fields["hand"].read(parse_tile, drawn, len(f"hand={hand}+")) if plus else None, fields


def _fields(text: str) -> tuple[dict[str, Field], Board]:
    """Split a line; return the fields by name, and an empty board by its rules."""
    words = [Field("version", word[0], word.start() + 1) for word in re.finditer(r"\S+", text)]
    if len(words) < 2 or words[0].text != VERSION:
        said = f"“{text[:40]}” is no position line; one begins with {VERSION} and rules, as {VERSION} tenhou"
        raise BadInput(said, "position line")
    rules = words[1]._replace(name="rules")
    board = Board(rules.read(_rules_of, rules.text))
    seats = LETTERS[: board.seats]
    names = ["version", "rules", "round", "honba", "sticks", "left", "indicators", *seats, "hand", "ask", "missed"]
    if len(words) not in (len(names) - 1, len(names)):
        wanted = f"{len(names) - 1} where {len(seats)} play: {', '.join(names[:-1])}, and missed behind them or not"
        raise BadInput(f"it has {len(words)} fields; allowed are {wanted}", "position line")
    return {name: word._replace(name=name) for name, word in zip(names, words, strict=False)}, board


def _lay(board: Board, seat: int, field: Field) -> None:
    """Read what lies before a seat, and put it on the board."""
    form = f"{field.name}POINTS, {field.name}POINTS/RIVER or {field.name}POINTS/RIVER/MELDS"
    match = field.matched(rf"{field.name}(-?\d{{1,7}})(?:/([^/]*))?(?:/([^/]*))?", form)
    board.scores[seat], river, hand = int(match[1]), board.rivers[seat], board.hands[seat]
    (place, end), discard = match.span(2), re.compile(_DISCARD.format(LETTERS[: board.seats]))
    while place < end:
        if (one := discard.match(field.text, place, end)) is None:
            raise field.wrong(f"“{field.text[place : place + 8]}” is no discard; {_DISCARDS}", place)
        if one[3] and board.riichi[seat]:
            raise field.wrong("it declares riichi twice; allowed is one R or D", place)
        river.add(field.read(parse_tile, one[1], place), bool(one[2]), bool(one[3]))
        if one[3]:
            board.riichi[seat], board.ippatsu[seat] = _RIICHI.index(one[3]), bool(one[4])
        if one[5]:
            river.call_last(LETTERS.index(one[5]))
        place = one.end()
    laid, place = match[3].split(",") if match[3] else [], match.start(3)
    hand.aside = int(laid.pop()[1]) if laid and re.fullmatch("n[1-4]", laid[-1]) else 0
    for text in laid:
        hand.melds.append(field.read(parse_meld, text, place))
        place += len(text) + 1
    own = [tile for meld in hand.melds for tile in (*meld.own, *([] if meld.added is None else [meld.added]))]
    for tile in (*river.tiles, *own, *[NORTH] * hand.aside):
        board.open_counts[KIND[tile]] += 1
    if not hand.known:
        hand.size = HAND - 3 * len(hand.melds)
