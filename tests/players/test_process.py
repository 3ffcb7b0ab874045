"""Players that are programs: they start, answer, end in every way there is, and leave nothing behind."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.players.adapters import program
from jantaku.players.adapters.pipes.lines import Splitter
from jantaku.players.adapters.program import Program
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerGone, PlayerNotReady, PlayerSilent
from jantaku.table.ground.port import Answer, Player, Remote, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialect import LONGEST_LINE
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi import ruleset
from scripts.environments import PYTHON
from tests.judge.players import Log
from tests.kit.cases import cases, kept_cases
from tests.kit.clocks import CLOCK
from tests.kit.pace import SOON
from tests.kit.processes import runs, state_of, wait_until
from tests.languages.wire.driving import game_of
from tests.players.driving import ended, start
from tests.players.driving import nothing_is_left as nothing_is_left

ONE = ruleset.with_settings(ruleset.resolve("majiang").rules, {"game.length": "one"})
TONPU = ruleset.with_settings(ONE, {"game.length": "tonpu"})
CLIENT = f"exec:{PYTHON} -m jantaku.players.adapters.client"
PATIENT = Clock(turn=SOON, reaction=SOON, start=SOON)
SCRIPT = """import sys, os, time, signal, subprocess
number = 0
for line in sys.stdin:
    {body}
"""


def python(tmp_path: Path, body: str, options: str = "") -> str:
    """A player that is this little program; `body` is what it does with each line."""
    path = tmp_path / "bot.py"
    path.write_text(SCRIPT.format(body=body.replace("\n", "\n    ")))
    return f"exec:{PYTHON} {path}{options}"


PASSES = "import json\nwith_number = {'seq': json.loads(line).get('seq')}\nprint(json.dumps(with_number), flush=True)\n"
READY = 'if "kaiju" in line: print(\'{"seq":1}\', flush=True)\n'


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def play(first: Player, clock: Clock = CLOCK, rules: Any = ONE, **settings: Any) -> tuple[Any, Log, Any]:
    """A game of `first` with three bots: its events, its answers, its result."""
    game, log = game_of("23", rules), Log()
    try:
        judge = Judge(game, [first, Shanten(), Shanten(), Shanten()], clock=clock, watches=[log], **settings)
        result = judge.run()
    finally:
        let_go(first)
    return game.events, log, result


def seat(spec: str) -> Player:
    return enlist([spec])[0].make(7)


def bad(log: Log) -> list[Answer]:
    return [answer for answer in log.every if not answer.verdict.good]


# --- the same game from everywhere


@pytest.mark.long
@pytest.mark.parametrize(("bot", "dialects"), [("shanten", ("majiang", "mjai")), ("dice", tuple(DIALECTS))])
def test_a_bot_plays_the_same_game_however_it_is_seated(bot: str, dialects: tuple[str, ...]) -> None:
    """In-process, isolated, and as a program that knows the game from messages: every option and its place in every
    dialect, on which dice depend, and the hand in one of each family."""
    here, _, _ = play(seat(bot), PATIENT)
    specs = [f"{bot}?isolate=process"]
    specs += [f"{CLIENT} --bot {bot} --dialect {dialect}?dialect={dialect}" for dialect in dialects]
    for spec in specs:
        there, log, result = play(seat(spec), PATIENT)
        assert there == here, spec
        assert bad(log) == [] and result.seats[0].stale == 0, spec


@pytest.mark.parametrize("mode", ["resident", "inline"])
def test_a_program_plays_in_every_thread_mode(mode: str) -> None:
    clock = Clock() if mode == "inline" else PATIENT
    here, _, _ = play(seat("shanten"), clock, mode=mode)
    there, log, _ = play(seat(CLIENT), clock, mode=mode)
    assert there == here and bad(log) == []


# --- its end


def test_a_program_that_ends_at_the_start_is_not_ready_and_says_its_last_words() -> None:
    player = seat(f"exec:{PYTHON} -c 'import sys; sys.exit(\"no weights found\")'")
    _, log, _ = play(player)
    assert {answer.verdict for answer in log.of(0)} == {Verdict.START_FAILED}
    assert log.of(0)[0].reason == "the program has ended with exit code 1; on stderr: no weights found"


def test_a_program_that_must_start_and_does_not_leaves_no_game() -> None:
    with pytest.raises(PlayerNotReady) as missing:
        play(seat("exec:/bin/false"), must_start=True)
    assert missing.value.args == ((0, "the program has ended with exit code 1"),)


def test_a_program_that_never_says_it_is_ready_has_the_start_limit(tmp_path: Path) -> None:
    clock = msgspec.structs.replace(CLOCK, start=0.5)
    _, log, _ = play(seat(python(tmp_path, "pass")), clock)
    assert {answer.verdict for answer in log.of(0)} == {Verdict.START_FAILED}
    assert log.of(0)[0].reason == "it did not reply to the start of the game in time"


def test_a_killed_program_is_gone_and_its_signal_is_named(tmp_path: Path) -> None:
    body = READY + 'if line.startswith(\'{"zimo":{"l":3\'): os.kill(os.getpid(), 9)'
    _, log, result = play(seat(python(tmp_path, body)))
    assert {answer.verdict for answer in log.of(0)} == {Verdict.GONE}
    assert "was killed by signal 9 (Killed)" in log.of(0)[0].reason and result.seats[0].state == "gone"
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}


@pytest.mark.long
@cases("restart, starts, ends", ("never", 1, "gone"), ("next-game", 1, "gone"), ("next-kyoku", 4, "idle"))
def test_a_program_comes_back_when_the_terms_say_so(tmp_path: Path, restart: str, starts: int, ends: str) -> None:
    """It ends at its first question of every kyoku; with next-kyoku it is there again for each of the tonpu's."""
    body = f"if 'kaiju' in line: open({str(tmp_path / 'starts')!r}, 'a').write('.')\n" + READY
    body += 'if \'"zimo"\' in line and \'"p":""\' not in line: sys.exit(1)'
    player = seat(python(tmp_path, body, f"?restart={restart}"))
    _, log, result = play(player, rules=TONPU)
    count = len((tmp_path / "starts").read_text())
    assert (count == 1) if starts == 1 else count >= starts
    assert result.seats[0].state == ends and {answer.verdict for answer in log.of(0)} == {Verdict.GONE}


