"""Parses mjai: every line is validated against the shape of its type, then converted to an event or a fact. Player ids
count from the first dealer. Tiles that a seat may not see may be hidden (`?`)."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import (
    DrawFact,
    Fact,
    Tiles,
    WinFact,
    in_order,
    liable_for,
    open_hand,
    sorted_hands,
    with_drawn_last,
)
from jantaku.table.languages.mjai import words
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.board import STICK, Board
from jantaku.table.riichi.pieces.melds import MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import SEATS, THREE, WINDS, by_player, by_seat, seat_of, side_of
from jantaku.table.riichi.pieces.tiles import KIND, WHITE

Player = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=10**4)]
Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
PerPlayer = Annotated[tuple[Points, ...], Meta(min_length=3, max_length=4)]

HIDDEN = "?"
T = TypeVar("T")
POINTS = {THREE: 35000, SEATS: 25000}
"""By number of players, the points at the start if neither the log nor the rules say."""
_BEFORE_DEAL = {"start_game", "start_kyoku", "end_game"}
"""Lines that can be read before the number of players is known."""

SILENT = {"hello", "join", "none", "end_kyoku"}
"""Lines without an event."""
_DRAGONS = "白發中"
_EMPTY: tuple[object, ...] = (0, False, "", [HIDDEN] * 13, [])
"""Values that may stand at the fourth place of a list in a three-player game (T-73)."""


class StartGame(Struct):
    """The game begins. `names` are kept unchanged and checked by the caller; `jantaku` has what mjai cannot express."""

    names: list[object] | None = None
    id: Player | None = None
    kyoku_first: int | None = None
    aka_flag: bool | None = None
    jantaku: object = None


class EndGame(Struct):
    """The game is over."""

    scores: PerPlayer | None = None


class _StartKyoku(Struct):
    bakaze: Literal["E", "S", "W", "N"]
    dora_marker: str
    kyoku: Annotated[int, Meta(ge=1, le=4)]
    honba: Count
    kyotaku: Count
    oya: Player
    tehais: list[list[str]]
    scores: PerPlayer | None = None


class _Tsumo(Struct):
    actor: Player
    pai: str


class _Dahai(Struct):
    actor: Player
    pai: str
    tsumogiri: bool


class _Actor(Struct):
    actor: Player


class _Call(Struct):
    actor: Player
    target: Player
    pai: str
    consumed: list[str]


class _Ankan(Struct):
    actor: Player
    consumed: list[str]


class _Kakan(Struct):
    actor: Player
    pai: str


class _Dora(Struct):
    dora_marker: str


class _Hora(Struct):
    actor: Player
    target: Player
    pai: str | None = None
    ura_markers: list[str] | None = None
    uradora_markers: list[str] | None = None
    deltas: PerPlayer | None = None
    scores: PerPlayer | None = None
    hora_tehais: list[str] | None = None
    yakus: list[tuple[str, int]] | None = None
    fan: Count | None = None
    fu: Count | None = None
    hora_points: Points | None = None
    pao: Player | None = None


class _Ryukyoku(Struct):
    reason: str | None = None
    actor: Player | None = None
    deltas: PerPlayer | None = None
    scores: PerPlayer | None = None
    tenpais: Annotated[tuple[bool, ...], Meta(min_length=3, max_length=4)] | None = None
    tehais: Annotated[tuple[list[str], ...], Meta(min_length=3, max_length=4)] | None = None


def players_in(hands: Sequence[list[str]], scores: Sequence[int] | None) -> int:
    """The number of players by a first deal: three if it has three hands, or an empty fourth hand."""
    empty = len(hands) == SEATS and hands[THREE] in _EMPTY and not any((scores or ())[THREE:])
    told = hands[:1] if scores else hands[:THREE]  # without points, the hands of real players may be hidden, too
    return THREE if len(hands) == THREE or (empty and not any(HIDDEN in hand for hand in told)) else SEATS


class Hearer:
    """Reads the lines of a game of `players` in order (0: take the number from the first deal). Before each next line,
    the caller applies the last fact to `board`."""

    def __init__(self, board: Board, players: int = SEATS) -> None:
        self._board, self._players = board, players
        self.start_points: int | None = None
        """The points at the start if the first deal does not say; None: `POINTS`."""
        self._dealer = 0
        self._dealt = False
        self._reach = False
        """Whether riichi was declared and its discard is still to come."""
        self._after_kan = False

    def hear(self, line: words.Line) -> Fact | StartGame | EndGame | None:
        """Return the fact in a line; None if the line has none yet. Raises BadInput for a line that is not mjai."""
        kind = line.get("type")
        if not isinstance(kind, str):
            raise BadInput("an event has a “type”")
        if kind in SILENT:
            return None
        if kind not in _LINES:
            raise BadInput(f"“{kind}” is not an event of mjai; known are {', '.join(_LINES)}")
        if not self._players and kind not in _BEFORE_DEAL:
            raise BadInput(f"“{kind}” before the first “start_kyoku”, which says how many players there are")
        shape, take = _LINES[kind]
        told = shaped(line, shape, f"a “{kind}” that is not mjai")
        self._after_kan = self._after_kan and kind in ("dora", "tsumo")
        fact: Fact | StartGame | EndGame | None = take(self, told)
        return fact

    def _start_kyoku(self, told: _StartKyoku) -> events.KyokuStart:
        scores = told.scores or self._running()
        self._dealer, self._reach, self._dealt = told.oya, False, True
        self._players = self._players or players_in(told.tehais, told.scores)
        scores = scores or (self.start_points or POINTS[self._players],) * self._players
        told.tehais = list(self._narrow(told.tehais))
        if len(told.tehais) != self._players:
            raise BadInput(f"{len(told.tehais)} hands; {words.NUMBERS[self._players]} players are expected")
        self._seat(told.oya)
        if told.kyoku - 1 != told.oya:
            raise BadInput(f"kyoku {told.kyoku} with dealer {told.oya}; players count from the first dealer")
        return events.KyokuStart(
            dealer=told.oya,
            round_wind=words.ROUNDS.index(told.bakaze),
            kyoku=told.oya,
            honba=told.honba,
            sticks=told.kyotaku,
            scores=tuple(by_seat(self._narrow(scores), told.oya)),
            indicator=tile_of(told.dora_marker),
            hands=sorted_hands(by_seat([_hand(texts) for texts in told.tehais], told.oya)),
        )

    def _running(self) -> tuple[int, ...] | None:
        """The points after the previous kyoku, by player: the original mjai does not write them in a deal."""
        return by_player(self._board.scores, self._dealer) if self._dealt else None

    def _tsumo(self, told: _Tsumo) -> events.Draw:
        rinshan, self._after_kan = self._after_kan, False
        return events.Draw(self._seat(told.actor), None if told.pai == HIDDEN else tile_of(told.pai), rinshan)

    def _reached(self, told: _Actor) -> None:
        self._reach = True

    def _dahai(self, told: _Dahai) -> events.TileDiscard:
        riichi, self._reach = self._reach, False
        return events.TileDiscard(self._seat(told.actor), tile_of(told.pai), told.tsumogiri, riichi)

    def _reach_accepted(self, told: _Actor) -> events.Riichi:
        return events.Riichi(self._seat(told.actor))

    def _chi(self, told: _Call) -> events.MeldCall:
        if self._players == THREE:
            raise BadInput(f"player {told.actor} calls chi; with three players there is no chi")
        return events.MeldCall(self._seat(told.actor), chi(tile_of(told.pai), *tiles_of(told.consumed, 2)))

    def _pon(self, told: _Call) -> events.MeldCall:
        self._seat(told.target)
        source = side_of(told.actor, told.target, self._players)
        return events.MeldCall(self._seat(told.actor), pon(tile_of(told.pai), source, *tiles_of(told.consumed, 2)))

    def _daiminkan(self, told: _Call) -> events.MeldCall:
        self._after_kan = True
        self._seat(told.target)
        source = side_of(told.actor, told.target, self._players)
        return events.MeldCall(
            self._seat(told.actor), daiminkan(tile_of(told.pai), source, *tiles_of(told.consumed, 3))
        )

    def _ankan(self, told: _Ankan) -> events.OwnKan:
        self._after_kan = True
        return events.OwnKan(self._seat(told.actor), ankan(*tiles_of(told.consumed, 4)))

    def _kakan(self, told: _Kakan) -> events.OwnKan:
        self._after_kan = True
        seat, added = self._seat(told.actor), tile_of(told.pai)
        under = [meld for meld in self._board.hands[seat].melds if meld.kind == MeldKind.PON]
        for meld in under:
            if meld.tile_kind == KIND[added]:
                return events.OwnKan(seat, kakan(meld, added))
        raise BadInput(f"player {told.actor} makes a kakan of {told.pai} and has no pon of it")

    def _nukidora(self, told: _Actor) -> events.NorthAside:
        if self._players != THREE:
            raise BadInput(f"player {told.actor} sets a north aside in a game of four")
        self._after_kan = True
        return events.NorthAside(self._seat(told.actor))

    def _dora(self, told: _Dora) -> events.Dora:
        return events.Dora(tile_of(told.dora_marker))

    def _hora(self, told: _Hora) -> WinFact:
        seat, source = self._seat(told.actor), self._seat(told.target)
        yakuman = None if told.fan is None else told.fan // words.YAKUMAN_HAN
        yaku = None if told.yakus is None else self._yaku(told.yakus, seat)
        return WinFact(
            seat=seat,
            source=None if source == seat else source,
            deltas=self._deltas(told),
            tile=None if told.pai is None else tile_of(told.pai),
            hand=None if told.hora_tehais is None else tuple(map(tile_of, told.hora_tehais)),
            ura=tuple(map(tile_of, told.ura_markers or told.uradora_markers or ())),
            fu=0 if yakuman else told.fu,
            han=0 if yakuman else told.fan,
            yakuman=yakuman,
            yaku=yaku,
            points=told.hora_points,
            liable=None if yaku is None else () if told.pao is None else liable_for(self._seat(told.pao), yaku),
        )

    def _yaku(self, yakus: Sequence[tuple[str, int]], seat: int) -> tuple[tuple[str, int], ...]:
        dragons = iter(self._dragons(seat))
        found = []
        for word, han in yakus:
            name = words.YAKU.get(word, word)
            if word in words.WIND_YAKU:
                name = f"{words.WIND_YAKU[word]} {WINDS[seat if word == 'jikaze' else self._board.round % 4]}"
            elif word == words.DRAGON_YAKU:
                name = f"翻牌 {next(dragons, '?')}"
            found.append((name, han // words.YAKUMAN_HAN or han))
        return in_order(found)

    def _dragons(self, seat: int) -> list[str]:
        """The dragons of which the winner has a triplet, as far as its hand is known."""
        hand, board = self._board.hands[seat], self._board
        counts = list(hand.counts)
        if board.last_tile is not None and hand.size % 3 == 1:
            counts[KIND[board.last_tile]] += 1
        melded = {meld.tile_kind for meld in hand.melds}
        kinds = enumerate(_DRAGONS, WHITE)
        return [dragon for kind, dragon in kinds if counts[kind] >= 3 or kind in melded]

    def _ryukyoku(self, told: _Ryukyoku) -> DrawFact:
        """A hand counts as opened if it is said to be tenpai or, if the line does not say, if its tiles are shown."""
        hands = None
        if told.tenpais is not None or told.tehais is not None:
            tiles = by_seat(
                [_hand(texts) for texts in self._narrow(told.tehais or [[HIDDEN]] * self._players)], self._dealer
            )
            tenpai = (
                by_seat(self._narrow(told.tenpais), self._dealer)
                if told.tenpais
                else [hand is not None for hand in tiles]
            )
            hands = tuple(self._opened(seat, tiles[seat]) if tenpai[seat] else None for seat in range(self._players))
        reason, offender = told.reason, told.actor
        if reason is not None and reason[:-1] == words.REASONS[DrawReason.CHOMBO][1] and reason[-1] in "0123":
            reason, offender = reason[:-1], int(reason[-1])
        reason = None if reason is None else words.DRAWS.get(reason, reason)
        deltas = self._without_sticks(self._deltas(told))
        whose = None if reason != DrawReason.CHOMBO or offender is None else self._seat(offender)
        return DrawFact(reason=reason, deltas=deltas, hands=hands, offender=whose)

    def _without_sticks(self, deltas: events.PerSeat | None) -> events.PerSeat | None:
        """The payments of a draw. Some logs of RiichiEnv also count the riichi sticks of this kyoku, which were paid
        before; these are taken out."""
        placed = self._board.deposited
        if deltas is None or not any(placed) or sum(deltas) != -STICK * sum(placed):
            return deltas
        return tuple(delta + STICK * paid for delta, paid in zip(deltas, placed, strict=True))

    def _opened(self, seat: int, told: Tiles | None) -> Tiles | None:
        hand = self._board.hands[seat]
        return open_hand(hand) if hand.known else told and with_drawn_last(told)

    def _deltas(self, told: _Hora | _Ryukyoku) -> events.PerSeat | None:
        """The payments by seat. If the log has only scores, their differences to the previous ones."""
        if told.deltas is not None:
            return tuple(by_seat(self._narrow(told.deltas), self._dealer))
        if told.scores is None:
            return None
        now = by_seat(self._narrow(told.scores), self._dealer)
        return tuple(after - before for after, before in zip(now, self._board.scores, strict=True))

    def _narrow(self, values: Sequence[T]) -> Sequence[T]:
        """Values by player, without an empty fourth entry. Raises BadInput if their number is wrong."""
        if len(values) > self._players == THREE and values[THREE] in _EMPTY:
            return values[:THREE]
        if len(values) != self._players:
            raise BadInput(f"{len(values)} values {list(values)}; {words.NUMBERS[self._players]} players are expected")
        return values

    def _seat(self, player: int) -> int:
        if player >= self._players:
            raise BadInput(
                f"player {player}; where {words.NUMBERS[self._players]} play they are 0 to {self._players - 1}"
            )
        return seat_of(player, self._dealer, self._players)


def tile_of(text: str) -> int:
    """Return the tile of a text. Raises BadInput for any other text."""
    if text == HIDDEN:
        raise BadInput("a hidden tile “?”: this log is the view of one player, not of the table")
    if text not in words.TILE:
        raise BadInput(f"“{text}” is not a tile of mjai: allowed are 1m-9m, 1p-9p, 1s-9s, 5mr, 5pr, 5sr, E S W N P F C")
    return words.TILE[text]


def tiles_of(texts: Sequence[str], count: int) -> list[int]:
    """Return `count` tiles from the own hand. Raises BadInput if their number differs."""
    if len(texts) != count:
        raise BadInput(f"its consumed has {len(texts)} tiles, not {count}")
    return [tile_of(text) for text in texts]


def _hand(texts: Sequence[str]) -> Tiles | None:
    """A hand; None if one of its tiles is hidden."""
    return None if HIDDEN in texts else tuple(tile_of(text) for text in texts)


_LINES: dict[str, tuple[type[Struct], Callable[[Hearer, Any], Any]]] = {
    "start_game": (StartGame, lambda _, told: told),
    "start_kyoku": (_StartKyoku, Hearer._start_kyoku),
    "tsumo": (_Tsumo, Hearer._tsumo),
    "dahai": (_Dahai, Hearer._dahai),
    "chi": (_Call, Hearer._chi),
    "pon": (_Call, Hearer._pon),
    "daiminkan": (_Call, Hearer._daiminkan),
    "ankan": (_Ankan, Hearer._ankan),
    "kakan": (_Kakan, Hearer._kakan),
    "nukidora": (_Actor, Hearer._nukidora),
    "kita": (_Actor, Hearer._nukidora),
    "dora": (_Dora, Hearer._dora),
    "reach": (_Actor, Hearer._reached),
    "reach_accepted": (_Actor, Hearer._reach_accepted),
    "hora": (_Hora, Hearer._hora),
    "ryukyoku": (_Ryukyoku, Hearer._ryukyoku),
    "end_game": (EndGame, lambda _, told: told),
}
KNOWN = SILENT | _LINES.keys()
"""The types of all lines that can be read."""
