"""Rebuilds walls from what a record shows. Unseen tiles fill the remaining places."""

from collections import Counter
from collections.abc import Iterable, Sequence

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import Fact, WinFact
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import LIVE_TILES
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, NAMES, RED_M, full_set
from jantaku.table.riichi.pieces.wall import DEAD, HAND, INDICATORS, RINSHAN, Wall
from jantaku.table.riichi.rules import Rules


class _Seen:
    """The tiles of one kyoku, in the places where a record shows them."""

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
    """Rebuild the wall of one kyoku. Unseen tiles are shuffled by `seed`. Raises BadInput if the tiles contradict the
    rules."""
    seen = _Seen(kyoku)
    seats = rules.game.players
    if [len(hand) for hand in seen.hands] != [HAND] * seats:
        raise BadInput(f"the deal does not show {seats} hands of {HAND} tiles, as these rules have it")
    live_tiles, most_rinshan = LIVE_TILES[seats], RINSHAN[seats]
    stacks = (DEAD - most_rinshan) // 2
    beyond = max(len(seen.dora), len(seen.ura), stacks) - stacks
    """Number of open indicators whose stacks are at the end of the live wall (T-06)."""
    if len(seen.live) + 2 * beyond > live_tiles or len(seen.rinshan) > most_rinshan or len(seen.dora) > INDICATORS:
        raise BadInput("it draws more tiles than the wall has")
    full = Counter(full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, seats))
    used = Counter(tile for part in (*seen.hands, seen.live, seen.rinshan, seen.dora, seen.ura) for tile in part)
    for tile, count in used.most_common():
        if count > full[tile]:
            suit = NAMES[tile][0]
            key = f" (tiles.red_{suit} = {full[RED_M + 'mps'.index(suit)]})" if KIND[tile] in FIVES else ""
            raise BadInput(f"tile {NAMES[tile]} appears {count} times; by these rules there are {full[tile]}{key}")
    rest = iter(shuffled((full - used).elements(), Numbers(f"jantaku unseen 1|{seed}")))
    return Wall.filled(seen.hands, seen.live, seen.rinshan, seen.dora, seen.ura, rest)
