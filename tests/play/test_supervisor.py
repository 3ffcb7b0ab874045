"""No bot keeps a command from ending, or ends it unseen."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.kit.processes import child_of, runs, state_of, wait_until

BOTS = """import ctypes, os, re, signal, time
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.judge import stalls
stalls.SLACK = 3.0
class Computes(Tsumogiri):
    def answer(self, question):
        open("asked", "w").close()
        re.match(r"(a+)+$", "a" * 40 + "b")
def keep():
    open("asked", "w").close()
    mutex = ctypes.create_string_buffer(64)
    for _ in range(2):
        ctypes.PyDLL(None).pthread_mutex_lock(mutex)
class Keeps(Tsumogiri):
    def answer(self, question):
        keep()
class KeepsWhileMade(Tsumogiri):
    def __init__(self):
        keep()
class Leaves(Tsumogiri):
    def answer(self, question):
        os._exit(0)
class Crashes(Tsumogiri):
    def answer(self, question):
        os.kill(os.getpid(), signal.SIGSEGV)
class Sleeps(Tsumogiri):
    def answer(self, question):
        open("asked", "w").close()
        time.sleep(0.05)
        return question.default
"""
"""`Keeps` waits for itself with the interpreter's lock in its hands, without CPU; `Computes` keeps it by work."""
PLAY = ("play", "--limit", "0.3", "--out", "out")
HERE = ("match", "--workers", "0", "--sets", "1", "--limit", "0.3", "--out", "out")


def start(folder: Path, bot: str, *words: str) -> "subprocess.Popen[str]":
    (folder / "odd.py").write_text(BOTS)
    players = () if words[0] == "exam" else ("--players", f"odd:{bot},dice,dice,dice")
    return subprocess.Popen(
        [sys.executable, "-m", "jantaku", *words, *players],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
@pytest.mark.parametrize("words", [PLAY, HERE, ("exam", "odd:Leaves", "--item", "riichi")])
def test_a_bot_that_leaves_is_said_and_never_exit_code_0(words: tuple[str, ...], tmp_path: Path) -> None:
    with start(tmp_path, "Leaves", *words) as process:
        out, err = process.communicate(timeout=SOON)
    assert process.returncode == 2 and "was ended with exit code 0, by os._exit, not by jantaku" in err, out


def test_a_bot_that_crashes_its_process_is_said(tmp_path: Path) -> None:
    with start(tmp_path, "Crashes", *PLAY) as process:
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 128 + signal.SIGSEGV and "by signal 11" in err


@pytest.mark.long
@cases(
    "number, code, said, whole_group, bot",
    (signal.SIGINT, 130, "interrupted", True, "Keeps"),  # as the terminal does
    (signal.SIGTERM, 143, "stopped by SIGTERM", False, "Keeps"),
    (signal.SIGINT, 130, "interrupted", False, "KeepsWhileMade"),
)
def test_a_command_is_over_soon_though_a_bot_keeps_the_lock(
    number: signal.Signals, code: int, said: str, whole_group: bool, bot: str, tmp_path: Path
) -> None:
    with start(tmp_path, bot, "play", "--out", "out") as process:
        wait_until((tmp_path / "asked").exists)
        child = child_of(process.pid)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == code and f"jantaku: {said}" in err
    assert not state_of(child)


@pytest.mark.real_time
def test_that_takes_five_seconds_at_most(tmp_path: Path) -> None:
    with start(tmp_path, "Keeps", "play", "--out", "out") as process:
        wait_until((tmp_path / "asked").exists)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SOON)
    assert time.monotonic() - began < 5.5


@pytest.mark.long
def test_a_bot_that_keeps_the_lock_for_ever_is_cut_off_and_named(tmp_path: Path) -> None:
    with start(tmp_path, "Computes", *PLAY, "--threads", "resident") as process:
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 2 and "has kept the interpreter's lock for" in err
    assert "the bot on seat" in err, err


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_whoever_is_killed_takes_the_game_along(number: signal.Signals, tmp_path: Path) -> None:
    with start(tmp_path, "Sleeps", "play", "--out", "out") as process:
        wait_until((tmp_path / "asked").exists)
        child = child_of(process.pid)
        process.send_signal(number)
        process.communicate(timeout=SOON)
    wait_until(lambda: not runs(child))


@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_to_the_process_that_plays_is_as_good(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with start(tmp_path, "Sleeps", "play", "--out", "out") as process:
        wait_until((tmp_path / "asked").exists)
        os.kill(child_of(process.pid), number)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == code and "stopped; the records so far are in out" in err


def test_a_command_in_the_background_of_a_script_ends_in_order_when_it_is_interrupted(tmp_path: Path) -> None:
    """Shells without job control have such commands ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start(tmp_path, "Sleeps", "play", "--out", "out")
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        wait_until((tmp_path / "asked").exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 130
    assert "something kept the game from ending" not in err