@pytest.mark.long
@cases("restart, verdicts", ("next-kyoku", {Verdict.GONE, Verdict.OK}), ("next-game", {Verdict.START_FAILED}))
def test_a_program_that_ends_at_the_start_of_a_later_game_comes_back_when_the_terms_say_so(
    tmp_path: Path, restart: str, verdicts: set[Verdict]
) -> None:
    """It ends when it is told of the second game, and at no other time."""
    starts = str(tmp_path / "starts")
    body = f"if 'kaiju' in line: open({starts!r}, 'a').write('.')\n"
    body += f"if 'kaiju' in line and os.path.getsize({starts!r}) == 2: sys.exit(1)\n"
    entrant = enlist([python(tmp_path, body + PASSES, f"?restart={restart}")])[0]
    first, second = (play(entrant.make(seed), rules=TONPU)[1].of(0) for seed in (0, 1))
    assert [{answer.verdict for answer in answers} for answers in (first, second)] == [{Verdict.OK}, verdicts]


def test_the_budget_of_restarts_is_for_the_whole_match(tmp_path: Path) -> None:
    entrant = enlist([python(tmp_path, READY + "if 'qipai' in line: sys.exit(1)", "?restarts=1")])[0]
    reasons = []
    for seed in range(3):
        _, log, _ = play(entrant.make(seed))
        reasons.append((log.of(0)[0].verdict, log.of(0)[0].reason))
    assert [verdict for verdict, _ in reasons[:2]] == [Verdict.GONE] * 2
    assert reasons[2] == (Verdict.START_FAILED, "the program ended 2 times and restarts is 1")


