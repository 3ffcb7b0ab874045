"""A player that cannot be made ends the match at its start, whichever worker is faster, and leaves a way on."""

import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from jantaku.table.arena.match.hanchan import HanchanTable, PlayedHanchan
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import Job
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import contents, play_match, small_plan
from tests.kit.command import Jantaku

BOTS = """import pathlib
from jantaku.players.bots.tsumogiri import Tsumogiri
class Loads(Tsumogiri):
    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        (pathlib.Path(__file__).parent / "weights").read_text()
class Odd(Tsumogiri):
    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        if seed % 2:
            raise ValueError("an odd seed")
"""
QUICK = ("--format", "1v3", "--length", "one", "--threads", "inline", "--workers", "0", "--seed", "5")


@pytest.fixture
def bots(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path])  # a bot's folder is put there
    (cwd / "bots.py").write_text(BOTS)
    return cwd / "bots.py"


class Backwards:
    """An executor that has the last hanchan first, as where the worker with the first one is slow."""

    def __init__(self, folder: Path, plan: MatchPlan) -> None:
        self._plan, self._places = plan, places_in(folder, plan)

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        with HanchanTable(self._plan, self._places) as table:
            for job in reversed([job for job in jobs if job is not None]):
                yield table.play(job)


def test_nothing_is_kept_of_a_match_whose_player_cannot_be_made_though_later_hanchan_were_played_before(
    bots: Path, tmp_path: Path
) -> None:
    plan = small_plan([f"{bots}:Loads", "dice"])
    with pytest.raises(BadInput, match=r"Loads: it could not be made: FileNotFoundError: .* \(bots.py line 6\)"):
        play_match(tmp_path / "match", plan, Backwards(tmp_path / "match", plan))
    store = Store.resume(tmp_path / "match")
    assert not store.kept
    store.close()


def test_a_player_that_fails_at_times_is_blamed_alike_whichever_hanchan_ends_first(bots: Path, tmp_path: Path) -> None:
    for seed in range(5, 50):  # with one of these it begins in its first hanchan, and fails in another
        plan = small_plan([f"{bots}:Odd", "dice"], seed=seed)
        try:
            done = play_match(tmp_path / f"here-{seed}", plan)
            break
        except BadInput:
            continue
    assert done.results.figures is not None and done.results.figures.void == 0
    assert done.results.figures.players[0].faults.keys() == {"start_failed"}
    play_match(tmp_path / "back", plan, Backwards(tmp_path / "back", plan))
    assert contents(tmp_path / "back") == contents(tmp_path / f"here-{seed}")


def test_a_match_that_has_not_begun_leaves_its_place_to_the_same_command(bots: Path, jantaku: Jantaku) -> None:
    words = ("match", "--players", "bots.py:Loads,dice", *QUICK, "--sets", "1", "--out", "m")
    ran = jantaku(*words)
    assert ran.code == 2 and ran.err.count("\n") == 1 and "(bots.py line 6)" in ran.err
    assert "nothing was played or kept: fix that and give the same command again" in ran.err and not Path("m").exists()
    Path("weights").touch()
    assert jantaku(*words, "--quiet") == (0, "", "")


def test_a_match_resumed_without_what_a_player_loads_ends_and_goes_on_later(bots: Path, jantaku: Jantaku) -> None:
    Path("weights").touch()
    assert jantaku("match", "--players", "bots.py:Loads,dice", *QUICK, "--sets", "1", "--out", "m").code == 0
    before = Path("m/results.json").read_bytes()
    for path in Path("m/records").glob("game-000[23].*"):
        path.unlink()
    Path("weights").unlink()
    ran = jantaku("match", "--resume", "m", "--workers", "0")
    assert ran.code == 2 and "2 kyoku are kept; go on with: jantaku match --resume m" in ran.err
    assert "; a match plays one version of a bot: play a changed one from the beginning" in ran.err
    Path("weights").touch()
    assert jantaku("match", "--resume", "m", "--workers", "0", "--quiet") == (0, "", "")
    assert Path("m/results.json").read_bytes() == before


def test_a_match_whose_bot_has_changed_says_what_to_do(bots: Path, jantaku: Jantaku) -> None:
    Path("weights").touch()
    assert jantaku("match", "--players", "bots.py:Loads,dice", *QUICK, "--sets", "1", "--out", "m").code == 0
    bots.write_text(f"{BOTS}# mended\n")
    ran = jantaku("match", "--resume", "m", "--workers", "0")
    assert ran.code == 2 and "the code of player Loads has changed; a match plays one version of a bot: " in ran.err
    assert "with another --out" in ran.err
