"""What RiichiLab's messages say tile by tile: physical tiles, possible replies, and the observation.

`RiichiLabReader` reads protocol 2 into events and writes replies, for a player of ours at a server that speaks it.

The replies are chosen from `possible_actions`, whatever the player's own rules allow.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.languages.mjai.reader import KNOWN
from jantaku.table.languages.mjai.words import TILES, Line
from jantaku.table.languages.wire.mjai_reader import MjaiReader
from jantaku.table.languages.wire.talk import Told
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.events import Draw, Event, KyokuStart
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, after, at_side, by_player, player_of
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, KINDS, NORTH, RED_M
from jantaku.table.riichi.points.shapes import waits
from jantaku.table.riichi.rules import Rules

# Gives tiles numbers of their own, as RiichiLab's observations have them: `kind * 4 + copy`, where copy 0 of a five
# is the red one.
#
# mjai does not distinguish copies. A tile gets the next free number of its kind when this seat first sees it, and
# keeps it for the kyoku.

COPIES = 4
"""Copies of each kind."""
_KINDS = {
    MeldKind.CHI: "Chi",
    MeldKind.PON: "Pon",
    MeldKind.DAIMINKAN: "Daiminkan",
    MeldKind.ANKAN: "Ankan",
    MeldKind.KAKAN: "Kakan",
}


class Physical:
    """What one seat sees of a kyoku. Lists are by seat of the kyoku; `follow` processes its events."""

    def __init__(self) -> None:
        self._reds = (1, 1, 1)
        self._deal(0, ())

    def _deal(self, seat: int, hand: tuple[int, ...], seats: int = SEATS) -> None:
        self.seat = seat
        """The own seat."""
        self.tile: dict[int, int] = {}
        """By number, the tile, 0..36."""
        self._given: dict[int, int] = {}
        """By tile, how many copies were seen."""
        self.hand = sorted(map(self._new, hand))
        """The own tiles, sorted, the drawn one last."""
        self.drawn: int | None = None
        self.rivers: list[list[int]] = [[] for _ in range(seats)]
        """By seat, all discards, called ones included."""
        self.melds: list[list[dict[str, Any]]] = [[] for _ in range(seats)]
        """By seat, its melds as in observations, except that `from_who` is the side relative to the owner."""
        self.indicators: list[int] = []
        self.riichi: list[int | None] = [None] * seats
        """By seat, the tile with which it declared riichi."""
        self.tedashi: list[int | None] = [None] * seats
        """By seat, the last tile that it discarded from its hand."""
        self.last: int | None = None
        """The last discard."""
        self.added: int | None = None
        """The tile that was added to a kan, or set aside, in the last event."""

    def follow(self, event: events.Event) -> None:
        """Process an event, masked for the seat."""
        self.added = None
        match event:
            case events.HanchanStart():
                self._reds = _reds(event.rules)
            case events.KyokuStart():
                seat = next((seat for seat, hand in enumerate(event.hands) if hand is not None), 0)
                self._deal(seat, event.hands[seat] or (), len(event.hands))
                self.indicators.append(self._new(event.indicator))
            case events.Draw(seat, tile) if tile is not None and seat == self.seat:
                self.drawn = self._new(tile)
                self.hand.append(self.drawn)
            case events.TileDiscard():
                self._discard(event)
            case events.MeldCall(seat, meld):
                self._call(seat, meld)
            case events.OwnKan(seat, meld):
                self._kan(seat, meld)
            case events.NorthAside(seat):
                self.added = self._take(seat, NORTH)
                self._settle(seat)
            case events.Dora(indicator):
                self.indicators.append(self._new(indicator))

    def _discard(self, event: events.TileDiscard) -> None:
        seat = event.seat
        number = self._take(seat, event.tile, drawn=event.tsumogiri)
        self.rivers[seat].append(number)
        self.last = number
        if event.riichi:
            self.riichi[seat] = number
        if not event.tsumogiri:
            self.tedashi[seat] = number
        self._settle(seat)

    def _call(self, seat: int, meld: Meld) -> None:
        assert self.last is not None, "who calls calls a discard"
        own = [self._take(seat, tile) for tile in meld.own]
        self.melds[seat].append(_told(meld, [*own, self.last], self.last))
        self._settle(seat)

    def _kan(self, seat: int, meld: Meld) -> None:
        if meld.added is None:
            own = [self._take(seat, tile) for tile in meld.own]
            self.added = own[0]
            self.melds[seat].append(_told(meld, own, None))
        else:
            self.added = self._take(seat, meld.added)
            under = self.pon_of(seat, meld.tile_kind)
            under.update(_told(meld, [*under["tiles"], self.added], under["called_tile"]))
        self._settle(seat)

    def pon_of(self, seat: int, kind: int) -> dict[str, Any]:
        """The pon of that kind that a seat has called."""
        found = (meld for meld in self.melds[seat] if meld["meld_type"] == _KINDS[MeldKind.PON])
        return next(meld for meld in found if meld["tiles"][0] // COPIES == kind)

    def _settle(self, seat: int) -> None:
        """Make the drawn tile, if there is one, part of the hand."""
        if seat == self.seat:
            self.hand.sort()
            self.drawn = None

    def _take(self, seat: int, tile: int, *, drawn: bool = False) -> int:
        """The number of a tile that leaves a hand: if `drawn`, the one just drawn, otherwise another copy if there is
        one."""
        if seat != self.seat:
            return self._new(tile)
        alike = [number for number in self.hand if self.tile[number] == tile]
        others = [number for number in alike if number != self.drawn]
        number = self.drawn if drawn and self.drawn is not None else (others or alike)[0]
        self.hand.remove(number)
        return number

    def _new(self, tile: int) -> int:
        """Give a number to a tile that is seen for the first time."""
        seen = self._given.get(tile, 0)
        self._given[tile] = seen + 1
        number = KIND[tile] * COPIES + self._copies(tile)[seen]
        self.tile[number] = tile
        return number

    def _copies(self, tile: int) -> tuple[int, ...]:
        if tile not in FIVES and tile < RED_M:
            return (0, 1, 2, 3)
        reds = self._reds[KIND[tile] // 9]
        if tile >= RED_M:
            return tuple(range(reds))
        return (*range(max(1, reds), COPIES), *(() if reds else (0,)))


def told_melds(melds: list[dict[str, Any]], seat: int, dealer: int, seats: int) -> list[dict[str, Any]]:
    """The melds of `seat` as in observations, with the player that each came from."""
    whose = [at_side(seat, meld["from_who"], seats) for meld in melds]
    return [
        {**meld, "from_who": player_of(source, dealer, seats) if meld["from_who"] else -1}
        for meld, source in zip(melds, whose, strict=True)
    ]


def _told(meld: Meld, numbers: list[int], called: int | None) -> dict[str, Any]:
    return {
        "meld_type": _KINDS[meld.kind],
        "tiles": sorted(numbers),
        "opened": meld.is_open,
        "from_who": meld.source,
        "called_tile": called,
    }


def _reds(rules: Rules) -> tuple[int, int, int]:
    tiles = rules.tiles
    return tiles.red_m, tiles.red_p, tiles.red_s


# The possible replies, tile by tile: RiichiLab lists every physical tile as an action of its own, and matches a reply
# with the first that fits.

_RANKS = ("hora", "pon", "daiminkan", "chi", "none", "dahai", "ankan", "kakan", "reach", "kita", "ryukyoku")
_WORDS = {
    "dahai": "Discard",
    "chi": "Chi",
    "pon": "Pon",
    "daiminkan": "Daiminkan",
    "ankan": "Ankan",
    "kakan": "Kakan",
    "reach": "Riichi",
    "kita": "Kita",
    "ryukyoku": "KyushuKyuhai",
    "none": "Pass",
}


class Candidate(msgspec.Struct, frozen=True):
    """One physical action. `action` is the game's, None for `reach`, whose discard is asked for next; `tile` and `own`
    are numbers of tiles, `pai` and `consumed` their words."""

    kind: str
    action: Action | None
    tile: int | None = None
    own: tuple[int, ...] = ()
    pai: str | None = None
    consumed: tuple[str, ...] = ()

    def line(self, me: int) -> Line:
        """The candidate as `possible_actions` has it."""
        line: Line = {"type": self.kind, "actor": me}
        if self.pai is not None:
            line["pai"] = self.pai
        return line | ({"consumed": list(self.consumed)} if self.consumed else {})

    def legal(self, me: int) -> dict[str, Any]:
        """The candidate as `_legal_actions` of an observation has it."""
        word = _WORDS.get(self.kind) or ("Tsumo" if self.action == actions.TSUMO else "Ron")
        return {"action_type": word, "tile": self.tile, "consume_tiles": list(self.own), "actor": me}


def candidates(options: Iterable[Action], seen: Physical, *, after_reach: bool = False) -> list[Candidate]:
    """Every physical action of `options`, in RiichiLab's order. `after_reach`: only the discards that declare
    riichi."""
    options = tuple(options)
    found = list(_discards(options, seen, riichi=after_reach))
    if not after_reach:
        if any(isinstance(option, actions.Discard) and option.riichi for option in options):
            found.append(Candidate("reach", None))
        for option in options:
            found += _special(option, seen)
    return sorted(found, key=lambda one: _RANKS.index(one.kind))


def match(reply: Line, offered: list[Candidate], drawn: int | None) -> Candidate | None:
    """The candidate that a reply means, None if it means none; by the rules of riichienv's
    `select_action_from_mjai`."""
    kind, pai, consumed = reply.get("type"), reply.get("pai"), reply.get("consumed")
    found = [one for one in offered if one.kind == kind]
    if kind in ("hora", "none", "reach", "kita", "ryukyoku"):
        return found[0] if found else None
    if pai is not None and kind != "ankan":
        found = [one for one in found if one.pai == pai]
    if kind == "dahai":
        wants_drawn = reply.get("tsumogiri") is True
        found.sort(key=lambda one: (one.tile == drawn) is not wants_drawn)
    elif isinstance(consumed, list):
        wanted = Counter(map(str, consumed))
        found = [one for one in found if Counter(one.consumed) == wanted]
    return found[0] if found else None


def _discards(options: tuple[Action, ...], seen: Physical, *, riichi: bool) -> Iterator[Candidate]:
    for number in seen.hand:
        tile = seen.tile[number]
        action = actions.Discard(tile, number == seen.drawn, riichi)
        if action in options:
            yield Candidate("dahai", action, number, (), TILES[tile])


def _special(option: Action, seen: Physical) -> list[Candidate]:
    match option:
        case actions.Tsumo():
            return [Candidate("hora", option, seen.drawn)]
        case actions.Ron():
            return [Candidate("hora", option, seen.last if seen.added is None else seen.added)]
        case actions.Kyuushu():
            return [Candidate("ryukyoku", option)]
        case actions.SetAside():
            north = next(number for number in seen.hand if seen.tile[number] == NORTH)
            return [Candidate("kita", option, north, (), TILES[NORTH])]
        case actions.Pass():
            return [Candidate("none", option)]
        case actions.Call(meld):
            return [_meld(option, meld, seen.last, own, seen) for own in _ways(meld, seen)]
        case actions.Kan(meld) if meld.added is None:
            own = tuple(number for number in seen.hand if number // COPIES == meld.tile_kind)
            return [_meld(option, meld, own[0], own, seen)]
        case actions.Kan(meld):
            added = next(number for number in seen.hand if number // COPIES == meld.tile_kind)
            return [_meld(option, meld, added, tuple(seen.pon_of(seen.seat, meld.tile_kind)["tiles"]), seen)]
    return []


def _meld(option: Action, meld: Meld, tile: int | None, own: tuple[int, ...], seen: Physical) -> Candidate:
    assert tile is not None, "a meld has its tile"
    kind = MeldKind(meld.kind).name.lower()
    return Candidate(kind, option, tile, own, TILES[seen.tile[tile]], tuple(TILES[seen.tile[one]] for one in own))


def _ways(meld: Meld, seen: Physical) -> list[tuple[int, ...]]:
    """The sets of physical tiles with which a call can be made."""
    need = Counter(meld.own)
    held = [combinations([one for one in seen.hand if seen.tile[one] == tile], count) for tile, count in need.items()]
    return sorted(tuple(sorted(one for part in parts for one in part)) for parts in product(*held))


# What a seat sees, as one value: the `observation` of RiichiLab, base64 of JSON, which riichienv reads.
#
# Its fields and their order are those of riichienv's `Observation` (serialize_to_base64, 0.4.11).

T = TypeVar("T")
_IN_A_LINE = re.compile(r'("observation":"\w{8})[^"]*')


def observation(me: int, board: Board, seen: Physical, offered: Iterable[Candidate], events: Sequence[str]) -> str:
    """The observation of player `me`; ids count from the first dealer. `events` are the texts of the events since the
    last observation."""
    dealer, seat = board.kyoku, seen.seat
    hand = board.hands[seat]
    waiting = waits(hand.counts) if hand.size % 3 == 1 else 0

    def told(by_seat: Sequence[T]) -> list[T]:
        return list(by_player(by_seat, dealer))

    value = {
        "player_id": me,
        "hands": told([seen.hand if other == seat else [] for other in range(board.seats)]),
        "melds": told([told_melds(seen.melds[other], other, dealer, board.seats) for other in range(board.seats)]),
        "discards": told(seen.rivers),
        "dora_indicators": seen.indicators,
        "scores": told(board.scores),
        "riichi_declared": told([declared > 0 for declared in board.riichi]),
        "_legal_actions": [one.legal(me) for one in offered],
        "events": list(events),
        "honba": board.honba,
        "riichi_sticks": board.sticks,
        "round_wind": board.round,
        "oya": dealer,
        "kyoku_index": dealer,
        "waits": [kind for kind in range(KINDS) if waiting >> kind & 1],
        "is_tenpai": bool(waiting),
        "tsumogiri_flags": [[] for _ in range(board.seats)],
        "riichi_sutehais": told(seen.riichi),
        "last_tedashis": told(seen.tedashi),
        "last_discard": seen.last,
        "drawn_tile": seen.drawn,
        "forced_tedashi": False,
    }
    return base64.b64encode(msgspec.json.encode(value)).decode()


def shortened(line: str) -> str:
    """A line with only the beginning of its observation, for people."""
    return _IN_A_LINE.sub(r"\1…", line)


_SHOWN = 200
"""The most bytes of a message that an error repeats."""
_KEPT = 100
"""The most messages that could not be understood and are kept."""
_NOTHING = Told((), False, again=True)
"""A message without events that wants no reply."""


class RiichiLabReader(MjaiReader):
    """Reads a server's messages for one seat, and writes its replies. `rules` are those to play by.

    Only a refusal by the server ends the game. A message that cannot be read is skipped; after an event that
    contradicts earlier ones, the replies are harmless until the next kyoku.
    """

    aside = "kita"

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.troubles: list[str] = []
        """Why messages could not be understood."""
        self._possible: list[Line] = []
        self._last = 0
        """The number of the last request."""
        self._begun = self._follows = False
        """Whether the game has begun; whether all events of this kyoku were understood."""

    def read(self, line: bytes) -> Told:
        """Read one line; unknown types are ignored. Raises BadInput for a refusal."""
        try:
            told = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self._left_out(f"{line[:_SHOWN]!r} is no message: {error}")
        if not isinstance(told, dict):
            return self._left_out(f"{line[:_SHOWN]!r} is no message: it is no JSON object")
        kind = told.get("type")
        if kind == "error" or (kind is None and "error" in told):
            raise BadInput(f"the server says: {str(told.get('message') or told.get('error'))[:_SHOWN]}")
        if kind == "request_action":
            return self._request(told, line)
        if not isinstance(kind, str) or kind not in KNOWN:
            return _NOTHING
        return self._happened(kind, told)

    def _happened(self, kind: str, told: Line) -> Told:
        marker = told.get("dora_marker")
        if isinstance(marker, list) and len(marker) == 1:  # the form in the service's documentation
            told = {**told, "dora_marker": marker[0]}
        if kind == "start_game":  # request numbers begin again with each game
            self._begun, self._last = True, 0
        self._follows = self._begun and (self._follows or kind in ("start_game", "start_kyoku"))
        if not self._follows:
            return _NOTHING
        try:
            happened = super().read(msgspec.json.encode(told)).events
            if any(isinstance(event, KyokuStart) and not any(event.hands) for event in happened):
                raise BadInput("no hand is told")
        except BadInput as error:
            self._follows = False
            return self._left_out(str(error))
        if happened:
            self._planned = None
        return Told(happened, False, again=not happened)

    def _event(self, line: Any) -> Event | None:
        """Read an event. Raises BadInput for a draw out of turn: events before it are missing."""
        board = self._follower.board
        whose = after(board.last_seat, 1, board.seats) if any(river.tiles for river in board.rivers) else 0
        someone_holds = any(hand.size % 3 != 1 for hand in board.hands)
        event = super()._event(line)
        if isinstance(event, Draw) and not event.rinshan and (event.seat != whose or someone_holds):
            raise BadInput("it is not the turn of who draws")
        return event

    def _left_out(self, why: str) -> Told:
        self.troubles += [why] if len(self.troubles) < _KEPT else []
        return _NOTHING

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action`; if that is not possible, a harmless one that is."""
        wanted: Line = msgspec.json.decode(super().write(action if self._follows else None, number))
        reply = self._possible_as(wanted)
        if reply is None and self._planned is not None:  # riichi is not possible here: its discard alone
            reply, self._planned = self._possible_as(self._planned), None
        also = {"meta": msgspec.Raw(meta.encode())} if meta and reply is not None else {}
        return msgspec.json.encode({**(reply or self._harmless()), **also, "request_id": number}) + b"\n"

    def _request(self, told: Line, line: bytes) -> Told:
        possible, number = told.get("possible_actions"), told.get("request_id")
        if type(number) is not int or not isinstance(possible, list) or not possible:
            return self._left_out(f"{line[:_SHOWN]!r} is no request_action with its request_id and possible_actions")
        if number <= self._last:  # a repeated request
            return self._left_out(f"request {number} came after request {self._last}")
        self._last, self._possible = number, [one for one in possible if isinstance(one, dict)]
        return Told((), True, number, again=self._follows and self._planned is None)

    def _possible_as(self, wanted: Line) -> Line | None:
        """The possible action that equals `wanted`, with red fives compared as plain ones if nothing else fits; None if
        none does."""
        for plain in (False, True):
            for one in self._possible:
                if _same(one, wanted, plain):
                    return {**wanted, **one}
        return None

    def _harmless(self) -> Line:
        """The reply if the player's own answer is not possible: none, or the last discard, which is the drawn tile."""
        by_type = {one.get("type"): one for one in self._possible}
        found = by_type.get("none") or by_type.get("dahai") or next(iter(self._possible), {"type": "none"})
        return {**found, "tsumogiri": True} if found.get("type") == "dahai" else dict(found)


def _same(one: Line, wanted: Line, plain: bool) -> bool:
    """Whether a possible action is the wanted one. Fields that only one of them has are not compared."""

    def word(tile: Any) -> str:
        return str(tile)[:2] if plain else str(tile)

    if one.get("type") != wanted["type"]:
        return False
    if "pai" in one and "pai" in wanted and wanted["type"] != "hora" and word(one["pai"]) != word(wanted["pai"]):
        return False
    theirs, ours = one.get("consumed"), wanted.get("consumed")
    if not isinstance(theirs, list) or ours is None:
        return True
    return Counter(map(word, theirs)) == Counter(map(word, ours))
