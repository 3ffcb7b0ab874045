"""Programs and isolated bots in the sandbox: what they can do there, what they cannot, and who is blamed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters.program import running
from jantaku.players.sandbox import host, start, visible
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Choice, Question, Verdict
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import SandboxLimits, Terms, confined, terms_of
from jantaku.table.riichi.actions import Discard
from scripts.environments import PYTHON
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.kit.processes import wait_until
from tests.players.driving import needs_bwrap, program_of

QUESTION = Question(1, 0, Choice((Discard(0), Discard(1)), Discard(0)), allowed=20.0)


def talk_of(folder: Path, code: str, options: str = "") -> list[Any]:
    """What a program in the sandbox, made of these lines of Python, prints as JSON; the last thing is how it ended."""
    script = folder / "own" / "bot.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"import json, os, sys\ndef say(x): print(json.dumps(x), flush=True)\n{code}\n")
    spec = f"exec:{PYTHON} {script}?sandbox=on&dialect=mjai-lines{options}"
    player, program = program_of(spec, folder / "logs")
    said: list[Any] = []
    try:
        while True:
            said.append(json.loads(program.receive(Deadline(None)).line))
    except PlayerGone as gone:
        said.append((gone.limit, str(gone)))
    finally:
        player.close()
        assert program.join(10)
    return said


@needs_bwrap
def test_a_program_sees_itself_its_interpreter_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("walls")
    (tmp_path / "logs").mkdir()
    code = f"""
say(os.listdir({str(tmp_path)!r}))
say(sorted(int(name) for name in os.listdir('/proc') if name.isdigit())[-1] < 10)
say([os.path.exists(place) for place in ('/run', '/var', '/etc/passwd', '/sys')])
say(os.listdir({str(Path.home())!r}) if os.path.exists({str(Path.home())!r}) else [])
say(sorted(fd for fd in os.listdir('/proc/self/fd'))[:4])
say(os.getcwd() == {os.getcwd()!r} and os.environ['HOME'])
"""
    files, few, others, at_home, fds, home, _ = talk_of(tmp_path, code)
    assert files == ["own"] and few and fds == ["0", "1", "2", "3"] and home == "/tmp"
    assert others == [False, False, False, False]
    shown = [Path(place) for place in (sys.base_prefix, sys.prefix, os.getcwd())]
    ways = {place.relative_to(Path.home()).parts[0] for place in shown if place.is_relative_to(Path.home())}
    assert set(at_home) <= ways, "nothing beside the way to what is shown"


@needs_bwrap
def test_a_program_opens_its_own_pipes_by_name_and_has_no_privileges(tmp_path: Path) -> None:
    code = """
print('words', file=open('/dev/stderr', 'w'))
say([line.split()[1] for line in open('/proc/self/status') if line.startswith('Cap')])
say([os.getresuid(), os.getresgid(), os.getgroups()])
say([line.split()[1] for line in open('/proc/self/uid_map') if line.split()[0] == '1000'])
"""
    capabilities, ids, outside, _ = talk_of(tmp_path, code)
    assert set(capabilities) == {"0" * 16} and ids[:2] == [[1000] * 3] * 2
    if host.drops_root():
        assert outside == [str(host.OUTSIDE)] and ids[2] == []


@needs_bwrap
@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="who is not root may read what its programs may")
def test_a_folder_that_only_root_may_read_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "own" / "bot.py").touch()
    with pytest.raises(BadInput, match=f"the user nobody in the sandbox, which may not read {tmp_path}/own: chmod"):
        enlist([f"exec:{PYTHON} {tmp_path}/own/bot.py?sandbox=on"])


@needs_bwrap
def test_nothing_can_be_written_but_the_scratch_folder_which_is_small(tmp_path: Path) -> None:
    code = """
def tried(path, size=1):
    try:
        with open(path, 'wb') as file:
            for _ in range(size): file.write(b'x' * (1 << 20))
        return 'written'
    except OSError as error:
        return error.strerror
say([tried(place) for place in ('/x', '/dev/x', '/usr/x', os.path.join(os.path.dirname(sys.argv[0]), 'x'),
     '/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj')])
say(tried('/tmp/scratch-0'))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
say([tried('/tmp/scratch-1', 3), tried('/tmp/scratch-2', 3), tried('/dev/shm/c', 9)])
"""
    refused, scratch, big, _ = talk_of(tmp_path, code, "&limits.disk=4")
    assert isinstance(refused, list) and "written" not in refused and scratch == "written"
    assert isinstance(big, list) and big[0] == "written" and "written" not in big[1:]


@needs_bwrap
def test_the_buffers_of_its_sockets_stay_as_they_are(tmp_path: Path) -> None:
    code = """
import socket
def tried(level, option):
    try:
        socket.socketpair()[0].setsockopt(level, option, 1)
        return 'set'
    except OSError as error:
        return error.strerror
