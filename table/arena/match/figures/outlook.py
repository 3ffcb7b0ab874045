"""What chance gave each player of a game of four, by a value function that was learned.

The value of a state is what the game will bring each player, in ranks and in points. A small net says from all hands
how the kyoku may end, and for how many points; what each end is worth follows from the standing that it leaves. The
luck of a draw is the value after it less the mean value over all tiles that nobody has seen; the luck of a deal is the
value of the hands as they lie less its mean over the four seats to which they could have been turned. Both are zero in
the mean for any value function, see `luck`: a bad one only takes less away.

`scripts/luckvalue.py` fits the net.
"""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

from jantaku.table.arena.match.figures.draws import ENDS, STYLES, Rows, rows_of
from jantaku.table.arena.match.figures.guesses import bits, guesses, worthy
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.hanchan import ROUNDS, rank_bonus
from jantaku.table.riichi.flow.worth import SPREAD
from jantaku.table.riichi.pieces.seats import SEATS, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import EAST, KINDS, TERMINALS_AND_HONOURS
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

Floats = NDArray[np.float32]
WEIGHTS: Final = Path(__file__).with_name("outlook.npz")
VERSION: Final = 2
"""Of the features: weights fitted to others are refused."""
FEATURES: Final = 184
"""The length of what `features` tells of a draw."""
OUTPUTS: Final = len(ENDS) + 2 * SEATS
"""The length of what a net says: the ends, then by seat the level of a win, and whether it will be tenpai."""
LEVELS: Final = np.arange(-1, 6.1, 0.5)
"""Points of a win for which ends are valued, as powers of two of 1000."""
_OUTSIDE: Final = np.array([kind in TERMINALS_AND_HONOURS for kind in range(KINDS)], np.float32)
_STEEP: Final = 1.702
"""Times this factor, the logistic function differs from the normal distribution by less than 0.01."""
TURNED: Final = np.array(
    [
        [
            ENDS.index(end and ((end[0] - drawer) % SEATS, None if end[1] is None else (end[1] - drawer) % SEATS))
            for end in ENDS
        ]
        for drawer in range(SEATS)
    ]
)
"""By drawer, for each end by seats the number of the same end counted from the drawer."""
WINNER: Final = np.array([end[0] if end else 0 for end in ENDS])
TENPAI: Final = np.array(list(product((False, True), repeat=SEATS)))
"""Who may be tenpai at a draw, by seat."""


class EndsNet:
    """The learned part: `chances` of the ends counted from the drawer, the level of the points of each seat's
    win, and the chance of each to be tenpai at a draw."""

    def __init__(self, layers: Sequence[tuple[Floats, Floats]], mean: Floats, spread: Floats) -> None:
        self.layers, self.mean, self.spread = layers, mean, spread

    def __call__(self, seen: "Seen") -> tuple[Floats, Floats, Floats]:
        (weight, bias), *others = self.layers
        weight = weight / self.spread[:, None]
        shared = seen.shared @ weight + (bias - self.mean @ weight)
        told = shared[:, None] + seen.by_kind @ weight[seen.places]
        for weight, bias in others:
            told = np.maximum(told, 0) @ weight + bias
        chances = np.exp(told[..., : len(ENDS)] - told[..., : len(ENDS)].max(-1, keepdims=True))
        levels = told[..., len(ENDS) : len(ENDS) + SEATS]
        tenpai = (1 / (1 + np.exp(-told[..., len(ENDS) + SEATS :]))).astype(np.float32)
        return chances / chances.sum(-1, keepdims=True), levels, tenpai

    def save(self, path: Path) -> None:
        """Write it for `net_in`."""
        layers: dict[str, Any] = {
            f"{name}{n}": one for n, both in enumerate(self.layers) for name, one in zip("wb", both, strict=True)
        }
        np.savez(path, version=VERSION, mean=self.mean, spread=self.spread, **layers)


@cache
def net_in(path: Path = WEIGHTS) -> EndsNet:
    """Read a net. BadInput if the file is none, or of another version."""
    fit = "fit them with scripts/luckvalue.py"
    if not is_zipfile(path):
        raise BadInput(f"{path}: no weights of luck: {fit}")
    try:
        with np.load(path, allow_pickle=False) as file:
            told: dict[str, NDArray[Any]] = dict(file)
    except (BadZipFile, OSError, EOFError, ValueError, zlib.error):
        raise BadInput(f"{path}: broken weights of luck: {fit}") from None
    version = int(told["version"]) if "version" in told and told["version"].shape == () else 0
    if version != VERSION:
        raise BadInput(f"{path}: weights of luck of version {version}, not {VERSION}: {fit}")
    if not _fits(told):
        raise BadInput(f"{path}: broken weights of luck: {fit}")
    layers = [(told[f"w{n}"], told[f"b{n}"]) for n in range(_layers(told))]
    return EndsNet(layers, told["mean"], told["spread"])


