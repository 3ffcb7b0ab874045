"""Where a bot's code was, as text: from its own first frame on, and bounded whatever it does."""

import sys
import threading
from collections.abc import Callable

import pytest

from scripts.pace import SOON
from table.foreign.traces import FRAMES, LINES, LONGEST, bounded, place_in, stack_of, trace_of


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


def test_of_a_deep_one_the_innermost_frames_are_told() -> None:
    trace = raised_by(lambda: deep(400))
    assert trace.count('  File "') <= FRAMES and "deep" in trace and len(trace) <= LONGEST + 100


def test_frames_that_lead_to_a_player_are_left_out() -> None:
    ours = compile("def ask(bot):\n    bot()\n", "seat.py", "exec")
    scope = {"__name__": "table.judge.seats.player"}
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
    text = bounded("a" * LONGEST + "b" * LONGEST)
    assert text.startswith("aaa") and text.endswith("bbb") and f"{LONGEST} characters are left out" in text


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
