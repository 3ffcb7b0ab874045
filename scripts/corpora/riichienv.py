"""Reads kyoku and games played by riichienv: its mjai log, its walls, and the reply of every seat that was asked."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact
from jantaku.table.languages.mjai.reader import EndGame, Hearer, StartGame
from jantaku.table.languages.mjlog import numbered
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.actions import Discard, RiichiAction
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import THREE, seat_of, side_of
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.corpora.record import NOTHING, Decision, GameRecord, KyokuRecord, Line, Offer, dealt, game_of

_PRESETS = {"mjsoul": "mahjongsoul", "tenhou": "tenhou"}
_LENGTHS = {"tonpuu": "tonpu", "hanchan": "hanchan", "kyoku": "hanchan"}
_DOUBLE = {
    "is_daisuushii_double": "daisuushi",
    "is_suuankou_tanki_double": "suuankou_tanki",
    "is_kokushi_musou_13machi_double": "kokushi_13",
    "is_junsei_chuurenpoutou_double": "chuuren_9",
}
_REACTIONS = ("PASS", "CHI", "PON", "DAIMINKAN", "RON")
_DEALT = {4: 52, 3: 39}
_SIMPLE: Mapping[str, RiichiAction] = {
    "TSUMO": actions.TSUMO,
    "RON": actions.RON,
    "KYUSHU_KYUHAI": actions.KYUUSHU,
    "KITA": actions.SET_ASIDE,
}
_FEWEST_OPEN = 3
"""With three players: indicators that lie in the dead wall."""
Step = Mapping[str, Line]
"""The replies to one question by player id; missing players were not asked."""


def read_game(line: Line) -> GameRecord:
    """Read one line with `log`, `steps` and `wall` (one kyoku) or `walls` (a game)."""
    single = "wall" in line
    walls, steps = ([line["wall"]], [line["steps"]]) if single else (line["walls"], line["steps"])
    players = line.get("players", 4)
    parts = zip(_kyoku_logs(line["log"]), walls, steps, strict=True)
    kyoku = [_Kyoku(log, wall, asked, players).read() for log, wall, asked in parts]
    final = msgspec.convert({"scores": line["scores"], "ranks": line.get("ranks") or None}, EndFact)
    game = game_of(line["id"], _rules(line), kyoku, final)
    game.single, game.ignore_first_tsumogiri = (
        single,
        line["rule"].get("dealer_first_discard_is_tedashi", line["preset"] == "mjsoul"),
    )
    return game


def _rules(line: Line) -> Rules:
    name, flags = _PRESETS[line["preset"]], line["rule"]
    rules = preset(f"{name}-3p") if line.get("players") == THREE else preset(name)
    call = msgspec.structs.replace(
        rules.call,
        kokushi_ankan=flags["allows_ron_on_ankan_for_kokushi_musou"],
        kuikae="forbidden" if flags["kuikae_forbidden"] else "free",
        pao_covers="own" if flags["yakuman_pao_is_liability_only"] else "all",
    )
    ron = msgspec.structs.replace(rules.ron, sanchahou=flags.get("sanchaho_is_draw", False))
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


def _wall(order: Sequence[int], players: int, opened: int) -> Wall:
    """Make a wall from the order of dealing; the dead wall is its end, backwards. With three players, the stacks of
    indicators that are live tiles as well lie the other way round (T-82): they are turned once they are `opened`."""
    tiles = [numbered(number) for number in order]
    live = tiles[_DEALT[players] : -14]
    for stack in range(_FEWEST_OPEN, opened if players == THREE else 0):
        upper = len(live) - 2 - 2 * (stack - _FEWEST_OPEN)
        live[upper], live[upper + 1] = live[upper + 1], live[upper]
    return Wall(dealt(tiles, players), live, tiles[: -14 - 1 : -1])


class _Kyoku:
    """Reads one kyoku: its log, and alongside it the steps that made each of the log's plays."""

    def __init__(self, log: Sequence[Line], order: Sequence[int], steps: Sequence[Step], players: int) -> None:
        self._lines, self._players = log, players
        self._board = Board()
        self._order = order
        self._steps = list(steps)
        self._next = self._drawn = self._rinshan = 0
        self._log: list[Fact] = []
        self._decisions: list[Decision] = []
        self._held: int | None = None
        """Number of the tile just drawn."""
        self._kan: Meld | None = None
        """The ankan of the last step, which the log leaves out if it is robbed."""

    def read(self) -> KyokuRecord:
        hearer = Hearer(self._board, self._players)
        deal = hearer.hear(self._lines[0])
        assert isinstance(deal, events.KyokuStart), "the log was cut where a kyoku begins"
        deal.apply(self._board)
        self._log.append(deal)
        for line in self._lines[1:]:
            fact = hearer.hear(line)
            if fact is not None and not isinstance(fact, EndGame | StartGame):
                self._take(fact)
        if self._peek() is not None:
            raise ValueError(f"step {self._next} answers no question of the log")
        wall = _wall(self._order, self._players, len(self._board.indicators))
        return KyokuRecord(tuple(self._log), wall, tuple(self._decisions))

    def _seat(self, player: int | str) -> int:
        return seat_of(int(player), self._board.kyoku, self._players)

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, WinFact):
            self._rob(fact)
        elif not isinstance(fact, DrawFact):
            fact.apply(self._board)
        self._log.append(fact)
        match fact:
            case events.Draw(seat):
                self._held = self._number_drawn(fact)
                self._own_turn(seat)
            case events.MeldCall(seat, meld):
                self._held = None
                if meld.kind == MeldKind.DAIMINKAN:
                    self._decisions.append(Decision())
                else:
                    self._own_turn(seat)
            case events.TileDiscard() | events.OwnKan() | events.NorthAside():
                self._held = None
                self._reactions()

    def _number_drawn(self, draw: events.Draw) -> int:
        if draw.rinshan:
            self._rinshan += 1
            return self._order[-self._rinshan]
        self._drawn += 1
        return self._order[_DEALT[self._players] + self._drawn - 1]

    def _rob(self, win: WinFact) -> None:
        """Add the ankan that was robbed."""
        if win.source is not None and self._kan is not None and isinstance(self._log[-1], events.Draw):
            self._take(events.OwnKan(win.source, self._kan))

    def _meld(self, kind: str, seat: int, tile: int, consumed: Sequence[int]) -> Meld:
        source = side_of(seat, self._board.last_seat, self._players)
        if kind == "chi":
            return chi(tile, *consumed)
        if kind == "pon":
            return pon(tile, source, *consumed)
        if kind == "daiminkan":
            return daiminkan(tile, source, *consumed)
        if kind == "ankan":
            return ankan(*consumed)
        melds = self._board.hands[seat].melds
        under = next(meld for meld in melds if meld.kind == MeldKind.PON and meld.tile_kind == KIND[tile])
        return kakan(under, tile)

    # The seats that were asked, with their replies.

    def _peek(self) -> Step | None:
        return self._steps[self._next] if self._next < len(self._steps) else None

    def _reply(self, seat: int) -> Line:
        """Return the own turn's reply of `seat` in the next step."""
        step = self._peek()
        if step is None or [self._seat(player) for player in step] != [seat]:
            raise ValueError(f"step {self._next} is not the turn of seat {seat}")
        self._next += 1
        return next(iter(step.values()))

    def _own_turn(self, seat: int) -> None:
        said = self._reply(seat)
        listed = said.get("legal")
        offer = self._offer(seat, listed)
        if said["type"] == "RIICHI":
            declaring = self._reply(seat)
            reply: RiichiAction = self._discard_of(declaring["tile"], riichi=True)
            if offer is not None and declaring.get("legal"):
                which = frozenset(self._discard_of(may["tile"], riichi=True) for may in declaring["legal"])
                offer = Offer(offer.actions, which)
        else:
            reply = self._action(seat, said)
        self._kan = reply.meld if isinstance(reply, actions.Kan) else None
        self._decisions.append(Decision(replies={seat: reply}, offers={seat: offer}))

    def _reactions(self) -> None:
        """Take the steps that answer the last discard or kan. Missing seats had nothing to answer."""
        replies: dict[int, RiichiAction] = {}
        offers: dict[int, Offer | None] = dict.fromkeys(range(self._players), NOTHING)
        while (step := self._peek()) and all(said["type"] in _REACTIONS for said in step.values()):
            self._next += 1
            for player, said in step.items():
                seat = self._seat(player)
                offers[seat] = self._offer(seat, said.get("legal"))
                if said["type"] != "PASS":
                    replies[seat] = self._action(seat, said)
        self._decisions.append(Decision(replies=replies, offers=offers))

    def _offer(self, seat: int, listed: Iterable[Line] | None) -> Offer | None:
        """Return the offer; None if the options are not listed. Which discards may declare riichi is not recorded
        here."""
        if listed is None:
            return None
        options = list(listed)
        found = [self._action(seat, may) for may in options if may["type"] not in ("PASS", "RIICHI")]
        return Offer(frozenset(found), any(may["type"] == "RIICHI" for may in options))

    def _action(self, seat: int, said: Line) -> RiichiAction:
        kind = said["type"]
        if kind in _SIMPLE:
            return _SIMPLE[kind]
        if kind == "DISCARD":
            return self._discard_of(said["tile"], riichi=False)
        meld = self._meld(kind.lower(), seat, numbered(said["tile"]), [numbered(n) for n in said["consume"]])
        return actions.Kan(meld) if kind in ("ANKAN", "KAKAN") else actions.Call(meld)

    def _discard_of(self, number: int, *, riichi: bool) -> Discard:
        return Discard(numbered(number), tsumogiri=number == self._held, riichi=riichi)