say([tried(socket.SOL_SOCKET, option) for option in (socket.SO_SNDBUF, socket.SO_RCVBUF, socket.SO_KEEPALIVE)])
"""
    tries, _ = talk_of(tmp_path, code)
    assert tries == ["Operation not permitted", "Operation not permitted", "set"]


@needs_bwrap
@kept_cases("code, options, limit, words")
def test_who_breaks_a_limit_is_ended_and_it_is_said_which(
    tmp_path: Path, code: str, options: str, limit: str, words: str
) -> None:
    told, reason = talk_of(tmp_path, code, options)[-1]
    assert told == limit and words in reason, reason


@needs_bwrap
def test_its_memory_counts_all_its_processes_together(tmp_path: Path) -> None:
    code = """
import time
for _ in range(4):
    if os.fork() == 0:
        kept = b'x' * (60 << 20)
        time.sleep(60)
sys.stdin.read()
"""
    told, reason = talk_of(tmp_path, code, "&limits.memory=160")[-1]
    assert told == "memory", reason


@needs_bwrap
def test_nothing_of_it_is_left_however_it_hides(tmp_path: Path) -> None:
    """A child in a session of its own gets away from a process group, and not out of the sandbox."""
    code = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time
        os.close(0), os.close(1), os.close(2)
        time.sleep(77777)
    os._exit(0)
say('hidden')
"""
    assert talk_of(tmp_path, code)[0] == "hidden"
    mark = str(tmp_path).encode()
    wait_until(lambda: not any(mark in _read(path) for path in Path("/proc").glob("[0-9]*/cmdline")))
    assert not running


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@needs_bwrap
def test_verdict_and_reason_are_those_of_the_seat_and_innocents_play_on(jantaku: Jantaku, tmp_path: Path) -> None:
    script = tmp_path / "own" / "hog.py"
    script.parent.mkdir()
    script.write_text(
        "import sys\nfor _ in 'abcdefgh': sys.stdin.readline()\nkept = [b'x' * (1 << 24) for _ in range(99)]\n"
    )
    hog = f"exec:{PYTHON} {script}?sandbox=on&limits.memory=128&dialect=majiang-2015&name=hog"
    words = ("--length", "one", "--limit", "5", "--json", "--out", str(tmp_path / "out"))
    told = json.loads(jantaku("play", "--players", f"{hog},dice,dice,dice?isolate=process&sandbox=on", *words).out)
    assert told["ending"] == "over" and told["faults"][1:] == [{}, {}, {}]
    assert told["faults"][0]["memory"] and set(told["faults"][0]) <= {"memory", "silent"}, "it has never answered"
    assert jantaku("verify", told["records"][0]).code == 0


@needs_bwrap
@pytest.mark.long
def test_a_program_that_a_worker_of_a_match_starts_sees_as_little(jantaku: Jantaku, tmp_path: Path) -> None:
    (own := tmp_path / "own").mkdir()
    (secret := tmp_path / "secret").touch()
    (own / "bot.py").write_text(f"import os, sys\nprint('seen', os.path.exists({str(secret)!r}), file=sys.stderr)\n")
    bot = f"exec:{PYTHON} {own / 'bot.py'}?sandbox=on&name=a"
    words = ("--format", "1v3", "--sets", "1", "--length", "one", "--workers", "1", "--limit", "1")
    ran = jantaku("match", "--players", f"{bot},tsumogiri", *words, "--out", str(tmp_path / "m"))
    assert "exit code 0; on stderr: seen False;" in ran.err


@needs_bwrap
def test_an_isolated_bot_plays_the_same_game_in_the_sandbox(jantaku: Jantaku, cwd: Path) -> None:
    (cwd / "bots").mkdir()
    (cwd / "bots" / "mine.py").write_text(
        "from jantaku.players.bots.shanten import Shanten\nclass Mine(Shanten): pass\n"
    )
    games = []
    for number, options in enumerate(("", "?isolate=process&sandbox=on")):
        players = ",".join([f"bots/mine.py:Mine{options}", f"dice{options}", "caller", "tsumogiri"])
        ran = jantaku("play", "--players", players, "--length", "one", "--seed", "4", "--out", str(number))
        assert (ran.code, ran.err) == (0, "")
        games.append((cwd / str(number) / "game-0000.json").read_bytes())
    assert games[0] == games[1]


def test_the_switch_puts_all_in_the_sandbox_that_is_not_installed_here() -> None:
    players = ("shanten", "mine:Mine", "exec:node bot.js", "bots/mine.py", "ws:anna", "exec:mine?sandbox=off")
    of = {terms.bot: terms for terms in confined(players)}
    wanted = [("none", None), ("process", "on"), ("none", "on"), ("process", "on"), ("none", None), ("none", "off")]
    assert [(terms.isolate, terms.sandbox) for terms in of.values()] == wanted
    assert confined(confined(players)) == confined(players)


