"""Workers: results do not depend on them, whoever dies is replaced, nobody is left behind. What stops a table inside
is void, and said to be ours."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.arena.match import hanchan, processes
from jantaku.table.arena.match.figures.summary import DEFECT
from jantaku.table.arena.match.hanchan import HanchanTable
from jantaku.table.arena.match.processes import Processes, cpu_spent, local, resting
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.play.runner import play_one
from tests.arena.match.bots import FLAG
from tests.arena.match.matches import contents, play_match, small_plan
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.kit.processes import runs, state_of, wait_until

ROOT = Path(__file__).parents[3]
BOTS = "tests.arena.match.bots"


def with_workers(folder: Path, count: int, **flags: object) -> dict[str, bytes]:
    plan = small_plan(**flags)  # type: ignore[arg-type]
    play_match(folder, plan, Processes(plan, places_in(folder, plan), count))
    return contents(folder)


def workers_of(pid: int) -> set[int]:
    """The worker processes of a process, or of the one that it watches; multiprocessing's own tracker is none."""
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    titles = (b"spawn_main", b"jantaku worker")  # as it is started, and what it calls itself
    workers = {one for one in children if any(title in Path(f"/proc/{one}/cmdline").read_bytes() for title in titles)}
    return workers.union(*map(workers_of, children))


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "jantaku", "match", *words]


@pytest.mark.long
def test_the_number_of_workers_changes_no_file(tmp_path: Path) -> None:
    plan = small_plan(["dice", "caller"])
    play_match(tmp_path / "here", plan)
    here = contents(tmp_path / "here")
    for count in (1, 3):
        assert with_workers(tmp_path / str(count), count, players=["dice", "caller"]) == here


@pytest.mark.parametrize("alone", [1e-9, 0.02, 600.0])
def test_how_long_the_parent_plays_before_it_starts_workers_changes_no_file(tmp_path: Path, alone: float) -> None:
    plan = small_plan(["dice", "caller"])
    play_match(tmp_path / "here", plan)
    play_match(tmp_path / "both", plan, Processes(plan, places_in(tmp_path / "both", plan), 2, alone=alone))
    assert contents(tmp_path / "both") == contents(tmp_path / "here")


@cases(
    "players, workers, starts",
    (["dice", "caller"], None, False),
    (["dice", "caller"], 2, True),
    (["dice", f"{BOTS}:DiesOnce"], None, True),
    (["dice", "caller?isolate=process"], None, True),
)
def test_only_a_short_match_between_bots_that_come_along_starts_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: list[str], workers: int | None, starts: bool
) -> None:
    """What others wrote might end or hold the process that plays, and whoever asks for workers gets them."""
    monkeypatch.setattr(processes, "ALONE", 600.0)
    monkeypatch.setattr(processes, "_Worker", lambda: pytest.fail("a worker was started"))
    plan = small_plan(players, sets=1)
    executor = local(plan, places_in(tmp_path / "match", plan), workers)
    if starts:
        with pytest.raises(pytest.fail.Exception):
            play_match(tmp_path / "match", plan, executor)
    else:
        play_match(tmp_path / "match", plan, executor)


def test_a_match_that_stops_early_stops_alike_for_any_number_of_workers(tmp_path: Path) -> None:
    """Hanchan played beyond the last set that counts are dropped with their records."""
    flags = {"sets": 40, "stop_ci": 1.0, "stop_least": 5}
    plan = small_plan(**flags)  # type: ignore[arg-type]
    play_match(tmp_path / "here", plan)
    assert 20 <= len(list((tmp_path / "here" / "records").glob("*.json"))) < 160
    assert with_workers(tmp_path / "3", 3, **flags) == contents(tmp_path / "here")


