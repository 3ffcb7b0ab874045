"""Points of a deal that its log leaves out, as the original mjai does: they run on from the kyoku before."""

import json
from pathlib import Path

import pytest

from jantaku.table.cli import main as cli
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.mjai.speaker import DIALECTS
from jantaku.table.languages.mjai.words import Line
from jantaku.table.records.convert.readers import Read, read_any, write_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.roundtrips import VALUE, compared
from tests.records.convert.test_convert import DATA, games_of

LOG = DATA / "logs" / "mortal_two_kyoku.mjson"
TABLES = {
    "four": ("--players", "caller,shanten,caller,shanten"),
    "three": ("--players", "caller,shanten,caller", "--rules", "tenhou-3p"),
    "30000 points": ("--players", "caller,shanten,caller,shanten", "--set", "game.start_points=30000"),
}


@pytest.fixture(scope="module", params=TABLES)
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A hanchan with calls, riichi, wins and draws."""
    folder = tmp_path_factory.mktemp("points") / "games"
    with pytest.raises(SystemExit) as left:
        cli.main(("play", *TABLES[request.param], "--seed", "3", "--threads", "inline", "--out", str(folder)))
    assert left.value.code == 0
    return read_any(folder / "game-0000.jsonl").record


def lines_of(record: Record, dialect: str) -> list[Line]:
    return [json.loads(line) for line in write_any(record, "mjai", dialect)[0].splitlines()]


def deals(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["type"] == "start_kyoku"]


def reread(lines: list[Line], folder: Path, rules: Rules | None = None) -> Read:
    """The log without the points of any deal, read again."""
    for deal in deals(lines):
        deal.pop("scores", None)
    (path := folder / "log.mjson").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return read_any(path, rules)


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS[:4])
def test_a_log_of_ours_without_points_of_deals_is_the_same_game(record: Record, dialect: str, tmp_path: Path) -> None:
    read = reread(lines_of(record, dialect), tmp_path)
    assert len(read.record.log) > 2 and read.record.log == record.log and read.record.final == record.final
    assert read.record.rules is not None and verify(read.record, read.record.rules).difference is None


def test_the_original_dialect_tells_points_at_a_deal_only_where_they_do_not_follow(record: Record) -> None:
    assert record.rules is not None
    usual = record.rules.game.start_points == (35000 if len(record.names) == 3 else 25000)
    told = ["scores" in deal for deal in deals(lines_of(record, "gimite"))]
    assert told == [not usual, *[False] * (len(record.log) - 1)]
    assert all("scores" in deal for deal in deals(lines_of(record, "wide")))


@pytest.mark.long
def test_games_of_others_come_back_without_the_points_of_their_deals(tmp_path: Path) -> None:
    """Under every kind of rules, kyoku by kyoku, as they do with them."""
    games = [read for name in ("majiang_core", "majiang_script") for read in games_of(f"{name}.jsonl.gz")]
    assert len(games) > 25
    for read in games:
        found = [one for one in compared(read.record, "mjai", "gimite", ".mjson") if one is not None]
        assert [one.text for one in found if one.reason != VALUE] == []


def test_a_log_that_nothing_of_ours_stands_in_has_the_points_of_the_rules_that_are_named(tmp_path: Path) -> None:
    """Without rules 25000; four entries with nobody at the last are a game of three, without points, too."""
    lines = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    told = read_any(LOG).record.log
    assert reread(lines, tmp_path).record.log == told
    thirty = with_settings(preset("tenhou"), {"game.start_points": "30000", "game.return_points": "30000"})
    first = reread(lines, tmp_path, thirty).record.log[0][0]
    assert first.scores == (30000,) * 4  # type: ignore[union-attr]


@pytest.mark.parametrize("record", ["three"], indirect=True)
def test_three_are_known_by_a_hand_that_nobody_holds(record: Record, tmp_path: Path) -> None:
    lines = lines_of(record, "mortal")
    del lines[0]["jantaku"]
    assert len(deals(lines)[0]["tehais"]) == 4
    assert reread(lines, tmp_path).record.log == record.log


@pytest.mark.parametrize("record", ["four"], indirect=True)
def test_a_log_that_tells_neither_what_a_win_pays_nor_later_points_is_refused(record: Record, tmp_path: Path) -> None:
    lines = lines_of(record, "mortal")
    won = next(number for number, line in enumerate(lines) if line["type"] == "hora")
    del lines[won]["deltas"]
    kyoku = len(deals(lines[:won]))
    with pytest.raises(BadInput, match=rf"a start_kyoku without “scores” after kyoku {kyoku}, which has no “deltas”"):
        reread(lines, tmp_path)