def test_never_is_never_again_in_the_match(tmp_path: Path) -> None:
    entrant = enlist([python(tmp_path, READY + "if 'qipai' in line: sys.exit(1)", "?restart=never")])[0]
    play(entrant.make(0))
    _, log, _ = play(entrant.make(1))
    assert log.of(0)[0].verdict is Verdict.START_FAILED and "restart is never" in log.of(0)[0].reason


def test_a_new_game_has_a_new_program_with_its_own_seed_and_number(tmp_path: Path) -> None:
    path = tmp_path / "told"
    body = f"if 'kaiju' in line: open({str(path)!r}, 'a').write(os.environ['JANTAKU_SEED'] + sys.argv[1] + ' ')\n"
    entrant = enlist([python(tmp_path, body + READY, " {id}")])[0]
    for seed in (4, 5):
        play(entrant.make(seed), msgspec.structs.replace(CLOCK, turn=0.001, reaction=0.001))
    assert path.read_text() == "40 50 "


# --- nothing is left


@pytest.mark.long
def test_a_program_that_ignores_sigterm_is_killed_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = (
        f"if 'kaiju' in line:\n  signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "  child = subprocess.Popen([sys.executable, '-c', 'import signal, time; "
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(99)'])\n"
        f"  open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        f"{READY}time.sleep(99)"
    )
    player = seat(python(tmp_path, body))
    play(player, msgspec.structs.replace(CLOCK, max_faults=1))
    assert isinstance(player, Remote)
    player.close()  # twice does no harm
    own, child = map(int, pids.read_text().split())
    wait_until(lambda: not state_of(own))
    wait_until(lambda: not runs(child))


@pytest.mark.long
def test_a_program_that_stops_itself_is_silent_and_not_left_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    stops = f"if 'zimo' in line:\n  open({str(pid)!r}, 'w').write(str(os.getpid()))\n  os.killpg(0, signal.SIGSTOP)"
    clock = msgspec.structs.replace(CLOCK, turn=0.3, reaction=0.3, max_faults=1)
    _, log, _ = play(seat(python(tmp_path, READY + stops)), clock)
    assert Verdict.SILENT in {answer.verdict for answer in log.of(0)}
    wait_until(lambda: not state_of(int(pid.read_text())))


TABLE = """import signal, sys, threading; signal.signal(signal.SIGINT, signal.default_int_handler)
from jantaku.table.play.seating.roster import enlist
from tests.languages.wire.driving import game_of
player = enlist([sys.argv[1]])[0].make(0)
for event in game_of().events: player.hear(event)
player.start(60)
print(player._program.pid, flush=True)
{end}
"""


@pytest.mark.long
@cases(
    "end, signal",
    ("threading.Event().wait()", 9),
    ("threading.Event().wait()", 15),
    ("threading.Event().wait()", 2),
    ("1 / 0", 0),
)
def test_however_a_table_ends_its_programs_end_too(tmp_path: Path, end: str, signal: int) -> None:
    """kill -9, SIGTERM, Ctrl-C (a shell in the background ignores it), a crash: the guardian cleans up."""
    bot = python(tmp_path, f"signal.signal(signal.SIGINT, signal.SIG_IGN)\n{READY}if 'zimo' in line: time.sleep(99)")
    command = [sys.executable, "-c", TABLE.format(end=end), bot]
    table = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert table.stdout is not None
    with table, table.stdout:
        pid = int(table.stdout.readline())
        if signal:
            assert runs(pid)
            table.send_signal(signal)
        table.wait(SOON)
    wait_until(lambda: not state_of(pid))


# --- the program by itself


def test_sending_never_waits_and_a_program_that_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "BACKLOG", 1 << 20)
    running = start("import time; time.sleep(99)")
    for _ in range(20):
        running.send(b"x" * (1 << 17), 1)
    with pytest.raises(PlayerGone, match=r"does not read its input: \d+ bytes are waiting"):
        running.receive(Deadline(SOON))
    assert running.join(SOON), "and it is ended"


def test_a_deadline_is_kept_whatever_else_the_program_writes() -> None:
    """On stderr, and half a line on stdout, again and again."""
    running = start("import os, time\nwhile True: os.write(2, b'x' * 100); os.write(1, b'y'); time.sleep(0.005)")
    began = time.monotonic()
    with pytest.raises(PlayerSilent):
        running.receive(Deadline(0.3))
    assert 0.3 <= time.monotonic() - began < 0.3 + SOON
    ended(running)


def test_lines_beyond_what_the_table_can_hold_wait_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "UNREAD", 10_000)
    running = start("for n in range(20000): print('%06d' % n)\nprint('end', flush=True)")
    assert not running.gone_within(0.3), "it has to wait"
    for number in range(20_000):
        assert running.receive(Deadline(SOON)).line == b"%06d" % number
        assert running._unread < 200_000
    assert running.receive(Deadline(SOON)).line == b"end"
    ended(running)


