"""What strangers give: a player's remark, files that a user names, and tracebacks of a player's code.

- A remark stands beside an answer, for the player's author: JSON of bounded length, without effect on the game.
- Only regular files are opened, and read up to a size limit. A value is checked against its msgspec type as a whole.
- Tracebacks and stacks become text, bounded in size. Writing them runs foreign code, such as an exception's
  `__str__`: callers must expect any exception.
"""

import contextlib
import os
import re
import stat
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import dropwhile
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, BinaryIO, Final, TypeVar, overload

import msgspec

from jantaku.table.ground.errors import BadInput

LONGEST_REMARK: Final = 4096
"""The most bytes of JSON that are kept."""


def remark_text(said: object) -> str:
    """Return a remark as JSON text; empty for None, and a note in its place if it is too long.

    Arrays and numbers of numpy and torch become lists and numbers. Encoding foreign objects runs their code: callers
    must expect any exception.
    """
    if said is None:
        return ""
    text = msgspec.json.encode(said, enc_hook=_plain)
    if len(text) > LONGEST_REMARK:
        return lost(f"{len(text)} bytes of JSON; at most {LONGEST_REMARK} are kept")
    return text.decode()


def lost(reason: str) -> str:
    """The note that replaces a remark that cannot be kept."""
    return msgspec.json.encode({"lost": reason}).decode()


def _plain(thing: Any) -> Any:
    """Convert an object that msgspec cannot encode, if it has `tolist`. Raises TypeError otherwise."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    raise TypeError(f"a {type(thing).__name__} cannot be written as JSON")


# Validates untrusted values against msgspec types: afterwards every key is present and has its type.

T = TypeVar("T")


@overload
def shaped(value: object, kind: type[T], *place: str) -> T: ...
@overload
def shaped(value: object, kind: Any, *place: str) -> Any: ...
def shaped(value: object, kind: Any, *place: str) -> Any:
    """Convert `value` to `kind`. Raises BadInput, at `place`, if a key is missing or has another type."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), *place) from None


MOST_FILES = 20_000
"""The most files in a bot's folder or zip."""
DEEPEST = 50
"""The most levels of folders in it: Python removes only some hundred levels, and packages have ten at most."""
_TENHOU = re.compile(r"https?://(?:\w+\.)?tenhou\.net/[^#]*?\blog(?:=|/\?)(\d{8}[\w-]{1,60})")
_SHOWN = 80
"""The most characters of a link that an error repeats."""


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for reading. Raises BadInput if it cannot be read, then or later, and if it is not a regular file: a
    device has no end, and a pipe may have no writer."""
    if is_link(path):
        raise missing(path)
    if "\0" in str(path):
        raise BadInput(f"{str(path)!r}: cannot be read: no file has such a name")
    try:
        # without O_NONBLOCK, opening a pipe blocks before its type can be checked
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if stat.S_ISDIR(os.fstat(number).st_mode):
                raise BadInput(f"{path}: is a folder, and a file is wanted")
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise BadInput(f"{path}: cannot be read: it is not a file; write what comes from elsewhere to one")
            with open(number, "rb", closefd=False) as file:
                yield file
        finally:
            os.close(number)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def is_link(path: str | Path) -> bool:
    """Whether a web address was given instead of a file."""
    return str(path).startswith(("http:/", "https:/"))


def missing(path: str | Path) -> BadInput:
    """The error for a file that does not exist."""
    if not is_link(path):
        return BadInput(f"{path}: there is no such file")
    scheme, _, rest = str(path).partition(":/")
    link = f"{scheme}://{rest.lstrip('/')}"  # `Path` removes one of the two slashes
    if "#json=" in link:
        return BadInput(f"{_cut(link)}: that is a link with the log in it; write it to a file, and name that")
    return BadInput(f"{_cut(link)}: that is a link and no file; {saving(link)}")


def saving(link: str) -> str:
    """What to do for the log behind a link, which is never fetched: in words, the address of Tenhou's log among
    them."""
    if (found := _TENHOU.match(link)) is not None:
        return f"save what https://tenhou.net/0/log/?{found[1]} sends to a file, {found[1]}.mjlog, and name that"
    return "save its log to a file, and name that"


def _cut(link: str) -> str:
    return link if len(link) <= _SHOWN else f"{link[:_SHOWN]}…"


def bytes_of(path: str | Path, most: int) -> bytes:
    """Return the content of a file. Raises BadInput as `opened` does, and if it is larger than `most` bytes."""
    with opened(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise BadInput(f"{path}: is larger than {most >> 20} MiB")
    return content


# File names for players, rooms and the like: whatever a name contains, the result is one safe file name.

LONGEST_FILE = 80
"""The most characters of a file name made here."""
_MARK = 12  # hex digits of a hash, which distinguishes names whose remaining letters are equal
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def file_name(name: str) -> str:
    """Return a file name for `name`: 1 to 80 of A-Z a-z 0-9 _ . and -, not beginning with . or -. A name of that form
    stays unchanged. Any other loses the characters that are not allowed and gets a hash, so that different names make
    different files."""
    if len(name) <= LONGEST_FILE and _PLAIN.fullmatch(name):
        return name
    import hashlib  # a plain name needs none, and it takes longer than all that is needed at every start

    letters = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[: LONGEST_FILE - _MARK - 1].rstrip("-") or "name"
    return f"{letters}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:_MARK]}"


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
_HOMES = {file.parents[2] for file in (Path(__file__), Path(__file__).resolve())}
"""In a clone also where the links lead to: who imports `table` there by its folder's name is told so."""
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
