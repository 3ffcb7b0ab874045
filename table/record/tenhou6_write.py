"""A record as JSON of tenhou.net/6. Players count from the first dealer there.

What the format has no place for (rules, seed, first dealer, title beyond two lines) stands under `jantaku`. It has
no order between seats either: a reader finds it again from calls and discards.
"""

from typing import Any

from table.record.follow import Follower, in_play_order
from table.record.items import DRAW_NAMES, Item
from table.record.read import Record
from table.record.tenhou6_words import (
    ALL_TENPAI,
    CODE_ORDER,
    CODES,
    DRAWS,
    LIMITS,
    MANGAN,
    NO_DISCARD,
    NOBODY_TENPAI,
    TSUMOGIRI,
    WIN,
    YAKU,
    call_text,
)
from table.riichi import events
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.notation import MARKS, parse_tile

Json = dict[str, Any]
_LENGTHS = {"tonpu": "東", "hanchan": "南"}


def tenhou6_of(record: Record, extra: Json) -> Json:
    """The whole log. Raises BadInput where the record contradicts itself."""
    names = [record.names[(record.first_dealer + player) % 4] for player in range(4)]
    first, _, rest = record.title.partition("\n")
    log: Json = {
        "title": [first, rest],
        "name": names,
        "rule": _rule(record),
        "log": [_Hand(kyoku, f"{record.path} kyoku {n}").array() for n, kyoku in enumerate(record.log, 1)],
    }
    if record.final is not None:
        order = [(record.first_dealer + player) % 4 for player in range(4)]
        points = [_number(record.final["point"][player]) for player in order]
        scores = [record.final["defen"][player] for player in order]
        log["sc"] = [value for pair in zip(scores, points, strict=True) for value in pair]
    return log | ({"jantaku": extra} if extra else {})


def _rule(record: Record) -> Json:
    if record.rules is None:
        return {"disp": "", "aka": 1}
    rules = record.rules
    reds = rules.tiles
    disp = _LENGTHS.get(rules.game.length, "") + "喰" * rules.score.open_tanyao
    disp += "赤" * (reds.red_m + reds.red_p + reds.red_s > 0)
    return {"disp": disp, "aka51": reds.red_m, "aka52": reds.red_p, "aka53": reds.red_s}


def _number(point: str | float) -> float | int:
    value = float(point)
    return int(value) if value.is_integer() else value


class _Hand:
    """One kyoku on its way to the array of 17."""

    def __init__(self, kyoku: list[Item], where: str) -> None:
        self._items = in_play_order(kyoku)
        self._follower = Follower(where)
        qipai = kyoku[0]["qipai"]
        self._dealer = qipai["jushu"]
        self._head = [qipai["zhuangfeng"] * 4 + qipai["jushu"], qipai["changbang"], qipai["lizhibang"]]
        self._scores = self._by_id(qipai["defen"])
        self._hands: list[list[int]] = [[], [], [], []]
        self._takes: list[list[int | str]] = [[], [], [], []]
        self._discards: list[list[int | str]] = [[], [], [], []]
        self._ura: list[int] = []
        self._result: list[Any] = []

    def array(self) -> list[Any]:
        """The 17 elements."""
        for item in self._items:
            event = self._follower.take(item)
            if "hule" in item:
                self._take_hule(item["hule"])
            elif "pingju" in item:
                self._take_pingju(item["pingju"])
            elif event is not None:
                self._take(event)
        seats = [part for player in range(4) for part in self._parts(player)]
        dora = [CODES[tile] for tile in self._follower.board.indicators]
        return [self._head, self._scores, dora, self._ura, *seats, self._result or [""]]

    def _parts(self, player: int) -> list[list[Any]]:
        seat = (player - self._dealer) % 4
        return [self._hands[seat], self._takes[seat], self._discards[seat]]

    def _take(self, event: events.Event) -> None:
        match event:
            case events.KyokuStart():
                for seat, hand in enumerate(event.hands):
                    self._hands[seat] = [CODES[tile] for tile in sorted(hand or (), key=CODE_ORDER.__getitem__)]
            case events.Draw(seat, tile):
                self._takes[seat].append(NO_DISCARD if tile is None else CODES[tile])
            case events.Discard(seat, tile, tsumogiri, riichi):
                code = TSUMOGIRI if tsumogiri else CODES[tile]
                self._discards[seat].append(f"r{code}" if riichi else code)
            case events.Call(seat, meld):
                self._takes[seat].append(call_text(meld))
                if meld.kind == MeldKind.DAIMINKAN:
                    self._discards[seat].append(NO_DISCARD)
            case events.Kan(seat, meld):
                self._discards[seat].append(call_text(meld))

    def _take_hule(self, hule: Item) -> None:
        if hule["fubaopai"]:
            self._ura = [CODES[parse_tile(text)] for text in hule["fubaopai"]]
        winner = self._id(hule["l"])
        source = winner if hule["baojia"] is None else self._id(hule["baojia"])
        yaku = hule.get("hupai", [])
        liable = next((MARKS.index(one["baojia"]) for one in yaku if "baojia" in one), 0)
        detail = [winner, source, (winner + liable) % 4, _score_text(hule), *map(_yaku_text, yaku)]
        self._result += [*([] if self._result else [WIN]), self._by_id(hule["fenpei"]), detail]

    def _take_pingju(self, pingju: Item) -> None:
        name = pingju["name"]
        paid = any(pingju["fenpei"])
        shown = [bool(text) for text in pingju["shoupai"]]
        self._result = [DRAWS.get(name, name)]
        if name == DRAW_NAMES["exhaustive"] and not paid and all(shown):
            self._result = [ALL_TENPAI]
        elif name == DRAW_NAMES["exhaustive"] and not paid and not any(shown):
            self._result = [NOBODY_TENPAI]
        elif paid or name == DRAW_NAMES["exhaustive"]:
            self._result.append(self._by_id(pingju["fenpei"]))

    def _id(self, seat: int) -> int:
        return int((self._dealer + seat) % 4)

    def _by_id(self, by_seat: Any) -> list[int]:
        return [by_seat[(player - self._dealer) % 4] for player in range(4)]


def _yaku_text(yaku: Item) -> str:
    name, worth = YAKU.get(yaku["name"], yaku["name"]), yaku["fanshu"]
    return f"{name}({'役満' if isinstance(worth, str) else f'{worth}飜'})"


def _score_text(hule: Item) -> str:
    """`30符2飜2000点`, `満貫2000-4000点`, `役満16000点∀`: the hand's own value."""
    if "defen" not in hule:
        return ""
    seat, points, units = hule["l"], hule["defen"], hule.get("damanguan", 0)
    ratio = points / MANGAN[seat]
    # Rounding shares up can lift nothing below a mangan to one.
    limit = "役満" if units else next((name for least, name in LIMITS if ratio >= least), "")
    head = limit or f"{hule.get('fu', 0)}符{hule.get('fanshu', 0)}飜"
    if hule["baojia"] is not None:
        return f"{head}{points}点"
    base = 2000 * ratio if limit else hule.get("fu", 0) * 2 ** (2 + hule.get("fanshu", 0))
    small, large = _hundreds(base), _hundreds(2 * base)
    return f"{head}{large}点∀" if seat == 0 else f"{head}{small}-{large}点"


def _hundreds(points: float) -> int:
    return int(-(-points // 100) * 100)
