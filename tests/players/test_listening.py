"""What a program says is read by whoever waits for it: nothing is lost, mistaken or waited for too long."""

import contextlib
import os
import select
import threading
import time
from collections.abc import Iterator

import pytest

from jantaku.players.adapters import process, program
from jantaku.players.adapters.pipes.lines import Splitter
from jantaku.players.adapters.pipes.stderr import StderrLog
from jantaku.players.adapters.pipes.waiting import PipeWait
from jantaku.players.adapters.program import Program
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerGone, PlayerSilent
from jantaku.table.ground.port import Remote
from jantaku.table.judge.judge import Judge
from jantaku.table.play.seating.roster import enlist
from tests.judge.players import Log
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.languages.wire.driving import game_of
from tests.players.driving import ended, start


@contextlib.contextmanager
def running(code: str, due: int = 0) -> Iterator[Program]:
    one = start(code, due=due)
    try:
        yield one
    finally:
        ended(one)


def until_it_speaks(one: Program) -> None:
    """Wait until something is in the program's pipe, and leave it there."""
    assert select.select([one._stdout], [], [], SOON)[0]


def test_a_player_that_is_ready_before_it_was_told_anything_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may let the program run before the table has sent its first line."""
    start = process.Launch.start

    def slowly(launch: process.Launch, seed: int, player: int, due: int) -> Program:
        one = start(launch, seed, player, due)
        until_it_speaks(one)
        return one

    monkeypatch.setattr(process.Launch, "start", slowly)
    player, log = enlist(["dice?isolate=process"])[0].make(0), Log()
    try:
        Judge(game_of(), [player, Shanten(), Shanten(), Shanten()], mode="inline", watches=[log]).run()
    finally:
        assert isinstance(player, Remote)
        player.close()
    assert all(answer.verdict.good for answer in log.every) and player.stale == 0


def test_who_waits_for_a_line_learns_at_once_that_the_program_was_stopped() -> None:
    """Even if a child of the program holds the pipe open."""
    code = "import subprocess, sys, time\nsubprocess.Popen(['sleep', '99'])\nprint('x', flush=True)\ntime.sleep(99)"
    ends: list[PlayerGone] = []
    with running(code) as one:
        assert one.receive(Deadline(SOON)).line == b"x"

        def wait() -> None:
            with pytest.raises(PlayerGone) as gone:
                one.receive(Deadline(None))
            ends.append(gone.value)

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        while not one._listening:
            time.sleep(0.001)
        one.stop(at_once=True)
        waiting.join(SOON)
    assert [str(end) for end in ends] == ["the program was stopped"]


def test_lines_without_an_end_do_not_hold_anybody_beyond_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "UNREAD", 10_000)
    with running("import sys\nwhile True: sys.stdout.write('nonsense\\n')") as one:
        began, until = time.monotonic(), Deadline(0.3)
        for number in range(100):
            one.send(b"", number)  # takes what is there, but no more than there is room for
        assert one._unread < 200_000
        with contextlib.suppress(PlayerSilent):
            while one.receive(until):
                assert time.monotonic() - began < 0.3 + SOON


def test_a_program_may_finish_a_long_last_word_when_its_input_ends() -> None:
    code = "import sys\nsys.stdin.read()\nprint('x' * 1000000)\nsys.stderr.write('done')"
    one = start(code)
    one.stop()
    assert one.join(SOON)
    assert one.log.last() == "; on stderr: done"


def test_what_a_program_has_written_is_told_before_anybody_has_read_it() -> None:
    end, other = os.pipe()
    os.set_blocking(end, False)
    with open(end, "rb", buffering=0) as pipe:
        log = StderrLog(pipe, None)
        os.write(other, b"how do I play?\n")
        assert log.told() == "how do I play?"
        log.close()
        assert log.read() == b"" and log.told() == "how do I play?"
    os.close(other)


def test_ears_keep_a_deadline_to_less_than_what_the_system_counts_in() -> None:
    """Never too long, so that the seat is at home when the judge gives it up; a call ends every wait."""
    end, other = os.pipe()
    pipe_wait = PipeWait(end)
    began = time.monotonic()
    while (left := began + 0.0125 - time.monotonic()) > 0:
        before = time.monotonic()
        pipe_wait.wait(left)
        assert left < 0.001 or time.monotonic() - before >= int(left * 1000) / 1000
    pipe_wait.interrupt()
    pipe_wait.wait(None)
    pipe_wait.close()
    os.close(end)
    os.close(other)


@pytest.mark.parametrize("first", [b"", b"tw"])
@cases("data, lines", (b"o\n", [b"o"]), (b" \n", []), (b"\n", []), (b"o", []), (b"o\np\n", [b"o", b"p"]))
def test_a_line_is_cut_alike_whether_or_not_something_was_left(first: bytes, data: bytes, lines: list[bytes]) -> None:
    splitter = Splitter()
    assert splitter.feed(first) == []
    expected = [(first + data.split(b"\n")[0]).strip(), *lines[1:]] if b"\n" in data else []
    assert splitter.feed(data) == [line for line in expected if line]