def _layers(told: Mapping[str, NDArray[Any]]) -> int:
    return sum(name.startswith("w") for name in told)


def _fits(told: Mapping[str, NDArray[Any]]) -> bool:
    """Whether the arrays of a file are all there, fit each other, and are finite numbers."""
    count = _layers(told)
    names = {"version", "mean", "spread", *(f"{letter}{n}" for letter in "wb" for n in range(count))}
    if not count or set(told) != names or not all(one.dtype.kind in "fiu" for one in told.values()):
        return False
    sizes = [FEATURES, *(told[f"b{n}"].size for n in range(count))]
    shapes: dict[str, tuple[int, ...]] = {"mean": (FEATURES,), "spread": (FEATURES,)}
    for n, (before, after) in enumerate(pairwise(sizes)):
        shapes |= {f"w{n}": (before, after), f"b{n}": (after,)}
    fitting = sizes[-1] == OUTPUTS and all(told[name].shape == shape for name, shape in shapes.items())
    return fitting and all(bool(np.isfinite(one).all()) for one in told.values())


def learned_luck(record: Record, net: EndsNet | None = None) -> NDArray[np.float64]:
    """Return the luck of each player (by id) in ranks and in points. The record tells all tiles."""
    net = net or net_in()
    drawn, dealt = rows_of(record)
    sums = np.zeros((SEATS, 2))
    worths = _Worths(record)
    dealers = [deal.dealer for kyoku in record.log if isinstance(deal := kyoku[0], events.KyokuStart)]
    values = worths.of(drawn, net)
    came = values[np.arange(len(drawn)), drawn["tile"]] - _mean(values, drawn)
    hands = _mean(worths.of(dealt, net), dealt).reshape(-1, SEATS, SEATS, 2)
    lain = hands[:, 0] - hands.mean(1)
    for seat in range(SEATS):
        players = np.array([player_of(seat, dealer, SEATS) for dealer in dealers])
        np.add.at(sums, players[drawn["kyoku"]], came[:, seat])
        np.add.at(sums, players, lain[:, seat])
    return sums


