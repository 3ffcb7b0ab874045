"""Learned luck has mean zero for any value function, and only for weights and records that it can read."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from jantaku.table.arena.match.figures import draws, luck
from jantaku.table.arena.match.figures.draws import ENDS, rows_of
from jantaku.table.arena.match.figures.guesses import bits, guesses, worthy
from jantaku.table.arena.match.figures.outlook import (
    FEATURES,
    OUTPUTS,
    TENPAI,
    WEIGHTS,
    EndsNet,
    ends_worth,
    features,
    learned_luck,
    net_in,
)
from jantaku.table.arena.match.figures.summary import Luck
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import Record, load
from jantaku.table.riichi.events import Dora, Draw, KyokuStart, MeldCall, TileDiscard
from jantaku.table.riichi.pieces.melds import pon
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, NORTH, RED
from jantaku.table.riichi.points.shapes import widest_discards
from jantaku.table.riichi.ruleset import preset
from scripts.luckvalue import _slopes, fitted
from tests.arena.match.matches import play_match, small_plan
from tests.kit.command import Jantaku


def absurd() -> EndsNet:
    """A net that has learned nothing, and is sure of it."""
    weight = np.random.default_rng(5).normal(0, 2, (FEATURES, OUTPUTS)).astype(np.float32)
    bias, mean, spread = (
        np.full(size, worth, np.float32) for size, worth in ((OUTPUTS, 0), (FEATURES, 0), (FEATURES, 1))
    )
    return EndsNet([(weight, bias)], mean, spread)


def learned() -> EndsNet:
    return net_in()


Made = Callable[[], EndsNet]
NETS = pytest.mark.parametrize("net", [learned, absurd], ids=lambda made: made.__name__)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("luck") / "match"
    play_match(folder, small_plan(["shanten", "caller"], "tonpu", sets=1))
    return load(min((folder / "records").glob("*.jsonl")))


def until(record: Record, kyoku: int, count: int) -> Record:
    """The record of one kyoku alone, up to its draw of that number."""
    log = record.log[kyoku]
    places = [at for at, fact in enumerate(log) if isinstance(fact, Draw)]
    return msgspec.structs.replace(record, log=[log[: places[count] + 1]])


def unseen_in(record: Record) -> NDArray[np.int64]:
    """By kind, how many tiles nobody has seen before the last draw."""
    deal, *facts = record.log[0]
    assert isinstance(deal, KyokuStart)
    unseen = np.full(KINDS, 4)
    for tile in [deal.indicator, *(tile for hand in deal.hands for tile in hand or ())]:
        unseen[KIND[tile]] -= 1
    for fact in facts[:-1]:
        if isinstance(fact, Draw) and fact.tile is not None:
            unseen[KIND[fact.tile]] -= 1
        elif isinstance(fact, Dora):
            unseen[KIND[fact.indicator]] -= 1
    return unseen


@NETS
@pytest.mark.parametrize(("kyoku", "count"), [(0, 0), (1, 25), (2, 33)])
def test_over_all_tiles_that_nobody_has_seen_a_draw_is_no_luck(
    record: Record, net: Made, kyoku: int, count: int
) -> None:
    told = until(record, kyoku, count)
    *before, draw = told.log[0]
    assert isinstance(draw, Draw)
    unseen, total, most = unseen_in(told), np.zeros((4, 2)), 0.0
    for kind in np.flatnonzero(unseen):
        came = learned_luck(msgspec.structs.replace(told, log=[[*before, Draw(draw.seat, int(kind))]]), net())
        total += unseen[kind] * came
        most = max(most, float(np.abs(came).max()))
    base = learned_luck(msgspec.structs.replace(told, log=[before]), net())
    assert most > 0 and np.abs(total / unseen.sum() - base).max() < 1e-4 * max(most, 1)


@NETS
def test_over_the_seats_to_which_hands_could_be_turned_a_deal_is_no_luck(record: Record, net: Made) -> None:
    deal = record.log[0][0]
    assert isinstance(deal, KyokuStart)
    found = []
    for turned in range(4):
        hands = deal.hands[turned:] + deal.hands[:turned]
        seated = msgspec.structs.replace(deal, hands=hands)
        found.append(learned_luck(msgspec.structs.replace(record, log=[[seated]]), net()))
    assert np.abs(found).max() > 0 and np.abs(np.sum(found, axis=0)).max() < 1e-4


@pytest.mark.long
@NETS
def test_a_bot_against_itself_has_no_luck_in_the_mean_of_200_games(tmp_path: Path, net: Made) -> None:
    play_match(tmp_path / "match", small_plan(["shanten", "shanten"], "one", sets=200, seatings="one"))
    paths = sorted((tmp_path / "match" / "records").glob("*.jsonl"))
    records = [load(path) for path in paths]
    found = np.array([learned_luck(record, net())[0] for record in records])
    assert len(found) == 200
    if net is learned:
        points = [record.final.tenths[0] for record in records if record.final and record.final.tenths]
        assert np.corrcoef(points, found[:, 1])[0, 1] > 0.5
    assert (np.abs(found.mean(0)) < 3.3 * found.std(0) / len(found) ** 0.5).all()


def test_without_numpy_luck_is_rough(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    rough = luck.rough_luck(record)
    ours = luck.luck_of(record)
    assert [one.rank[0] for one in ours] == learned_luck(record)[:, 0].round(luck.DIGITS).tolist()
    monkeypatch.setattr(luck, "find_spec", lambda name: None)
    assert luck.luck_of(record) == tuple(Luck(parts, parts) for parts in rough)


def test_a_record_that_hides_tiles_is_refused_in_a_line(record: Record) -> None:
    hidden = [[Draw(fact.seat, None) if isinstance(fact, Draw) else fact for fact in kyoku] for kyoku in record.log]
    with pytest.raises(BadInput, match=r"luck needs all hands and draws, and this record hides some"):
        luck.luck_of(msgspec.structs.replace(record, log=hidden))


@pytest.mark.parametrize("spoil", ["flip", "missing", "shape", "nan", "objects"])
def test_broken_weights_are_refused_in_a_line(tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "broken.npz"
    with np.load(WEIGHTS) as file:
        told = dict(file)
    if spoil == "missing":
        del told["b0"]
    elif spoil == "shape":
        told["w1"] = told["w1"][1:]
    elif spoil == "nan":
        told["mean"][3] = np.nan
    elif spoil == "objects":
        told["mean"] = np.array([None, "x"], dtype=object)
    np.savez(path, **told)
    if spoil == "flip":
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 255
        path.write_bytes(content)
    with pytest.raises(BadInput, match=r"broken\.npz: broken weights of luck.*: fit them with"):
        net_in(path)


def test_a_match_of_four_without_luck_needs_numpy(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "find_spec", lambda name: None)
    words = (
        "--players",
        "shanten,dice",
        "--format",
        "1v3",
        "--sets",
        "1",
        "--length",
        "one",
        "--workers",
        "0",
        "--luck",
    )
    ran = jantaku("match", *words, "--out", str(tmp_path / "match"))
    assert ran.code == 2 and ran.err.startswith("jantaku: luck: for four players it needs numpy: ")
    assert not (tmp_path / "match").exists()


def test_weights_of_another_version_are_refused_in_a_line(tmp_path: Path) -> None:
    np.savez(tmp_path / "old.npz", version=0)
    with pytest.raises(BadInput, match=r"old\.npz: weights of luck of version 0, not 2: fit them with"):
        net_in(tmp_path / "old.npz")
    (tmp_path / "none.npz").write_bytes(b"none")
    with pytest.raises(BadInput, match=r"none\.npz: no weights of luck: fit them with"):
        net_in(tmp_path / "none.npz")


def test_a_net_is_fitted_along_the_slopes_of_its_loss_and_written_whole(record: Record, tmp_path: Path) -> None:
    rows, _ = rows_of(record)
    every = features(rows)
    seen = every.drawn(rows["tile"])
    tenpai = np.tile(np.array([1, 1, np.nan, np.nan], np.float32), (2048, 1))
    told = (
        np.tile(seen, (20, 1))[:2048],
        np.arange(2048, dtype=np.int64) % len(ENDS),
        np.ones(2048, np.float32),
        tenpai,
    )
    net = fitted(told, 2, 1)
    loss, slopes = _slopes(net, told)
    assert (slopes[-1][-4:] != 0).tolist() == [True, True, False, False]
    weight = net.layers[-1][0]
    weight[3, 2] += 0.05
    assert _slopes(net, told)[0] - loss == pytest.approx(0.05 * slopes[2][3, 2], abs=2e-4)
    net.save(tmp_path / "net.npz")
    assert all((a == b).all() for a, b in zip(net_in(tmp_path / "net.npz")(every), net(every), strict=True))


def test_a_draw_is_worth_what_those_pay_who_are_not_tenpai_and_who_stays_dealer(record: Record) -> None:
    deal = record.log[0][0]
    assert isinstance(deal, KyokuStart)
    _, draws = ends_worth((25000,) * 4, 0, deal, 0, preset("tenhou"))
    points = draws[..., 1] - draws[0, :, 1]
    one = TENPAI.tolist().index([False, True, False, False])
    assert points[one, 1] > 3 and (points[one, [0, 2, 3]] < -1).all()
    assert np.abs(draws[..., 0].sum(1) - 10).max() < 1e-6
    every = draws[-1, :, 0] - draws[0, :, 0]
    assert np.abs(every).max() > 0, "with all tenpai the dealer stays, and nobody pays"


def test_what_a_hand_will_discard_is_guessed_from_its_width_and_from_what_is_safe(tmp_path: Path) -> None:
    play_match(tmp_path / "match", small_plan(["caller", "shanten"], "tonpu", sets=1))
    right = dict[tuple[bool, bool], list[bool]]()
    for path in sorted((tmp_path / "match" / "records").glob("*.jsonl")):
        record = load(path)
        rows, _ = rows_of(record)
        found = guesses(rows, bits(rows["waits"]), bits(rows["discards"]), worthy(rows))
        after = [then for kyoku in record.log for fact, then in pairwise(kyoku) if isinstance(fact, Draw)]
        dealers = [kyoku[0].dealer for kyoku in record.log if isinstance(kyoku[0], KyokuStart)]
        for number, (row, then) in enumerate(zip(rows, after, strict=True)):
            if isinstance(then, TileDiscard) and not row["riichi"][0]:
                kind, tile = KIND[then.tile], int(row["tile"])
                folds = bool(found.folds[number, tile])
                guess = found.kinds[number, tile] == kind if folds else int(row["widest"][tile]) >> kind & 1
                sensible = record.names[(row["drawer"] + dealers[row["kyoku"]]) % 4] == "shanten"
                right.setdefault((sensible, folds), []).append(bool(guess))
    shares = {case: float(np.mean(came)) for case, came in right.items()}
    assert shares[True, True] > 0.8 and shares[True, False] > 0.8, shares
    assert shares[True, False] > shares[False, False] + 0.2, "what is decided at random cannot be guessed"


def test_a_hand_that_waits_for_a_fifth_tile_waits_for_nothing(record: Record) -> None:
    deal = record.log[0][0]
    assert isinstance(deal, KyokuStart)
    runs = (0, 1, 2, 9, 10, 11, 18, 19, 20)
    hands = ((RED,) * 3 + runs + (NORTH,), *deal.hands[1:])
    called = [
        Draw(3, RED),
        TileDiscard(3, RED, tsumogiri=True),
        MeldCall(0, pon(RED, 3, RED, RED)),
        TileDiscard(0, NORTH),
        Draw(1, 8),
    ]
    rows, _ = rows_of(msgspec.structs.replace(record, log=[[msgspec.structs.replace(deal, hands=hands), *called]]))
    assert rows["shanten"][-1, 3] == 0 and not rows["waits"][-1, 3] and not rows["points"][-1, 3]


def test_no_seat_sees_a_fifth_tile(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[int] = []

    def watched(counts: list[int], keeping: int, plan: int, seen: list[int], river: int) -> tuple[list[int], int]:
        most.append(max(seen))
        return widest_discards(counts, keeping, plan, seen, river)

    monkeypatch.setattr(draws, "widest_discards", watched)
    rows_of(record)
    assert max(most) == 4
