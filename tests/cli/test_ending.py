"""Ctrl-C and SIGTERM end a command cleanly, in whatever it is."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.table.records.journal.read import load
from scripts.environments import PYTHON
from tests.kit.pace import SOON
from tests.kit.processes import state_of, wait_until

BOT = """import os, sys, pathlib, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
for line in sys.stdin:
    if "kaiju" in line:
        print('{"seq": 1}', flush=True)
    elif "zimo" in line:
        pathlib.Path("pid").write_text(str(os.getpid()))
"""
"""Stops answering as soon as tiles are drawn."""

THINKER = """import os, pathlib, time
class Thinker:
    def hear(self, event):
        pass
    def answer(self, question):
        pid = pathlib.Path("pid")
        pid.write_text(str(os.getpid()))
        time.sleep(0.5)
        pid.write_text(str(os.getpid()) + "\\n")
        return question.default
"""
"""Says that it thinks, and with an end of line that it has done so."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "stopped by SIGTERM")]
)
@pytest.mark.parametrize("command", ["play", "exam"])
def test_a_signal_ends_a_command_and_the_programs_that_it_has_started(
    command: str, number: signal.Signals, code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    bot = f"exec:{PYTHON} bot.py"
    words = [bot] if command == "exam" else ["--players", f"{bot},shanten,shanten,shanten", "--out", "games"]
    command_line = [sys.executable, "-m", "jantaku", command, *words, "--limit", "60"]
    with subprocess.Popen(command_line, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        pid = _pid(tmp_path / "pid")
        process.send_signal(number)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == code and f"jantaku: {said}\n" in err and "Traceback" not in err
    assert not state_of(pid)
    if command == "play":
        assert "stopped; the records so far are in games" in err and "not asked any more" not in err
        assert load(tmp_path / "games" / "game-0000.jsonl").log


@pytest.mark.long
def test_nobody_is_stopped_in_the_middle_of_a_question(tmp_path: Path) -> None:
    (tmp_path / "thinker.py").write_text(THINKER)
    words = ["play", "--players", "thinker:Thinker,shanten,shanten,shanten", "--out", "games", "--limit", "60"]
    with subprocess.Popen(
        [sys.executable, "-m", "jantaku", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        _pid(tmp_path / "pid")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 130 and (tmp_path / "pid").read_text().endswith("\n"), err


@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_signal_does_not_disturb_the_ending(number: signal.Signals, code: int, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    words = ["exam", f"exec:{PYTHON} bot.py", "--limit", "60"]
    with subprocess.Popen(
        [sys.executable, "-m", "jantaku", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        pid = _pid(tmp_path / "pid")
        process.send_signal(number)
        assert process.stderr is not None
        while "jantaku: " not in process.stderr.readline():
            pass
        process.send_signal(number)
        _, err = process.communicate(timeout=SOON)
    assert (process.returncode, err) == (code, "")
    assert not state_of(pid)


def _pid(path: Path) -> int:
    """The bot's process, as soon as it has begun to play."""
    wait_until(lambda: path.exists() and path.read_text())
    return int(path.read_text())
