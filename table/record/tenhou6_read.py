"""JSON of tenhou.net/6 as records: one game, or the single hands that its editor shares."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from table.errors import BadInput
from table.record.convert_building import Builder, Imported
from table.record.items import DRAW_NAMES, Item
from table.record.lines import from_json
from table.record.read import Record, take_extra
from table.record.tenhou6_order import Step, order_of_play
from table.record.tenhou6_words import (
    ALL_TENPAI,
    LIMITS,
    MANGAN,
    NOBODY_TENPAI,
    OUR_DRAWS,
    OUR_YAKU,
    WIN,
    tile_of,
)
from table.riichi.pieces.melds import MeldKind, ankan, chi, daiminkan, kakan, pon
from table.riichi.pieces.notation import MARKS, hand_text, meld_text
from table.riichi.pieces.tiles import KIND, NAMES
from table.riichi.points.yaku import PAO_YAKU, RANK

ELEMENTS = 17
_SCORE = re.compile(r"(?:(\d+)符(\d+)飜|(\D+?))(\d+)(?:-(\d+))?点(∀)?")
_YAKU = re.compile(r"(.+?)\((?:(\d+)飜|(.*役満.*))\)")
_DOUBLES = ("国士無双十三面", "四暗刻単騎", "大四喜", "純正九蓮宝燈")


def read_tenhou6(path: Path, content: bytes) -> Imported:
    """A log, or a URL that holds one. Raises BadInput with kyoku and place for what is not understood."""
    log = tenhou6_json(path, content)
    try:
        return _imported(path, log)
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, msgspec.ValidationError) as error:
        raise BadInput(f"{path}: not a log of tenhou.net/6: {type(error).__name__}: {error}") from None


def _imported(path: Path, log: dict[str, Any]) -> Imported:
    if not isinstance(log.get("log"), list):
        raise BadInput(f"{path}: not a log of tenhou.net/6: “log” is missing")
    told = log.get("name") or [""] * 4
    names = [str(name) for name in told] if isinstance(told, list) else []
    if len(names) != 4 or len([name for name in names if name]) == 3:
        raise BadInput(f"{path} name: {len([name for name in names if name])} players; four are expected")
    record = Record(path, "1.x", (names[0], names[1], names[2], names[3]), 0, [])
    record.title = "\n".join(str(line) for line in log.get("title") or () if line)
    take_extra(record, log.get("jantaku") or {})
    rotated = [names[(player - record.first_dealer) % 4] for player in range(4)]
    record.names = (rotated[0], rotated[1], rotated[2], rotated[3])
    imported = Imported(record, notes=[])
    rule = log.get("rule") or {}
    reds = [rule[key] for key in ("aka", "aka51", "aka52", "aka53") if key in rule]
    imported.reds = sum(map(int, reds)) > 0 if reds else True
    disp = str(rule.get("disp", ""))
    imported.tonpu = "東" in disp or "East" in disp
    for number, told in enumerate(log["log"], 1):
        hand = _kyoku(told, f"{path} kyoku {number}")
        record.log.append(hand.kyoku)
        if hand.draws:
            imported.draws[number] = hand.draws
    if log.get("sc"):
        imported.ended, record.final = True, _final(log["sc"], record)
    return imported


def tenhou6_json(path: Path, content: bytes) -> dict[str, Any]:
    """The JSON of a file, or of the URL in it."""
    text = content.decode("utf-8", "replace").strip()
    if text.startswith("http"):
        text = unquote(text.partition("#json=")[2])
    try:
        log = from_json(text)
    except ValueError as error:
        raise BadInput(f"{path}: not JSON ({error}); a truncated or foreign file") from None
    if not isinstance(log, dict):
        raise BadInput(f"{path}: not a log of tenhou.net/6: a JSON object is expected")
    return log


def _kyoku(hand: Any, where: str) -> "_Hand":
    if not isinstance(hand, list) or len(hand) != ELEMENTS:
        found = len(hand) if isinstance(hand, list) else type(hand).__name__
        raise BadInput(f"{where}: a hand has {ELEMENTS} elements, this has {found}")
    try:
        read = _Hand(hand, where)
        read.play()
        return read
    except BadInput as error:
        text = str(error)
        raise BadInput(text if text.startswith(where) else f"{where} {text}") from None
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise BadInput(f"{where}: not understood: {type(error).__name__}: {error}") from None


class _Hand:
    """One hand on its way to items."""

    def __init__(self, hand: list[Any], where: str) -> None:
        number, honba, sticks = hand[0][:3]
        self._dealer = number % 4
        self._dora = [NAMES[tile_of(code)] for code in hand[2]]
        self._ura = [NAMES[tile_of(code)] for code in hand[3]]
        self._result = hand[16]
        self._minkan = 0
        """Open kans whose indicator is not open yet."""
        self.draws: list[Item] = []
        """What else the draw may have been: a log tells of no hand that was opened."""
        by_player = [hand[4 + 3 * player : 7 + 3 * player] for player in range(4)]
        qipai = {
            "zhuangfeng": number // 4,
            "jushu": self._dealer,
            "changbang": honba,
            "lizhibang": sticks,
            "defen": self._by_seat(hand[1]),
            "baopai": self._dora.pop(0),
            "shoupai": [self._hand_text(by_player[self._id(seat)][0]) for seat in range(4)],
        }
        self._builder = Builder(where, qipai)
        hands, takes, outs = zip(*by_player, strict=True)
        self._steps = order_of_play(self._dealer, hands, takes, outs)

    def _hand_text(self, codes: Sequence[Any]) -> str:
        if len(codes) != 13:
            raise BadInput(f"a starting hand of {len(codes)} tiles; 13 are expected")
        return hand_text([tile_of(code) for code in codes])

    @property
    def kyoku(self) -> list[Item]:
        """The items as a 牌譜 has them."""
        return self._builder.kyoku

    def play(self) -> None:
        """Read the hand to its end."""
        for place, step in enumerate(self._steps):
            self._take(step, place == len(self._steps) - 1)
        if not self._result or self._result == [""]:
            return
        if self._result[0] == WIN:
            # Some rules open the indicator of an open kan at once: there it is known when its rinshan tile wins.
            self._open_pending()
            for at in range(1, len(self._result) - 1, 2):
                if self._result[at] == WIN:
                    raise BadInput(f"result: “{WIN}” stands once, before the first winner")
                self._add_hule(self._result[at], self._result[at + 1])
        else:
            self._add_pingju()

    def _take(self, step: Step, last: bool) -> None:
        seat, builder = (step.player - self._dealer) % 4, self._builder
        if step.kind == "draw":
            builder.add("gangzimo" if builder.after_kan else "zimo", {"l": seat, "p": NAMES[step.tile]})
        elif step.kind == "discard":
            self._open_pending()
            builder.add("dapai", {"l": seat, "p": NAMES[step.tile] + "_" * step.tsumogiri + "*" * step.riichi})
            result = self._result[0] if self._result else ""
            if step.riichi and not (last and (result == WIN or OUR_DRAWS.get(result) == DRAW_NAMES["sanchahou"])):
                builder.add("lizhi", {"l": seat})
        elif step.kind == "call":
            self._call(step, seat)
        else:
            self._kan(step, seat, last)

    def _call(self, step: Step, seat: int) -> None:
        call = step.call
        assert call is not None, "a call has its string"
        if call.kind == MeldKind.CHI:
            meld = chi(call.called, *call.own)
        elif call.kind == MeldKind.PON:
            meld = pon(call.called, call.source, *call.own)
        else:
            meld = daiminkan(call.called, call.source, *call.own)
            self._minkan += 1
        self._builder.add("fulou", {"l": seat, "m": meld_text(meld)})

    def _kan(self, step: Step, seat: int, last: bool) -> None:
        call = step.call
        assert call is not None, "a kan has its string"
        self._open_pending()
        if call.kind == MeldKind.ANKAN:
            self._builder.add("gang", {"l": seat, "m": meld_text(ankan(*call.own, call.called))})
            if not last:
                self._open(1)
            return
        *own, once_called = call.own
        meld = kakan(pon(once_called, call.source, *own), call.called)
        under = self._builder.board.hands[seat].melds
        if not any(old.kind == MeldKind.PON and old.tile_kind == KIND[call.called] for old in under):
            raise BadInput(f"a kakan of {NAMES[call.called]} without its pon")
        self._builder.add("gang", {"l": seat, "m": meld_text(meld)})
        self._minkan += 1

    def _open_pending(self) -> None:
        self._open(self._minkan)
        self._minkan = 0

    def _open(self, count: int) -> None:
        """Open indicators as far as the log has any."""
        for _ in range(min(count, len(self._dora))):
            self._builder.add("kaigang", {"baopai": self._dora.pop(0)})

    def _add_hule(self, deltas: Any, detail: Any) -> None:
        winner, source, liable = detail[:3]
        seat, board = (winner - self._dealer) % 4, self._builder.board
        hule: Item = {
            "l": seat,
            "shoupai": self._builder.won_hand(seat, tsumo=winner == source),
            "baojia": None if winner == source else (source - self._dealer) % 4,
            "fubaopai": self._ura if board.riichi[seat] and self._ura else None,
        }
        yaku = [_yaku(text) for text in detail[4:]]
        hule |= _worth(str(detail[3]), yaku, seat, winner == source)
        for one in yaku:
            if one["name"] in PAO_YAKU.values() and liable != winner:
                one["baojia"] = MARKS[(liable - winner) % 4]
        hule["hupai"] = sorted(yaku, key=lambda one: RANK.get(one["name"], len(RANK)))
        self._builder.add("hule", hule | {"fenpei": self._by_seat(deltas)})

    def _add_pingju(self) -> None:
        told = str(self._result[0])
        exhausted = told in (NOBODY_TENPAI, ALL_TENPAI)
        name = DRAW_NAMES["exhaustive"] if exhausted else OUR_DRAWS.get(told, told)
        fenpei = self._by_seat(self._result[1]) if len(self._result) > 1 else [0, 0, 0, 0]
        seats = self._builder.openers(name, fenpei)
        if exhausted:
            seats = [0, 1, 2, 3] if told == ALL_TENPAI else []
        else:
            self.draws = self._builder.other_draws((name,), fenpei)
        self._builder.add("pingju", {"name": name, "shoupai": self._builder.shown_hands(seats), "fenpei": fenpei})

    def _id(self, seat: int) -> int:
        return int((self._dealer + seat) % 4)

    def _by_seat(self, by_id: Any) -> list[int]:
        if not isinstance(by_id, list) or len(by_id) != 4:
            raise BadInput(f"{by_id}: one number for each of four players is expected")
        return [int(by_id[self._id(seat)]) for seat in range(4)]


def _yaku(text: str) -> Item:
    match = _YAKU.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is no yaku: they look like 立直(1飜) or 大三元(役満)")
    name = OUR_YAKU.get(match[1], match[1])
    return {"name": name, "fanshu": int(match[2]) if match[2] else "*"}


def _worth(text: str, yaku: list[Item], seat: int, tsumo: bool) -> Item:
    """fu, han or units, and points of a score text. Above a mangan a log tells no fu, for a yakuman no units."""
    match = _SCORE.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is no score: they look like 30符2飜2000点, 満貫2000-4000点, 役満16000点∀")
    first, second = int(match[4]), int(match[5] or 0)
    points = first
    if tsumo:
        points = 3 * first if match[6] else 2 * first + second
    worth: Item = {"defen": points}
    if any(one["fanshu"] == "*" for one in yaku):
        worth["damanguan"] = units = max(points // (LIMITS[0][0] * MANGAN[seat]), 1)
        _spread(units, [one for one in yaku if one["fanshu"] == "*"])
        return worth
    if match[1]:
        worth["fu"] = int(match[1])
    worth["fanshu"] = int(match[2]) if match[2] else sum(one["fanshu"] for one in yaku)
    return worth


def _spread(units: int, yaku: list[Item]) -> None:
    """Where a hand pays more units than it has yakuman, those that may count double do."""
    for one in yaku:
        if units > len(yaku) and one["name"] in _DOUBLES:
            one["fanshu"] = "**"
            units -= 1


def _final(told: Any, record: Record) -> Item:
    """The closing points `sc`: points and score of each player from the first dealer on."""
    numbers = msgspec.convert(told, list[float])
    if len(numbers) != 8:
        raise BadInput(f"{record.path} sc: {len(numbers)} numbers; points and score of four players are expected")
    order = [(player - record.first_dealer) % 4 for player in range(4)]
    points = [numbers[2 * player + 1] for player in order]
    style = ".0f" if all(point.is_integer() for point in points) else ".1f"
    defen = [int(numbers[2 * player]) for player in order]
    best = sorted(range(4), key=lambda player: (-defen[player], order[player]))
    return {
        "defen": defen,
        "point": [format(point, style) for point in points],
        "rank": [best.index(player) + 1 for player in range(4)],
    }
