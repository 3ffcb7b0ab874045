"""Whether the fields of a position line fit each other: turns, calls, riichi, what is asked, and the count of tiles.

The fields, and the board and question that they tell, are read here, too. docs/position-fields.md specifies them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.law.calls import kuikae
from jantaku.table.riichi.pieces.board import LIVE_TILES, MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, meld_text
from jantaku.table.riichi.pieces.notation import parse_meld, parse_tile, parse_tiles
from jantaku.table.riichi.pieces.seats import THREE, after, side_of
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, NORTH, full_set, sort_tiles, tiles_text
from jantaku.table.riichi.pieces.wall import HAND
from jantaku.table.riichi.rules import Rules
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
OWN_CLAIMS: Final = (Subject.KAKAN, Subject.ANKAN, Subject.NORTH)
CLAIMS: Final = (Subject.DISCARD, *OWN_CLAIMS)


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
    """Read a line: the board before the tile just drawn, the question, that tile, and where each field stands. Counters
    that follow from the rest are not set. Raises BadInput for a field of another form; whether the fields fit each
    other is not checked."""
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
        said = f"“{text[:40]}” is not a position line; one begins with {VERSION} and rules, as {VERSION} tenhou"
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
            raise field.wrong(f"“{field.text[place : place + 8]}” is not a discard; {_DISCARDS}", place)
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


Wrong = Iterator[tuple[str, str]]
"""By field, what is wrong with it."""


class LineTurn(NamedTuple):
    """A discard in the order of play: its seat, its place in the river, the seat that called it, and for which meld."""

    seat: int
    place: int
    tile: int
    caller: int | None
    meld: Meld | None


def turns_of(board: Board) -> tuple[list[LineTurn], int]:
    """Play the rivers again: turns go round, and a seat that calls discards next (S-44). Return the discards in the
    order of play, and the seat on turn after them. Where no kyoku has such rivers, some discards are left over."""
    turns: list[LineTurn] = []
    called = [iter([meld for meld in hand.melds if meld.called is not None]) for hand in board.hands]
    gone, seat = [0] * board.seats, 0
    while (place := gone[seat]) < len(board.rivers[seat].tiles):
        caller = board.rivers[seat].called_by.get(place)
        meld = None if caller is None else next(called[caller], None)
        turns.append(LineTurn(seat, place, board.rivers[seat].tiles[place], caller, meld))
        gone[seat] += 1
        seat = after(seat, 1, board.seats) if caller is None else caller
    return turns, seat


def check(board: Board, question: AskedSeat, drawn: int | None, fields: dict[str, Field], rules: Rules) -> None:
    """Raise BadInput, with the field and what is allowed, if no kyoku can come to this."""
    turns, mover = turns_of(board)
    for seat in range(board.seats):
        if told := _wrong_side(board, seat, turns, rules):
            raise fields[LETTERS[seat]].wrong(told)
    for number, turn in enumerate(turns):
        before = turns[number - 1].meld if number else None
        if told := _wrong_discard(board, turn, before, rules) or _wrong_riichi(board, number, turns, question):
            raise fields[LETTERS[turn.seat]].wrong(f"{NAMES[turn.tile]} (discard {turn.place + 1}): {told}")
    allowed = [one.text for one in _questions(board, turns, mover, rules)]
    if question.text not in allowed:
        raise fields["ask"].wrong(f"that does not follow from rivers and melds; allowed: {', '.join(allowed)}")
    counted = _wrong_copies(board, question.seat, drawn, rules), _wrong_counts(board, question, rules)
    for name, told in chain(_wrong_hand(board, question, drawn, rules), *counted):
        raise fields[name].wrong(told)


def _wrong_side(board: Board, seat: int, turns: Sequence[LineTurn], rules: Rules) -> str:
    """What is wrong before one seat; empty if nothing is."""
    hand, river, three = board.hands[seat], board.rivers[seat], board.seats == THREE
    played, calls = sum(turn.seat == seat for turn in turns), sum(turn.caller == seat for turn in turns)
    later = river.tsumogiri[river.sideways[0] + 1 :] if river.sideways else ()
    wrong = {
        f"after discard {played} its turn does not come again; turns go round, and a seat that calls discards "
        "next": played < len(river.tiles),
        f"{calls} discards in the rivers have its letter behind them, as called by it, but its melds show another "
        "number of calls": calls != sum(meld.called is not None for meld in hand.melds),
        "it has more than four melds": len(hand.melds) > MOST_KANS,
        "it has a chi, but with three players there is no chi": three and any(not meld.kind for meld in hand.melds),
        "by these rules no north is set aside": hand.aside and not (three and rules.sanma.north == "nuki"),
        "it is in riichi with an open meld": board.riichi[seat] and not hand.is_closed,
        "in riichi each later discard is just drawn, with a dot": not all(later),
    }
    return next((told for told, holds in wrong.items() if holds), "")


def _wrong_discard(board: Board, turn: LineTurn, after_call: Meld | None, rules: Rules) -> str:
    """What is wrong with a discard, made right after `after_call` was called, or with its own call."""
    if turn.caller is not None and turn.meld is not None:
        if turn.caller == turn.seat:
            return "no seat calls its own tile"
        if (turn.meld.called, turn.meld.source) != (turn.tile, side_of(turn.caller, turn.seat, board.seats)):
            return f"{LETTERS[turn.caller]} called it, but the next of its melds is {meld_text(turn.meld)}"
    if after_call is None or after_call.kind == MeldKind.DAIMINKAN:
        return ""
    if board.rivers[turn.seat].tsumogiri[turn.place]:
        return f"it follows {meld_text(after_call)}, so it was not just drawn and has no dot"
    forbidden = kuikae(after_call, rules) >> KIND[turn.tile] & 1
    return f"kuikae forbids it after {meld_text(after_call)}" if forbidden else ""


def _wrong_riichi(board: Board, number: int, turns: Sequence[LineTurn], question: AskedSeat) -> str:
    """What is wrong with R, D and I, if this discard declares riichi. Own kans and norths, of which rivers show no
    trace, may end the first go-round and ippatsu at any time."""
    seat, place, *_ = turns[number]
    if place not in board.rivers[seat].sideways[:1]:
        return ""
    double, ippatsu = board.riichi[seat] == 2, board.ippatsu[seat]
    traceless = any(hand.aside or any(meld.kind >= MeldKind.ANKAN for meld in hand.melds) for hand in board.hands)
    claimed = number == len(turns) - 1 and question.asked is Subject.DISCARD
    first = place == 0 and not any(turn.meld for turn in turns[:number])
    alive = place == len(board.rivers[seat].tiles) - 1 and not any(turn.meld for turn in turns[number:])
    wrong = {
        "D is riichi with the first discard, before any call and kan; allowed is R": double and not first,
        "with the first discard, before any call and kan, it is double: D": first and not (double or traceless),
        "a call or an own discard has ended the ippatsu; allowed is no I": ippatsu and not alive,
        "nothing has ended its ippatsu; write I": alive and not ippatsu and (claimed or not traceless),
    }
    return next((told for told, holds in wrong.items() if holds), "")


def _questions(board: Board, turns: Sequence[LineTurn], mover: int, rules: Rules) -> Iterator[AskedSeat]:
    """All that seats may be asked after these turns."""
    last, hand = turns[-1] if turns else None, board.hands[mover]
    claims: list[tuple[Subject, int, int]] = []
    if last and last.meld and last.meld.kind != MeldKind.DAIMINKAN:
        yield AskedSeat(mover, Subject.CALL)
        return
    if not (last.meld if last else hand.melds or hand.aside):
        yield AskedSeat(mover, Subject.DRAW)
    if hand.aside or any(meld.is_kan for meld in hand.melds):
        yield AskedSeat(mover, Subject.RINSHAN)
    if last and not last.meld:
        claims.append((Subject.DISCARD, last.seat, last.tile))
        if rules.draw.declare_tenpai and not board.live:
            yield from (AskedSeat(seat, Subject.TENPAI) for seat in range(board.seats) if not board.riichi[seat])
    for meld in hand.melds:
        if meld.kind == MeldKind.KAKAN or (meld.kind == MeldKind.ANKAN and meld is hand.melds[-1]):
            claims.append((Subject[meld.kind.name], mover, meld.tiles[-1]))
    if hand.aside:
        claims.append((Subject.NORTH, mover, NORTH))
    for asked, source, tile in claims:
        yield from (AskedSeat(seat, asked, source, tile) for seat in range(board.seats) if seat != source)


def _wrong_hand(board: Board, question: AskedSeat, drawn: int | None, rules: Rules) -> Wrong:
    hand, draws = board.hands[question.seat], question.asked in (Subject.DRAW, Subject.RINSHAN)
    size = HAND - 3 * len(hand.melds) + (question.asked is Subject.CALL)
    if draws != (drawn is not None):
        yield "hand", f"the tile just drawn stands behind a +, {'and there is no +' if draws else 'and none is drawn'}"
    if hand.size != size:
        yield "hand", f"it has {hand.size} tiles{' before the +' * draws}; with {len(hand.melds)} melds they are {size}"
    if question.asked is Subject.CALL and not hand.one & ~kuikae(hand.melds[-1], rules):
        yield "hand", "kuikae leaves nothing to discard, so that it could not call"


def _wrong_copies(board: Board, own: int, drawn: int | None, rules: Rules) -> Wrong:
    """Count every tile; a called one counts in its meld."""
    full = Counter(full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, board.seats))
    shown = {"indicators": board.indicators}
    for seat, (hand, river) in enumerate(zip(board.hands, board.rivers, strict=True)):
        lying = [tile for place, tile in enumerate(river.tiles) if place not in river.called_by]
        shown[LETTERS[seat]] = lying + [tile for meld in hand.melds for tile in meld.tiles] + [NORTH] * hand.aside
    shown["hand"] = board.hands[own].tiles + ([] if drawn is None else [drawn])
    there = Counter(tile for tiles in shown.values() for tile in tiles)
    for name, tiles in reversed(shown.items()):
        for tile in tiles:
            if there[tile] > full[tile]:
                yield name, f"{NAMES[tile]} is on the line {there[tile]} times; by these rules there are {full[tile]}"


def _wrong_counts(board: Board, question: AskedSeat, rules: Rules) -> Wrong:
    """Count tiles left, indicators and sticks. A turn begins with a draw, chi or pon, and unless it is still under way
    it ends with a discard, an own kan or a north."""
    melds = [meld for hand in board.hands for meld in hand.melds]
    ended = sum(len(river.tiles) for river in board.rivers) + sum(hand.aside for hand in board.hands)
    called = sum(meld.kind in (MeldKind.CHI, MeldKind.PON, MeldKind.KAKAN) for meld in melds)
    draws = ended + sum(meld.kind >= MeldKind.ANKAN for meld in melds) + (question.asked in OWN_TURN) - called
    if board.live != (left := LIVE_TILES[board.seats] - draws):
        yield "left", f"rivers and melds leave {left} tiles to draw"
    if board.kans > MOST_KANS:
        yield "indicators", f"there are {board.kans} kans in the melds; allowed are {MOST_KANS}"
    most = 1 + (kans := board.kans - (question.asked in (Subject.ANKAN, Subject.KAKAN))) * rules.dora.kan
    if not most - (question.asked is Subject.RINSHAN and most > 1) <= len(board.indicators) <= most:
        yield "indicators", f"after {kans} kans there are {most}, or one less before the discard that opens the last"
    if board.sticks < sum(board.deposited):
        yield "sticks", f"{sum(board.deposited)} seats have placed one, so at least as many lie on the table"
