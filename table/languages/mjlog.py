"""Reads a Tenhou log (mjlog, an XML file) as facts: the head, the kyoku in the order of play, and the end.

Players are numbered 0 to 3 for the whole game. Where three play, the circle has four places, and the last one is empty
(T-71).

Tags are read safely, and as far as a broken file goes. Tiles are numbers 0 to 135, four to a kind; 16, 52
and 88 are the red fives if there are red fives. Of a meld the two lowest bits give the seat that the tile
came from (0 none, 1 下家, 2 対面, 3 上家), the next three the kind; the meaning of the rest depends on the kind.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact, liable_for, norths_apart, sorted_hands
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason, PerSeat
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import BEFORE, SEATS, THREE, by_seat, player_of, seat_of, side_of
from jantaku.table.riichi.pieces.tiles import COPIES, EAST, KINDS, RED_M, RED_P, RED_S, sort_tiles
from jantaku.table.riichi.points.names import BY_TENHOU_ID

_NAME = re.compile(r"([A-Za-z]+)(\d{1,3})?")
_NUMBER = re.compile(r"-?\d{1,9}")
_REFUSED = ("<!DOCTYPE", "<!ENTITY")
_MOST = 100_000
"""The most tags of a log; a hanchan has some 1,500."""


class Tag(NamedTuple):
    name: str
    number: int | None
    attributes: Mapping[str, str]

    def ints(self, name: str) -> list[int]:
        """Return a comma-separated attribute; empty if it is missing. Raises BadInput for other text."""
        text = self.attributes.get(name)
        parts = text.split(",") if text else []
        for part in parts:
            if not _NUMBER.fullmatch(part):
                raise BadInput(f"<{self.name}> {name}: “{part[:20]}” is not a number")
        return [int(part) for part in parts]

    def some(self, name: str, least: int) -> list[int]:
        """Do the same; BadInput as well if there are fewer than `least` numbers."""
        found = self.ints(name)
        if len(found) < least:
            raise BadInput(f"<{self.name}> {name}: {len(found)} numbers; {least} are expected")
        return found

    def one(self, name: str, below: int) -> int:
        """Return an attribute that is one number, from 0 and less than `below`. Raises BadInput for any other."""
        found = self.ints(name)
        if len(found) != 1 or not 0 <= found[0] < below:
            told = self.attributes.get(name, "nothing")[:20]
            raise BadInput(f"<{self.name}> {name}: {told}; a number from 0 to {below - 1} is expected")
        return found[0]


class Tags(NamedTuple):
    """The tags of a log in order. `broken` says where the file breaks off; empty if it is whole."""

    all: list[Tag]
    broken: str


class _Collector:
    """Takes the tags from the parser."""

    def __init__(self) -> None:
        self.tags: list[Tag] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self.tags) == _MOST:
            raise BadInput(f"more than {_MOST} tags; no game has so many")
        if (name := _NAME.fullmatch(tag)) is not None:
            self.tags.append(Tag(name[1], int(name[2]) if name[2] else None, dict(attributes)))

    def close(self) -> None:
        """The parser demands it."""


def tags_of(content: bytes) -> Tags:
    """Read the tags of an XML file. Raises BadInput if it is not XML, or has a document type or entities: a log has
    none, and they are how XML reads other files and grows without bounds."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"not a log of Tenhou: it is not UTF-8 ({error.reason})") from None
    for word in _REFUSED:
        if word in text:
            raise BadInput(f"not a log of Tenhou: it has {word}…>, which no log has")
    collector = _Collector()
    parser = ElementTree.XMLParser(target=collector, encoding="utf-8")
    try:
        parser.feed(text)
    except ElementTree.ParseError as error:
        raise BadInput(f"not a log of Tenhou: not XML ({error})") from None
    try:
        parser.close()
    except ElementTree.ParseError as error:
        return Tags(collector.tags, str(error))
    return Tags(collector.tags, "")


_CHI, _PON, _KAKAN, _NUKI = 0x4, 0x8, 0x10, 0x20
_KINDS = 0x3F
_MOST_PACKED = 0xFFFF

TileOf = Callable[[int], int]
"""Converts a Tenhou number to our tile."""


