"""Which plane means what: the blocks of planes of each version, in their order.

Relative players are p0 the seat itself, p1 下家, p2 対面, p3 上家. A plane that is *marked* has its value in the
columns of some kinds, one that is *filled* in all 34.

The values of the planes are float32: everything that is computed is in tables made once for each version.

An exponential is computed in float64 from a float32 argument and rounded once: numpy's own float32 `exp` is one unit
off in the last place for some arguments, and differs between machines.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput

VERSIONS: Final = (1, 2, 3)
"""The versions that there are here."""
NUMBERS: Final = 46
"""Length of the mask: the numbers that an action may have."""
FIRST, LAST = 6, 18
"""How many discards of a river are written from its beginning, and how many from its end."""
OWN_WIDTH, WIDTH = 4, 8
"""Planes of a discard of the seat's own, and of another seat's."""
MELDS, MELD_WIDTH = 4, 5
"""Melds of a seat that are written, and planes of each."""

_SUITS: Final = ("m", "p", "s")
_OTHERS: Final = (1, 2, 3)
_OWN: Final = ("its kans, marked", "tile, marked", "red, filled", "dora when discarded, filled")
_OTHER: Final = (
    "smaller tile of its call, marked",
    "larger tile of its call, marked",
    *_OWN,
    "from the hand, filled",
    "declares riichi, filled",
)
_Names = Iterator[str]
Blocks = Iterator[tuple[str, list[str]]]
"""Each block's name, and the meaning of its planes."""


def _set(of: str) -> list[str]:
    """The planes of a set of tiles."""
    copies = [f"{of}: copy {copy} of a kind, marked" for copy in range(1, 5)]
    return [*copies, *(f"{of}: red five of {suit}, filled" for suit in _SUITS)]


def _bell_values(of: str, cap: int, parts: int) -> list[str]:
    """The planes that say by how much a number differs from parts of its cap."""
    return [f"{of}: near {cap * part / parts:g}, filled" for part in range(1, parts)]


def _amount(version: int, of: str, cap: int, parts: int, *, ratio: bool = False) -> list[str]:
    """The planes of a number: as a thermometer in version 1, as bells later, with `ratio` behind its share."""
    if version == 1:
        return [f"{of}: more than {least}, filled" for least in range(cap)]
    return [*([f"{of} / {cap}, filled"] if ratio else []), *_bell_values(of, cap, parts)]


def _scores(version: int) -> _Names:
    for player in range(4):
        yield f"points of p{player} / 100000, filled"
        if version > 1:
            yield from _bell_values(f"hundreds of points of p{player}", 500, 10)


def _river(player: int) -> _Names:
    for count, order in ((FIRST, "discard {} of p{}"), (LAST, "discard {} from the end of p{}")):
        for place in range(1, count + 1):
            of = order.format(place, player)
            yield from (f"{of}: {what}" for what in (_OTHER if player else _OWN))


def _more_of_river(version: int, player: int) -> _Names:
    """The planes of a whole river."""
    if version == 2 and player:
        for what in ("discards", "discards from the hand"):
            yield from (f"{what} of p{player}, row {row}, marked" for row in range(1, 4))
    if version == 3:
        kinds = ("discards", "discards from the hand", "riichi discard") if player else ("discards",)
        yield from (f"{what} of p{player} by age, marked" for what in kinds)


def _start(version: int) -> Blocks:
    yield "hand", [f"hand: {count} or more of a kind, marked" for count in range(1, 5)]
    yield "reds", [f"hand: red five of {suit}, filled" for suit in _SUITS]
    yield "scores", [*_scores(version)]
    yield "rank", [f"rank {rank}, filled" for rank in range(1, 5)]
    kyoku = "kyoku {} or later" if version == 1 else "kyoku {}"
    yield "kyoku", [f"{kyoku.format(number + (version == 1))}, filled" for number in range(1, 5)]
    yield "honba", _amount(version, "honba", 10 if version == 1 else 6, 3)
    yield "sticks", _amount(version, "sticks", 10 if version == 1 else 6, 3)
    yield "winds", ["round wind, marked", "own wind, marked"]
    if version > 1:
        yield "progress", ["kyoku of the hanchan / 7, filled"]
    yield "indicators", _set("indicators")


def _table(version: int) -> Blocks:
    for player in range(4):
        yield f"river{player}", [*_river(player)]
        yield f"more{player}", [*_more_of_river(version, player)]
    yield "left", ["tiles left / 69, filled"]
    yield "doras", [one for p in range(4) for one in _amount(version, f"dora of p{p}", 12, 3, ratio=True)]
    yield "unseen", _amount(version, "dora unseen", 23, 4, ratio=True)
    yield "sets", [one for p in range(4) for one in _set(f"discards of p{p}")]
    meld = [*(f"copy {copy} of a kind, marked" for copy in range(1, 5)), "a red five, filled"]
    yield "melds", [f"meld {n} of p{p}: {what}" for p in range(4) for n in range(1, MELDS + 1) for what in meld]
    yield "ankans", [f"ankan of p{p}, marked" for p in range(4)]
    if version > 1:
        yield "seen", ["copies seen / 4, marked"]
        words = ("marked", "red, filled", "dora when discarded, filled")
        yield "tedashi", [f"last discard from the hand of p{p}: {word}" for p in _OTHERS for word in words]
        yield "sideways", [f"riichi discard of p{p}: {word}" for p in _OTHERS for word in words]
    yield "declared", [f"riichi of p{p} declared, filled" for p in _OTHERS]
    yield "accepted", [f"riichi of p{p} accepted, filled" for p in _OTHERS]