def test_stderr_is_kept_in_a_file_and_its_end_in_the_report(tmp_path: Path) -> None:
    log = tmp_path / "stderr.txt"
    running = start("import sys; sys.stderr.write('x' * 100000 + '\\nKeyError: 5\\nbye\\n'); sys.exit(2)", log)
    reason = running.gone_within(SOON)
    assert reason == "the program has ended with exit code 2; on stderr: KeyError: 5"
    assert running.join(SOON) and len(log.read_bytes()) == 100_000 + 1 + 12 + 4


def test_a_program_that_cannot_be_started_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("no program")
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(PlayerNotReady, match="bot cannot be started: "):
        Program("test", [str(tmp_path / "bot")], cwd=None, env={}, log=None)


def test_a_line_that_is_too_long_is_handed_on_at_once_and_only_once() -> None:
    splitter, found = Splitter(), []
    for _ in range(40):
        found += splitter.feed(b"x" * (1 << 16))
    assert [len(line) for line in found] == [LONGEST_LINE + 1]
    assert splitter.feed(b"rest\nnext\n") == [b"next"]


# --- terms


@kept_cases("spec, words")
def test_terms_that_cannot_be_met_are_named(spec: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        enlist([spec])
    assert words in str(refused.value) and str(refused.value).startswith("player ")


def test_programs_are_named_after_their_script() -> None:
    specs = ["exec:/bin/sh bots/deep.py --fast", "exec:/bin/sh", "shanten?isolate=process", "shanten?name=me"]
    assert [entrant.name for entrant in enlist(specs)] == ["deep.py", "sh", "shanten", "me"]


def test_an_isolated_bot_that_raises_while_it_hears_is_blamed_with_its_next_question() -> None:
    """As in a thread of the table: in both cases what it raised is in the reason."""
    _, log, _ = play(seat("tests.broken.bots:Raises?isolate=process&env.JANTAKU_AT=start"), PATIENT)
    first, *later = log.of(0)
    assert first.verdict is Verdict.GONE and "ValueError: I cannot go on (while hearing an event)" in first.reason
    assert {answer.verdict for answer in later} == {Verdict.OK}


def test_a_bot_that_prints_does_not_disturb_its_own_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chatty.py").write_text(
        "from jantaku.players.bots.shanten import Shanten\n"
        "class Chatty(Shanten):\n"
        "    def answer(self, question):\n"
        "        print('thinking about', question.id)\n"
        "        return super().answer(question)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    for spec in ("chatty:Chatty?isolate=process", f"{CLIENT} --bot chatty:Chatty"):
        entrant = enlist([spec], tmp_path)[0]
        _, log, _ = play(entrant.make(0), PATIENT)
        assert bad(log) == []
        assert b"thinking about" in (tmp_path / f"{entrant.name}.stderr.txt").read_bytes()
