"""Where a player's code was: tracebacks and stacks as text, bounded in size.

Writing them runs foreign code, such as an exception's `__str__`: whoever calls this is ready for anything it raises.
"""

import sys
import traceback
from collections.abc import Iterable
from itertools import dropwhile
from pathlib import Path
from types import FrameType, TracebackType

LONGEST = 6000
"""Most characters of a text."""
LINES = 120
"""Most lines of it."""
FRAMES = 24
"""At most this many of the innermost frames are told."""
_FILE = '  File "'
_OURS = ("table", "threading", "concurrent", "runpy")
"""Top packages whose frames lead to a player and are not told, as those of the adapters."""
_ADAPTERS = str(Path(__file__).parents[2] / "players" / "adapters" / "")


def trace_of(raised: BaseException) -> str:
    """The traceback of an exception from the player's first frame on; empty if it has none there."""
    trace = raised.__traceback__
    while trace is not None and _is_ours(trace.tb_frame):
        trace = trace.tb_next
    return "" if trace is None else bounded("".join(_written(raised, trace)))


def _written(raised: BaseException, trace: TracebackType) -> Iterable[str]:
    return traceback.TracebackException(type(raised), raised, trace, limit=-FRAMES, compact=True).format()


def stack_of(thread: int) -> str:
    """Where the player's code in that running thread of this process is now; empty if it is not in any."""
    frame, frames = sys._current_frames().get(thread), list[FrameType]()
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    theirs = list(dropwhile(_is_ours, reversed(frames)))[-FRAMES:]
    if not theirs:
        return ""
    lines = traceback.StackSummary.extract((frame, frame.f_lineno) for frame in theirs).format()
    return bounded("".join(["Where it was when its time was up (most recent call last):\n", *lines]))


def place_in(trace: str) -> str:
    """The innermost place that a traceback names, as `mybot.py line 17`; empty if it names none."""
    for line in reversed(trace.split("\n")):
        if line.startswith(_FILE) and '", line ' in line:
            file, _, rest = line.removeprefix(_FILE).rpartition('", line ')
            return f"{Path(file).name} line {rest.partition(',')[0]}"
    return ""


def bounded(text: str, most: int = LONGEST) -> str:
    """`text` with at most so many characters, and `LINES` lines, and a few; what is beyond that is left out in the
    middle. Nothing in it cannot be stored as UTF-8."""
    lines = text.split("\n", 2 * most)
    if len(lines) > LINES:
        cut = f"… {len(lines) - LINES} lines are left out …"
        text = "\n".join([*lines[: LINES // 2], cut, *lines[-(LINES // 2) :]])
    if len(text) > most:
        text = f"{text[: most // 2]}\n… {len(text) - most} characters are left out …\n{text[-(most // 2) :]}"
    return text.rstrip().encode(errors="replace").decode()


def _is_ours(frame: FrameType) -> bool:
    name = dict.get(frame.f_globals, "__name__")
    ours = type(name) is str and name.partition(".")[0] in _OURS
    return ours or frame.f_code.co_filename.startswith(_ADAPTERS)
