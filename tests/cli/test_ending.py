"""Ctrl-C and SIGTERM end a command cleanly, in whatever it is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from table.record.read import load
from tests.kit.pace import SOON

BOT = """import os, sys, pathlib, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
for line in sys.stdin:
    if "kaiju" in line:
        print('{"seq": 1}', flush=True)
    elif "zimo" in line:
        pathlib.Path("pid").write_text(str(os.getpid()))
"""
"""Stops answering as soon as tiles are drawn."""


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "told to end")]
)
@pytest.mark.parametrize("command", ["play", "exam"])
def test_a_signal_ends_a_command_and_the_programs_that_it_has_started(
    command: str, number: signal.Signals, code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    bot = f"exec:{sys.executable} bot.py"
    words = [bot] if command == "exam" else ["--players", f"{bot},shanten,shanten,shanten", "--out", "games"]
    command_line = [sys.executable, "-m", "table", command, *words, "--limit", "60"]
    with subprocess.Popen(command_line, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        pid = _pid(tmp_path / "pid")
        process.send_signal(number)
        _, err = process.communicate(timeout=SOON * 4)
    assert process.returncode == code and f"jantaku: {said}\n" in err and "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    if command == "play":
        assert "stopped; the records so far are in games" in err
        assert load(tmp_path / "games" / "game-0000.jsonl").log


def _pid(path: Path) -> int:
    """The bot's process, as soon as it has begun to play."""
    until = time.monotonic() + SOON * 10
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < until, "the bot was never asked"
        time.sleep(0.01)
    return int(path.read_text())