def numbered(number: int, reds: bool = True) -> int:
    """Return the tile for one of the 136 numbers. Raises BadInput for any other number."""
    if not 0 <= number < KINDS * COPIES:
        raise BadInput(f"{number} is not a tile; allowed are 0 to {KINDS * COPIES - 1}")
    plain = number // COPIES
    return {16: RED_M, 52: RED_P, 88: RED_S}.get(number, plain) if reds else plain


def is_north(packed: int) -> bool:
    """Whether this is a north that one of three players set aside."""
    return packed & _KINDS == _NUKI


def unpack(packed: int, tile_of: TileOf) -> Meld:
    """Unpack a meld. Raises BadInput for any other number, and for a north set aside (see `is_north`)."""
    source = packed & 3
    if not 0 <= packed <= _MOST_PACKED or is_north(packed):
        raise BadInput(f"{packed} is not a meld")
    if packed & _CHI:
        if source != BEFORE:
            raise BadInput(f"{packed} is not a meld: a chi that is not from 上家")
        return _chi(packed, tile_of)
    if packed & (_PON | _KAKAN):
        if not source:
            raise BadInput(f"{packed} is not a meld: a pon from nobody")
        return _triplet(packed, source, tile_of)
    number = packed >> 8
    first = number // COPIES * COPIES
    rest = [tile_of(other) for other in range(first, first + COPIES) if other != number]
    return daiminkan(tile_of(number), source, *rest) if source else ankan(tile_of(number), *rest)


def _chi(packed: int, tile_of: TileOf) -> Meld:
    """Bits 3-8: which copy of each tile; above: run times three plus the place of the called tile."""
    run, place = divmod(packed >> 10, 3)
    first = run // 7 * 9 + run % 7
    if first >= EAST:
        raise BadInput(f"{packed} is not a meld: a run of honours")
    tiles = [tile_of((first + step) * COPIES + (packed >> 3 + 2 * step & 3)) for step in range(3)]
    called = tiles.pop(place)
    return chi(called, *tiles)


def _triplet(packed: int, source: int, tile_of: TileOf) -> Meld:
    """Bits 5-6: the copy that the pon leaves out; above: kind times three plus the place of the called tile."""
    kind, place = divmod(packed >> 9, 3)
    copies = [kind * COPIES + copy for copy in range(COPIES)]
    left_out = copies.pop(packed >> 5 & 3)
    called = copies.pop(place)
    made = pon(tile_of(called), source, *map(tile_of, copies))
    return made if packed & _PON else kakan(made, tile_of(left_out))


NO_REDS, NO_OPEN_TANYAO, HANCHAN, THREE_PLAY = 0x02, 0x04, 0x08, 0x10
"""Bits of `LogHead.kind`."""
_CIRCLE = 4
_UNIT = 100
"""Points are written in hundreds."""
_REASONS = {
    "": DrawReason.EXHAUSTIVE,
    "nm": DrawReason.NAGASHI,
    "yao9": DrawReason.KYUUSHU,
    "kaze4": DrawReason.SUUFON,
    "reach4": DrawReason.SUUCHA,
    "kan4": DrawReason.SUUKAN,
    "ron3": DrawReason.SANCHAHOU,
}
_DRAWS, _DISCARDS = "TUVW", "DEFG"


class LogHead(msgspec.Struct, frozen=True):
    """What the tags before the first deal tell. `kind` has the bits of the table's type; `lobby` is "0" for a public
    table; `own_rules` says that it has rules of its own."""

    kind: int
    lobby: str
    own_rules: bool
    names: tuple[str, ...]

    @property
    def players(self) -> int:
        return THREE if self.kind & THREE_PLAY else SEATS


def head_of(tags: Sequence[Tag]) -> LogHead:
    """Read the head. Raises BadInput if it is missing."""
    table = next((tag for tag in tags if tag.name == "GO"), None)
    if table is None:
        raise BadInput("not a log of Tenhou: <GO type=…> is missing, which holds the table's rules")
    names = next((tag.attributes for tag in tags if tag.name == "UN"), {})
    own = bool(table.attributes.get("csrule", "").strip(","))
    head = LogHead(table.one("type", 1 << 16), table.attributes.get("lobby", ""), own, ())
    told = tuple(unquote(names.get(f"n{player}", "")) for player in range(head.players))
    return msgspec.structs.replace(head, names=told)


