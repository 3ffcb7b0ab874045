"""The file of a league: what is refused, what survives, and that a league comes out alike however it is played."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from jantaku.table.arena.league.file import LeagueBot, LeagueFile, newcomer
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.season import Season
from jantaku.table.arena.league.site import standings, tallied
from jantaku.table.arena.match.hanchan import Places
from jantaku.table.arena.match.processes import local
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.outcome import FaultReports
from tests.arena.league.leagues import BOTS, begun, play, terms


def contents(league: League) -> list[object]:
    """All that must not depend on how it was played."""
    tables = ("bots", "units", "games", "seats", "ratings")
    return [league.file.all(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """A new league of four."""
    found = begun(tmp_path / "a.league")
    yield found
    found.file.close()


@pytest.mark.parametrize("preset", ["tenhou", "tenhou-3p"])
def test_a_league_that_is_killed_again_and_again_comes_out_as_one_that_is_not(tmp_path: Path, preset: str) -> None:
    of = terms(preset=preset)
    whole, killed = begun(tmp_path / "whole.league", of=of), begun(tmp_path / "killed.league", of=of)
    assert play(whole, 18, tmp_path / "s") == 18
    for at in (1, 8):
        with pytest.raises(KeyboardInterrupt):
            play(killed, 18 - killed.played, tmp_path / "t", stop=at)
    assert killed.played == 9
    play(killed, 9, tmp_path / "t")
    assert contents(whole) == contents(killed)
    records = [{path.name: path.read_bytes() for path in one.file.records.glob("*.json")} for one in (whole, killed)]
    assert records[0] == records[1] and len(records[0]) == 18


def test_every_hanchan_is_kept_with_its_record_and_every_unit_is_four_rotations(league: League, tmp_path: Path) -> None:
    play(league, 8, tmp_path / "s")
    lines = list(league.lines())
    assert [line.game for line in lines] == list(range(8))
    for unit in (lines[:4], lines[4:]):
        assert len({line.set for line in unit}) == 1
        assert all({line.players[place] for line in unit} == set(unit[0].players) for place in range(4))
    assert all((league.file.records / f"game-{line.game:04}.jsonl").is_file() for line in lines)


def test_a_batch_is_written_down_before_it_is_played_and_rated_when_it_is_over(league: League, tmp_path: Path) -> None:
    play(league, 3, tmp_path / "s")
    assert [unit.batch for unit in league.units()] == [0, 0] and not league.history()
    play(league, 6, tmp_path / "s")
    assert {one.batch for one in league.history()} == {0}
    assert {one.games for one in league.history()} == {8}


def test_a_version_that_plays_alike_is_refused_and_a_changed_one_is_a_candidate(league: League, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"its code is that of dice@1 \(active\)"):
        league.add(*newcomer("dice"))
    bot = tmp_path / "mine.py"
    bot.write_text("from jantaku.players.bots.dice import Dice as Mine\n")
    assert league.add(*newcomer(f"{bot}:Mine")).label == "Mine@1"
    bot.write_text("from jantaku.players.bots.tsumogiri import Tsumogiri as Mine\n")
    assert (new := league.add(*newcomer(f"{bot}:Mine"))).state == "candidate"
    promoted, retired = league.promote("Mine")
    assert (promoted.id, [one.label for one in retired]) == (new.id, ["Mine@1"])
    with pytest.raises(BadInput, match="Mine@2 is active; only a candidate can be promoted"):
        league.promote("Mine")
    assert league.reject("Mine").state == "retired"


def test_a_bot_whose_code_is_gone_or_changed_is_skipped_with_a_line(league: League, tmp_path: Path) -> None:
    bots = [tmp_path / "goes.py", tmp_path / "changes.py"]
    for bot in bots:
        bot.write_text("from jantaku.players.bots.dice import Dice as Mine\n")
        league.add(*newcomer(f"{bot}:Mine?name={bot.stem}"))
    play(league, 8, tmp_path / "s")
    bots[0].unlink()
    bots[1].write_text("from jantaku.players.bots.tsumogiri import Tsumogiri as Mine\n")
    season = Season(league, "1", 8, Deadline(None))
    gone, changed = season.skipped
    assert gone == "goes@1 is skipped: its code is not here any more"
    assert "changes@1 is skipped: its code is not the one that was added" in changed
    assert {"goes@1", "changes@1"}.isdisjoint(season.plan().names)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("evil", "why"), [("evil.py:Evil", "it could not be made: .* no "), ("exec:false", "not ready")]
)
def test_a_bot_that_does_not_start_is_skipped_with_a_line_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int, evil: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text("class Evil:\n    def __init__(self, seed): raise OSError('no')\n    answer = print\n")
    league = begun(Path("a.league"), *BOTS[:2], f"{evil}?name=evil", *BOTS[2:])
    league.file.records.mkdir()
    told: list[str] = []
    season = Season(league, "1", 6, Deadline(None), told.append)
    executor = local(season.plan(), Places(tmp_path), workers)
    assert season.play(executor, lambda played: None, FaultReports()) == 6 == league.played
    assert len(told) == 1 and re.match(f"evil@1 is skipped: player .*{why}", told[0])
    assert {name for line in league.lines() for name in line.players} == {
        "dice@1",
        "tsumogiri@1",
        "second@1",
        "fourth@1",
    }


def test_where_too_few_are_left_that_start_a_league_ends_with_a_line_that_names_the_others(tmp_path: Path) -> None:
    bot = tmp_path / "evil.py"
    bot.write_text(
        "class Evil:\n    def __init__(self, seed): raise RuntimeError('no')\n    def answer(self, q): pass\n"
    )
    league = begun(tmp_path / "a.league", *BOTS[:3], f"{bot}:Evil")
    with pytest.raises(BadInput, match=r"a table needs 4 bots, and 3 can play here; Evil@1 is skipped: player .* no"):
        play(league, 4, tmp_path / "s")


def test_in_a_league_with_the_sandbox_no_code_of_a_bot_runs_here(tmp_path: Path) -> None:
    bot = tmp_path / "sly.py"
    bot.write_text(f"open({str(tmp_path / 'was here')!r}, 'w')\nfrom jantaku.players.bots.dice import Dice as Mine\n")
    league = begun(tmp_path / "a.league", of=msgspec.structs.replace(terms(), sandbox=True))
    new, code = newcomer(f"{bot}:Mine")
    with suppress(BadInput):  # the sandbox needs bubblewrap
        league.add(new, code)
    assert code and not (tmp_path / "was here").exists()
    seated = league.seated(LeagueBot(9, "Mine", 1, new, code, "active"))
    assert (seated.isolate, seated.sandbox, league.seated(league.bots[0]).sandbox) == ("process", "on", None)


def test_a_damaged_file_is_one_line(league: League, tmp_path: Path) -> None:
    league.file.close()
    (tmp_path / "half.league").write_bytes(league.file.path.read_bytes()[:600])
    with pytest.raises(BadInput, match=r"half.league: cannot be read: "):
        League(LeagueFile.open(tmp_path / "half.league"))


def test_a_pipe_is_no_league_and_nobody_waits_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.league")
    with pytest.raises(BadInput, match=r"pipe.league: cannot be read: it is not a file"):
        LeagueFile.open(tmp_path / "pipe.league")


def test_three_bots_are_too_few(tmp_path: Path) -> None:
    league = begun(tmp_path / "few.league", *BOTS[:3])
    with pytest.raises(BadInput, match="a table needs 4 bots, and 3 can play here; add more: jantaku league add"):
        Season(league, "1", None, Deadline(None))


def test_what_is_no_league_and_what_is_newer_is_refused_and_not_touched(league: League, tmp_path: Path) -> None:
    other, newer = tmp_path / "other.league", tmp_path / "newer.league"
    league.file.copied(newer)
    for path, change in ((other, "CREATE TABLE mine (a)"), (newer, "PRAGMA user_version = 99")):
        with closing(sqlite3.connect(path)) as base:
            base.execute(change)
    for path, told in ((other, "is not the file of a league"), (newer, "is of version 99")):
        before = path.read_bytes()
        with pytest.raises(BadInput, match=f"{told}.*nothing was changed"):
            LeagueFile.open(path)
        assert path.read_bytes() == before


def test_two_commands_do_not_write_at_once(league: League) -> None:
    with LeagueFile.open(league.file.path, locked=True):
        with pytest.raises(BadInput, match="another command plays or changes this league"):
            LeagueFile.open(league.file.path, locked=True)
        assert League(LeagueFile.open(league.file.path)).bots == league.bots
    LeagueFile.open(league.file.path, locked=True).close()


def test_the_table_tells_what_was_played(league: League, tmp_path: Path) -> None:
    play(league, 8, tmp_path / "s")
    found = standings(league, tallied(league))
    assert found.hanchan == 8 and {one.hanchan for one in found.bots} == {8}
    ratings = [one.rating.mean for one in found.bots]
    assert ratings == sorted(ratings, reverse=True)
    assert all(one.rating.half and one.rank for one in found.bots)
