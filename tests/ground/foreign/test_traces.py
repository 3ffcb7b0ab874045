"""Where a bot's code was, as text: from its own first frame on, and bounded whatever it does."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jantaku.table.ground.foreign.traces import (
    FRAMES,
    LINES,
    LONGEST_TRACE,
    bounded,
    briefly,
    place_in,
    raised_at,
    stack_of,
    trace_of,
)
from tests.kit.pace import SOON

PACKAGES = Path("/opt/venv/lib/python3.11/site-packages")


def raised_by(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:
        return trace_of(error)
    raise AssertionError("nothing was raised")


def deep(left: int) -> int:
    return deep(left - 1) if left else int("nothing")


def test_a_trace_names_file_line_and_error() -> None:
    trace = raised_by(lambda: deep(0))
    assert trace.startswith("Traceback (most recent call last):\n")
    assert trace.endswith("invalid literal for int() with base 10: 'nothing'")
    assert place_in(trace) == f"{__file__.rpartition('/')[2]} line {deep.__code__.co_firstlineno + 1}"


def test_the_place_is_the_bots_own_line_above_those_of_what_it_calls(tmp_path: Path) -> None:
    """As where numpy, or a file that is missing, raises."""
    for bot, name in ((tmp_path / "mybot.py", "mybot.py"), (PACKAGES / "mybot" / "net.py", "net.py")):
        trace = (
            "Traceback (most recent call last):\n"
            f'  File "{bot}", line 7, in answer\n    self.think()\n'
            f'  File "{bot}", line 12, in think\n    numpy.dot(a, b)\n'
            f'  File "{PACKAGES}/numpy/core/multiarray.py", line 741, in dot\n    return (a, b, out)\n'
            '  File "/usr/lib/python3.11/asyncio/runners.py", line 190, in run\n'
            '  File "<__array_function__ internals>", line 180, in dot\n'
            "ValueError: shapes do not fit"
        )
        assert place_in(trace) == f"{name} line 12"


def test_briefly_told_are_the_bots_own_innermost_frames_and_what_was_raised() -> None:
    own = [f'  File "/srv/bots/mybot.py", line {line}, in deep\n    deep()\n    ^^^^^^' for line in range(40)]
    library = [f'  File "/usr/lib/python3.11/urllib/request.py", line {at}, in open\n    open()' for at in range(30)]
    head, raised = "Traceback (most recent call last):", ["urllib.error.URLError: <no network>"]
    told = briefly("\n".join([head, *own, *library, *raised]))
    assert told == [head, *own[-2].split("\n"), *own[-1].split("\n"), *raised]
    assert briefly("\n".join([head, *library, *raised]))[-3:] == [*library[-1].split("\n"), *raised]
    assert briefly("no frames\n" * 50) == ["no frames"] * 3
    assert max(map(len, briefly(f"{head}\n{own[0]}\nValueError: {'x' * 9999}"))) < 300


def test_the_place_in_an_exception_is_the_bots_own_too() -> None:
    def load() -> None:
        Path("/no/such/file").read_text()

    with pytest.raises(FileNotFoundError) as caught:
        load()
    own = f"{Path(__file__).name} line {load.__code__.co_firstlineno + 1}"
    assert raised_at(caught.value) == own == place_in(raised_by(load))


def test_where_no_file_is_a_bots_own_the_innermost_is_told() -> None:
    assert place_in('  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode') == "decoder.py line 355"
    assert place_in('  File "<string>", line 1, in <module>') == ""


def test_the_bots_own_frame_is_told_above_however_many_others() -> None:
    library = {"__name__": "numpy.deep"}
    source = "def dive(n):\n    return dive(n - 1) if n else int('no')\n"
    exec(compile(source, f"{PACKAGES}/numpy/deep.py", "exec"), library)
    dive: Callable[[int], int] = library["dive"]  # type: ignore[assignment]
    trace = raised_by(lambda: dive(100))
    assert place_in(trace).startswith(Path(__file__).name) and "frames are left out>" in trace
    assert trace.count('  File "') <= FRAMES + 1


def test_of_a_deep_one_the_innermost_frames_are_told() -> None:
    trace = raised_by(lambda: deep(400))
    assert trace.count('  File "') <= FRAMES and "deep" in trace and len(trace) <= LONGEST_TRACE + 100


def test_frames_that_lead_to_a_player_are_left_out() -> None:
    ours = compile("def ask(bot):\n    bot()\n", "seat.py", "exec")
    scope = {"__name__": "jantaku.table.judge.player"}
    exec(ours, scope)
    ask: Callable[[Callable[[], int]], None] = scope["ask"]  # type: ignore[assignment]
    with pytest.raises(ValueError, match="nothing") as caught:
        ask(lambda: deep(0))
    caught.value.__traceback__ = caught.tb.tb_next  # without the frame of this test
    assert "seat.py" not in trace_of(caught.value) and "deep" in trace_of(caught.value)


def test_an_error_without_a_players_frame_has_no_trace() -> None:
    assert trace_of(ValueError("never raised")) == ""


def test_what_cannot_be_printed_or_stored_is_still_a_text() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise ValueError("not even that")

    def fail() -> None:
        raise Silent

    def surrogate() -> None:
        raise ValueError("\udcff")

    assert "Silent" in raised_by(fail)
    assert raised_by(surrogate).encode()


def test_a_long_message_is_cut_in_the_middle() -> None:
    text = bounded("a" * LONGEST_TRACE + "b" * LONGEST_TRACE)
    assert text.startswith("aaa") and text.endswith("bbb") and f"{LONGEST_TRACE} characters are left out" in text


def test_of_many_lines_the_first_and_the_last_are_told() -> None:
    lines = bounded("\n".join(map(str, range(1000)))).split("\n")
    assert (lines[0], lines[-1], len(lines)) == ("0", "999", LINES + 1)
    assert f"… {1000 - LINES} lines are left out …" in lines


def test_the_stack_of_a_thread_tells_where_it_waits() -> None:
    here, free = threading.Event(), threading.Event()

    def wait_in_the_bot() -> None:
        here.set()
        free.wait()

    thread = threading.Thread(target=wait_in_the_bot, daemon=True)
    thread.start()
    assert here.wait(SOON)
    stack = stack_of(thread.ident or 0)
    free.set()
    thread.join()
    assert stack.startswith("Where it was when its time was up")
    assert "in wait_in_the_bot" in stack and "_bootstrap" not in stack


def test_a_thread_that_is_no_more_has_no_stack() -> None:
    assert stack_of(max(sys._current_frames()) + 1) == ""
