"""Tracebacks and stacks of a player's code as text, bounded in size.

Writing them runs foreign code, such as an exception's `__str__`: callers must expect any exception.
"""

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from itertools import dropwhile
from pathlib import Path
from types import FrameType, TracebackType

LONGEST_TRACE = 6000
"""The most characters of a text."""
LINES = 120
"""The most lines of a text."""
FRAMES = 24
"""The most frames of a text."""
SHOWN = 2
"""The most frames, and the most lines of the exception, in a brief text."""
_COLUMNS = 240
"""The most characters of a line in a brief text."""
_FILE = '  File "'
_OURS = ("jantaku.table.", "threading.", "concurrent.", "runpy.")
"""Packages whose frames only lead to a player and are left out, as the adapters' frames are."""
_HOMES = {file.parents[3] for file in (Path(__file__), Path(__file__).resolve())}
"""In a clone also the place to which the links of src lead: a bot may import `table` from there by mistake, and its
error says so."""
_ADAPTERS = tuple(str(home / "players" / "adapters" / "") for home in _HOMES)
_NO_BOTS = (
    *(str(home / "table" / "") for home in _HOMES),
    *_ADAPTERS,
    *(str(home / "players" / f"{name}.py") for home in _HOMES for name in ("base", "daifugo_base", "seeded")),
)
"""Files of jantaku that contain no bot."""
_PACKAGES = re.compile(r"[/\\](?:site|dist)-packages[/\\]([^/\\]+)")
_STANDARD = re.compile(r"[/\\]lib(?:64)?[/\\]python\d[\d.]*[/\\]|\\Lib\\|[/\\](?:bin|Scripts)[/\\][^/\\.]*$")
"""Files of Python itself, and the scripts that start installed commands."""


def trace_of(raised: BaseException) -> str:
    """The traceback of an exception from the player's first frame on; empty if it has none."""
    trace = raised.__traceback__
    while trace is not None and _is_ours(trace.tb_frame):
        trace = trace.tb_next
    return "" if trace is None else bounded("".join(_written(raised, trace)))


def _written(raised: BaseException, trace: TracebackType) -> Iterable[str]:
    told = traceback.TracebackException(type(raised), raised, trace, lookup_lines=False, compact=True)
    told.stack = _shortened(told.stack)
    return told.format()


