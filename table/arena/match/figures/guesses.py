"""What the seats will probably discard: a hand keeps the shortest way and the greatest width, and beside a riichi, two
steps from tenpai or more, it discards what is the safest. A value function that sees this is surprised less.

All of it is a guess of what is decided after a draw: it may be wrong, and says nothing of what will be drawn.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jantaku.players.bots.danger import BEARABLE, FRESH_HONOUR, LIVE_HONOUR, NUMBER
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tiles import EAST, KINDS, WHITE

Floats = NDArray[np.float32]
Bits = NDArray[np.bool_]
_HONOUR: Final = np.array([FRESH_HONOUR, FRESH_HONOUR, *LIVE_HONOUR[2:]], np.float32)
_NUMBER: Final = np.array([(*risks, risks[-1])[:3] for risks in NUMBER], np.float32)
_NEVER: Final = np.float32(1e9)
_KIND: Final = np.arange(KINDS)
_RANK: Final = np.where(_KIND < EAST, _KIND % 9, 0)
_END: Final = np.minimum(_RANK, 8 - _RANK)
_UP: Final = (_KIND < EAST) & (_RANK < 6)
_DOWN: Final = (_KIND < EAST) & (_RANK > 2)


class Guesses(NamedTuple):
    """Guesses of rows. Axes: row, then kind drawn (where the drawer discards), then the seat that may win by it."""

    kinds: NDArray[np.int64]
    """What the drawer will discard; no axis of seats."""
    attack: Floats
    """The share of the widest discards for which each other seat waits."""
    fold: Floats
    """Whether it waits for the safest discard."""
    likely: Floats
    """Whether it waits for the likely one of these."""
    folds: Floats
    """Whether the safest discard is the likely one; no axis of seats."""
    called: Floats
    """Whether another seat may call the likely discard as a yakuhai."""
    furiten: Floats
    """Whether the drawer will be furiten; no axis of seats."""
    spared: Floats
    """Axes: row, seat, other seat: the share of what the seat will discard later for which the other waits."""
    safe: Floats
    """Axes: row, seat: its tiles that are safe beside a riichi."""
    danger: Floats
    """Axes: row, seat: the chance to deal in by the safest of them."""


def bits(masks: NDArray[Any]) -> Floats:
    """Return sets of kinds as an axis of zeros and ones."""
    found: Floats = (masks[..., None] >> np.arange(KINDS, dtype=np.uint64) & np.uint64(1)).astype(np.float32)
    return found


def guesses(rows: Any, waits: Floats, discards: Floats, yakuhai: Bits) -> Guesses:
    """Return the guesses for rows; `waits` and `yakuhai` by seat, `discards` by the kind drawn, all with an axis of
    kinds."""
    at, concealed, riichi = np.arange(len(rows))[:, None], rows["concealed"], rows["riichi"] > 0
    risk, worth = _risks(rows, riichi), _worths(rows, yakuhai)
    beside = (riichi.sum(1, keepdims=True) - riichi) > 0
    widest, near, own = bits(rows["widest"]), rows["shanten_after"], bits(rows["useful_after"])
    shares = np.einsum("gkm,gjm->gkj", widest, waits[:, 1:]) / np.maximum(widest.sum(2), 1)[..., None]
    dear = worth[:, :1] + 2 * np.eye(KINDS, dtype=np.float32) * yakuhai[:, :1]
    kind = _least(np.where(widest > 0, dear, _NEVER))
    safest, folds = np.zeros_like(kind), np.zeros(kind.shape, bool)
    some = np.flatnonzero(beside[:, 0])
    safest[some], careful, pushes = _facing(rows[some], risk[some, 0], worth[some, 0], discards[some], widest[some])
    folds[some] = (near[some] >= 1) & ~pushes
    kind[some] = np.where(folds[some], safest[some], np.where(near[some] == 1, careful, kind[some]))
    waited = waits[:, 1:].transpose(0, 2, 1)
    called = ((concealed[:, 1:] == 2) & yakuhai[:, 1:]).transpose(0, 2, 1)
    waits_for_it = np.take_along_axis(own, kind[..., None], 2)[..., 0] > 0
    furiten = (near == 0) & ((own * bits(rows["river"])[:, :1]).any(2) | waits_for_it)
    least = np.where(concealed > 0, risk, _NEVER).min(2)
    return Guesses(
        *(kind, shares, _floats(waited[at, safest] * beside[:, :1, None]), waited[at, kind], _floats(folds)),
        *(_floats(called[at, kind]), _floats(furiten), _spared(rows, waits, risk, worth, beside)),
        *(_floats(((risk <= 0) * concealed).sum(2) * beside), _floats(np.where(beside, least, 0) / 100)),
    )


def _floats(values: NDArray[Any]) -> Floats:
    return values.astype(np.float32)


def _facing(
    rows: Any, risk: Floats, worth: Floats, discards: Floats, widest: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64], Bits]:
    """Beside a riichi, by the kind drawn: the safest discard; one that keeps a hand one step from tenpai and can be
    borne; and whether the hand has such a discard. `risk` and `worth` are the drawer's."""
    held = (rows["concealed"][:, 0] > 0)[:, None] | np.eye(KINDS, dtype=bool)
    cost = 1000 * risk[:, None] + 100 * (1 - discards) + worth[:, None]
    bearable = (discards > 0) & (risk[:, None] <= BEARABLE)
    careful = np.where(bearable, worth[:, None] + 500 * (1 - widest), _NEVER)
    return _least(np.where(held, cost, _NEVER)), _least(careful), bearable.any(2) & (rows["shanten_after"] == 1)


