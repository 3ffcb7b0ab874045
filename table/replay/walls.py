"""Walls reconstructed from what a record shows. Unseen tiles fill the remaining places."""

from collections import Counter
from collections.abc import Iterable, Sequence

from table.chance import Numbers, shuffled
from table.errors import BadInput
from table.formats.facts import Fact, WinFact
from table.riichi import events
from table.riichi.pieces.board import LIVE_TILES
from table.riichi.pieces.tiles import FIVES, KIND, NAMES, RED_M, full_set
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules

MOST_INDICATORS = 5
MOST_RINSHAN = 4


class _Seen:
    """The tiles of one kyoku in the places where a record shows them."""

    def __init__(self, kyoku: Iterable[Fact]) -> None:
        self.hands: list[list[int]] = []
        self.live: list[int] = []
        self.rinshan: list[int] = []
        self.dora: list[int] = []
        self.ura: Sequence[int] = ()
        for fact in kyoku:
            match fact:
                case events.KyokuStart():
                    self.hands = [list(hand or ()) for hand in fact.hands]
                    self.dora.append(fact.indicator)
                case events.Draw(tile=tile, rinshan=rinshan) if tile is not None:
                    (self.rinshan if rinshan else self.live).append(tile)
                case events.Dora(indicator):
                    self.dora.append(indicator)
                case WinFact(ura=ura) if ura:
                    self.ura = ura


def rebuilt(kyoku: Sequence[Fact], rules: Rules, seed: str) -> Wall:
    """The wall of one kyoku. Unseen tiles are shuffled by `seed`. Raises BadInput where tiles contradict."""
    seen = _Seen(kyoku)
    if [len(hand) for hand in seen.hands] != [13] * 4:
        raise BadInput("the deal does not show four hands of 13 tiles")
    if len(seen.live) > LIVE_TILES[4] or len(seen.rinshan) > MOST_RINSHAN or len(seen.dora) > MOST_INDICATORS:
        raise BadInput("it draws more tiles than the wall has")
    full = Counter(full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s))
    used = Counter(tile for part in (*seen.hands, seen.live, seen.rinshan, seen.dora, seen.ura) for tile in part)
    for tile, count in used.most_common():
        if count > full[tile]:
            suit = NAMES[tile][0]
            key = f" (tiles.red_{suit} = {full[RED_M + 'mps'.index(suit)]})" if KIND[tile] in FIVES else ""
            raise BadInput(f"tile {NAMES[tile]} appears {count} times; by these rules there are {full[tile]}{key}")
    rest = iter(shuffled((full - used).elements(), Numbers(f"jantaku unseen 1|{seed}")))
    live = [*seen.live, *(next(rest) for _ in range(LIVE_TILES[4] - len(seen.live)))]
    dead = [*seen.rinshan, *(next(rest) for _ in range(MOST_RINSHAN - len(seen.rinshan)))]
    for place in range(MOST_INDICATORS):
        for known in (seen.dora, seen.ura):
            dead.append(known[place] if place < len(known) else next(rest))
    return Wall(seen.hands, live, dead)
