"""mjai read back into events, and answers as replies: for a program that is a player.

It is the other side of `mjai.py`. Errors are BadInput: here it is the table that is told what is wrong.
"""

from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Action
from table.record.items import DRAW_NAMES
from table.record.mjai_words import DRAWS, TILE, TILES
from table.riichi import actions, events
from table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from table.riichi.pieces.tiles import KIND
from table.riichi.points.yaku import HandValue
from table.riichi.rules import Rules
from table.wire.told import Told

Line = dict[str, Any]
_WINDS = "ESWN"
_SILENT = {"none", "end_kyoku"}
_REASONS = {name: reason for reason, name in DRAW_NAMES.items()}
_KANS = {"daiminkan", "ankan", "kakan"}


class MjaiReader:
    """Reads mjai to one seat, arrays or single events, and writes its replies.

    `rules` are those to play by where the table does not say them.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._me = 0
        self._dealer = 0
        self._reach: int | None = None
        """Who has just declared riichi."""
        self._rinshan = False
        self._pons: dict[tuple[int, int], Meld] = {}
        """By player and kind."""
        self._last: tuple[int, int] = (0, 0)
        """Who discarded or put to a kan last, and which tile."""
        self._planned: actions.Discard | None = None
        """The discard of a riichi that was declared and not echoed yet."""

    def read(self, line: bytes) -> Told:
        """One line. BadInput for a line that is none."""
        try:
            told = msgspec.json.decode(line)
            lines = told if isinstance(told, list) else [told]
            happened = [event for one in lines if (event := self._event(one)) is not None]
            return Told(tuple(happened), lines[-1].get("can_act") is not False)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise BadInput(f"{line[:200]!r} is no message: {type(error).__name__}: {error}") from None

    def write(self, action: Action | None, number: int) -> bytes:
        """The reply `action`, None for nothing."""
        if self._planned is not None:
            action, self._planned = self._planned, None
            return msgspec.json.encode(self._dahai(action)) + b"\n"
        return msgspec.json.encode(self._reply(action)) + b"\n"

    # --- replies

    def _reply(self, action: Action | None) -> Line:
        match action:
            case actions.Discard():
                if not action.riichi:
                    return self._dahai(action)
                self._planned = action
                return {"type": "reach", "actor": self._me}
            case actions.Tsumo():
                return {"type": "hora", "actor": self._me, "target": self._me}
            case actions.Ron():
                return {"type": "hora", "actor": self._me, "target": self._last[0], "pai": TILES[self._last[1]]}
            case actions.Kyuushu():
                return {"type": "ryukyoku", "actor": self._me, "reason": "kyushukyuhai"}
            case actions.Call(meld) | actions.Kan(meld):
                return self._meld(meld)
        return {"type": "none", "actor": self._me}

    def _dahai(self, discard: actions.Discard) -> Line:
        pai, tsumogiri = TILES[discard.tile], discard.tsumogiri
        return {"type": "dahai", "actor": self._me, "pai": pai, "tsumogiri": tsumogiri}

    def _meld(self, meld: Meld) -> Line:
        line: Line = {"type": meld.kind.name.lower(), "actor": self._me}
        if meld.added is not None:
            return line | {"pai": TILES[meld.added], "consumed": [TILES[tile] for tile in meld.tiles[:-1]]}
        if meld.called is not None:
            line |= {"target": (self._me + meld.source) % 4, "pai": TILES[meld.called]}
        return line | {"consumed": [TILES[tile] for tile in meld.own]}

    # --- events

    def _event(self, line: Line) -> events.Event | None:
        kind = line["type"]
        seat = (line["actor"] - self._dealer) % 4 if line.get("actor") is not None else 0
        rinshan, self._rinshan = self._rinshan, kind in _KANS or (self._rinshan and kind == "dora")
        match kind:
            case "start_game":
                return self._start_game(line)
            case "start_kyoku":
                return self._start_kyoku(line)
            case "tsumo":
                return events.Draw(seat, None if line["pai"] == "?" else TILE[line["pai"]], rinshan)
            case "reach":
                self._reach = line["actor"]
                return None
            case "dahai":
                riichi, self._reach = self._reach is not None, None
                self._last = line["actor"], TILE[line["pai"]]
                return events.Discard(seat, TILE[line["pai"]], line["tsumogiri"], riichi)
            case "reach_accepted":
                return events.Riichi(seat)
            case "chi" | "pon" | "daiminkan":
                return events.Call(seat, self._called(line))
            case "ankan":
                return events.Kan(seat, ankan(*(TILE[text] for text in line["consumed"])))
            case "kakan":
                self._last = line["actor"], TILE[line["pai"]]
                return events.Kan(seat, kakan(self._pons[line["actor"], KIND[self._last[1]]], self._last[1]))
            case "dora":
                return events.Dora(TILE[line["dora_marker"]])
            case "hora":
                return self._hora(line, seat)
            case "ryukyoku":
                return self._ryukyoku(line)
            case "end_game":
                return self._end_game(line)
        if kind in _SILENT:
            return None
        raise ValueError(f"there is no event {kind}")

    def _start_game(self, line: Line) -> events.HanchanStart:
        rules = line.get("jantaku", {}).get("rules")
        self._me = line.get("id", self._me)
        names = line.get("names") or [str(player) for player in range(4)]
        told = self._rules if rules is None else msgspec.convert(rules, Rules)
        return events.HanchanStart(tuple(names), 0, told, self._me)

    def _start_kyoku(self, line: Line) -> events.KyokuStart:
        self._dealer = line["oya"]
        self._pons.clear()
        self._reach = self._planned = None
        hands = [None if hand[0] == "?" else tuple(TILE[text] for text in hand) for hand in line["tehais"]]
        self._me = next(player for player, hand in enumerate(hands) if hand is not None)
        return events.KyokuStart(
            dealer=self._dealer,
            round_wind=_WINDS.index(line["bakaze"]),
            kyoku=line["kyoku"] - 1,
            honba=line["honba"],
            sticks=line["kyotaku"],
            scores=self._by_seat(line["scores"]),
            indicator=TILE[line["dora_marker"]],
            hands=self._by_seat(hands),
        )

    def _called(self, line: Line) -> Meld:
        called, own = TILE[line["pai"]], [TILE[text] for text in line["consumed"]]
        source = (line["target"] - line["actor"]) % 4
        if line["type"] == "chi":
            return chi(called, *own)
        meld = pon(called, source, *own) if line["type"] == "pon" else daiminkan(called, source, *own)
        if meld.kind == MeldKind.PON:
            self._pons[line["actor"], meld.tile_kind] = meld
        return meld

    def _hora(self, line: Line, seat: int) -> events.Win:
        source = (line["target"] - self._dealer) % 4
        ura = line.get("ura_markers") or line.get("uradora_markers") or ()
        return events.Win(
            seat=seat,
            source=None if source == seat else source,
            tile=TILE[line["pai"]] if "pai" in line else self._last[1],
            hand=tuple(TILE[text] for text in line.get("hora_tehais", ())),
            melds=(),
            riichi=int(bool(ura)),
            ura=tuple(TILE[text] for text in ura) or None,
            value=HandValue((), line.get("fu", 0), line.get("fan", 0)),
            points=line.get("hora_points", 0),
            deltas=self._by_seat(line.get("deltas", (0, 0, 0, 0))),
        )

    def _ryukyoku(self, line: Line) -> events.Ryukyoku:
        reason = DRAWS.get(line.get("reason", "fanpai"), DRAW_NAMES["exhaustive"])
        hands = [
            tuple(TILE[text] for text in hand) if "?" not in hand else None for hand in line.get("tehais", [["?"]] * 4)
        ]
        deltas = self._by_seat(line.get("deltas", (0, 0, 0, 0)))
        return events.Ryukyoku(_REASONS[reason], self._by_seat(hands), deltas)

    def _end_game(self, line: Line) -> events.HanchanEnd:
        """Ranks by points; mjai does not tell final scores."""
        scores = line.get("scores", (0, 0, 0, 0))
        order = sorted(range(4), key=lambda player: -scores[player])
        ranks: Any = tuple(order.index(player) + 1 for player in range(4))
        return events.HanchanEnd(tuple(scores), ranks, (0, 0, 0, 0))

    def _by_seat(self, by_id: Any) -> Any:
        return tuple(by_id[(self._dealer + seat) % 4] for seat in range(4))