def test_that_sandboxes_work_is_known_of_that_bubblewrap_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bwrap := tmp_path / "bwrap").write_text("#!/bin/sh\n")
    bwrap.chmod(0o755)
    tried: list[Sequence[str]] = []

    def started(sandbox: start.Sandbox, command: Sequence[str], env: object) -> tuple[subprocess.Popen[bytes], int]:
        tried.append(command)
        return subprocess.Popen(["true"], stdout=subprocess.PIPE), 0

    monkeypatch.setattr(start, "start", started)
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{tmp_path}:{path}")
    start.try_out()
    start.try_out()
    assert tried == [[str(bwrap), "--version"]]
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    with pytest.raises(BadInput, match="the sandbox needs bubblewrap"):
        start.try_out()


@pytest.mark.parametrize("command", ["play", "match", "exam", "serve"])
def test_a_host_without_bubblewrap_is_refused_in_one_line(
    jantaku: Jantaku, cwd: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("PATH", str(cwd))
    bot = f"exec:{PYTHON} -c pass"
    words = {
        "exam": (bot, "--sandbox"),
        "serve": ("--players", f"ws,{bot},dice,dice", "--sandbox"),
        "match": ("--players", f"{bot},dice", "--format", "1v3", "--sandbox", "--workers", "0"),
        "play": ("--players", f"{bot},dice,dice,dice", "--sandbox"),
    }[command]
    ran = jantaku(command, *words)
    assert ran.code == 2 and len(ran.err.splitlines()) == 1
    assert "the sandbox needs bubblewrap: on Debian and Ubuntu apt install bubblewrap" in ran.err


@cases(
    "spec, words",
    ("shanten?sandbox=on", "only a program or a bot with isolate = process"),
    ("exec:true?sandbox=on&bind=nowhere", "bind: there is no .*nowhere"),
    ("exec:true?sandbox=on&bind=/", "bind: / holds home folders or the whole system"),
    ("exec:true?sandbox=maybe", 'allowed: "on" or "off"'),
    ("exec:true?limits.memory=1", "allowed: a whole number from 16"),
)
@needs_bwrap
def test_what_cannot_be_meant_is_refused(spec: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        enlist([spec])


def test_a_key_that_holds_a_list_may_come_again() -> None:
    assert terms_of("exec:x?bind=a&bind=b&inherit=C").bind == ("a", "b")


@needs_bwrap
@pytest.mark.parametrize("name", ["node_modules", "records"])
def test_a_link_in_a_programs_folder_shows_nothing_of_this_machine(tmp_path: Path, name: str) -> None:
    """A link to where the sandbox has something of its own would put this machine's in its place."""
    (tmp_path / "own").mkdir()
    (link := tmp_path / "own" / name).symlink_to(os.path.relpath("/tmp", tmp_path / "own"))
    with tempfile.NamedTemporaryFile(dir="/tmp") as theirs:
        assert talk_of(tmp_path, f"say(os.path.exists({theirs.name!r}))")[0] is False
    link.unlink()
    link.symlink_to(os.path.relpath("/proc", tmp_path / "own"))
    processes = talk_of(tmp_path, "say([name for name in os.listdir('/proc') if name.isdigit()])")[0]
    assert len(processes) <= 3, "bubblewrap's and its own"


def test_links_of_a_programs_folder_are_neither_shown_nor_hidden_but_for_what_is_in_it(tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "data" / "records").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (own / "records").symlink_to("data/records")
    (own / "matches").symlink_to(tmp_path / "elsewhere")
    (own / "node_modules").symlink_to(tmp_path / "elsewhere")
    (own / "up").symlink_to("/")
    assert visible.hidden([str(own)], None) == [str(own / "data" / "records")]
    assert visible.own(["/usr/bin/node"], str(own), ()) == []
    with pytest.raises(BadInput, match="holds home folders or the whole system"):
        visible.own(["/usr/bin/node"], str(own), ["up"])


def test_a_programs_own_folder_is_shown_without_the_records_in_it(tmp_path: Path) -> None:
    for folder in ("records", "matches", "out", "data"):
        (tmp_path / folder).mkdir()
    hidden = visible.hidden([str(tmp_path)], str(tmp_path / "out" / "deep" / "logs"))
    assert hidden == [str(tmp_path / name) for name in ("matches", "out", "records")]
    with pytest.raises(BadInput, match="cannot hide the records"):
        visible.hidden([str(tmp_path)], str(tmp_path))


def test_a_script_in_the_home_folder_is_seen_the_folder_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").touch()
    (tmp_path / "node_modules").mkdir()
    places = visible.own(["/usr/bin/python3", "bot.py", "--fast"], str(tmp_path), [])
    assert places == [str(tmp_path / "bot.py"), str(tmp_path / "node_modules")]


def test_the_limits_have_names_bounds_and_verdicts() -> None:
    assert SandboxLimits() == Terms("x").limits
    assert not any(verdict.good for verdict in (Verdict.MEMORY, Verdict.CPU, Verdict.FORBIDDEN))
