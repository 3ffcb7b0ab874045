"""Writes facts as mjai lines, with the fields that each dialect expects.

Player ids count from the first dealer, whose id is 0.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeVar, get_args

from jantaku.table.languages.facts import DrawFact, Fact, Tiles, WinFact
from jantaku.table.languages.mjai.words import REASONS, ROUNDS, TILES, YAKUMAN_HAN, Line, yaku_word
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, at_side, by_player, player_of
from jantaku.table.riichi.pieces.tiles import NORTH
from jantaku.table.riichi.points.yaku import PAO_YAKU

T = TypeVar("T")
MjaiDialect = Literal["wide", "gimite", "mortal", "riichienv", "riichilab"]
DIALECTS: tuple[MjaiDialect, ...] = get_args(MjaiDialect)

_TERSE = ("mortal", "riichilab")
"""Dialects that omit what the rules imply: what a hand is worth, and the points after it."""
_RIICHIENV = ("riichienv", "riichilab")
"""Dialects that use the words of RiichiEnv."""
_FOUR_WIDE = ("mortal",)
"""Dialects whose lists have four entries in a three-player game."""
_TSUMO: Final[list[list[Line]]] = [
    [{"type": "tsumo", "actor": player, "pai": tile} for tile in (*TILES, "?")] for player in range(SEATS)
]
"""Draws by player and tile, a hidden tile last. They are made once and shared: no caller may change a line."""
_DAHAI: Final[list[list[list[Line]]]] = [
    [[{"type": "dahai", "actor": player, "pai": tile, "tsumogiri": drawn} for drawn in (False, True)] for tile in TILES]
    for player in range(SEATS)
]
"""Discards by player, tile, and whether it was just drawn; shared as well."""
_CALLS = {MeldKind.CHI: "chi", MeldKind.PON: "pon", MeldKind.DAIMINKAN: "daiminkan"}


def widened(by_player: Sequence[T], dialect: MjaiDialect, nobody: T) -> list[T]:
    """Return values by player with as many entries as the dialect expects, filled up with `nobody`."""
    return [*by_player, *([nobody] if dialect in _FOUR_WIDE and len(by_player) < SEATS else [])]


class Speaker:
    """Writes mjai. After each fact is written, the caller applies it to `board`."""

    def __init__(self, board: Board, dialect: MjaiDialect) -> None:
        self._board = board
        self._dialect = dialect
        self._seat(0, SEATS)

    def _seat(self, dealer: int, seats: int) -> None:
        self._dealer, self._seats = dealer, seats
        self._id = tuple(player_of(seat, dealer, seats) for seat in range(seats))
        """The player in each seat."""

    def lines(self, fact: Fact) -> list[Line]:
        say = _SAYINGS.get(type(fact))
        return [] if say is None else say(self, fact)

    def _draw(self, event: events.Draw) -> list[Line]:
        return [_TSUMO[self._id[event.seat]][-1 if event.tile is None else event.tile]]

    def _discard(self, event: events.TileDiscard) -> list[Line]:
        actor = self._id[event.seat]
        line = _DAHAI[actor][event.tile][event.tsumogiri]
        return [{"type": "reach", "actor": actor}, line] if event.riichi else [line]

    def _call(self, event: events.MeldCall) -> list[Line]:
        actor, meld = self._id[event.seat], event.meld
        assert meld.called is not None, "who calls calls a tile"
        called = {"target": self._id[at_side(event.seat, meld.source, self._seats)], "pai": TILES[meld.called]}
        return [{"type": _CALLS[meld.kind], "actor": actor, **called, "consumed": _texts(meld.own)}]

    def _kan(self, event: events.OwnKan) -> list[Line]:
        meld = event.meld
        kan: Line = {"type": meld.kind.name.lower(), "actor": self._id[event.seat]}
        if meld.added is not None:
            kan["pai"] = TILES[meld.added]
        elif self._dialect == "riichienv":
            kan["pai"] = TILES[meld.own[-1]]
        return [kan | {"consumed": _texts(meld.tiles[:-1] if meld.added is not None else meld.own)}]

    def _aside(self, event: events.NorthAside) -> list[Line]:
        kind = "kita" if self._dialect in _RIICHIENV else "nukidora"
        return [{"type": kind, "actor": self._id[event.seat], "pai": TILES[NORTH]}]

    def _dora(self, event: events.Dora) -> list[Line]:
        return [{"type": "dora", "dora_marker": TILES[event.indicator]}]

    def _start_kyoku(self, deal: events.KyokuStart) -> list[Line]:
        self._seat(deal.kyoku, len(deal.hands))
        line = {
            "type": "start_kyoku",
            "bakaze": ROUNDS[deal.round_wind % 4],
            "dora_marker": TILES[deal.indicator],
            "kyoku": deal.kyoku + 1,
            "honba": deal.honba,
            "kyotaku": deal.sticks,
            "oya": self._dealer,
            "scores": self._by_player(deal.scores, 0),
            "tehais": [["?"] * 13 if hand is None else _texts(hand) for hand in self._by_player(deal.hands, None)],
        }
        return [line]

    def _reach_accepted(self, event: events.Riichi) -> list[Line]:
        line: Line = {"type": "reach_accepted", "actor": self._id[event.seat]}
        if self._dialect not in _TERSE:
            line["deltas"] = self._by_player([-1000 if other == event.seat else 0 for other in range(self._seats)], 0)
            line["scores"] = self._by_player(self._board.scores, 0)
        return [line]

    def _hora(self, win: WinFact) -> list[Line]:
        source = win.seat if win.source is None else win.source
        line: Line = {"type": "hora", "actor": self._id[win.seat], "target": self._id[source]}
        ura_key = "uradora_markers" if self._dialect == "gimite" else "ura_markers"
        line |= {"deltas": self._by_player(win.deltas or (0,) * self._seats, 0), ura_key: _texts(win.ura or ())}
        if self._dialect in _RIICHIENV and win.source is None:
            line["tsumo"] = True
        if self._dialect not in _TERSE:
            line |= self._worth(win)
        return [line]

    def _worth(self, win: WinFact) -> Line:
        """gimite's fields for the winning hand and its value."""
        assert win.tile is not None, "the board tells with which tile a hand is won"
        line: Line = {"pai": TILES[win.tile], "hora_tehais": _texts(win.hand or ())}
        if win.yaku is not None:
            han = YAKUMAN_HAN if win.yakuman else 1
            line["yakus"] = [[yaku_word(name), worth * han] for name, worth in win.yaku]
        names = {name for name, _ in win.yaku or ()}
        for one in win.liable or ():
            if PAO_YAKU[one.yakuman] in names:
                line["pao"] = self._id[one.seat]
        if win.yakuman or win.han is not None:
            line["fan"] = (win.yakuman or 0) * YAKUMAN_HAN or win.han
        if win.fu is not None and not win.yakuman:
            line["fu"] = win.fu
        if win.points is not None:
            line["hora_points"] = win.points
        return line | {"scores": self._by_player(self._board.scores, 0)}

    def _ryukyoku(self, draw: DrawFact) -> list[Line]:
        line: Line = {"type": "ryukyoku", "deltas": self._by_player(draw.deltas or (0,) * self._seats, 0)}
        if self._dialect == "mortal":
            return [line]
        reason = draw.reason
        line["reason"] = reason
        if isinstance(reason, DrawReason):
            line["reason"] = REASONS[reason][self._dialect in _RIICHIENV]
        if draw.offender is not None:
            line |= self._chombo(self._id[draw.offender])
            if self._dialect == "riichilab":
                return [line]
        shown = self._by_player(draw.hands or (None,) * self._seats, None)
        if reason == DrawReason.KYUUSHU:
            line["actor"] = next((player for player, hand in enumerate(shown) if hand), None)
        sizes = self._by_player([hand.size for hand in self._board.hands], 13)
        tehais = [_texts(hand) if hand else ["?"] * size for hand, size in zip(shown, sizes, strict=True)]
        if self._dialect == "riichilab":
            return [line | {"tehais": tehais}]
        line |= {"tenpais": [hand is not None for hand in shown], "tehais": tehais}
        return [line | {"scores": self._by_player(self._board.scores, 0)}]

    def _chombo(self, player: int) -> Line:
        """The fields that name the offender of a chombo."""
        if self._dialect in _RIICHIENV:
            return {"reason": f"{REASONS[DrawReason.CHOMBO][1]}{player}"}
        return {"actor": player}

    def _by_player(self, by_seat: Sequence[T], nobody: T) -> list[T]:
        """Reorder values by player. In a three-player game, a dialect of four-player programs gets `nobody` at the
        fourth place (T-73)."""
        return widened(by_player(by_seat, self._dealer), self._dialect, nobody)


def _texts(tiles: Tiles) -> list[str]:
    return [TILES[tile] for tile in tiles]


_SAYINGS: dict[type, Callable[[Speaker, Any], list[Line]]] = {
    events.KyokuStart: Speaker._start_kyoku,
    events.Draw: Speaker._draw,
    events.TileDiscard: Speaker._discard,
    events.Riichi: Speaker._reach_accepted,
    events.MeldCall: Speaker._call,
    events.OwnKan: Speaker._kan,
    events.NorthAside: Speaker._aside,
    events.Dora: Speaker._dora,
    WinFact: Speaker._hora,
    DrawFact: Speaker._ryukyoku,
}