def test_a_worker_at_rest_plays_another_plan_as_a_new_one_does(tmp_path: Path) -> None:
    plans = [small_plan(players, sets=1) for players in (["dice", "caller"], ["caller", "shanten"])]
    with resting():
        before, used = cpu_spent(), list[set[int]]()
        for number, plan in enumerate(plans):
            folder = tmp_path / f"rested-{number}"
            play_match(folder, plan, Processes(plan, places_in(folder, plan), 1))
            used.append(workers_of(os.getpid()))
        assert used[0] == used[1] and len(used[0]) == 1
        assert cpu_spent() > before
    assert not workers_of(os.getpid())
    play_match(tmp_path / "here", plans[1])
    assert contents(tmp_path / "rested-1") == contents(tmp_path / "here")


class LeavesInOrder(HanchanTable):
    def __exit__(self, *problem: Any) -> None:
        super().__exit__(*problem)
        Path(os.environ[FLAG]).touch()


def test_workers_with_nothing_more_to_play_let_players_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FLAG, str(tmp_path / "left"))
    plan = small_plan(["dice", "caller"], sets=1)
    play_match(tmp_path / "match", plan, Processes(plan, places_in(tmp_path / "match", plan), 1, LeavesInOrder))
    assert (tmp_path / "left").exists()


def test_a_worker_that_dies_is_replaced_its_hanchan_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FLAG, str(tmp_path / "died"))
    flags = {"players": [f"{BOTS}:DiesOnce", "dice"], "sets": 2}
    died = with_workers(tmp_path / "died-once", 2, **flags)
    assert (tmp_path / "died").exists()
    play_match(tmp_path / "again", small_plan(**flags))  # type: ignore[arg-type]
    assert died == contents(tmp_path / "again")
    assert b'"ended":false' not in died["journal.jsonl"]


@pytest.mark.long
def test_a_hanchan_that_kills_every_worker_is_given_up_with_its_reason(tmp_path: Path) -> None:
    flags = {"players": [f"{BOTS}:DiesAlways", "dice"], "seatings": "one", "sets": 2}
    lines = with_workers(tmp_path / "match", 2, **flags)["journal.jsonl"].splitlines()[1:]
    assert len(lines) == 2
    for line in lines:
        assert b'"ended":false' in line
        assert b"the process that played it died 3 times; last time: exit code 3" in line


def test_what_a_worker_cannot_play_is_told_as_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    module = tmp_path / "bot_that_goes.py"
    module.write_text("from jantaku.players.bots.dice import Dice as Mine\n")
    plan = small_plan(["bot_that_goes:Mine", "dice"])
    module.unlink()
    with pytest.raises(BadInput, match="bot_that_goes"):
        play_match(tmp_path / "match", plan, Processes(plan, places_in(tmp_path / "match", plan), 1))


def test_no_worker_is_left_behind(tmp_path: Path) -> None:
    plan = small_plan()
    store = Store.create(tmp_path / "match", plan)
    hanchan = Processes(plan, store.places, 2).run(plan.jobs())
    store.keep(next(hanchan))
    assert len(workers_of(os.getpid())) == 2
    hanchan.close()
    store.close()
    assert not workers_of(os.getpid())


