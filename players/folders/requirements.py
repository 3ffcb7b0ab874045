"""Parses lines of requirements, as a stranger writes them.

Each is read as a whole, as one package or one option, and written anew from what was read: pip has options that run
code (`-e`, `-r`, `--no-binary`), and accepts them, comments and variables anywhere in a line, even in the text of a
marker. So pip gets nothing that was not understood here, and what is written reads as the same again.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from jantaku.table.ground.errors import BadInput

_INDEXES = ("--index-url", "--extra-index-url")
PRE = "--pre"
_ALLOWED = f"packages by their names, with --hash where it is known, and -i, {', '.join(_INDEXES)} and {PRE}"
_LONGEST = 1000
"""The most characters of a package with its versions and markers, or of an address."""
_SHOWN = 80
_PLAIN = re.compile(r'[A-Za-z0-9._+*!<>=~,;()\[\]" -]+')
"""The characters of a package: none that pip or a shell gives another meaning to."""
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?&=+,;%@!*()\[\]-]+")
_HASH = re.compile(r"sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}")
_BEFORE_HASH = re.compile(r"\s+--hash(?:=|\s+)")
HASHED = " --hash="
_COMMENT = re.compile(r"(^|\s)#.*")


def lines_in(text: str, file: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the options and the packages of a requirements file. Raises BadInput for the first line that is neither a
    package nor an allowed option."""
    options, packages = list[str](), list[str]()
    for number, line in _joined(text):
        place = str(file), f"line {number}"
        if line.startswith("-"):
            options.append(_option(line, *place))
        elif line:
            packages.append(package(line, *place))
    return tuple(options), tuple(packages)


def package(text: str, *place: str) -> str:
    """Parse one package by its name. Raises BadInput, at `place`, for anything else, also for paths and addresses: the
    cache's key must contain everything that counts, and building a package runs a stranger's code."""
    wanted, *hashes = _BEFORE_HASH.split(text.strip())
    try:
        read = Requirement(wanted[: _LONGEST + 1])
        read.name = canonicalize_name(read.name)  # a name with dots may be the name of a file
        written = str(read)
        plain = _PLAIN.fullmatch(written) and " -" not in written and str(Requirement(written)) == written
    except (ValueError, RecursionError):
        raise _refusal(text, *place) from None
    if read.url or not plain or len(wanted) > _LONGEST or not all(map(_HASH.fullmatch, hashes)):
        raise _refusal(text, *place)
    return HASHED.join((written, *hashes))


def index(option: str, url: str, *place: str) -> str:
    """Check an address of packages, and return it with the option that passes it to pip. Raises BadInput, at `place`,
    if it is invalid."""
    try:
        known = len(url) <= _LONGEST and _ADDRESS.fullmatch(url) and urlsplit(url).hostname and urlsplit(url).port != 0
    except ValueError:  # an invalid port, or an open bracket
        known = False
    if not known:
        raise BadInput(f"{url[:_SHOWN]!r} is not an address of packages; allowed are https:// and http://", *place)
    return f"{option} {url}"


def _option(line: str, *place: str) -> str:
    option, *values = re.split(r"[\s=]+", line, maxsplit=1)
    option = _INDEXES[0] if option == "-i" else option
    if option == PRE and not values:
        return PRE
    if option not in _INDEXES or not values:
        raise _refusal(line, *place)
    return index(option, values[0], *place)


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines without comments, each with the number of its first line: a line that ends with a backslash continues
    in the next."""
    pieces, first = list[str](), 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        said = _COMMENT.sub("", line)
        pieces.append(said.removesuffix("\\"))
        if not said.endswith("\\"):
            yield first, " ".join(pieces).strip()
            pieces, first = [], number + 1


def _refusal(text: str, *place: str) -> BadInput:
    return BadInput(f"{text[:_SHOWN]!r} is not supported; allowed are {_ALLOWED}", *place)
