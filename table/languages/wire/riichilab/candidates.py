"""The possible replies, tile by tile: RiichiLab lists every physical tile as an action of its own, and matches a reply
with the first that fits."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

import msgspec

from jantaku.table.ground.port import Action
from jantaku.table.languages.mjai.words import TILES, Line
from jantaku.table.languages.wire.riichilab.physical import COPIES, Physical
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tiles import NORTH

_RANKS = ("hora", "pon", "daiminkan", "chi", "none", "dahai", "ankan", "kakan", "reach", "kita", "ryukyoku")
_WORDS = {
    "dahai": "Discard",
    "chi": "Chi",
    "pon": "Pon",
    "daiminkan": "Daiminkan",
    "ankan": "Ankan",
    "kakan": "Kakan",
    "reach": "Riichi",
    "kita": "Kita",
    "ryukyoku": "KyushuKyuhai",
    "none": "Pass",
}


class Candidate(msgspec.Struct, frozen=True):
    """One physical action. `action` is the game's, None for `reach`, whose discard is asked for next; `tile` and `own`
    are numbers of tiles, `pai` and `consumed` their words."""

    kind: str
    action: Action | None
    tile: int | None = None
    own: tuple[int, ...] = ()
    pai: str | None = None
    consumed: tuple[str, ...] = ()

    def line(self, me: int) -> Line:
        """The candidate as `possible_actions` has it."""
        line: Line = {"type": self.kind, "actor": me}
        if self.pai is not None:
            line["pai"] = self.pai
        return line | ({"consumed": list(self.consumed)} if self.consumed else {})

    def legal(self, me: int) -> dict[str, Any]:
        """The candidate as `_legal_actions` of an observation has it."""
        word = _WORDS.get(self.kind) or ("Tsumo" if self.action == actions.TSUMO else "Ron")
        return {"action_type": word, "tile": self.tile, "consume_tiles": list(self.own), "actor": me}


def candidates(options: Iterable[Action], seen: Physical, *, after_reach: bool = False) -> list[Candidate]:
    """Every physical action of `options`, in RiichiLab's order. `after_reach`: only the discards that declare
    riichi."""
    options = tuple(options)
    found = list(_discards(options, seen, riichi=after_reach))
    if not after_reach:
        if any(isinstance(option, actions.Discard) and option.riichi for option in options):
            found.append(Candidate("reach", None))
        for option in options:
            found += _special(option, seen)
    return sorted(found, key=lambda one: _RANKS.index(one.kind))


def match(reply: Line, offered: list[Candidate], drawn: int | None) -> Candidate | None:
    """The candidate that a reply means, None if it means none; by the rules of riichienv's
    `select_action_from_mjai`."""
    kind, pai, consumed = reply.get("type"), reply.get("pai"), reply.get("consumed")
    found = [one for one in offered if one.kind == kind]
    if kind in ("hora", "none", "reach", "kita", "ryukyoku"):
        return found[0] if found else None
    if pai is not None and kind != "ankan":
        found = [one for one in found if one.pai == pai]
    if kind == "dahai":
        wants_drawn = reply.get("tsumogiri") is True
        found.sort(key=lambda one: (one.tile == drawn) is not wants_drawn)
    elif isinstance(consumed, list):
        wanted = Counter(map(str, consumed))
        found = [one for one in found if Counter(one.consumed) == wanted]
    return found[0] if found else None


def _discards(options: tuple[Action, ...], seen: Physical, *, riichi: bool) -> Iterator[Candidate]:
    for number in seen.hand:
        tile = seen.tile[number]
        action = actions.Discard(tile, number == seen.drawn, riichi)
        if action in options:
            yield Candidate("dahai", action, number, (), TILES[tile])


def _special(option: Action, seen: Physical) -> list[Candidate]:
    match option:
        case actions.Tsumo():
            return [Candidate("hora", option, seen.drawn)]
        case actions.Ron():
            return [Candidate("hora", option, seen.last if seen.added is None else seen.added)]
        case actions.Kyuushu():
            return [Candidate("ryukyoku", option)]
        case actions.SetAside():
            north = next(number for number in seen.hand if seen.tile[number] == NORTH)
            return [Candidate("kita", option, north, (), TILES[NORTH])]
        case actions.Pass():
            return [Candidate("none", option)]
        case actions.Call(meld):
            return [_meld(option, meld, seen.last, own, seen) for own in _ways(meld, seen)]
        case actions.Kan(meld) if meld.added is None:
            own = tuple(number for number in seen.hand if number // COPIES == meld.tile_kind)
            return [_meld(option, meld, own[0], own, seen)]
        case actions.Kan(meld):
            added = next(number for number in seen.hand if number // COPIES == meld.tile_kind)
            return [_meld(option, meld, added, tuple(seen.pon_of(seen.seat, meld.tile_kind)["tiles"]), seen)]
    return []


def _meld(option: Action, meld: Meld, tile: int | None, own: tuple[int, ...], seen: Physical) -> Candidate:
    assert tile is not None, "a meld has its tile"
    kind = MeldKind(meld.kind).name.lower()
    return Candidate(kind, option, tile, own, TILES[seen.tile[tile]], tuple(TILES[seen.tile[one]] for one in own))


def _ways(meld: Meld, seen: Physical) -> list[tuple[int, ...]]:
    """The sets of physical tiles with which a call can be made."""
    need = Counter(meld.own)
    held = [combinations([one for one in seen.hand if seen.tile[one] == tile], count) for tile, count in need.items()]
    return sorted(tuple(sorted(one for part in parts for one in part)) for parts in product(*held))
