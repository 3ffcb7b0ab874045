"""What works on systems that lack what only some have: bots in Python play, records are proven, the fixture seats."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.table.ground.installation import HOME

HIDDEN = """
import os, select, signal, sys

LACKING = {
    os: "fork forkpty register_at_fork killpg set_blocking sched_getaffinity sched_setaffinity sysconf getuid waitid "
    "statvfs O_CLOEXEC P_PID WEXITED WNOWAIT",
    select: "poll epoll",
    signal: "sigtimedwait pthread_sigmask SIGCHLD SIGCONT SIGSYS SIGXCPU",
}
for module, names in LACKING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None  # importing it raises ImportError

def no_proc(event, args):
    if event in ("open", "os.listdir", "os.scandir") and str(args[0]).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", args[0])

sys.addaudithook(no_proc)
"""
COMMANDS = """
from jantaku.table.cli.main import main

def run(*words):
    try:
        main(words)
    except SystemExit as ended:
        assert not ended.code, (words, ended.code)

for mode in ("inline", "resident", "per-turn"):
    game = ("--players", "shanten,caller,dice,tsumogiri", "--length", "one", "--seed", "1")
    run("play", *game, "--threads", mode, "--out", f"{sys.argv[1]}/{mode}")
    run("verify", f"{sys.argv[1]}/{mode}/game-0000.json")
"""
FIXTURE = """
import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", sys.argv[1], sys.argv[1]]))
"""
TEST = """
def test_a_bot_plays(jantaku_table):
    jantaku_table("shanten", "shanten", "dice", "caller", length="one").assert_sound()
"""


def run(program: str, folder: Path) -> None:
    """In a process of its own, which has nothing to start another with."""
    env = {**os.environ, "PYTHONPATH": HOME}
    words = [sys.executable, "-c", program, str(folder)]
    ran = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.slow
def test_bots_in_python_play_the_same_bytes_without_what_only_some_systems_have(tmp_path: Path) -> None:
    for name, program in {"here": f"import sys\n{COMMANDS}", "lacking": HIDDEN + COMMANDS}.items():
        (tmp_path / name).mkdir()
        run(program, tmp_path / name)
    records = [
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.json")}
        for name in ("here", "lacking")
    ]
    assert len(records[0]) == 3 and records[0] == records[1]


def test_the_fixture_works_without_what_only_some_systems_have(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text(TEST, "utf-8")
    run(HIDDEN + FIXTURE, tmp_path)
