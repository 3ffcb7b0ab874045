"""Programs where the machine is at its limits: full disks, floods, no thread left, a guardian that was killed, forks;
and players that are closed in the middle of something."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters import program
from jantaku.players.adapters.pipes import guardian, stderr
from jantaku.players.adapters.process import ProcessPlayer
from jantaku.players.adapters.program import Program, programs_left
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerGone, PlayerNotReady, PlayerSilent
from jantaku.table.ground.port import Choice, Question
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.actions import PASS, RON
from scripts.environments import PYTHON
from tests.kit.pace import SOON
from tests.kit.processes import runs, wait_until
from tests.languages.wire.driving import game_of
from tests.players.driving import ended, start
from tests.players.driving import nothing_is_left as nothing_is_left

QUESTION = Question(1, 0, Choice((PASS, RON), PASS), SOON, 0.0)
SLEEPS = "import time; time.sleep(99)"


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def of(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import os, signal, subprocess, sys, time\n{IMPORTS}{script}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SOON, check=False)


IMPORTS = """from jantaku.table.ground.clock import Deadline
from jantaku.players.adapters import program
from jantaku.players.adapters.pipes import guardian
from jantaku.players.adapters.program import Program, programs_left
def start(code):
    return Program("test", [sys.executable, "-c", code], cwd=None, env=dict(os.environ), log=None)
"""


def test_a_full_disk_costs_what_is_said_on_stderr_and_not_the_game() -> None:
    running = start("import os\nos.write(2, b'x' * 200_000)\nprint('plays on', flush=True)", Path("/dev/full"))
    assert running.receive(Deadline(SOON)).line == b"plays on"
    assert running.gone_within(SOON).startswith("the program has ended with exit code 0; on stderr: xxx")
    ended(running)


def test_a_folder_that_cannot_be_written_costs_the_same(tmp_path: Path) -> None:
    running = start("print('plays', flush=True)", tmp_path)
    assert running.receive(Deadline(SOON)).line == b"plays"
    ended(running)


def test_a_flood_on_stderr_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is for all games of the match; the last words are told all the same."""
    monkeypatch.setattr(stderr, "MOST", 300_000)
    log = tmp_path / "bot.stderr.txt"
    for bytes_kept in (200_100, 400_000, 400_000):
        running = start("import os\nfor n in range(200): os.write(2, b'x' * 999 + b'\\n')\nos.write(2, b'bye')", log)
        assert running.gone_within(SOON).endswith("on stderr: bye")
        assert running.join(SOON)
        assert log.stat().st_size < bytes_kept
    assert log.read_bytes().count(b"nothing more is kept") == 1