@pytest.mark.long
@cases("number, code", (signal.SIGINT, 130), (signal.SIGTERM, 143))
def test_a_signal_drops_what_is_played_and_prints_how_to_go_on(number: int, code: int, tmp_path: Path) -> None:
    """Even where a bot hangs: nothing waits for it. Ctrl-C goes to the whole group, SIGTERM to one process."""
    flag, folder = tmp_path / "asked", tmp_path / "match"
    os.mkfifo(flag)
    words = ["--players", f"{BOTS}:Hangs,dice", "--format", "1v3", "--threads", "inline", "--workers", "2"]
    run = subprocess.Popen(
        command(*words, "--out", str(folder)),
        cwd=ROOT,
        env={**os.environ, FLAG: str(flag)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert flag.read_text().startswith("asked")  # once or twice: both workers may write before it is closed
    workers = workers_of(run.pid)
    (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
    _, told = run.communicate(timeout=SOON)
    assert run.returncode == code
    assert f"go on with: jantaku match --resume {folder}" in told and "Traceback" not in told
    assert workers and not any(map(state_of, workers))


LOCKED = """import os, re, signal
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.judge import stalls
stalls.SLACK = 3.0
class Keeps(Tsumogiri):
    def answer(self, question):
        re.match(r"(a+)+$", "a" * 40 + "b")
class StopsOnce(Tsumogiri):
    stopped = False
    def answer(self, question):
        if not StopsOnce.stopped:
            StopsOnce.stopped = True
            os.kill(os.getpid(), signal.SIGSTOP)
        return question.default
class Stops(Tsumogiri):
    def answer(self, question):
        os.kill(os.getpid(), signal.SIGSTOP)
        return question.default
"""


def _match(folder: Path, bot: str) -> tuple[subprocess.Popen[str], Path]:
    (folder / "odd.py").write_text(LOCKED)
    words = ["--players", f"odd:{bot},dice", "--format", "1v3", "--sets", "1", "--seatings", "one", "--length", "one"]
    limits = ["--limit", "3", "--workers", "1", "--out", "match"]  # less than the stop lasts, more than a pause
    return subprocess.Popen(command(*words, *limits), cwd=folder, stderr=subprocess.PIPE, text=True), folder / "match"


def _lines_of_match(folder: Path, bot: str) -> list[str]:
    run, out = _match(folder, bot)
    _, told = run.communicate(timeout=SOON)
    assert run.returncode == 0, told
    return (out / "journal.jsonl").read_text().splitlines()[1:]


@pytest.mark.long
def test_a_worker_in_which_a_bot_keeps_the_lock_is_killed_and_its_hanchan_void(tmp_path: Path) -> None:
    lines = _lines_of_match(tmp_path, "Keeps")
    assert lines and all("Keeps on seat" in line and "kept the interpreter's lock for" in line for line in lines), lines


@pytest.mark.long
def test_a_worker_that_is_stopped_is_woken_and_its_hanchan_goes_on(tmp_path: Path) -> None:
    lines = _lines_of_match(tmp_path, "StopsOnce")
    assert lines and all('"ended":true' in line and '"faults":[{},{},{},{}]' in line for line in lines), lines


@pytest.mark.long
def test_a_worker_that_is_stopped_again_in_the_same_hanchan_is_killed_and_that_void(tmp_path: Path) -> None:
    lines = _lines_of_match(tmp_path, "Stops")
    assert lines and all("it was stopped by a signal for" in line for line in lines), lines


def test_workers_end_with_a_match_that_is_killed_though_a_bot_keeps_the_lock(tmp_path: Path) -> None:
    run, _ = _match(tmp_path, "Keeps")
    wait_until(lambda: workers_of(run.pid))
    workers = workers_of(run.pid)
    time.sleep(1)  # so that it plays, mostly
    run.kill()
    run.communicate(timeout=SOON)
    wait_until(lambda: not any(map(runs, workers)))


FAULT = "table 1, turn 2: AssertionError: not held"


def _breaks_in_game_2(plan: Any, number: int, opener: Any, **how: Any) -> Any:
    if number == 2:
        raise TableFault(FAULT)
    return play_one(plan, number, opener, **how)


def test_a_hanchan_that_breaks_is_void_and_the_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hanchan, "play_one", _breaks_in_game_2)
    done = play_match(tmp_path / "match", small_plan())
    assert (done.tally.games, done.tally.void, done.tally.defects) == (11, 1, 1)
    assert done.results.figures is not None and done.results.figures.void_reasons == (f"{DEFECT}{FAULT}",)


def test_the_command_then_ends_with_exit_code_70(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hanchan, "play_one", _breaks_in_game_2)
    folder = str(tmp_path / "match")
    words = ("--players", "dice,tsumogiri,dice,tsumogiri", "--sets", "1", "--length", "one")
    ran = jantaku("match", *words, "--workers", "0", "--out", folder)
    assert ran.code == 70 and "1 kyoku is void by a defect of jantaku itself" in ran.err
    assert "3 kyoku in 1 set, " in ran.out
