"""A part of a match or of samples that many machines make: which wall sets or records it has, and on what host it ran.

It stands in `part.json` beside the plan of the whole. Hosts and their speed are in no other file of a part.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, NamedTuple, Self

import msgspec
from msgspec import Meta

from jantaku.table.ground.clock import now
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of, opened
from jantaku.table.play.cores import usable

PART, LOGS = "part.json", "logs"
MOST_PARTS = 1_000_000
NAMED = 12
"""Most missing parts that are named."""
ANEW = "leave this part out, and play it again"
"""What to do with a part that cannot be used."""
_LARGEST = 1 << 20
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]


class PartOf(NamedTuple):
    """Part `number`, from 1, of `of`: every `of`-th set from that one on."""

    number: int
    of: int

    def has(self, item: int) -> bool:
        """Return whether set or record `item`, from 0, is of this part."""
        return item % self.of == self.number - 1

    def refuse_more_than(self, items: int, what: str) -> Self:
        """Return it; BadInput if there are more parts than sets."""
        if self.of > items:
            raise BadInput(f"--part {self}: there are only {items} {what}; make at most {items} parts")
        return self

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = PartOf(1, 1)
"""All of it."""


class Host(msgspec.Struct):
    """One run of a part: where, on how many cores, how many hanchan it played and in how many seconds, by a clock that
    nobody can set."""

    host: str
    cores: Count
    hanchan: Count = 0
    seconds: Seconds = 0.0


class PartFile(msgspec.Struct):
    """The content of `part.json`. `sets` counts the sets, or records, of the whole; `hosts` are the runs, in order.
    `digests` of files stand there once the part is over, where nothing else would show that they were changed."""

    part: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1, le=MOST_PARTS)]
    sets: Count
    hosts: list[Host] = []
    digests: dict[str, str] = {}

    @property
    def own(self) -> PartOf:
        return PartOf(self.part, self.of)

    @property
    def pace(self) -> float:
        seconds = sum(run.seconds for run in self.hosts)
        return sum(run.hanchan for run in self.hosts) / seconds if seconds else 0.0

    def write(self, folder: Path) -> None:
        with telling(folder):
            replace_whole(folder / PART, msgspec.json.encode(self) + b"\n")


def part_in(folder: Path) -> PartFile | None:
    """Return what part is in this folder; None if there is none. BadInput if that cannot be read."""
    path = folder / PART
    if not os.path.lexists(path):
        return None
    try:
        found = msgspec.json.decode(bytes_of(path, _LARGEST), type=PartFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: does not say which part it is: {error}; {ANEW}") from None
    if found.part > found.of:
        raise BadInput(f"{path}: there is no part {found.own}; {ANEW}")
    return found


def begun(folder: Path, part: PartOf, sets: int) -> None:
    """Make the folder of this part, or find it there. BadInput if it is of another one."""
    with telling(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = sorted(path.name for path in folder.iterdir() if path.name != LOGS)
    found = part_in(folder)
    if found is None:
        if held:
            raise BadInput(f"{folder} is not empty (it holds {held[0]}); give a new or empty folder")
        found = PartFile(part.number, part.of, sets)
        found.write(folder)
    if (found.own, found.sets) != (part, sets):
        raise BadInput(f"{folder} holds part {found.own} of {found.sets}, not {part} of {sets}; give another --out")


@contextmanager
def hosted(folder: Path, hanchan: Callable[[], int]) -> Iterator[None]:
    """Note the host of a run in the folder of a part, and in the end what it played, however it ends."""
    told = part_in(folder)
    if told is None:
        yield
        return
    import socket  # only a part needs it, and every command reads what a part is

    began, before = now(), hanchan()
    run = Host(socket.gethostname(), usable())
    told.hosts.append(run)
    told.write(folder)
    try:
        yield
    finally:
        run.hanchan, run.seconds = max(0, hanchan() - before), round(now() - began, 3)
        with suppress(BadInput):  # a full disk has been told already
            told.write(folder)


def seal(folder: Path, *names: str) -> None:
    """Note digests of files of a part that is over."""
    found = part_in(folder)
    if found is not None:
        found.digests = {name: digest_of(folder / name) for name in names}
        found.write(folder)


def digest_of(file: Path) -> str:
    import hashlib

    found = hashlib.sha256()
    with opened(file) as content:
        while chunk := content.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()[:32]