def test_lines_of_one_byte_do_not_take_more_room_than_long_ones() -> None:
    running = start("import os\nwhile True: os.write(1, b'0\\n' * 32768)")
    assert running.receive(Deadline(SOON)).line == b"0"
    for due in range(1, 200):
        running.send(b"", due)
        while len(running._lines) < 1000:  # until it has written again
            running.receive(Deadline(SOON))
            running._due = -1
            running.send(b"", due)
        assert len(running._lines) <= program.UNREAD_LINES + 32_768, "one piece of the pipe more than the bound"
    ended(running)


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_machine_without_threads_leaves_no_program_behind(fails_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    guardian.watch(1 << 22)  # it is there before files are counted
    guardian.forget(1 << 22)
    started, begin, files = [0], threading.Thread.start, len(os.listdir("/proc/self/fd"))

    def counted(thread: threading.Thread) -> None:
        started[0] += 1
        if started[0] == fails_at:
            raise RuntimeError("can't start new thread")
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", counted)
    with pytest.raises(PlayerNotReady, match="cannot be started: can't start new thread"):
        start(SLEEPS)
    assert programs_left() == 0 and len(os.listdir("/proc/self/fd")) == files


def test_a_program_is_killed_where_no_thread_is_left_to_end_it_gently(monkeypatch: pytest.MonkeyPatch) -> None:
    running = start(f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); {SLEEPS}")
    running.receive(Deadline(SOON))
    with monkeypatch.context() as patch:
        patch.setattr(Program, "_launch", lambda *_: (_ for _ in ()).throw(RuntimeError("can't start new thread")))
        running.stop()
    assert running.join(SOON)


def test_nothing_is_left_where_no_guardian_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoMore:
        """The module subprocess as the guardian sees it."""

        PIPE = subprocess.PIPE

        def Popen(self, *_: Any, **__: Any) -> None:
            raise OSError(24, "Too many open files")

    guardian.dismiss()
    files = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(guardian, "subprocess", NoMore())
    with pytest.raises(PlayerNotReady, match="Too many open files"):
        start(SLEEPS)
    assert programs_left() == 0 and len(os.listdir("/proc/self/fd")) == files


def test_a_table_whose_parent_ignores_the_ends_of_children_ends_its_programs_too() -> None:
    """What is ignored stays ignored in whatever is started: such a table cannot ask how a program has ended."""
    done = of(
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "running = start('print(1, flush=True)')\n"
        "print(running.receive(Deadline(9)).line, running.gone_within(9), running.join(9))\n"
    )
    assert done.stdout == "b'1' the program has ended with exit code 0 True\n" and done.stderr == ""


def test_a_guardian_that_takes_the_place_of_another_guards_all() -> None:
    done = of(
        f"first = start({SLEEPS!r})\n"
        "guardian._process.kill(); guardian._process.wait()\n"
        f"second = start({SLEEPS!r})\n"
        "print(first.pid, second.pid, guardian._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    first, second, new = map(int, done.stdout.split())
    wait_until(lambda: not runs(new))
    assert not runs(first) and not runs(second)


def test_a_child_that_was_forked_ends_nobody_and_is_not_waited_for() -> None:
    """A bot in the table's process may fork. The guardian learns of the table's end while that child lives on."""
    done = of(
        f"running = start({SLEEPS!r})\n"
        "gate, go = os.pipe()\n"
        "if os.fork() == 0: sys.exit(0)\n"  # this one runs atexit
        "os.wait()\n"
        "if os.fork() == 0: os.close(go); os.close(1); os.close(2); os.read(gate, 1); os._exit(0)\n"
        "print(running.gone_within(0.1) or 'alive', flush=True)\n"
        "program.end_all()\n"
        "print(running.gone_within(0), flush=True)\n"
    )
    assert done.stdout == "alive\nthe program was killed by signal 9 (Killed)\n"


@pytest.fixture
def quiet(tmp_path: Path) -> ProcessPlayer:
    """A player that becomes ready and then says nothing. It is never started again."""
    path = tmp_path / "quiet.py"
    path.write_text("import sys\nfor line in sys.stdin:\n    if 'kaiju' in line: print('{\"seq\":1}', flush=True)")
    player = enlist([f"exec:{PYTHON} {path}?restart=never"])[0].make(0)
    assert isinstance(player, ProcessPlayer)
    return player


def in_a_thread(target: Any, *args: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread


def test_the_end_of_a_game_is_no_failure_of_its_program(quiet: ProcessPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody may still wait for its answer then; it may be started for the next game all the same."""
    for event in game_of().events:
        quiet.hear(event)
    quiet.start(SOON)
    waiting, listen = threading.Event(), Program._listen

    def noted(running: Program, left: float | None) -> None:
        waiting.set()
        listen(running, left)

    monkeypatch.setattr(Program, "_listen", noted)
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            quiet.answer(QUESTION)
        except (PlayerGone, PlayerSilent) as fault:
            faults.append(fault)

    asking = in_a_thread(ask)
    assert waiting.wait(SOON)
    quiet.close()
    asking.join(SOON)
    assert [str(fault) for fault in faults] == ["the program was stopped"]
    assert quiet._launch.refusal == ""
