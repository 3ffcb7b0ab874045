"""Events as mjai lines, with the fields that each dialect reads.

Player ids count from the first dealer, who is 0 there.
"""

from collections.abc import Callable
from typing import Any, Literal, get_args

from table.record.items import DRAW_NAMES, Item
from table.record.mjai_words import REASONS, TILES, YAKUMAN_HAN, yaku_word
from table.riichi import events
from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.notation import parse_tile, parse_tiles

Dialect = Literal["wide", "gimite", "mortal", "riichienv"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
Line = dict[str, Any]

_WINDS = "ESWN"
_CALLS = {MeldKind.CHI: "chi", MeldKind.PON: "pon", MeldKind.DAIMINKAN: "daiminkan"}


class Speaker:
    """Says in mjai what happens. `board` has to be brought up to date with each event before it is said."""

    def __init__(self, board: Board, dialect: Dialect) -> None:
        self._board = board
        self._dialect = dialect
        self._dealer = 0

    def lines(self, event: events.Event | None, item: Item | None) -> list[Line]:
        """The lines of an event. A result is said from its `item`, there the event is not looked at."""
        if item is not None and "hule" in item:
            return [self._hora(item["hule"])]
        if item is not None and "pingju" in item:
            return [self._ryukyoku(item["pingju"])]
        say = _SAYINGS.get(type(event))
        return [] if say is None else say(self, event)

    def _draw(self, event: events.Draw) -> list[Line]:
        tile = "?" if event.tile is None else TILES[event.tile]
        return [{"type": "tsumo", "actor": self._id(event.seat), "pai": tile}]

    def _discard(self, event: events.Discard) -> list[Line]:
        actor = self._id(event.seat)
        line = {"type": "dahai", "actor": actor, "pai": TILES[event.tile], "tsumogiri": event.tsumogiri}
        return [{"type": "reach", "actor": actor}, line] if event.riichi else [line]

    def _call(self, event: events.Call) -> list[Line]:
        actor, meld = self._id(event.seat), event.meld
        assert meld.called is not None, "who calls calls a tile"
        called = {"target": (actor + meld.source) % 4, "pai": TILES[meld.called]}
        return [{"type": _CALLS[meld.kind], "actor": actor, **called, "consumed": [TILES[tile] for tile in meld.own]}]

    def _kan(self, event: events.Kan) -> list[Line]:
        meld = event.meld
        kan: Line = {"type": meld.kind.name.lower(), "actor": self._id(event.seat)}
        if meld.added is not None:
            kan["pai"] = TILES[meld.added]
        elif self._dialect == "riichienv":
            kan["pai"] = TILES[meld.own[-1]]
        kept = meld.tiles[:-1] if meld.added is not None else meld.own
        return [kan | {"consumed": [TILES[tile] for tile in kept]}]

    def _dora(self, event: events.Dora) -> list[Line]:
        return [{"type": "dora", "dora_marker": TILES[event.indicator]}]

    def _start_kyoku(self, deal: events.KyokuStart) -> list[Line]:
        self._dealer = deal.kyoku
        hands = [deal.hands[self._seat(player)] for player in range(4)]
        line = {
            "type": "start_kyoku",
            "bakaze": _WINDS[deal.round_wind],
            "dora_marker": TILES[deal.indicator],
            "kyoku": deal.kyoku + 1,
            "honba": deal.honba,
            "kyotaku": deal.sticks,
            "oya": self._dealer,
            "scores": self._by_id(deal.scores),
            "tehais": [["?"] * 13 if hand is None else [TILES[tile] for tile in hand] for hand in hands],
        }
        return [line]

    def _reach_accepted(self, event: events.Riichi) -> list[Line]:
        line: Line = {"type": "reach_accepted", "actor": self._id(event.seat)}
        if self._dialect != "mortal":
            line["deltas"] = self._by_id([-1000 if other == event.seat else 0 for other in range(4)])
            line["scores"] = self._by_id(self._board.scores)
        return [line]

    def _hora(self, hule: Item) -> Line:
        winner = self._id(hule["l"])
        source = hule["l"] if hule["baojia"] is None else hule["baojia"]
        line: Line = {"type": "hora", "actor": winner, "target": self._id(source)}
        ura = [TILES[parse_tile(text)] for text in hule["fubaopai"] or ()]
        ura_key = "uradora_markers" if self._dialect == "gimite" else "ura_markers"
        line |= {"deltas": self._by_id(hule["fenpei"]), ura_key: ura}
        if self._dialect == "riichienv" and hule["baojia"] is None:
            line["tsumo"] = True
        if self._dialect != "mortal":
            line |= self._worth(hule)
        return line

    def _worth(self, hule: Item) -> Line:
        """gimite's fields: what the hand is and what it is worth."""
        concealed = parse_tiles(hule["shoupai"].split(",")[0].replace("*", ""))
        if hule["baojia"] is not None:
            concealed, tile = concealed[:-1], concealed[-1]
        else:
            tile = concealed[-1]
        units = hule.get("damanguan", 0)
        line: Line = {"pai": TILES[tile], "hora_tehais": [TILES[tile] for tile in concealed]}
        if "hupai" in hule:
            line["yakus"] = [[yaku_word(yaku["name"]), _han(yaku["fanshu"])] for yaku in hule["hupai"]]
            for yaku in hule["hupai"]:
                if "baojia" in yaku:
                    line["pao"] = (self._id(hule["l"]) + " +=-".index(yaku["baojia"])) % 4
        if units or "fanshu" in hule:
            line["fan"] = units * YAKUMAN_HAN or hule["fanshu"]
        if "fu" in hule:
            line["fu"] = hule["fu"]
        if "defen" in hule:
            line["hora_points"] = hule["defen"]
        return line | {"scores": self._by_id(self._board.scores)}

    def _ryukyoku(self, pingju: Item) -> Line:
        line: Line = {"type": "ryukyoku", "deltas": self._by_id(pingju["fenpei"])}
        words = REASONS.get(pingju["name"])
        if self._dialect == "mortal":
            return line
        line["reason"] = words[self._dialect == "riichienv"] if words else pingju["name"]
        shown = [pingju["shoupai"][self._seat(player)] for player in range(4)]
        if pingju["name"] == DRAW_NAMES["kyuushu"]:
            line["actor"] = next((player for player, text in enumerate(shown) if text), None)
        tehais = []
        for player, text in enumerate(shown):
            hidden = ["?"] * self._board.hands[self._seat(player)].size
            open_tiles = parse_tiles(text.split(",")[0].replace("*", ""))
            tehais.append([TILES[tile] for tile in open_tiles] or hidden)
        line |= {"tenpais": [bool(text) for text in shown], "tehais": tehais}
        return line | {"scores": self._by_id(self._board.scores)}

    def _id(self, seat: int) -> int:
        return int((self._dealer + seat) % 4)

    def _seat(self, player: int) -> int:
        return int((player - self._dealer) % 4)

    def _by_id(self, by_seat: Any) -> list[Any]:
        return [by_seat[self._seat(player)] for player in range(4)]


_SAYINGS: dict[type, Callable[[Speaker, Any], list[Line]]] = {
    events.KyokuStart: Speaker._start_kyoku,
    events.Draw: Speaker._draw,
    events.Discard: Speaker._discard,
    events.Riichi: Speaker._reach_accepted,
    events.Call: Speaker._call,
    events.Kan: Speaker._kan,
    events.Dora: Speaker._dora,
}


def _han(worth: int | str) -> int:
    return worth if isinstance(worth, int) else len(worth) * YAKUMAN_HAN
