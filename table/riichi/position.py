"""A position as a picture: the hands that are dealt, the next draws, and the dead wall.

    wall = stack(rules, ["m123p456s789z1155", "p46"], draws="z6 p5")
    game = begin(rules, wall)

Tiles may also be written 123p456s789m1155z. Hands belong to 東南西北 in this order. A hand may be given in part: tiles
that the picture leaves open are filled from a fixed shuffle. Tiles of the kinds in `hidden` go where they stay unseen
longest. So equal pictures make equal walls, on every machine and Python version.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import Names, RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import LIVE_TILES
from jantaku.table.riichi.pieces.notation import tiles as tiles
from jantaku.table.riichi.pieces.seats import WINDS, after
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, full_set
from jantaku.table.riichi.pieces.wall import DEAD, HAND, INDICATORS, RINSHAN, Wall
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset, with_settings


def rules_of(name: str, settings: Mapping[str, str] | None = None) -> Rules:
    """A preset with some keys set, as on a command line. Raises BadInput for an unknown key or value."""
    return _rules(name, tuple((settings or {}).items()))


@cache
def _rules(name: str, settings: tuple[tuple[str, str], ...]) -> Rules:
    return with_settings(preset(name), dict(settings), "settings")


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
    """Build a wall that deals `hands` and then gives `draws`; its live part ends with `last`.

    `dora` and `ura` are indicators in the order in which they are opened. Raises BadInput for a picture with too many
    tiles, in total or of one kind.
    """
    seats = rules.game.players
    winds, live_tiles = WINDS[:seats], LIVE_TILES[seats]
    if len(hands) > seats:
        raise BadInput(f"picture: {len(hands)} hands; allowed are the {seats} of {winds}")
    known = [_part(wind, hand, HAND) for wind, hand in zip(winds, (*hands, "", "", "", ""), strict=False)]
    front, end = _part("draws", draws, live_tiles), _part("last", last, live_tiles)
    _refuse_more("draws and last", [*front, *end], live_tiles)
    kans, upper, lower = (
        _part("rinshan", rinshan, RINSHAN[seats]),
        _part("dora", dora, INDICATORS),
        _part("ura", ura, INDICATORS),
    )
    rest = _rest(rules, [*known, front, end, kans, upper, lower], tiles(hidden))
    for hand in known:
        hand += [next(rest) for _ in range(HAND - len(hand))]
    live = [*front, *(next(rest) for _ in range(live_tiles - len(front) - len(end))), *end]
    dead = [*kans, *(next(rest) for _ in range(RINSHAN[seats] - len(kans)))]
    for place in range((DEAD - RINSHAN[seats]) // 2):
        dead += [row[place] if place < len(row) else next(rest) for row in (upper, lower)]
    return Wall(known, live, dead)


def standing_at(
    rules: Rules, *, number: int = 0, honba: int = 0, sticks: int = 0, scores: Sequence[int] | None = None
) -> Standing:
    """The standing of a game that begins with kyoku number `number`, counted from East 1 = 0. `scores` are by player
    id."""
    first = opening(rules)
    return Standing(number, honba, sticks, tuple(scores or first.scores), max(first.last, number))


def begin(rules: Rules, wall: Wall, start: Standing | None = None, names: Names = ("A", "B", "C", "D")) -> RiichiGame:
    """Start a game whose first kyoku is dealt from `wall`, with seats as player ids. Later walls are the same in every
    call."""
    at = start or standing_at(rules)
    later, ready = walls_from("position", 0, rules), iter([wall])
    return RiichiGame(
        rules,
        lambda now: next(ready, None) or later(now),
        names[: rules.game.players],
        after(0, -at.number, rules.game.players),
        at,
    )


def _part(name: str, text: str, most: int) -> list[int]:
    """Read one part of the picture. Raises BadInput if it has more than `most` tiles."""
    part = tiles(text)
    _refuse_more(name, part, most)
    return part


def _refuse_more(name: str, part: Sequence[int], most: int) -> None:
    if len(part) > most:
        raise BadInput(f"picture: {name} has {len(part)} tiles; allowed are {most} at the most")


def _rest(rules: Rules, used: Iterable[Iterable[int]], hidden: Iterable[int]) -> Iterator[int]:
    """The tiles that the picture leaves open, in a fixed shuffled order, hidden kinds last."""
    gone = Counter(tile for part in used for tile in part)
    rest = []
    for tile in _mixed(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, rules.game.players):
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
def _mixed(red_m: int, red_p: int, red_s: int, seats: int) -> tuple[int, ...]:
    return tuple(shuffled(full_set(red_m, red_p, red_s, seats), Numbers("jantaku position")))
