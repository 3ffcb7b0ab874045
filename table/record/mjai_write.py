"""A record as an mjai log: one JSON event a line, in the dialect that a reader wants.

    wide       for every reader known: all fields that any of them wants and none that one of them refuses
    gimite     the original: `uradora_markers`
    mortal     only what libriichi reads
    riichienv  its words for draws, `pai` with an ankan, `tsumo` with a tsumo

Player ids count from the first dealer, who is 0 there. What mjai has no field for (rules, seed, title) stands
under `jantaku` in `start_game`; readers skip keys they do not know.
"""

from collections.abc import Iterator
from typing import Any, Literal, get_args

import msgspec

from table.errors import BadInput
from table.record.follow import Follower, in_play_order
from table.record.items import Item
from table.record.mjai_words import REASONS, TILES, YAKUMAN_HAN, yaku_word
from table.record.read import Record
from table.riichi import events
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.notation import parse_tile, parse_tiles

Dialect = Literal["wide", "gimite", "mortal", "riichienv"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
_WINDS = "ESWN"
_CALLS = {MeldKind.CHI: "chi", MeldKind.PON: "pon", MeldKind.DAIMINKAN: "daiminkan"}
Line = dict[str, Any]


def mjai_lines(record: Record, dialect: Dialect, extra: Line) -> Iterator[Line]:
    """The events of a log. `extra` is kept in `start_game`. Raises BadInput where the record contradicts itself."""
    start: Line = {"type": "start_game", "names": [record.names[(record.first_dealer + n) % 4] for n in range(4)]}
    if dialect != "mortal":
        tonpu = record.rules is not None and record.rules.game.length == "tonpu"
        reds = record.rules is None or record.rules.tiles.red_m + record.rules.tiles.red_p > 0
        start |= {"kyoku_first": 4 if tonpu else 0, "aka_flag": reds}
    yield start | ({"jantaku": extra} if extra else {})
    for number, kyoku in enumerate(record.log, 1):
        yield from _Kyoku(kyoku, f"{record.path} kyoku {number}", dialect).lines()
        if not kyoku[-1].keys().isdisjoint(("hule", "pingju")):
            yield {"type": "end_kyoku"}
    if record.final is not None:
        defen = record.final["defen"]
        scores = [defen[(record.first_dealer + n) % 4] for n in range(4)]
        yield {"type": "end_game"} | ({} if dialect == "mortal" else {"scores": scores})


class _Kyoku:
    """One kyoku on its way to mjai."""

    def __init__(self, kyoku: list[Item], where: str, dialect: Dialect) -> None:
        self._items = in_play_order(kyoku)
        self._follower = Follower(where)
        self._dialect = dialect
        self._dealer = kyoku[0]["qipai"]["jushu"]

    def lines(self) -> Iterator[Line]:
        for item in self._items:
            event = self._follower.take(item)
            if "hule" in item:
                yield self._hora(item["hule"])
            elif "pingju" in item:
                yield self._ryukyoku(item["pingju"])
            elif event is not None:
                yield from self._lines_of(event)

    def _lines_of(self, event: events.Event) -> Iterator[Line]:
        match event:
            case events.KyokuStart():
                yield self._start_kyoku(event)
            case events.Draw(seat, tile):
                yield {"type": "tsumo", "actor": self._id(seat), "pai": "?" if tile is None else TILES[tile]}
            case events.Discard(seat, tile, tsumogiri, riichi):
                if riichi:
                    yield {"type": "reach", "actor": self._id(seat)}
                yield {"type": "dahai", "actor": self._id(seat), "pai": TILES[tile], "tsumogiri": tsumogiri}
            case events.Riichi(seat):
                yield self._reach_accepted(seat)
            case events.Call(seat, meld):
                actor = self._id(seat)
                assert meld.called is not None, "who calls calls a tile"
                called = {"target": (actor + meld.source) % 4, "pai": TILES[meld.called]}
                yield {"type": _CALLS[meld.kind], "actor": actor, **called, "consumed": [TILES[t] for t in meld.own]}
            case events.Kan(seat, meld):
                kan: Line = {"type": meld.kind.name.lower(), "actor": self._id(seat)}
                if meld.added is not None:
                    kan["pai"] = TILES[meld.added]
                elif self._dialect == "riichienv":
                    kan["pai"] = TILES[meld.own[-1]]
                kept = meld.tiles[:-1] if meld.added is not None else meld.own
                yield kan | {"consumed": [TILES[tile] for tile in kept]}
            case events.Dora(indicator):
                yield {"type": "dora", "dora_marker": TILES[indicator]}

    def _start_kyoku(self, deal: events.KyokuStart) -> Line:
        hands = [deal.hands[self._seat(player)] for player in range(4)]
        return {
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

    def _reach_accepted(self, seat: int) -> Line:
        line: Line = {"type": "reach_accepted", "actor": self._id(seat)}
        if self._dialect in ("wide", "gimite"):
            line["deltas"] = self._by_id([-1000 if other == seat else 0 for other in range(4)])
            line["scores"] = self._by_id(self._follower.board.scores)
        return line

    def _hora(self, hule: Item) -> Line:
        winner = self._id(hule["l"])
        source = hule["l"] if hule["baojia"] is None else hule["baojia"]
        line: Line = {"type": "hora", "actor": winner, "target": self._id(source)}
        ura = [TILES[parse_tile(text)] for text in hule["fubaopai"] or ()]
        ura_key = "uradora_markers" if self._dialect == "gimite" else "ura_markers"
        line |= {"deltas": self._by_id(hule["fenpei"]), ura_key: ura}
        if self._dialect == "riichienv" and hule["baojia"] is None:
            line["tsumo"] = True
        if self._dialect in ("wide", "gimite"):
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
        return line | {"scores": self._by_id(self._follower.board.scores)}

    def _ryukyoku(self, pingju: Item) -> Line:
        line: Line = {"type": "ryukyoku", "deltas": self._by_id(pingju["fenpei"])}
        words = REASONS.get(pingju["name"])
        if self._dialect == "mortal":
            return line
        if self._dialect == "riichienv":
            return line | {"reason": words[1] if words else pingju["name"]}
        line["reason"] = words[0] if words else pingju["name"]
        shown = [pingju["shoupai"][self._seat(player)] for player in range(4)]
        if line["reason"] == "kyushukyuhai":
            line["actor"] = next((player for player, text in enumerate(shown) if text), None)
        tehais = []
        for player, text in enumerate(shown):
            hidden = ["?"] * self._follower.board.hands[self._seat(player)].size
            open_tiles = parse_tiles(text.split(",")[0].replace("*", ""))
            tehais.append([TILES[tile] for tile in open_tiles] or hidden)
        line |= {"tenpais": [bool(text) for text in shown], "tehais": tehais}
        return line | {"scores": self._by_id(self._follower.board.scores)}

    def _id(self, seat: int) -> int:
        return int((self._dealer + seat) % 4)

    def _seat(self, player: int) -> int:
        return int((player - self._dealer) % 4)

    def _by_id(self, by_seat: Any) -> list[Any]:
        return [by_seat[self._seat(player)] for player in range(4)]


def _han(worth: int | str) -> int:
    return worth if isinstance(worth, int) else len(worth) * YAKUMAN_HAN


def mjai_bytes(record: Record, dialect: str, extra: Line) -> bytes:
    """The whole log. Raises BadInput for an unknown dialect."""
    for known in DIALECTS:
        if known == dialect:
            return b"".join(msgspec.json.encode(line) + b"\n" for line in mjai_lines(record, known, extra))
    raise BadInput(f"mjai dialect {dialect}; allowed are {', '.join(DIALECTS)}")
