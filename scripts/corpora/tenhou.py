"""Games of Tenhou: the log (mjlog) and the walls that the server dealt."""

import base64
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import msgspec

from scripts.corpora.deriving import derived_decisions
from scripts.corpora.mjlog import Tag, TileOf, tags, unpack
from scripts.corpora.record import GameRecord, KyokuRecord, Line, Skipped, dealt, game_of
from scripts.hands.cases import numbered
from table.formats.facts import DrawFact, EndFact, Fact, WinFact, liable_for, sorted_hands
from table.riichi import events
from table.riichi.events import DrawReason, Four, four
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.seats import by_seat
from table.riichi.pieces.tiles import sort_tiles
from table.riichi.pieces.wall import Wall
from table.riichi.points.yaku import BY_TENHOU_ID
from table.riichi.rules import Rules
from table.riichi.ruleset import preset

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
_FIRST_LIVE, _LAST_LIVE = 83, 14
_RINSHAN, _DORA, _URA = (1, 0, 3, 2), range(5, 14, 2), range(4, 13, 2)
"""Places in the dead wall."""


def read_game(line: Line) -> GameRecord | Skipped:
    """One line with `xml` (the log) and `walls` (136 bytes each, base64)."""
    if line.get("check") in _UNUSABLE:
        return Skipped(line["id"], _UNUSABLE[line["check"]])
    log = list(tags(line["xml"]))
    table = next(tag for tag in log if tag.name == "GO")
    kind = int(table.attributes["type"])
    if kind & _THREE_PLAYERS:
        return Skipped(line["id"], "three players")
    tile_of = partial(numbered, reds=not kind & _NO_REDS)
    starts = [place for place, tag in enumerate(log) if tag.name == "INIT"]
    parts = [log[first:end] for first, end in zip(starts, [*starts[1:], None], strict=True)]
    kyoku = tuple(_kyoku(part, wall, tile_of) for part, wall in zip(parts, line["walls"], strict=True))
    final = _final(log)
    rules = _rules(table, kyoku, final)
    if final and line.get("check") == _POINTS_DIFFER:
        final = msgspec.structs.replace(final, tenths=None)
    return game_of(line["id"], rules, kyoku, final)


def _rules(table: Tag, kyoku: Sequence[KyokuRecord], final: EndFact | None) -> Rules:
    """Those of the ranked tables, with what the log's head says, and what the log itself shows of a private lobby."""
    rules, kind = preset("tenhou"), int(table.attributes["type"])
    hanchan = bool(kind & _HANCHAN)
    if table.attributes.get("lobby") != _RANKED_LOBBY:
        hanchan = hanchan or _outlasts_a_tonpu(kyoku)
    # Some tables give final scores with a decimal; those with whole ones have rounded them.
    decimals = final is not None and any(tenths % 10 for tenths in final.tenths or ())
    game = msgspec.structs.replace(
        rules.game,
        length="hanchan" if hanchan else "tonpu",
        start_points=kyoku[0].deal.scores[0],
        score_rounding="none" if decimals else rules.game.score_rounding,
    )
    reds = 0 if kind & _NO_REDS else 1
    return msgspec.structs.replace(
        rules,
        game=game,
        tiles=msgspec.structs.replace(rules.tiles, red_m=reds, red_p=reds, red_s=reds),
        score=msgspec.structs.replace(rules.score, open_tanyao=not kind & _NO_OPEN_TANYAO),
    )


def _outlasts_a_tonpu(kyoku: Sequence[KyokuRecord]) -> bool:
    """Whether a tonpu would have ended before: private lobbies may change the length, and the head does not say so."""
    enough = preset("tenhou").game.extension_points
    passed = [now for before, now in pairwise(kyoku) if before.number < now.number]
    return kyoku[-1].number >= 8 or any(now.number >= 4 and max(now.deal.scores) >= enough for now in passed)


def _final(log: Sequence[Tag]) -> EndFact | None:
    """Points and final scores in turn, by player id; None where the game does not end in this log."""
    text = next((tag.attributes["owari"] for tag in log if "owari" in tag.attributes), None)
    if text is None:
        return None
    owari = text.split(",")
    scores = four(int(part) * 100 for part in owari[0::2])
    return EndFact(scores=scores, tenths=four(round(float(part) * 10) for part in owari[1::2]))


