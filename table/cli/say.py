"""The only way to print single lines: as plain text, whatever their source.

Names, paths, messages of bots and contents of records are untrusted. A control character in them could move the
cursor, clear the screen or change the window's title; a bidirectional override would show another text than was
written. All of these are escaped as in JSON, so that a line of JSON keeps its meaning.
"""

import contextlib
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Final, TextIO

import click

_UNSEEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 control characters except tab and line feed
    # invisible or bidirectional
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    r"\ud800-\udfff"  # a byte of a file name that is not UTF-8
)
_COMMAND: Final = re.compile(r"(?:^ *|: )(?=(?:jantaku|pytest) )")
"""Matches what stands before a command that a user may copy."""
_DEEPER = 2
"""Columns by which the rest of a broken line is indented."""
_IN_A_LINE = re.compile(f"[\\n{_UNSEEN}]")
_IN_A_TEXT = re.compile(f"[{_UNSEEN}]")


def visible(text: str, *, lines: bool = False) -> str:
    """Return `text` with every invisible character escaped; with `lines`, line feeds are kept."""
    return (_IN_A_TEXT if lines else _IN_A_LINE).sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def broken(line: str, columns: int) -> str:
    """Break a line that is too wide for `columns` columns between words. A command stays whole, and so does a word that
    fits no line: users copy these."""
    if _wide(line) <= columns:
        return line
    command = _COMMAND.search(line)
    said = line[: command.end()].rstrip(" ") if command else line
    parts = [part for part in (*re.findall(r" *[^ ]+", said), line[len(said) :]) if part]
    further = " " * (len(line) - len(line.lstrip(" ")) + _DEEPER)
    done, now = "", ""
    for part in parts:
        word = part.lstrip(" ")
        if now and _wide(now + part) > columns >= _wide(further + word):
            done, now = f"{done}{now.rstrip(' ')}\n", further + word
        else:
            now += part
    return done + now


def _wide(text: str) -> int:
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def say(*lines: object, err: bool = False, to: TextIO | None = None) -> None:
    """Print these lines to standard output, to standard error, or to `to`. On a terminal, lines that are too wide are
    broken between words; bytes are data and stay unchanged."""
    terminal = (to or (sys.stderr if err else sys.stdout)).isatty()
    columns = _columns() if terminal else 0
    for line in lines:
        text = visible(line.decode() if isinstance(line, bytes) else str(line))
        click.echo(broken(text, columns) if columns and not isinstance(line, bytes) else text, to, err=err)


def _columns() -> int:
    from shutil import get_terminal_size  # only a terminal needs it, and it loads what reads archives

    return get_terminal_size((0, 0)).columns


OUTPUT, _ERRORS = 1, 2
"""File descriptors of the standard streams."""


@contextlib.contextmanager
def own_output(wanted: bool) -> Iterator[TextIO | None]:
    """Reserve standard output for `say(…, to=…)`. Everything else printed inside the context goes to standard error,
    whether through `sys.stdout`, through the file descriptor or by a child process. Yields None unless `wanted`."""
    if not wanted:
        yield None
        return
    before = sys.stdout
    before.flush()
    with contextlib.ExitStack() as stack:
        own = before
        if _is(before, OUTPUT):
            kept = os.dup(OUTPUT)
            stack.callback(os.close, kept)
            if _is(sys.stderr, _ERRORS):  # without standard error, descriptor 2 may be any file
                stack.callback(os.dup2, kept, OUTPUT)
                os.dup2(_ERRORS, OUTPUT)
            own = open(kept, "w", encoding=before.encoding, errors=before.errors, closefd=False)  # noqa: SIM115
        sys.stdout = sys.stderr
        try:
            yield own
        finally:
            sys.stdout = before
            own.flush()


def _is(stream: TextIO, number: int) -> bool:
    try:
        return stream.fileno() == number
    except (OSError, ValueError):  # replaced by a test, or closed
        return False
