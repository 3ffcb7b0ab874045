"""Reads games of Tenhou: the log (mjlog) and the walls that the server dealt."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import msgspec

from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact, liable_for, sorted_hands
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason, PerSeat
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, THREE, by_seat, player_of, seat_of, side_of
from jantaku.table.riichi.pieces.tiles import sort_tiles
from jantaku.table.riichi.pieces.wall import HAND, SIZES, Wall
from jantaku.table.riichi.points.payments import BY_TENHOU_ID
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.corpora.deriving import derived_decisions
from scripts.corpora.mjlog import Tag, TileOf, is_north, tags, unpack
from scripts.corpora.record import Decision, GameRecord, KyokuRecord, Line, Skipped, dealt, game_of
from scripts.hands.cases import numbered
from scripts.hands.tenhou import norths_apart

_UNUSABLE = {
    "custom_lobby": "a lobby with rules that the log does not name",
    "old_rule": "older than today's rules",
    "truncated": "the log breaks off",
}
_POINTS_DIFFER = "points_differ"
_NO_REDS, _NO_OPEN_TANYAO, _HANCHAN, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
_RANKED_LOBBY = "0"
_REASONS = {
    "": DrawReason.EXHAUSTIVE,
    "nm": DrawReason.NAGASHI,
    "yao9": DrawReason.KYUUSHU,
    "kaze4": DrawReason.SUUFON,
    "reach4": DrawReason.SUUCHA,
    "kan4": DrawReason.SUUKAN,
    "ron3": DrawReason.SANCHAHOU,
}
_DRAWS, _DISCARDS = "TUVW", "DEFG"
_Menus = Mapping[str, Mapping[str, Sequence[str]]]
_DEAD = 14
_RINSHAN = {4: (1, 0, 3, 2), 3: (1, 0, 3, 2, 5, 4, 7, 6)}
"""By number of players: places of the rinshan tiles; behind them ura dora and dora alternate."""


def read_game(line: Line) -> GameRecord | Skipped:
    """Read one line with `xml` (the log) and `walls` (a byte per tile, base64). `menus`, if present, has the options by
    kyoku, play (from 1) and player."""
    if line.get("check") in _UNUSABLE:
        return Skipped(line["id"], _UNUSABLE[line["check"]])
    log = list(tags(line["xml"]))
    table = next(tag for tag in log if tag.name == "GO")
    kind = int(table.attributes["type"])
    tile_of = partial(numbered, reds=not kind & _NO_REDS)
    starts = [place for place, tag in enumerate(log) if tag.name == "INIT"]
    parts = [log[first:end] for first, end in zip(starts, [*starts[1:], None], strict=True)]
    menus = line.get("menus") or [None] * len(parts)
    kyoku = tuple(_kyoku(*one, tile_of) for one in zip(parts, line["walls"], menus, strict=True))
    final = _final(log, THREE if kind & _THREE_PLAYERS else SEATS)
    rules = _rules(table, kyoku, final)
    if final and line.get("check") == _POINTS_DIFFER:
        final = msgspec.structs.replace(final, tenths=None)
    return game_of(line["id"], rules, kyoku, final)


def _rules(table: Tag, kyoku: Sequence[KyokuRecord], final: EndFact | None) -> Rules:
    """Return the rules of a ranked table, changed by the log's head. For a private lobby, the course of the game shows
    more of them."""
    kind = int(table.attributes["type"])
    rules = preset("tenhou-3p") if kind & _THREE_PLAYERS else preset("tenhou")
    hanchan = bool(kind & _HANCHAN)
    if table.attributes.get("lobby") != _RANKED_LOBBY:
        hanchan = hanchan or _outlasts_a_tonpu(kyoku)
    # Some tables give final scores with a decimal; the others have rounded them.
    decimals = final is not None and any(tenths % 10 for tenths in final.tenths or ())
    game = msgspec.structs.replace(
        rules.game,
        length="hanchan" if hanchan else "tonpu",
        start_points=kyoku[0].deal.scores[0],
        score_rounding="none" if decimals else "half-away",
    )
    reds = 0 if kind & _NO_REDS else 1
    return msgspec.structs.replace(
        rules,
        game=game,
        tiles=msgspec.structs.replace(rules.tiles, red_m=reds * (game.players == 4), red_p=reds, red_s=reds),
        score=msgspec.structs.replace(rules.score, open_tanyao=not kind & _NO_OPEN_TANYAO),
    )


def _outlasts_a_tonpu(kyoku: Sequence[KyokuRecord]) -> bool:
    """Return whether a tonpu would have ended earlier: private lobbies may change the length without saying so in the
    head."""
    enough = preset("tenhou").game.extension_points
    passed = [now for before, now in pairwise(kyoku) if before.number < now.number]
    return kyoku[-1].number >= 8 or any(now.number >= 4 and max(now.deal.scores) >= enough for now in passed)


def _final(log: Sequence[Tag], players: int) -> EndFact | None:
    """Return points and final scores by player id; None if the game does not end in this log."""
    text = next((tag.attributes["owari"] for tag in log if "owari" in tag.attributes), None)
    if text is None:
        return None
    owari = text.split(",")[: 2 * players]
    scores = tuple(int(part) * 100 for part in owari[0::2])
    return EndFact(scores=scores, tenths=tuple(round(float(part) * 10) for part in owari[1::2]))


def _kyoku(part: Sequence[Tag], wall: str, menus: _Menus | None, tile_of: TileOf) -> KyokuRecord:
    start = part[0]
    number, honba, sticks, _, _, indicator = start.ints("seed")
    dealer = int(start.attributes["oya"])
    dealt_wall = _wall([tile_of(tile) for tile in base64.b64decode(wall)])
    seats = dealt_wall.seats
    facts = tuple(_facts(part[1:], dealer, seats, tile_of))
    deal = events.KyokuStart(
        dealer=dealer,
        round_wind=number // 4,
        kyoku=number % 4,
        honba=honba,
        sticks=sticks,
        scores=tuple(by_seat([score * 100 for score in start.ints("ten")[:seats]], dealer)),
        indicator=tile_of(indicator),
        hands=sorted_hands(dealt_wall.hands),
    )
    opened = [events.Dora(tile_of(int(tag.attributes["hai"]))) for tag in part if tag.name == "DORA"]
    decisions = derived_decisions(facts)
    if menus is not None:
        decisions = tuple(_offered(*one, menus, dealer, seats) for one in enumerate(decisions, 1))
    return KyokuRecord((deal, *opened, *facts), dealt_wall, decisions)


def _offered(play: int, decision: Decision, menus: _Menus, dealer: int, seats: int) -> Decision:
    """Return the decision about a play with the options of every seat. A seat that is not named is not asked."""
    asked = menus.get(str(play), {})
    players = (player_of(seat, dealer, seats) for seat in range(seats))
    offers = {seat: frozenset(asked.get(str(player), ())) for seat, player in enumerate(players)}
    return msgspec.structs.replace(decision, offers=offers)


def _wall(tiles: list[int]) -> Wall:
    """Make a wall, which is dealt from the end."""
    seats = SIZES[len(tiles)]
    hands, rinshan = HAND * seats, _RINSHAN[seats]
    dead = [tiles[place] for place in rinshan]
    for ura in range(len(rinshan), _DEAD, 2):
        dead += tiles[ura + 1], tiles[ura]
    return Wall(dealt(tiles[: -hands - 1 : -1], seats), tiles[-hands - 1 : _DEAD - 1 : -1], dead)


class _Telling:
    """Turns the tags of one kyoku into facts; remembers what later tags need."""

    def __init__(self, dealer: int, seats: int, tile_of: TileOf) -> None:
        self._dealer, self._seats, self._tile_of = dealer, seats, tile_of
        self._drawn: int | None = None
        self._after_kan = self._declaring = False

    def seat(self, player: int) -> int:
        return seat_of(player, self._dealer, self._seats)

    def draw(self, tag: Tag) -> events.Draw:
        self._drawn, rinshan, self._after_kan = tag.number, self._after_kan, False
        assert tag.number is not None
        return events.Draw(self.seat(_DRAWS.index(tag.name)), self._tile_of(tag.number), rinshan)

    def discard(self, tag: Tag) -> events.TileDiscard:
        tsumogiri, riichi = tag.number == self._drawn, self._declaring
        self._drawn, self._declaring = None, False
        assert tag.number is not None
        return events.TileDiscard(self.seat(_DISCARDS.index(tag.name)), self._tile_of(tag.number), tsumogiri, riichi)

    def meld(self, tag: Tag) -> events.MeldCall | events.OwnKan | events.NorthAside:
        player, packed = int(tag.attributes["who"]), int(tag.attributes["m"])
        seat = self.seat(player)
        if is_north(packed):
            self._drawn, self._after_kan = None, True
            return events.NorthAside(seat)
        meld = self._unpacked(player, packed)
        self._drawn, self._after_kan = None, meld.is_kan
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            return events.OwnKan(seat, meld)
        return events.MeldCall(seat, meld)

    def _unpacked(self, player: int, packed: int) -> Meld:
        """Unpack a meld. With three players Tenhou counts sides on a circle of four whose last place is empty
        (T-71)."""
        meld = unpack(packed, self._tile_of)
        if not meld.source:
            return meld
        side = side_of(player, (player + meld.source) % 4, self._seats)
        return msgspec.structs.replace(meld, source=side)

    def riichi(self, tag: Tag) -> events.Riichi | None:
        """Read a riichi: step 1 comes before the discard, step 2 when the discard has passed."""
        if tag.attributes["step"] == "1":
            self._declaring = True
            return None
        return events.Riichi(self.seat(int(tag.attributes["who"])))

    def win(self, tag: Tag) -> WinFact:
        player = int(tag.attributes["who"])
        seat, source = self.seat(player), self.seat(int(tag.attributes["fromWho"]))
        tile, hand = int(tag.attributes["machi"]), tag.ints("hai")
        hand.remove(tile)
        fu, points, _ = tag.ints("ten")
        yakuman, yaku = tag.ints("yakuman"), tag.ints("yaku")
        named = [(BY_TENHOU_ID[one], 1) for one in yakuman]
        named += [(BY_TENHOU_ID[one], han) for one, han in zip(yaku[0::2], yaku[1::2], strict=True) if han]
        melds = tag.ints("m")
        pao = tag.attributes.get("paoWho")
        return WinFact(
            seat=seat,
            source=None if source == seat else source,
            deltas=self._deltas(tag),
            tile=self._tile_of(tile),
            hand=self._sorted(hand),
            melds=tuple(
                self._unpacked(int(tag.attributes["who"]), one) for one in reversed(melds) if not is_north(one)
            ),
            fu=0 if yakuman else fu,
            han=0 if yakuman else sum(han for _, han in named),
            yakuman=len(yakuman),
            yaku=norths_apart(named, sum(map(is_north, melds)), yakuman=bool(yakuman)),
            points=points,
            ura=tuple(self._tile_of(tile) for tile in tag.ints("doraHaiUra")),
            liable=() if pao is None else liable_for(self.seat(int(pao)), named),
        )

    def end_without_win(self, tag: Tag) -> DrawFact:
        shown = [tag.ints(f"hai{player_of(seat, self._dealer, self._seats)}") for seat in range(self._seats)]
        return DrawFact(
            reason=_REASONS[tag.attributes.get("type", "")],
            deltas=self._deltas(tag),
            hands=tuple(self._sorted(hand) if hand else None for hand in shown),
        )

    def _deltas(self, tag: Tag) -> PerSeat:
        return tuple(by_seat([points * 100 for points in tag.ints("sc")[1 : 2 * self._seats : 2]], self._dealer))

    def _sorted(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sort_tiles(self._tile_of(number) for number in numbers))


def _facts(part: Sequence[Tag], dealer: int, seats: int, tile_of: TileOf) -> Iterator[Fact]:
    telling = _Telling(dealer, seats, tile_of)
    for tag in part:
        if tag.number is not None and tag.name in _DRAWS:
            yield telling.draw(tag)
        elif tag.number is not None and tag.name in _DISCARDS:
            yield telling.discard(tag)
        elif tag.name == "N":
            yield telling.meld(tag)
        elif tag.name == "REACH":
            if stands := telling.riichi(tag):
                yield stands
        elif tag.name == "AGARI":
            yield telling.win(tag)
        elif tag.name == "RYUUKYOKU":
            yield telling.end_without_win(tag)
