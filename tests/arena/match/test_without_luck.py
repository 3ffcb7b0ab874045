"""A match that takes luck out says so everywhere, ends sooner, and is as true as without."""

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from jantaku.table.arena.match import records
from jantaku.table.arena.match.figures.adjusted import FEWEST, Running
from jantaku.table.arena.match.figures.statistics import Figures, LuckFigures
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.figures.summary import HanchanSummary, Luck
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.report.verdict import without_luck
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.read import Record
from scripts.luckworth import Sets, told
from tests.arena.match.matches import contents, play_match, resumed, small_plan
from tests.kit.command import Jantaku


def hanchan(number: int, rank: int, luck: float, kinds: int = 1) -> HanchanSummary:
    """A hanchan of set `number` in which the first of two players came out so, and had that luck."""
    ranks, other = (rank, *sorted({1, 2, 3, 4} - {rank})), -luck / 3
    told = tuple(Luck((one,) * kinds, (-10 * one,) * kinds) for one in (luck, other, other, other))
    points = tuple(25.0 - 10 * one for one in ranks)
    return msgspec.structs.replace(BLANK, game=number, set=number, ranks=ranks, points=points, luck=told)


BLANK = msgspec.convert(
    {
        **{"game": 0, "set": 0, "seed": "x", "rules": "", "players": ["dice", *["tsumogiri"] * 3], "ended": True},
        **{"reason": "", "scores": [], "ranks": [], "points": [], "faults": [{}] * 4, "counts": [{}] * 4, "print": ""},
    },
    HanchanSummary,
)


def lines(sets: int, explained: float, kinds: int = 1) -> list[HanchanSummary]:
    """Sets of one hanchan each between equals, in which luck is this much of the distance from the mean rank."""
    numbers = np.random.default_rng(4)
    ranks = numbers.integers(1, 5, sets).tolist()
    luck = [explained * (rank - 2.5) + noise for rank, noise in zip(ranks, numbers.normal(0, 0.3, sets), strict=True)]
    return [hanchan(at, ranks[at], luck[at], kinds) for at in range(sets)]


def ended_after(told: Sequence[HanchanSummary], plan: MatchPlan) -> int:
    stopping = Stopping(plan)
    for line in told:
        if not stopping.reason:
            stopping.add(line)
    return stopping.sets


def test_a_test_without_luck_needs_a_part_of_the_sets() -> None:
    plan = small_plan(["dice", "tsumogiri"], sets=4000, seatings="one", stop_sprt=True, luck=True)
    plain = [msgspec.structs.replace(line, luck=msgspec.UNSET) for line in lines(2000, 0.9)]
    without = ended_after(lines(2000, 0.9), plan)
    assert 20 <= without < ended_after(plain, plan) / 2
    assert ended_after(lines(2000, 0.9, kinds=3), plan) == ended_after(plain, plan)


def test_the_factor_of_a_set_depends_on_earlier_sets_alone() -> None:
    numbers = np.random.default_rng(9)
    luck = numbers.normal(size=400)
    values = 2.5 + 0.4 * luck + numbers.normal(0, 0.1, 400)
    running, changed = Running(), Running()
    found = [running.less_luck(value, one) for value, one in zip(values, luck, strict=True)]
    others = [changed.less_luck(value, one) for value, one in zip(values[:200], luck[:200], strict=True)]
    assert found[:200] == others and found[0] == pytest.approx(values[0] - luck[0])
    wanted = (100 * np.polyfit(luck[:100], values[:100], 1)[0] + FEWEST) / (100 + FEWEST)
    assert (values[100] - found[100]) / luck[100] == pytest.approx(wanted)
    assert np.std(found[200:]) < 0.3 * np.std(values[200:])


@pytest.mark.parametrize("explained", [0.0, 0.9])
def test_luck_that_means_nothing_leaves_the_mean_where_it_is(explained: float) -> None:
    """The sum of all that was taken out is a martingale: over many matches its mean is nothing."""
    numbers, taken = np.random.default_rng(2), []
    for _ in range(2000):
        running, luck = Running(), numbers.normal(size=40)
        values = explained * luck + numbers.normal(0, 1, 40) * (1 + abs(luck))
        taken.append(sum(value - running.less_luck(value, one) for value, one in zip(values, luck, strict=True)))
    assert abs(np.mean(taken)) < 4 * np.std(taken) / 2000**0.5