def final_of(tags: Sequence[Tag], players: int) -> EndFact | None:
    """Return points and final scores by player; None if the game does not end in this log."""
    text = next((tag.attributes["owari"] for tag in tags if "owari" in tag.attributes), "")
    if not text:  # some who edit logs leave it empty
        return None
    try:
        told = [float(part) for part in text.split(",")[: 2 * players]]
        scores, tenths = ([round(part * factor) for part in told[at::2]] for at, factor in ((0, _UNIT), (1, 10)))
    except (ValueError, OverflowError):
        raise BadInput(f"owari: “{text[:40]}” is not points and final scores") from None
    if len(told) != 2 * players:
        raise BadInput(f"owari: {len(told)} numbers; {2 * players} are expected")
    return EndFact(scores=tuple(scores), tenths=tuple(tenths))


def kyoku_in(tags: Sequence[Tag]) -> Iterator[Sequence[Tag]]:
    """Yield the tags of each kyoku, the deal first."""
    starts = [place for place, tag in enumerate(tags) if tag.name == "INIT"]
    for first, end in zip(starts, [*starts[1:], len(tags)], strict=True):
        yield tags[first:end]


def facts_of(part: Sequence[Tag], head: LogHead) -> Iterator[Fact]:
    """Yield the facts of one kyoku, an indicator where Tenhou has it: before the discard. Raises BadInput, with the
    number of the tag from the deal, if a tag is invalid."""
    telling = _Telling(part[0], head)
    for number, tag in enumerate(part, 1):
        try:
            yield from telling.facts(tag)
        except BadInput as error:
            raise error.within(f"tag {number}") from None