def _turn(version: int) -> Blocks:
    yield "waits", ["waits, marked"]
    yield "furiten", ["furiten, filled"]
    away = [f"shanten above {n}, filled" for n in range(6)] if version == 1 else [f"shanten {n}" for n in range(7)]
    yield "shanten", away if version == 1 else [f"{one}, filled" for one in away]
    yield "riichi", ["own riichi accepted, filled"]
    yield "kan_asked", ["which kan is asked, filled"]
    yield "claimed", ["tile to claim, marked", "tile to claim: red, filled", "tile to claim: dora now, filled"]
    yield "discards", ["discards possible, marked"]
    yield "keeping", ["discards that keep the shanten, marked", "discards that lower the shanten, marked"]
    yield "certain", ["discards to a tenpai that a ron wins with a yaku of the hand, marked"]
    yield "own_declared", ["own riichi declared, filled"]
    yield "may_riichi", ["riichi possible, filled"]
    yield "calls", [f"{call} possible, filled" for call in ("chi low", "chi mid", "chi high", "pon", "daiminkan")]
    yield "own_kans", ["ankan possible, marked", "kakan possible, marked"]
    yield "ends", ["win possible, filled", "九種九牌 possible, filled"]


@cache
def starts(version: int) -> dict[str, int]:
    """By block, its first plane; under `end`, the number of planes. Raises BadInput for a version that there is not."""
    if version not in VERSIONS:
        raise BadInput(f"mortal-{version} is not known; allowed are {', '.join(f'mortal-{one}' for one in VERSIONS)}")
    found, at = {}, 0
    for part in (_start, _table, _turn):
        for name, names in part(version):
            found[name] = at
            at += len(names)
    return {**found, "end": at}


def planes(version: int) -> list[str]:
    """The meaning of each plane, in order: 938, 942 or 934 of them. Raises BadInput for a version that there is not."""
    starts(version)
    return [name for part in (_start, _table, _turn) for _, names in part(version) for name in names]


Floats = NDArray[np.float32]
MOST: Final = 127
"""Amounts above this are written like this one; no game has them."""
FAR: Final = 128
"""An age at which a discard is not seen any more; ages below are written."""
RICH: Final = 100_000
"""Points from which on the share is 1."""


def _exp(argument: Floats) -> Floats:
    return np.exp(argument.astype(np.float64)).astype(np.float32)


def _bells(numbers: Floats, cap: int, parts: int) -> Floats:
    """By number, how near it is to each inner part of the cap: shape (numbers, parts - 1, 1)."""
    width = np.float32(cap) / np.float32(parts)
    centres = np.arange(1, parts, dtype=np.float32) * width
    apart: Floats = numbers[:, None] - centres
    argument: Floats = (-(apart * apart) / (np.float32(2) * width * width)).astype(np.float32)
    return _exp(argument)[:, :, None]


def _counted() -> Floats:
    return np.arange(MOST + 1, dtype=np.float32)


def _thermometer(cap: int) -> Floats:
    """By number, `cap` planes of which the first are 1, as many as the number says: shape (numbers, cap, 1)."""
    return (_counted()[:, None] > np.arange(cap)).astype(np.float32)[:, :, None]


@cache
def amounts(version: int, cap: int, parts: int, *, ratio: bool = False) -> Floats:
    """By number from 0 to MOST, the values of its planes: shape (MOST + 1, planes, 1)."""
    if version == 1:
        return _thermometer(cap)
    bells = _bells(_counted(), cap, parts)
    if not ratio:
        return bells
    share = np.minimum(_counted(), np.float32(cap)) / np.float32(cap)
    return np.concatenate([share[:, None, None], bells], axis=1)


@cache
def points(version: int, score: int) -> Floats:
    """The values of the planes of a seat's points: shape (planes, 1). Points below 0 are all zeros."""
    share = np.float32(min(max(score, 0), RICH)) / np.float32(RICH)
    if version == 1:
        return np.array([[share]], np.float32)
    if score < 0:
        return np.zeros((10, 1), np.float32)
    return np.concatenate([[[share]], _bells(np.array([score // 100], np.float32), 500, 10)[0]]).astype(np.float32)


def _ages() -> Floats:
    values = np.zeros(2 * FAR, np.float32)
    values[:FAR] = _exp(np.float32(-0.2) * np.arange(FAR, dtype=np.float32))
    return values


AGES: Final = _ages()
"""By age of a discard, its value; 0 from FAR on."""
LEFT: Final = np.arange(MOST + 1, dtype=np.float32) / np.float32(69)
"""By number of tiles left, its value."""
SEVENTHS: Final = np.minimum(_counted(), 7) / np.float32(7)
"""By number of kyoku played, how far the hanchan is."""
QUARTER: Final = np.float32(0.25)
"""What each copy seen adds."""