def _least(cost: NDArray[Any]) -> NDArray[np.int64]:
    """The kind with the least cost, the higher of equal ones."""
    found: NDArray[np.int64] = (cost - 0.001 * np.arange(KINDS)).argmin(-1)
    return found


def _spared(rows: Any, waits: Floats, risk: Floats, worth: Floats, beside: Bits) -> Floats:
    """What each seat will discard before it draws anything of use, by the seat that waits for it."""
    loose = bits(rows["loose"])
    unseen = rows["unseen"] / rows["unseen"].sum(1, keepdims=True, dtype=np.float32)
    spare = loose / np.maximum(loose.sum(2, keepdims=True), 1)
    riichi = rows["riichi"] > 0
    folds = beside & ~riichi & (rows["shanten"] >= 2)
    spare[riichi] = np.broadcast_to(unseen[:, None], spare.shape)[riichi]
    which = np.nonzero(folds)
    if len(which[0]):
        cost = np.where(rows["concealed"][which] > 0, 1000 * risk[which] + worth[which], _NEVER)
        spare[which] = np.eye(KINDS, dtype=np.float32)[_least(cost)]
    found: Floats = np.einsum("gik,gjk->gij", spare, waits)
    return found


def _worths(rows: Any, worthy: Bits) -> Floats:
    """By seat and kind, how reluctantly it is discarded if the shape does not decide."""
    plain = np.where(_KIND >= EAST, 0, 2 + _END)
    yakuhai = worthy * (1 + 2 * rows["concealed"])
    found: Floats = (plain + yakuhai + 10 * rows["dora"][:, None]).astype(np.float32)
    return found


def _risks(rows: Any, riichi: Bits) -> Floats:
    """By seat and kind, chances in a thousand that a seat in riichi wins by it, summed."""
    found = np.zeros((len(rows), SEATS, KINDS), np.float32)
    some = np.flatnonzero(riichi.any(1))
    if not len(some):
        return found
    seen = np.minimum(rows["open"][some][:, None] + rows["concealed"][some], 4)
    gone = np.pad(seen >= 4, ((0, 0), (0, 0), (3, 3)))[:, :, None]
    safe = bits(rows["safe"][some]) > 0
    wide = np.pad(safe, ((0, 0), (0, 0), (3, 3)))[:, None]
    above = _UP & ~(wide[..., 6:] | gone[..., 4:-2] | gone[..., 5:-1])
    below = _DOWN & ~(wide[..., :-6] | gone[..., 2:-4] | gone[..., 1:-5])
    number = _NUMBER[_END, above.astype(int) + below]
    each = np.where(_KIND >= EAST, _HONOUR[seen][:, :, None], number)
    counts = (riichi[some][:, None] & ~np.eye(SEATS, dtype=bool))[..., None] & ~safe[:, None]
    found[some] = (each * counts).sum(2)
    return found


def worthy(rows: Any) -> Bits:
    """By seat and kind, whether three of it are a yaku."""
    count, at = len(rows), np.arange(len(rows))
    found = np.zeros((count, SEATS, KINDS), bool)
    found[..., WHITE:] = True
    for turn in range(SEATS):
        found[at, turn, EAST + (rows["drawer"] + turn) % SEATS] = True
        found[at, turn, EAST + rows["round"] % SEATS] = True
    return found