class _Telling:
    """Turns the tags of one kyoku into facts; remembers what later tags need."""

    def __init__(self, start: Tag, head: LogHead) -> None:
        self._seats = head.players
        self._tile_of: TileOf = partial(numbered, reds=not head.kind & NO_REDS)
        self._dealer = start.one("oya", self._seats)
        self._drawn: int | None = None
        self._after_kan = self._declaring = False

    def facts(self, tag: Tag) -> Iterator[Fact]:
        """Yield the fact of a tag, if it tells one."""
        if tag.number is not None and tag.name in _DRAWS:
            yield self._draw(tag.name, tag.number)
        elif tag.number is not None and tag.name in _DISCARDS:
            yield self._discard(tag.name, tag.number)
        elif tag.name == "INIT":
            yield self._deal(tag)
        elif tag.name == "N":
            yield self._meld(tag)
        elif tag.name == "DORA":
            yield events.Dora(self._tile_of(tag.one("hai", 136)))
        elif tag.name == "REACH":
            # step 1 comes before the discard, step 2 when the discard has passed
            self._declaring = tag.one("step", 3) == 1
            if not self._declaring:
                yield events.Riichi(self._seat(tag, "who"))
        elif tag.name == "AGARI":
            yield self._win(tag)
        elif tag.name == "RYUUKYOKU":
            yield self._end_without_win(tag)

    def _seat(self, tag: Tag, name: str) -> int:
        return seat_of(tag.one(name, self._seats), self._dealer, self._seats)

    def _deal(self, tag: Tag) -> events.KyokuStart:
        number, honba, sticks, *_, indicator = tag.some("seed", 6)
        if not 0 <= number < 4 * _CIRCLE or number % _CIRCLE >= self._seats or min(honba, sticks) < 0:
            raise BadInput(f"<INIT> seed: {number},{honba},{sticks} is not a round, honba and sticks")
        hands = [tag.some(f"hai{player}", 13) for player in range(self._seats)]
        if any(len(hand) != 13 for hand in hands):
            raise BadInput("<INIT>: a starting hand has 13 tiles")
        return events.KyokuStart(
            dealer=self._dealer,
            round_wind=number // _CIRCLE,
            kyoku=number % _CIRCLE,
            honba=honba,
            sticks=sticks,
            scores=self._points(tag.some("ten", self._seats)),
            indicator=self._tile_of(indicator),
            hands=sorted_hands(by_seat([self._sorted(hand) for hand in hands], self._dealer)),
        )

    def _draw(self, name: str, number: int) -> events.Draw:
        self._drawn, rinshan, self._after_kan = number, self._after_kan, False
        return events.Draw(self._numbered_seat(_DRAWS.index(name)), self._tile_of(number), rinshan)

    def _discard(self, name: str, number: int) -> events.TileDiscard:
        tsumogiri, riichi = number == self._drawn, self._declaring
        self._drawn, self._declaring = None, False
        seat = self._numbered_seat(_DISCARDS.index(name))
        return events.TileDiscard(seat, self._tile_of(number), tsumogiri, riichi)

    def _numbered_seat(self, player: int) -> int:
        if player >= self._seats:
            raise BadInput(f"player {player} acts; {self._seats} play in this log")
        return seat_of(player, self._dealer, self._seats)

    def _meld(self, tag: Tag) -> events.MeldCall | events.OwnKan | events.NorthAside:
        seat, packed = self._seat(tag, "who"), tag.one("m", 1 << 16)
        self._drawn, self._after_kan = None, True
        if is_north(packed):
            return events.NorthAside(seat)
        meld = self._unpacked(tag, packed)
        self._after_kan = meld.is_kan
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            return events.OwnKan(seat, meld)
        return events.MeldCall(seat, meld)

    def _unpacked(self, tag: Tag, packed: int) -> Meld:
        """Unpack a meld of the player `who`, its source as a side on our circle."""
        meld, player = unpack(packed, self._tile_of), tag.one("who", self._seats)
        if not meld.source:
            return meld
        other = (player + meld.source) % _CIRCLE
        if other >= self._seats:
            raise BadInput(f"player {player} calls of player {other}; {self._seats} play in this log")
        return msgspec.structs.replace(meld, source=side_of(player, other, self._seats))

    def _win(self, tag: Tag) -> WinFact:
        seat, source = self._seat(tag, "who"), self._seat(tag, "fromWho")
        tile, hand = tag.one("machi", 136), tag.ints("hai")
        if tile not in hand:
            raise BadInput(f"<AGARI> machi: {tile} is not in the hand")
        hand.remove(tile)
        fu, points, *_ = tag.some("ten", 2)
        yakuman, yaku = tag.ints("yakuman"), tag.ints("yaku")
        found = [(one, 1) for one in yakuman] or [pair for pair in zip(yaku[::2], yaku[1::2], strict=False) if pair[1]]
        if not all(0 <= one < len(BY_TENHOU_ID) for one, _ in found):
            raise BadInput(f"<AGARI>: a yaku number is not from 0 to {len(BY_TENHOU_ID) - 1}")
        named = [(BY_TENHOU_ID[one], han) for one, han in found]
        melds = tag.ints("m")
        return WinFact(
            seat=seat,
            source=None if source == seat else source,
            deltas=self._deltas(tag),
            tile=self._tile_of(tile),
            hand=self._sorted(hand),
            melds=tuple(self._unpacked(tag, one) for one in reversed(melds) if not is_north(one)),
            fu=0 if yakuman else fu,
            han=0 if yakuman else sum(han for _, han in named),
            yakuman=len(yakuman),
            yaku=norths_apart(named, sum(map(is_north, melds)), yakuman=bool(yakuman)),
            points=points,
            ura=tuple(self._tile_of(tile) for tile in tag.ints("doraHaiUra")),
            liable=liable_for(self._seat(tag, "paoWho"), named) if "paoWho" in tag.attributes else (),
        )

    def _end_without_win(self, tag: Tag) -> DrawFact:
        told = tag.attributes.get("type", "")
        shown = [tag.ints(f"hai{player_of(seat, self._dealer, self._seats)}") for seat in range(self._seats)]
        return DrawFact(
            reason=_REASONS.get(told, told),
            deltas=self._deltas(tag),
            hands=tuple(self._sorted(hand) if hand else None for hand in shown),
        )

    def _deltas(self, tag: Tag) -> PerSeat:
        return self._points(tag.some("sc", 2 * self._seats)[1::2])

    def _points(self, told: Sequence[int]) -> PerSeat:
        """Points by seat, of those by player in hundreds."""
        return tuple(by_seat([points * _UNIT for points in told[: self._seats]], self._dealer))

    def _sorted(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sort_tiles(self._tile_of(number) for number in numbers))
