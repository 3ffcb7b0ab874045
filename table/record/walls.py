"""Walls rebuilt from what a record shows. Tiles that nobody saw fill the places that are left."""

from collections import Counter
from collections.abc import Iterable, Sequence

from table.chance import Numbers, shuffled
from table.errors import BadInput
from table.formats.majiang.words import Item
from table.riichi.pieces.notation import parse_tile, parse_tiles
from table.riichi.pieces.tiles import NAMES, full_set
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules

LIVE = 70
MOST_INDICATORS = 5
MOST_RINSHAN = 4


class _Seen:
    """The tiles of one kyoku in the places where a record shows them."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.hands: list[list[int]] = []
        self.live: list[int] = []
        self.rinshan: list[int] = []
        self.dora: list[int] = []
        self.ura: list[int] = []
        for item in items:
            for key, value in item.items():
                self._take(key, value)

    def _take(self, key: str, value: Item) -> None:
        match key:
            case "qipai":
                self.hands = [parse_tiles(text) for text in value["shoupai"]]
                self.dora.append(parse_tile(value["baopai"]))
            case "zimo":
                self.live.append(parse_tile(value["p"]))
            case "gangzimo":
                self.rinshan.append(parse_tile(value["p"]))
            case "kaigang":
                self.dora.append(parse_tile(value["baopai"]))
            case "hule" if value.get("fubaopai"):
                self.ura = [parse_tile(text) for text in value["fubaopai"]]


def rebuilt(items: Sequence[Item], rules: Rules, seed: str) -> Wall:
    """The wall of one kyoku. Unseen tiles are shuffled by `seed`. Raises BadInput where tiles contradict."""
    seen = _Seen(items)
    if [len(hand) for hand in seen.hands] != [13] * 4:
        raise BadInput("the deal does not show four hands of 13 tiles")
    if len(seen.live) > LIVE or len(seen.rinshan) > MOST_RINSHAN or len(seen.dora) > MOST_INDICATORS:
        raise BadInput("it draws more tiles than the wall has")
    full = Counter(full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s))
    used = Counter(tile for part in (*seen.hands, seen.live, seen.rinshan, seen.dora, seen.ura) for tile in part)
    for tile, count in used.items():
        if count > full[tile]:
            raise BadInput(f"tile {NAMES[tile]} appears {count} times; by these rules there are {full[tile]}")
    rest = iter(shuffled((full - used).elements(), Numbers(f"jantaku unseen 1|{seed}")))
    live = [*seen.live, *(next(rest) for _ in range(LIVE - len(seen.live)))]
    dead = [*seen.rinshan, *(next(rest) for _ in range(MOST_RINSHAN - len(seen.rinshan)))]
    for place in range(MOST_INDICATORS):
        for known in (seen.dora, seen.ura):
            dead.append(known[place] if place < len(known) else next(rest))
    return Wall(seen.hands, live, dead)
