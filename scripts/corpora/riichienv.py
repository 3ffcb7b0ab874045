"""Kyoku and games played by riichienv: its mjai log, its walls, and what every seat that was asked replied."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from scripts.corpora.record import (
    NOTHING,
    Decision,
    DrawFact,
    Fact,
    Final,
    GameRecord,
    KyokuRecord,
    Line,
    Offer,
    WinFact,
    by_seat,
    dealt,
    four,
)
from scripts.hands.cases import numbered
from table.riichi import actions, events
from table.riichi.actions import Discard, RiichiAction
from table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from table.riichi.pieces.tiles import KIND, TILE
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules
from table.riichi.ruleset import preset

_PRESETS = {"mjsoul": "mahjongsoul", "tenhou": "tenhou"}
_LENGTHS = {"tonpuu": "tonpu", "hanchan": "hanchan", "kyoku": "hanchan"}
_DOUBLE = {
    "is_daisuushii_double": "daisuushi",
    "is_suuankou_tanki_double": "suuankou_tanki",
    "is_kokushi_musou_13machi_double": "kokushi_13",
    "is_junsei_chuurenpoutou_double": "chuuren_9",
}
_REASONS = {
    "exhaustive_draw": "exhaustive",
    "nagashimangan": "nagashi",
    "nagashi_mangan": "nagashi",
    "kyushu_kyuhai": "kyuushu",
    "sufuurenta": "suufon",
    "suufon_renda": "suufon",
    "suucha_riichi": "suucha",
    "suurechi": "suucha",
    "suukansansen": "suukan",
    "suukan_sanra": "suukan",
    "sanchaho": "sanchahou",
}
_REACTIONS = ("PASS", "CHI", "PON", "DAIMINKAN", "RON")
_HONOURS = "ESWNPFC"
_DEALT = 52
Step = Mapping[str, Line]
"""The replies to one question by player id; who is not in it was not asked."""


def read_game(line: Line) -> GameRecord:
    """One line with `log`, `steps` and `wall` (one kyoku) or `walls` (a game)."""
    single = "wall" in line
    walls, steps = ([line["wall"]], [line["steps"]]) if single else (line["walls"], line["steps"])
    tedashi = line["rule"]["dealer_first_discard_is_tedashi"]
    kyoku = [
        _Kyoku(log, wall, asked, line["rule"]).read(ignore_first_tsumogiri=tedashi)
        for log, wall, asked in zip(_kyoku_logs(line["log"]), walls, steps, strict=True)
    ]
    final = Final(scores=four(line["scores"]), ranks=four(line["ranks"]) if line.get("ranks") else None)
    return GameRecord(name=line["id"], rules=_rules(line), kyoku=tuple(kyoku), final=final, single=single)


def _rules(line: Line) -> Rules:
    rules, flags = preset(_PRESETS[line["preset"]]), line["rule"]
    call = msgspec.structs.replace(
        rules.call,
        kokushi_ankan=flags["allows_ron_on_ankan_for_kokushi_musou"],
        kuikae="forbidden" if flags["kuikae_forbidden"] else "free",
        pao_covers="own" if flags["yakuman_pao_is_liability_only"] else "all",
    )
    ron = msgspec.structs.replace(rules.ron, sanchahou=flags["sanchaho_is_draw"])
    double = tuple(name for flag, name in _DOUBLE.items() if flags[flag])
    return msgspec.structs.replace(
        rules,
        game=msgspec.structs.replace(rules.game, length=_LENGTHS[line["mode"]]),
        call=call,
        ron=ron,
        score=msgspec.structs.replace(rules.score, double_yakuman=double),
    )


def _kyoku_logs(log: Sequence[Line]) -> list[list[Line]]:
    kyoku: list[list[Line]] = []
    for item in log:
        if item["type"] == "start_kyoku":
            kyoku.append([])
        if kyoku:
            kyoku[-1].append(item)
    return kyoku


def mjai_tile(name: str) -> int:
    """The tile of an mjai name such as 3m, 5sr or E. Raises KeyError."""
    if name in _HONOURS:
        return TILE[f"z{_HONOURS.index(name) + 1}"]
    return TILE[name[1] + ("0" if name.endswith("r") else name[0])]


def _wall(order: Sequence[int]) -> Wall:
    """A wall in the order in which it is dealt; the dead wall is its end, backwards."""
    tiles = [numbered(number) for number in order]
    return Wall(dealt(tiles), tiles[_DEALT:-14], tiles[: -14 - 1 : -1])


class _Kyoku:
    """Reads one kyoku: its log, and alongside the steps that made each of the log's plays."""

    def __init__(self, log: Sequence[Line], order: Sequence[int], steps: Sequence[Step], flags: Line) -> None:
        self._start, self._log = log[0], log[1:]
        self._dealer: int = self._start["oya"]
        self._order = order
        self._steps = list(steps)
        self._next = self._drawn = self._rinshan = 0
        self._facts: list[Fact] = []
        self._decisions: list[Decision] = []
        self._indicators = [mjai_tile(self._start["dora_marker"])]
        self._pons: dict[tuple[int, int], Meld] = {}
        """Pons by owner and kind."""
        self._held: int | None = None
        """Number of the tile just drawn."""
        self._source = 0
        """The seat that discarded last."""
        self._kan: Meld | None = None
        """The ankan of the last step, which the log leaves out if it is robbed."""

    def read(self, *, ignore_first_tsumogiri: bool) -> KyokuRecord:
        for item in self._log:
            self._read_item(item)
        if self._peek() is not None:
            raise ValueError(f"step {self._next} answers no question of the log")
        start = self._start
        return KyokuRecord(
            dealer=self._dealer,
            number=_HONOURS.index(start["bakaze"]) * 4 + start["kyoku"] - 1,
            honba=start["honba"],
            sticks=start["kyotaku"],
            scores=by_seat(start["scores"], self._dealer),
            wall=_wall(self._order),
            facts=tuple(self._facts),
            indicators=tuple(self._indicators),
            decisions=tuple(self._decisions),
            ignore_first_tsumogiri=ignore_first_tsumogiri,
        )

    def _seat(self, player: int | str) -> int:
        return (int(player) - self._dealer) % 4

    def _read_item(self, item: Line) -> None:
        kind = item["type"]
        if kind == "dora":
            self._indicators.append(mjai_tile(item["dora_marker"]))
        elif kind == "reach_accepted":
            self._facts.append(events.Riichi(self._seat(item["actor"])))
        elif kind == "hora":
            self._win(item)
        elif kind == "ryukyoku":
            reason: str = item["reason"]
            self._facts.append(DrawFact(reason=_REASONS.get(reason, reason), deltas=self._deltas(item)))
        elif kind == "tsumo":
            self._draw(item)
        elif kind == "dahai":
            self._discard(item)
        elif kind in ("chi", "pon", "daiminkan", "ankan", "kakan"):
            self._meld_item(item)

    def _deltas(self, item: Line) -> events.Four:
        return by_seat(item["deltas"], self._dealer)

    # What happened.

    def _draw(self, item: Line) -> None:
        seat = self._seat(item["actor"])
        last = self._facts[-1] if self._facts else None
        rinshan = isinstance(last, events.Call | events.Kan)
        if rinshan:
            self._rinshan += 1
            self._held = self._order[-self._rinshan]
        else:
            self._held = self._order[_DEALT + self._drawn]
            self._drawn += 1
        self._facts.append(events.Draw(seat, mjai_tile(item["pai"]), rinshan))
        self._own_turn(seat)

    def _discard(self, item: Line) -> None:
        seat = self._seat(item["actor"])
        reply = self._decisions[-1].replies[seat]
        riichi = isinstance(reply, Discard) and reply.riichi
        self._facts.append(events.Discard(seat, mjai_tile(item["pai"]), item["tsumogiri"], riichi))
        self._source, self._held = seat, None
        self._reactions()

    def _meld_item(self, item: Line) -> None:
        seat = self._seat(item["actor"])
        called = mjai_tile(item["pai"])
        meld = self._meld(item["type"], seat, called, [mjai_tile(name) for name in item["consumed"]])
        self._held = None
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            self._facts.append(events.Kan(seat, meld))
            self._source = seat
            self._reactions()
            return
        self._facts.append(events.Call(seat, meld))
        if meld.kind == MeldKind.PON:
            self._pons[seat, meld.tile_kind] = meld
        if meld.kind == MeldKind.DAIMINKAN:
            self._decisions.append(Decision())
        else:
            self._own_turn(seat)

    def _win(self, item: Line) -> None:
        seat, source = self._seat(item["actor"]), self._seat(item["target"])
        if seat != source and self._kan is not None and isinstance(self._facts[-1], events.Draw):
            self._facts.append(events.Kan(source, self._kan))
            self._source = source
            self._reactions()
        self._facts.append(
            WinFact(
                seat=seat,
                source=None if seat == source else source,
                deltas=self._deltas(item),
                ura=tuple(mjai_tile(name) for name in item["ura_markers"]),
            )
        )

    def _meld(self, kind: str, seat: int, tile: int, consumed: Sequence[int]) -> Meld:
        source = (self._source - seat) % 4
        if kind == "chi":
            return chi(tile, *consumed)
        if kind == "pon":
            return pon(tile, source, *consumed)
        if kind == "daiminkan":
            return daiminkan(tile, source, *consumed)
        if kind == "ankan":
            return ankan(*consumed)
        return kakan(self._pons[seat, KIND[tile]], tile)

    # Who was asked and what he said.

    def _peek(self) -> Step | None:
        return self._steps[self._next] if self._next < len(self._steps) else None

    def _take(self, seat: int) -> Line:
        """The own turn's reply of `seat` in the next step."""
        step = self._peek()
        if step is None or [self._seat(player) for player in step] != [seat]:
            raise ValueError(f"step {self._next} is not the turn of seat {seat}")
        self._next += 1
        return next(iter(step.values()))

    def _own_turn(self, seat: int) -> None:
        said = self._take(seat)
        listed = said.get("legal")
        offer = self._offer(seat, listed)
        if said["type"] == "RIICHI":
            declaring = self._take(seat)
            reply: RiichiAction = self._discard_of(declaring["tile"], riichi=True)
            if offer is not None and declaring.get("legal"):
                which = frozenset(self._discard_of(may["tile"], riichi=True) for may in declaring["legal"])
                offer = Offer(offer.actions, which)
        else:
            reply = self._action(seat, said)
        self._kan = reply.meld if isinstance(reply, actions.Kan) else None
        self._decisions.append(Decision(replies={seat: reply}, offers={seat: offer}))

    def _reactions(self) -> None:
        """The steps that answer the last discard or kan. Who is in none of them had nothing to answer."""
        replies: dict[int, RiichiAction] = {}
        offers: dict[int, Offer | None] = dict.fromkeys(range(4), NOTHING)
        while (step := self._peek()) and all(said["type"] in _REACTIONS for said in step.values()):
            self._next += 1
            for player, said in step.items():
                seat = self._seat(player)
                offers[seat] = self._offer(seat, said.get("legal"))
                if said["type"] != "PASS":
                    replies[seat] = self._action(seat, said)
        self._decisions.append(Decision(replies=replies, offers=offers))

    def _offer(self, seat: int, listed: Iterable[Line] | None) -> Offer | None:
        """None where the options are not listed. Which discards may declare riichi is not told here."""
        if listed is None:
            return None
        options = list(listed)
        found = [self._action(seat, may) for may in options if may["type"] not in ("PASS", "RIICHI")]
        return Offer(frozenset(found), any(may["type"] == "RIICHI" for may in options))

    def _action(self, seat: int, said: Line) -> RiichiAction:
        kind = said["type"]
        simple: dict[str, RiichiAction] = {"TSUMO": actions.TSUMO, "RON": actions.RON, "KYUSHU_KYUHAI": actions.KYUUSHU}
        if kind in simple:
            return simple[kind]
        if kind == "DISCARD":
            return self._discard_of(said["tile"], riichi=False)
        meld = self._meld(kind.lower(), seat, numbered(said["tile"]), [numbered(n) for n in said["consume"]])
        return actions.Kan(meld) if kind in ("ANKAN", "KAKAN") else actions.Call(meld)

    def _discard_of(self, number: int, *, riichi: bool) -> Discard:
        return Discard(numbered(number), tsumogiri=number == self._held, riichi=riichi)
