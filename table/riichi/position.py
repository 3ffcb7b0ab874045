"""A position as a picture: who is dealt what, what is drawn next, what lies in the dead wall.

    wall = stack(rules, ["m123p456s789z1155", "p46"], draws="z6 p5")
    game = begin(rules, wall)

Hands are those of 東南西北. A hand may be given in part: tiles that the picture leaves open are filled from a
fixed shuffle, those of `hidden` where nobody sees them for as long as possible. So equal pictures make equal
walls, on every machine and Python.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from table.chance import Numbers, shuffled
from table.errors import BadInput
from table.riichi.flow.hanchan import Standing, opening
from table.riichi.game import Names, RiichiGame, walls_from
from table.riichi.pieces.board import LIVE_TILES
from table.riichi.pieces.notation import parse_tiles
from table.riichi.pieces.seats import WINDS, after
from table.riichi.pieces.tiles import KIND, NAMES, full_set
from table.riichi.pieces.wall import DEAD, Wall
from table.riichi.rules import Rules
from table.riichi.ruleset import preset, with_settings

_DEALT = 13
_RINSHAN = 4


def rules_of(name: str, settings: Mapping[str, str] | None = None) -> Rules:
    """A preset with some keys set as on a command line. BadInput."""
    return _rules(name, tuple((settings or {}).items()))


@cache
def _rules(name: str, settings: tuple[tuple[str, str], ...]) -> Rules:
    return with_settings(preset(name), dict(settings), "settings")


def tiles(text: str) -> list[int]:
    """Tiles from "m123 p0 z11", spaces as you like. BadInput."""
    return parse_tiles("".join(text.split()))


def stack(
    rules: Rules,
    hands: Sequence[str] = (),
    *,
    draws: str = "",
    last: str = "",
    rinshan: str = "",
    dora: str = "",
    ura: str = "",
    hidden: str = "",
) -> Wall:
    """A wall that deals `hands` and then gives `draws`; its live part ends with `last`.

    `dora` and `ura` are indicators in the order in which they are opened. BadInput for a picture with too many
    tiles, in all or of a kind.
    """
    if len(hands) > len(WINDS):
        raise BadInput(f"picture: {len(hands)} hands; allowed are the {len(WINDS)} of {WINDS}")
    known = [_part(WINDS[seat], hand, _DEALT) for seat, hand in enumerate((*hands, "", "", "", "")[:4])]
    front, end = _part("draws", draws, LIVE_TILES), _part("last", last, LIVE_TILES)
    _part("draws and last", draws + last, LIVE_TILES)
    indicators = (DEAD - _RINSHAN) // 2
    kans, upper, lower = (
        _part("rinshan", rinshan, _RINSHAN),
        _part("dora", dora, indicators),
        _part("ura", ura, indicators),
    )
    rest = _rest(rules, [*known, front, end, kans, upper, lower], tiles(hidden))
    for hand in known:
        hand += [next(rest) for _ in range(_DEALT - len(hand))]
    live = [*front, *(next(rest) for _ in range(LIVE_TILES - len(front) - len(end))), *end]
    dead = [*kans, *(next(rest) for _ in range(_RINSHAN - len(kans)))]
    for place in range(indicators):
        dead += [row[place] if place < len(row) else next(rest) for row in (upper, lower)]
    return Wall(known, live, dead)


def standing_at(
    rules: Rules, *, number: int = 0, honba: int = 0, sticks: int = 0, scores: Sequence[int] | None = None
) -> Standing:
    """Where a game stands that begins with kyoku `number`, counted from East 1 = 0. `scores` by player id."""
    first = opening(rules)
    a, b, c, d = scores or first.scores
    return Standing(number, honba, sticks, (a, b, c, d), max(first.last, number))


def begin(rules: Rules, wall: Wall, start: Standing | None = None, names: Names = ("A", "B", "C", "D")) -> RiichiGame:
    """A game whose first kyoku is dealt from `wall`, with seats as player ids; later walls are always the same."""
    at = start or standing_at(rules)
    later, ready = walls_from("position", 0, rules), iter([wall])
    return RiichiGame(rules, lambda now: next(ready, None) or later(now), names, after(0, -at.number), at)


def _part(name: str, text: str, most: int) -> list[int]:
    """One part of the picture. BadInput if it holds more tiles than there is room for."""
    part = tiles(text)
    if len(part) > most:
        raise BadInput(f"picture: {name} has {len(part)} tiles; allowed are {most} at the most")
    return part


def _rest(rules: Rules, used: Iterable[Iterable[int]], hidden: Iterable[int]) -> Iterator[int]:
    """The tiles that the picture leaves open, in a fixed mixed order, hidden kinds last."""
    gone = Counter(tile for part in used for tile in part)
    rest = []
    for tile in _mixed(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s):
        if gone[tile]:
            gone[tile] -= 1
        else:
            rest.append(tile)
    too_many = [NAMES[tile] for tile, count in gone.items() if count]
    if too_many:
        raise BadInput(f"picture: too many of {', '.join(too_many)}; these rules do not have so many of them")
    kinds = {KIND[tile] for tile in hidden}
    return iter(sorted(rest, key=lambda tile: KIND[tile] in kinds))


@cache
def _mixed(red_m: int, red_p: int, red_s: int) -> tuple[int, ...]:
    return tuple(shuffled(full_set(red_m, red_p, red_s), Numbers("jantaku position")))
