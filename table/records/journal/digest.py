"""The running digest of a journal. After each round, a line covers all bytes since the previous digest line:

{"digest":"8b1f…","blocks":"03fa77c1…"}

`digest` covers the previous digest and all bytes since; `blocks` has four hex digits for every 1,024 of these, so that
a changed line can be located. Anybody who edits a journal can recompute its digests: they do not protect against
forgery, unless the last one was stored elsewhere. `verify` prints it.
"""

import hashlib
import struct
import zlib

import msgspec

BLOCK = 1024
"""Bytes per block."""
BEGINNING = b'{"digest"'
"""The beginning of every digest line, and of no other line."""


class Digest:
    """Produces the digest lines of a journal, in order."""

    def __init__(self) -> None:
        self.last = ""

    def line(self, text: bytes) -> bytes:
        """Return the digest line for `text`: everything since the last digest line, at first the header included."""
        self.last = hashlib.sha256(self.last.encode() + text).hexdigest()[:32]
        return b'{"digest":"%b","blocks":"%b"}\n' % (self.last.encode(), _marks(text).encode())


def _marks(text: bytes) -> str:
    blocks = memoryview(text)
    marks = [zlib.crc32(blocks[at : at + BLOCK]) & 0xFFFF for at in range(0, len(text), BLOCK)]
    return struct.pack(f">{len(marks)}H", *marks).hex()


class Guard(msgspec.Struct, frozen=True):
    """The result of checking a journal's digests. `last` is the last matching digest, empty if there is none; `lines`
    is the number of lines that it covers; `whole` says whether these are all lines; `edited` are the first and last
    line of the block that does not match."""

    last: str = ""
    lines: int = 0
    whole: bool = False
    edited: tuple[int, int] | None = None

    def __str__(self) -> str:
        if not self.last:
            return "no digest"
        return f"digest {self.last} matches" + ("" if self.whole else f" up to line {self.lines}")


class Edited(msgspec.Struct, frozen=True):
    """Lines of a journal that were changed after they were written."""

    first: int
    last: int

    def __str__(self) -> str:
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first} to {self.last}"
        return f"{lines}: changed since it was written, by the digest of the journal"


class _Line(msgspec.Struct):
    digest: str
    blocks: str


def guard_of(content: bytes) -> Guard:
    """Check the digests of a journal, up to the first that does not match."""
    made, text, begun, guard = Digest(), b"", 1, Guard()
    lines = content.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        if not line.startswith(BEGINNING):
            continue
        text = b"".join(one + b"\n" for one in lines[begun - 1 : number - 1])
        if made.line(text) != line + b"\n":
            return Guard(guard.last, guard.lines, False, _edited(text, line, begun, number))
        begun = number + 1
        guard = Guard(made.last, number, number == len(lines))
    return guard


def _edited(text: bytes, line: bytes, begun: int, number: int) -> tuple[int, int]:
    """The first and last line of the first block that does not match; the digest's own line if all blocks match."""
    try:
        told = msgspec.json.decode(line, type=_Line).blocks
    except msgspec.DecodeError:
        return number, number
    marks = _marks(text)
    for place in range(len(marks) // 4):
        if told[4 * place : 4 * place + 4] != marks[4 * place : 4 * place + 4]:
            first = begun + text.count(b"\n", 0, place * BLOCK)
            return first, min(begun + text.count(b"\n", 0, (place + 1) * BLOCK), number - 1)
    return number, number
