"""A command whose output nobody reads, or that is ended by Ctrl-C or SIGTERM: that is no defect, and it ends
cleanly."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.table.records.journal.read import load
from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.kit.processes import state_of, wait_until

FULL = Path("/dev/full")
"""A disk that is always full."""


def run(command: str, stdout: str) -> subprocess.CompletedProcess[str]:
    line = f"{PYTHON} -m jantaku {command} {stdout}"
    return subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], stderr=subprocess.PIPE, text=True, timeout=SOON)


@pytest.mark.long
@pytest.mark.parametrize("command", ["rules tenhou", "bots", "--help", "play --length one --threads inline --out {}"])
def test_whoever_has_read_enough_of_the_output_is_no_failure(command: str, tmp_path: Path) -> None:
    done = run(command.format(tmp_path / "out"), "| true")
    assert done.returncode == 0 and done.stderr == ""


def test_a_position_of_which_only_the_beginning_is_read_is_no_failure(game_folder: Path) -> None:
    done = run(f"show {game_folder}/game-0000.jsonl", "| true")
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.parametrize("words", [("show",), ("play", "--threads"), ()])
def test_a_huge_word_is_not_told_whole(jantaku: Jantaku, words: tuple[str, ...]) -> None:
    ran = jantaku(*words, "7" * 90_000)
    assert ran.code == 2 and len(ran.err) < 2100 and ran.err.count("characters …") == 1
    assert ran.err.startswith("jantaku: ") and not ran.err.strip().endswith("7"), "what was wrong stands at the end"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["rules tenhou", "--version"])
def test_a_full_disk_under_the_output_is_said_in_one_line(command: str) -> None:
    done = run(command, f"> {FULL}")
    assert done.returncode == 2
    assert done.stderr == "jantaku: the output cannot be written: No space left on device\n"


@pytest.mark.long
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_stop_no_game_and_get_into_no_record(closed: str, jantaku: Jantaku, tmp_path: Path) -> None:
    played = f"play --length one --threads inline --seed 3 --out {tmp_path}/games"
    assert run(played, closed).returncode == 0
    records = [str(tmp_path / "games" / f"game-0000.{kind}") for kind in ("jsonl", "json")]
    assert jantaku("verify", *records).code == 0


PRINTS = """import os, sys
print("while it is imported")
from jantaku.players.bots.tsumogiri import Tsumogiri
class Prints(Tsumogiri):
    def __init__(self):
        super().__init__()
        print("made")
    def answer(self, question):
        print("thinking")
        sys.stdout.flush()
        sys.__stdout__.write("hm\\n")
        sys.__stdout__.flush()
        os.write(1, b"aloud\\n")
        os.system("echo in a shell")
        return super().answer(question)
"""


@pytest.mark.long
@cases(
    "command",
    "play --json --length one --players odd:Prints,dice,dice,dice",
    "play --json --length one --threads inline --players odd:Prints,dice,dice,dice",
    "match --json --length one --format 1v3 --players odd:Prints,dice --sets 1 --workers 1",
    "match --json --length one --format 1v3 --players odd:Prints,dice --sets 1 --workers 0",
    "exam --json --item riichi odd:Prints",
)
def test_what_a_bot_prints_is_not_among_lines_of_json(command: str, tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(PRINTS)
    words = [sys.executable, "-m", "jantaku", *command.split()]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=SOON)
    assert done.returncode in (0, 1) and len(done.stdout.splitlines()) == 1, done.stdout[:500]
    assert isinstance(json.loads(done.stdout), dict)
    for said in ("while it is imported", "made", "thinking", "hm", "aloud", "in a shell"):
        assert f"{said}\n" in done.stderr


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
@cases("number, code, said", (signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "stopped by SIGTERM"))
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