def _mean(values: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    """The mean value of each row over all tiles that nobody has seen."""
    shares = rows["unseen"] / rows["unseen"].sum(1, keepdims=True, dtype=np.float64)
    found: NDArray[np.float64] = np.einsum("gk,gksf->gsf", shares, values)
    return found


class _Worths:
    """The values of the states of one game."""

    def __init__(self, record: Record) -> None:
        self._rules, self._record = record.rules or preset("tenhou"), record
        self._places: dict[tuple[Any, ...], int] = {}
        self._tables: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []

    def of(self, rows: Rows, net: EndsNet) -> NDArray[np.float64]:
        """Return the values after each draw. Axes: row, kind drawn, seat, rank and points."""
        if not len(rows):
            return np.zeros((0, KINDS, SEATS, 2))
        chances, levels, tenpai = net(features(rows))
        drawers = rows["drawer"].astype(int)
        chances = np.take_along_axis(chances, TURNED[drawers][:, None], 2)
        winners = (WINNER[:-1] - drawers[:, None]) % SEATS
        levels = np.take_along_axis(levels, np.repeat(winners[:, None], KINDS, 1), 2)
        tenpai = np.take_along_axis(tenpai, ((np.arange(SEATS) - drawers[:, None]) % SEATS)[:, None], 2)
        wins, draws, places = self._tables_of(rows)
        below, above = _steps(levels)
        shares = np.zeros((*levels.shape, len(LEVELS)))
        np.put_along_axis(shares, below[..., None], (chances[..., :-1] * (1 - above))[..., None], 3)
        np.put_along_axis(shares, below[..., None] + 1, (chances[..., :-1] * above)[..., None], 3)
        values = shares.reshape(len(rows), KINDS, -1) @ wins.reshape(len(wins), -1, SEATS * 2)[places]
        together = np.where(TENPAI, tenpai[:, :, None], 1 - tenpai[:, :, None]).prod(3)
        values += chances[..., -1:] * (together @ draws[places])
        at, kinds = np.nonzero(rows["end"] >= 0)
        ends = rows["end"][at, kinds].astype(int)
        below, above = _steps(np.log2(np.maximum(rows["won"][at, kinds], 500) / 1000))
        sharp = wins[places[at], ends]
        each = np.arange(len(at))
        values[at, kinds] = sharp[each, below] * (1 - above)[:, None] + sharp[each, below + 1] * above[:, None]
        return values.reshape(len(rows), KINDS, SEATS, 2)

    def _tables_of(self, rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """What wins and draws are worth, as `ends_worth` tells, at each standing; and the number of each row's."""
        places = np.array([self._place(row) for row in zip(rows["kyoku"], rows["sticks"], rows["scores"], strict=True)])
        wins, draws = (np.array(part) for part in zip(*self._tables, strict=True))
        return wins.reshape(*wins.shape[:3], -1), draws.reshape(*draws.shape[:2], -1), places

    def _place(self, standing: tuple[Any, Any, Any]) -> int:
        """The number of the tables for a kyoku with these sticks and scores."""
        kyoku, sticks, scores = int(standing[0]), int(standing[1]), standing[2]
        key = kyoku, sticks, scores.tobytes()
        if key not in self._places:
            deal = self._record.log[kyoku][0]
            assert isinstance(deal, events.KyokuStart)
            first = seat_of(self._record.first_dealer, deal.dealer, SEATS)
            self._places[key] = len(self._tables)
            self._tables.append(ends_worth(scores, sticks, deal, first, self._rules))
        return self._places[key]


def _steps(levels: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the number of the next of `LEVELS` below each level, and how far above it that is."""
    step = np.clip((levels - LEVELS[0]) / (LEVELS[1] - LEVELS[0]), 0, len(LEVELS) - 1.001)
    below = step.astype(int)
    return below, step - below


def ends_worth(
    scores: Sequence[int], sticks: int, deal: events.KyokuStart, first_dealer: int, rules: Rules
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each win at each of `LEVELS` is worth (axes: end, level, seat, rank and points), and each draw by who
    is tenpai (axes: as `TENPAI`, seat, rank and points)."""
    won = 1000 * 2.0**LEVELS
    moved, stays = np.zeros((len(ENDS) - 1, len(LEVELS), SEATS)), np.zeros((len(ENDS) - 1, 1), bool)
    for number, end in enumerate(ENDS[:-1]):
        assert end is not None
        winner, payer = end
        payers = [payer] if payer is not None else [seat for seat in range(SEATS) if seat != winner]
        for seat in payers:
            share = 1.0 if payer is not None else 1 / 3 if winner == 0 else 0.5 if seat == 0 else 0.25
            moved[number, :, seat] -= won * share + 300 * deal.honba / len(payers)
        moved[number, :, winner] = won + 300 * deal.honba + 1000 * sticks
        stays[number] = winner == 0
    several = TENPAI.sum(1, keepdims=True)
    share = rules.draw.noten_penalty * ((several > 0) & (several < SEATS))
    paid = np.where(TENPAI, share / np.maximum(several, 1), -share / np.maximum(SEATS - several, 1))
    keeps = TENPAI[:, 0] if rules.draw.renchan == "tenpai" else np.full(len(TENPAI), rules.draw.renchan == "always")
    place = deal.round_wind * SEATS + deal.kyoku, first_dealer, rules
    now = np.asarray(scores)
    return _worth_after(now + moved, stays, *place), _worth_after(now + paid, keeps, *place)


def _worth_after(
    after: NDArray[np.float64], stays: NDArray[np.bool_], number: int, first_dealer: int, rules: Rules
) -> NDArray[np.float64]:
    """Return the expected rank and points of each seat, at scores with which kyoku `number` ends; the dealer stays or
    not."""
    last = max(ROUNDS[rules.game.length] * SEATS - 1, number)
    left = last - number + stays + np.zeros(after.shape[:-1])
    enough = after.max(-1) >= rules.game.return_points
    left[stays & (number == last) & enough & (after[..., 0] == after.max(-1))] = 0  # アガリやめ
    left[(left <= 0) & ~enough] = 1  # overtime
    left[after.min(-1) < 0] = 0
    return _standing_worth(after, left, first_dealer, rules)


def _standing_worth(
    scores: NDArray[np.float64], left: NDArray[np.float64], first_dealer: int, rules: Rules
) -> NDArray[np.float64]:
    """Return the expected rank and points of each seat: as `StandingWorth` has it, for many standings at once. With
    nothing `left` the game is over."""
    scale = np.where(left > 0, SPREAD * np.sqrt(np.maximum(left, 1)), 1.0)[..., None]
    even = scores - 10.0 * ((np.arange(SEATS) - first_dealer) % SEATS)  # of equal scores the earlier seat is ahead
    far = [(np.roll(even, -turn, -1) - even) / scale for turn in range(1, SEATS)]
    behind = [1 / (1 + np.exp(-_STEEP * np.clip(one, -20, 20))) for one in far]
    rank = 1 + sum(behind)
    first, last = np.prod([1 - one for one in behind], 0), np.prod(behind, 0)
    third = rank - 4 * last - 2 * (1 - last) + first  # from the mean rank, and the chances adding up to one
    second = 1 - first - third - last
    bonus = zip((first, second, third, last), map(float, rank_bonus(rules)), strict=True)
    points = (scores - rules.game.return_points) / 1000 + sum(chance * worth for chance, worth in bonus)
    return np.stack([rank, points], -1)


# --- what the net sees


class Seen(NamedTuple):
    """What the net sees of rows: most features are the same whatever is drawn, and are zero in `by_kind`'s `places`."""

    shared: Floats
    """Axes: row, feature."""
    by_kind: Floats
    """The features that differ by the kind drawn. Axes: row, kind, feature."""
    places: Sequence[int]
    """Where these features stand among all."""

    def drawn(self, kinds: NDArray[Any]) -> Floats:
        """Return all features of each row for the kind that came."""
        found = self.shared.copy()
        found[:, self.places] = self.by_kind[np.arange(len(found)), kinds]
        return found


def features(rows: Rows) -> Seen:
    """Return what the net sees of these rows."""
    unseen, waits, yakuhai = rows["unseen"].astype(np.float32), bits(rows["waits"]), worthy(rows)
    columns = [column for turn in range(SEATS) for column in _of_seat(rows, turn, unseen, waits, yakuhai[:, turn])]
    held = np.einsum("gik,gjk->gij", rows["concealed"].astype(np.float32), waits)
    columns += [np.minimum(held[:, i, j], 4) / 3 for i in range(SEATS) for j in range(SEATS) if i != j]
    discards = bits(rows["discards"])
    given = np.einsum("gkm,gjm->gjk", discards, waits[:, 1:]) / np.maximum(discards.sum(2), 1)[:, None]
    guess = guesses(rows, waits, discards, yakuhai)
    for other in range(SEATS - 1):
        hit = waits[:, 1 + other]
        columns += [hit, given[:, other], hit * (rows["riichi"][:, :1] > 0), hit * (given[:, other] > 0.99)]
        columns += [guess.attack[..., other], guess.fold[..., other], guess.likely[..., other]]
        columns.append(guess.called[..., other])
    columns += [guess.folds, guess.furiten]
    columns += [2 * guess.spared[:, i, j] for i in range(1, SEATS) for j in range(SEATS) if i != j]
    columns += [column for seat in range(SEATS) for column in (guess.safe[:, seat] / 4, guess.danger[:, seat])]
    columns += [rows["style"][:, seat, number] for seat in range(SEATS) for number in range(STYLES)]
    live = rows["live"].astype(np.float32)
    columns += [live / 70, (live / 70) ** 2, live <= 1, live <= 4, np.minimum(live, 12) / 12]
    places = [number for number, column in enumerate(columns) if column.ndim == 2]
    shared = np.zeros((len(rows), len(columns)), np.float32)
    for number, column in enumerate(columns):
        if column.ndim == 1:
            shared[:, number] = column
    return Seen(shared, np.stack([columns[number] for number in places], 2).astype(np.float32), places)


def _of_seat(rows: Rows, turn: int, unseen: Floats, waits: Floats, yakuhai: NDArray[np.bool_]) -> list[Any]:
    """The features of the seat that is `turn` seats after the drawer; columns with two axes differ by the kind
    drawn."""
    shanten, points = rows["shanten"][:, turn], rows["points"][:, turn]
    dora = rows["dora"].astype(np.float32)
    tiles = rows["concealed"][:, turn].astype(np.float32) + rows["laid"][:, turn]
    seat = (rows["drawer"] + turn) % SEATS
    suits = np.stack([tiles[:, at : at + 9].sum(1) for at in (0, 9, 18)], 1).max(1)
    live = (waits[:, turn] * unseen).sum(1)
    if turn:
        near, width = shanten, (bits(rows["useful"][:, turn]) * unseen).sum(1)
        held = (tiles * dora).sum(1)
    else:
        near, width = rows["shanten_after"], np.einsum("gkm,gm->gk", bits(rows["useful_after"]), unseen)
        held = (tiles * dora).sum(1)[:, None] + dora
    columns: list[Any] = []
    for step in range(5):
        here = near == step if step < 4 else near >= step
        columns += [here, here * np.log1p(width) / 3]
    return [
        *(*columns, held / 4, rows["furiten"][:, turn], rows["opened"][:, turn], rows["melds"][:, turn] / 4),
        *(rows["riichi"][:, turn] > 0, rows["ippatsu"][:, turn], rows["reds"][:, turn] / 2),
        *(((tiles >= 3) & yakuhai).sum(1), ((tiles == 2) & yakuhai).sum(1) / 2, (tiles * _OUTSIDE).sum(1) / 14),
        *((suits + tiles[:, EAST:].sum(1)) / 14, (tiles >= 3).sum(1) / 4, np.log2(points / 1000 + 1) / 4),
        *((shanten == 0) & (live > 0), (shanten == 0) & (points == 0), np.log1p(live) / 3, seat == 0),
    ]
