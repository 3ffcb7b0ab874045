"""Running a judge in its own thread, stopping it, and getting out of it when a player hangs."""

import os
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Ending
from tests.judge.players import Writer, dice, join_table_threads, table_threads
from tests.kit.pace import MODES, SOON, UNIT
from tests.kit.toy import ToyGame

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mode", MODES)
def test_a_started_judge_plays_in_a_daemon_thread_of_its_name(mode: str) -> None:
    gate = threading.Event()
    seen: list[threading.Thread] = []

    def does(question: Question) -> Any:
        assert gate.wait(SOON)
        seen.extend(thread for thread in threading.enumerate() if thread.name.startswith("T9-"))
        return question.default

    judge = Judge(ToyGame(turns=1), [Writer(does), Writer(), Writer(), Writer()], mode=mode, table=9)
    judge.start()
    gate.set()
    result = judge.join(SOON)
    assert result.ending is Ending.OVER and table_threads(9) == []
    assert "T9-judge" in {thread.name for thread in seen}
    # A stuck player cannot be killed; as a daemon it does not keep the interpreter alive either.
    assert all(thread.daemon for thread in seen)


def test_join_tells_if_the_table_still_plays_and_may_be_called_again() -> None:
    asked, gate = threading.Event(), threading.Event()

    def answer(question: Question) -> str:
        asked.set()
        return "keep" if gate.wait(SOON) else ""

    judge = Judge(ToyGame(turns=1), [Writer(answer), Writer(), Writer(), Writer()])
    judge.start()
    assert asked.wait(SOON)
    with pytest.raises(
        TimeoutError, match=r"table 1 still plays after 0\.1 s: <Judge T1 per-turn: turn 1, seats asked"
    ):
        judge.join(0.1)
    gate.set()
    assert judge.join(SOON).turns == 1
    assert judge.join(SOON).turns == 1


def test_join_raises_what_ended_the_judge() -> None:
    class Broken(ToyGame):
        def turn(self) -> Any:
            raise ValueError("ours")

    judge = Judge(Broken(), [Writer() for _ in range(4)])
    judge.start()
    with pytest.raises(TableFault, match="ValueError: ours"):
        judge.join(SOON)


def test_join_before_start_is_refused() -> None:
    with pytest.raises(TableFault, match=r"join\(\) before start\(\)"):
        Judge(ToyGame(), [Writer() for _ in range(4)]).join(1)


@pytest.mark.parametrize("mode", MODES)
def test_stop_ends_the_game_after_the_turn_that_is_played(mode: str) -> None:
    game = ToyGame(turns=1000)

    def stopper(question: Question) -> Any:
        judge.stop()
        return question.default

    players = [Writer(), Writer(), Writer(stopper), Writer()]
    judge = Judge(game, players, mode=mode)
    result = judge.run()
    assert result.ending is Ending.STOPPED and result.turns == 3
    assert len(game.ruled) == 3  # a turn that has begun is ruled on
    assert table_threads() == []


def test_its_repr_shows_every_seat_in_one_line() -> None:
    judge = Judge(ToyGame(turns=2), [dice(seat) for seat in range(4)], table=5)
    assert repr(judge) == "<Judge T5 per-turn: turn 0, seats idle idle idle idle>"
    judge.run()
    assert repr(judge) == "<Judge T5 per-turn: turn 2, seats idle idle idle idle>"


@pytest.mark.pure
def test_ctrl_c_while_a_player_thinks_gets_out_and_lets_the_other_seats_go(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    players = [Writer(lambda question: gate.wait(SOON) and "keep"), Writer(), Writer(), Writer()]

    def interrupted(*_: Any) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("jantaku.table.judge.turn.threaded.Threaded._until_home", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Judge(ToyGame(), players).run()
    assert table_threads() == ["T1-s0-t1"]  # the three that waited for the action have ended
    gate.set()
    join_table_threads()


@pytest.mark.parametrize(("mode", "way"), [("per-turn", "judge.run()"), ("resident", "judge.start(); judge.join()")])
def test_pytest_timeout_ends_a_test_that_hangs_in_the_judge(way: str, mode: str, tmp_path: Path) -> None:
    """Users put their slow bots under pytest-timeout: the test fails, the run goes on, the seat is named."""
    (tmp_path / "test_hang.py").write_text(
        textwrap.dedent(f"""
        import threading
        import pytest
        from jantaku.table.judge.judge import Judge
        from tests.judge.players import Writer
        from tests.kit.toy import ToyGame

        @pytest.mark.timeout({2 * UNIT}, method="signal")
        def test_hangs():
            players = [Writer(lambda question: threading.Event().wait()), Writer(), Writer(), Writer()]
            judge = Judge(ToyGame(), players, mode="{mode}")
            {way}

        def test_after_it():
            pass
        """)
    )
    words = ["-q", "-p", "no:cacheprovider", "-p", "pytest_timeout", f"--rootdir={tmp_path}", str(tmp_path)]
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, env=env, capture_output=True, text=True)
    assert "1 failed, 1 passed" in run.stdout, run.stdout + run.stderr
    assert "T1-s0" in run.stdout + run.stderr  # the stack of the hanging seat, by name


HANGS = """
import threading
from jantaku.table.judge.judge import Judge
from tests.judge.players import Writer
from tests.kit.toy import ToyGame

def test_hangs():
    never = Writer(lambda question: threading.Event().wait())
    Judge(ToyGame(turns=1), [never, Writer(), Writer(), Writer()], mode="per-turn").run()
"""


@pytest.mark.long
@pytest.mark.parametrize("pure", ["0", "1"])
def test_a_time_out_of_pytest_names_the_seats_that_wait_and_in_plain_python_the_line(tmp_path: Path, pure: str) -> None:
    (tmp_path / "test_hangs.py").write_text(HANGS)
    words = ["-p", "no:cacheprovider", "-p", "pytest_timeout", "--timeout", "1", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *words]
    env = os.environ | {"JANTAKU_PURE": pure, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    stacks = re.split(r"~+ Stack of (T1-s\d-t1) \(\d+\) ~+", ran.stdout + ran.stderr)
    by_thread = dict(zip(stacks[1::2], stacks[2::2], strict=True))
    assert sorted(by_thread) == ["T1-s0-t1", "T1-s1-t1", "T1-s2-t1", "T1-s3-t1"], ran.stdout
    assert "never = Writer" in by_thread["T1-s0-t1"]
    for name in ("T1-s1-t1", "T1-s2-t1", "T1-s3-t1"):
        assert "in wait" in by_thread[name]
        if pure == "1":
            assert "in other_target\n    event.wait()" in by_thread[name]