@pytest.fixture(scope="module")
def lucky(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lucky") / "match"
    play_match(folder, small_plan(["shanten", "dice"], luck=True))
    return folder


def test_a_match_with_luck_keeps_it_beside_the_results(lucky: Path, tmp_path: Path) -> None:
    plain = small_plan(["shanten", "dice"])
    play_match(tmp_path / "plain", plain)
    assert b"luck" not in b"".join(contents(tmp_path / "plain").values())
    told = json.loads((lucky / "results.json").read_bytes())
    without = json.loads((tmp_path / "plain" / "results.json").read_bytes())
    assert told["figures"].pop("luck")["learned"] and told["judged"]["mean"] != told["figures"]["players"][0]["rank"]
    assert told["figures"] == without["figures"] and json.loads((lucky / "match.json").read_bytes())["luck"]
    first = (lucky / "journal.jsonl").read_text().splitlines()[1]
    assert len(json.loads(first)["luck"]) == 4


def test_a_match_with_luck_that_is_resumed_ends_with_the_same_files(lucky: Path) -> None:
    before = contents(lucky)
    kept = (lucky / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (lucky / "journal.jsonl").write_bytes(b"".join(kept[:6]))
    assert resumed(lucky) == before


def test_a_gate_tells_its_verdict_with_and_without_luck(jantaku: Jantaku, tmp_path: Path) -> None:
    words = "--sets", "30", "--length", "one", "--seed", "3", "--threads", "inline", "--workers", "0"
    ran = jantaku("gate", "shanten", "tsumogiri", *words, "--luck", "--out", str(tmp_path / "gate"))
    said = " ".join(ran.out.split())
    assert (ran.code == 0 and "; without luck 0." in said) or "; without luck 1." in said
    assert "ranks ahead of it)" in said


def test_a_tournament_takes_luck_out_as_well(jantaku: Jantaku, tmp_path: Path) -> None:
    words = "--hanchan", "4", "--rounds", "1", "--length", "one", "--threads", "inline", "--workers", "0", "--luck"
    ran = jantaku("tournament", "shanten", "dice", "tsumogiri", "caller", *words, "--out", str(tmp_path / "cup"))
    assert ran.code == 0 and "Luck is taken out of 30 wall sets or more; these are 1." in " ".join(ran.out.split())


def test_of_three_players_luck_is_rough(tmp_path: Path) -> None:
    plan = small_plan(["dice", "tsumogiri"], luck=True)
    assert plan.luck
    tally = MatchTally()
    for line in lines(FEWEST, 0.9, kinds=3):
        tally.add(line)
    assert without_luck(tally.figures()).startswith("Without luck in three rough sums: ")


def figures_of(told: Sequence[HanchanSummary]) -> Figures:
    tally = MatchTally()
    for line in told:
        tally.add(line)
    return tally.figures()


def test_luck_that_explains_nothing_is_said_to_be_no_help() -> None:
    vain, helpful = (without_luck(figures_of(lines(200, explained))) for explained in (0.0, 0.9))
    assert vain.endswith("No interval is narrower for that.") and "narrower" not in helpful


def test_records_that_hide_tiles_have_the_plain_interval_and_a_line(
    lucky: Path, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = json.loads(jantaku("stats", str(lucky), "--json").out)

    def hides(record: Record) -> Sequence[Luck]:
        raise BadInput("luck needs all hands and draws, and this record hides some", str(record.path))

    monkeypatch.setattr(records, "luck_of", hides)
    run = records.read_runs({lucky: sorted((lucky / RECORDS).glob("*.jsonl"))}, luck=True)
    found = run.tally.figures()
    said = without_luck(found)
    assert said.startswith("Luck is not taken out: ") and "this record hides some" in said and "\n" not in said
    assert isinstance(found.luck, LuckFigures) and not found.luck.known
    assert found.players[0].rank.mean == plain["figures"]["players"][0]["rank"]["mean"]


def test_what_it_is_worth_is_measured_from_sets_that_were_played() -> None:
    numbers = np.random.default_rng(8)
    luck, rest = numbers.normal(0, 0.4, 60), numbers.normal(0, 0.2, 60)
    results, lucks = np.stack([2.45 + luck + rest, -10 * luck], 1), np.stack([luck, -10 * luck + rest], 1)
    rough = numbers.normal(size=(60, 6))
    found = list(
        told(Sets("a beside b", results, {"rough": rough, "learned": lucks}, {"rough": 0.0, "learned": 0.1}), 20)
    )
    assert found[0] == "a beside b: 60 sets"
    worths = {line.split()[0]: float(line.split(", ")[1].split()[0]) for line in found if " times" in line}
    assert worths["learned"] > 3 > 1.2 > worths["rough"]
    shorter = [[int(part.split()[-2]) for part in line.split(";")] for line in found if "gate" in line]
    assert len(shorter) == 3 and all(without <= plain for plain, without in shorter)