def _shortened(stack: traceback.StackSummary) -> traceback.StackSummary:
    """Keep the innermost frames and, if they would be left out, those that lead to the bot's own innermost frame."""
    own = _innermost([(frame.filename, str(frame.lineno)) for frame in stack])
    at = max((number for number, frame in enumerate(stack) if _place(frame.filename, frame.lineno) == own), default=0)
    left_out = len(stack) - FRAMES
    if left_out <= 0:
        return stack
    if at >= left_out:
        return traceback.StackSummary.from_list(stack[left_out:])
    first = max(0, at + 1 - FRAMES // 2)
    head, tail = stack[first : at + 1], stack[at + 1 :][-(FRAMES // 2 - 1) :]
    gap = traceback.FrameSummary(f"<{len(stack) - at - 1 - len(tail)} frames are left out>", 0, "…")
    return traceback.StackSummary.from_list([*head, gap, *tail])


def stack_of(thread: int) -> str:
    """Where the player's code is now in that running thread of this process; empty if the thread is not in a player's
    code."""
    frame, frames = sys._current_frames().get(thread), list[FrameType]()
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    theirs = list(dropwhile(_is_ours, reversed(frames)))
    if not theirs:
        return ""
    lines = _shortened(traceback.StackSummary.extract((frame, frame.f_lineno) for frame in theirs)).format()
    return bounded("".join(["Where it was when its time was up (most recent call last):\n", *lines]))


def place_in(trace: str) -> str:
    """The innermost place in the bot's own files that a traceback names, as `mybot.py line 17`; if there is none, the
    innermost of all; empty if it names no place."""
    places = []
    for line in trace.split("\n"):
        if line.startswith(_FILE) and '", line ' in line:
            file, _, rest = line.removeprefix(_FILE).rpartition('", line ')
            places.append((file, rest.partition(",")[0]))
    return _innermost(places)


def raised_at(error: BaseException) -> str:
    """The same place as `place_in`, for an exception that came out of a bot's code. Runs none of that code."""
    trace, places = error.__traceback__, list[tuple[str, str]]()
    while trace is not None:
        if places or not _is_ours(trace.tb_frame):
            places.append((trace.tb_frame.f_code.co_filename, str(trace.tb_lineno)))
        trace = trace.tb_next
    return _innermost(places)


def _innermost(places: Sequence[tuple[str, str]]) -> str:
    """The innermost place (file, line) that belongs to a bot. `places` begin with the outermost. The code of an
    installed bot is the package in which its first frame lies; frames of other installed packages, of Python and of
    jantaku only lead to it."""
    # code without a file, such as `<string>`, has nothing to show
    files = [place for place in places if not place[0].startswith("<")]
    own = _owner([file for file, _ in files])
    found = [place for place in files if own(place[0])] or files
    return _place(*found[-1]) if found else ""


def _owner(files: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that recognises a bot's own files among `files`, which begin with the outermost."""
    installed = [_PACKAGES.search(file) for file in files if not _is_no_bots(file)]
    home = installed[0][1] if installed and installed[0] else None

    def own(file: str) -> bool:
        package = _PACKAGES.search(file)
        return not _is_no_bots(file) and (package is None or package[1] == home)

    return own


def briefly(trace: str) -> list[str]:
    """A few lines of a traceback: its head, the innermost frames in the bot's own files, and the exception."""
    head: list[str] = []
    frames: list[tuple[str, list[str]]] = []
    raised = head
    for line in trace.rstrip().split("\n"):
        if line.startswith(_FILE) and '", line ' in line:
            frames.append((line.removeprefix(_FILE).rpartition('", line ')[0], [line]))
            raised = []
        elif frames and line.startswith("    "):
            frames[-1][1].append(line)
        else:
            raised.append(line)
    files = [file for file, _ in frames if not file.startswith("<")]
    own = _owner(files)
    found = [lines for file, lines in frames if file in files and own(file)] or [lines for _, lines in frames]
    last = raised[:SHOWN] if frames else head[1:][-SHOWN:]
    told = [*head[:1], *(line for lines in found[-SHOWN:] for line in lines), *last]
    half = _COLUMNS // 2
    return [line if len(line) <= _COLUMNS else f"{line[:half]}…{line[-half:]}" for line in told if line]


def _place(file: str, line: object) -> str:
    return f"{Path(file).name} line {line}"


def _is_no_bots(file: str) -> bool:
    """Whether a file belongs to Python, or to jantaku without being a bot's."""
    return file.startswith(_NO_BOTS) or (_PACKAGES.search(file) is None and _STANDARD.search(file) is not None)


def bounded(text: str, most: int = LONGEST_TRACE) -> str:
    """`text` cut in the middle to about `most` characters and `LINES` lines; the notes on what is left out come on top.
    The result can be stored as UTF-8."""
    lines = text.split("\n", 2 * most)
    if len(lines) > LINES:
        cut = f"… {len(lines) - LINES} lines are left out …"
        text = "\n".join([*lines[: LINES // 2], cut, *lines[-(LINES // 2) :]])
    if len(text) > most:
        text = f"{text[: most // 2]}\n… {len(text) - most} characters are left out …\n{text[-(most // 2) :]}"
    return text.rstrip().encode(errors="replace").decode()


def _is_ours(frame: FrameType) -> bool:
    name = dict.get(frame.f_globals, "__name__")
    ours = type(name) is str and f"{name}.".startswith(_OURS)
    return ours or frame.f_code.co_filename.startswith(_ADAPTERS)
