"""The only way to print single lines: everything is plain text, whoever wrote it.

Names, paths, messages of bots and contents of records are untrusted. A control character in them could move the cursor,
clear the screen or change the window's title, and a bidirectional override would show other words than were written.
All of them are escaped as in JSON, so that a line of JSON keeps its meaning.
"""

import re
from typing import TextIO

import click

_UNSEEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters of both sets, but tab and line feed
    # invisible or bidirectional
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    r"\ud800-\udfff"  # a byte of a file name that is not UTF-8
)
_IN_A_LINE = re.compile(f"[\\n{_UNSEEN}]")
_IN_A_TEXT = re.compile(f"[{_UNSEEN}]")


def visible(text: str, *, lines: bool = False) -> str:
    """`text` with every invisible character escaped; line feeds are kept if it may have several `lines`."""
    return (_IN_A_TEXT if lines else _IN_A_LINE).sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def say(*lines: object, err: bool = False, to: TextIO | None = None) -> None:
    """Print these lines to standard output, to standard error, or to `to` where that is given."""
    for line in lines:
        click.echo(visible(line.decode() if isinstance(line, bytes) else str(line)), to, err=err)