def _kyoku(part: Sequence[Tag], wall: str, tile_of: TileOf) -> KyokuRecord:
    start = part[0]
    number, honba, sticks, _, _, indicator = start.ints("seed")
    dealer = int(start.attributes["oya"])
    facts = tuple(_facts(part[1:], dealer, tile_of))
    dealt_wall = _wall([tile_of(tile) for tile in base64.b64decode(wall)])
    deal = events.KyokuStart(
        dealer=dealer,
        round_wind=number // 4,
        kyoku=number % 4,
        honba=honba,
        sticks=sticks,
        scores=four(by_seat([score * 100 for score in start.ints("ten")], dealer)),
        indicator=tile_of(indicator),
        hands=sorted_hands(dealt_wall.hands),
    )
    opened = [events.Dora(tile_of(int(tag.attributes["hai"]))) for tag in part if tag.name == "DORA"]
    return KyokuRecord((deal, *opened, *facts), dealt_wall, derived_decisions(facts))


def _wall(tiles: list[int]) -> Wall:
    """Dealt from the end."""
    dead = [tiles[place] for place in _RINSHAN]
    for dora, ura in zip(_DORA, _URA, strict=True):
        dead += tiles[dora], tiles[ura]
    return Wall(dealt(tiles[:_FIRST_LIVE:-1]), tiles[_FIRST_LIVE : _LAST_LIVE - 1 : -1], dead)


class _Telling:
    """Turns the tags of one kyoku into facts; remembers what a tag leaves to be known."""

    def __init__(self, dealer: int, tile_of: TileOf) -> None:
        self._dealer, self._tile_of = dealer, tile_of
        self._drawn: int | None = None
        self._after_kan = self._declaring = False

    def seat(self, player: int) -> int:
        return (player - self._dealer) % 4

    def draw(self, tag: Tag) -> events.Draw:
        self._drawn, rinshan, self._after_kan = tag.number, self._after_kan, False
        assert tag.number is not None
        return events.Draw(self.seat(_DRAWS.index(tag.name)), self._tile_of(tag.number), rinshan)

    def discard(self, tag: Tag) -> events.TileDiscard:
        tsumogiri, riichi = tag.number == self._drawn, self._declaring
        self._drawn, self._declaring = None, False
        assert tag.number is not None
        return events.TileDiscard(self.seat(_DISCARDS.index(tag.name)), self._tile_of(tag.number), tsumogiri, riichi)

    def meld(self, tag: Tag) -> events.MeldCall | events.OwnKan:
        seat, meld = self.seat(int(tag.attributes["who"])), unpack(int(tag.attributes["m"]), self._tile_of)
        self._drawn, self._after_kan = None, meld.is_kan
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            return events.OwnKan(seat, meld)
        return events.MeldCall(seat, meld)

    def riichi(self, tag: Tag) -> events.Riichi | None:
        """Step 1 comes before the discard, step 2 when it has passed."""
        if tag.attributes["step"] == "1":
            self._declaring = True
            return None
        return events.Riichi(self.seat(int(tag.attributes["who"])))

    def win(self, tag: Tag) -> WinFact:
        seat, source = (self.seat(int(tag.attributes[name])) for name in ("who", "fromWho"))
        tile, hand = int(tag.attributes["machi"]), tag.ints("hai")
        hand.remove(tile)
        fu, points, _ = tag.ints("ten")
        yakuman, yaku = tag.ints("yakuman"), tag.ints("yaku")
        named = [(BY_TENHOU_ID[one], 1) for one in yakuman]
        named += [(BY_TENHOU_ID[one], han) for one, han in zip(yaku[0::2], yaku[1::2], strict=True) if han]
        pao = tag.attributes.get("paoWho")
        return WinFact(
            seat=seat,
            source=None if source == seat else source,
            deltas=self._deltas(tag),
            tile=self._tile_of(tile),
            hand=self._sorted(hand),
            melds=tuple(unpack(packed, self._tile_of) for packed in reversed(tag.ints("m"))),
            fu=0 if yakuman else fu,
            han=0 if yakuman else sum(han for _, han in named),
            yakuman=len(yakuman),
            yaku=tuple(named),
            points=points,
            ura=tuple(self._tile_of(tile) for tile in tag.ints("doraHaiUra")),
            liable=() if pao is None else liable_for(self.seat(int(pao)), named),
        )

    def end_without_win(self, tag: Tag) -> DrawFact:
        shown = [tag.ints(f"hai{(self._dealer + seat) % 4}") for seat in range(4)]
        return DrawFact(
            reason=_REASONS[tag.attributes.get("type", "")],
            deltas=self._deltas(tag),
            hands=tuple(self._sorted(hand) if hand else None for hand in shown),
        )

    def _deltas(self, tag: Tag) -> Four:
        return four(by_seat([points * 100 for points in tag.ints("sc")[1::2]], self._dealer))

    def _sorted(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sort_tiles(self._tile_of(number) for number in numbers))


def _facts(part: Sequence[Tag], dealer: int, tile_of: TileOf) -> Iterator[Fact]:
    telling = _Telling(dealer, tile_of)
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
