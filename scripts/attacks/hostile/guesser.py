"""A bot that looks for the walls and the operator's token during its first question, and plays on.

It deals a wall from every possible seed, and compares every possible wall with its own tiles, so that it is sure of
what it knows. It prints `KNOWS PLACE: 136 tiles` or `KNOWS PLACE: TOKEN` to stderr, and SEARCHED at the end. It looks
only at processes with the mark of the attack.
"""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from jantaku.table.play.seeds import of_game
from jantaku.table.riichi.events import HanchanStart, KyokuStart
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.game import walls_from
from jantaku.table.riichi.pieces.tiles import NAMES

TOKEN, SEARCHED = "TOKEN", "SEARCHED"
_SEED = re.compile(rb"(?:game-)?[0-9a-f]{32}\.[0-9a-f]{32}")
_WALL = re.compile(rb"(?:[mps][0-9]|z[1-7]){136}")
_MOST = 1 << 26
"""Bytes read at once from a file or a piece of memory."""
_GAMES = 3
"""Games for which a seed is tried."""


def table_processes() -> Iterator[int]:
    """Yield its parent and the parents above, if they are the table's; also those that cannot be examined."""
    mark = f"JANTAKU_ATTACK={os.environ['JANTAKU_ATTACK']}".encode()
    process = os.getpid()
    while process > 1:
        with contextlib.suppress(OSError):
            if mark not in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
                return
        if process != os.getpid() or "jantaku.table.judge.judge" in sys.modules:  # in process, it is the table's
            yield process
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def of_others(*names: str) -> Iterator[bytes]:
    """Yield these /proc files of the table's processes."""
    for process in table_processes():
        yield from contents(*(f"/proc/{process}/{name}" for name in names))


def contents(*paths: str | Path) -> Iterator[bytes]:
    """Yield what can be read of these files."""
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb", opener=_at_once) as file:
            yield file.read(_MOST) or b""


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def below(place: str) -> Iterator[Path]:
    """Yield everything below a folder."""
    return Path(os.environ[place]).rglob("*")


def memory() -> Iterator[bytes]:
    """Yield the writable memory of the table's processes."""
    for process in table_processes():
        with contextlib.suppress(OSError), open(f"/proc/{process}/mem", "rb", buffering=0) as file:
            for line in Path(f"/proc/{process}/maps").read_text().splitlines():
                first, last = (int(end, 16) for end in line.split()[0].split("-"))
                if " rw" in line and "/" not in line:
                    for at in range(first, last, _MOST):
                        with contextlib.suppress(OSError):
                            file.seek(at)
                            yield file.read(min(_MOST, last - at))


def open_files() -> Iterator[bytes]:
    """Yield the files that the table's processes have open; not pipes, whose content it would take from their
    readers."""
    for process in table_processes():
        with contextlib.suppress(OSError):
            yield from contents(*filter(Path.is_file, Path(f"/proc/{process}/fd").iterdir()))


PLACES: dict[str, Callable[[], Iterator[bytes]]] = {
    "its own words": lambda: contents("/proc/self/cmdline", "/proc/self/comm"),
    "its own environment": lambda: iter([repr(dict(os.environ)).encode()]),
    "the table's words": lambda: of_others("cmdline", "comm"),
    "names of files and folders": lambda: (str(path).encode() for path in [Path.cwd(), *below("GUESS_OUT")]),
    "records of the running game": lambda: contents(*below("GUESS_OUT")),
    "the table's environment": lambda: of_others("environ"),
    "the table's private files": lambda: contents(*below("GUESS_STATE")),
    "the table's open files": open_files,
    "the table's memory": memory,
}

searched: list[bool] = []
"""Holds True once this process has searched."""


class Guesser(RiichiPlayer):
    """Searches during its first question, and plays the default."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._rules: Any = None
        self._deal: KyokuStart | None = None
        self._dealt: dict[str, list[list[str]]] = {}

    def hear(self, event: Any) -> None:
        """Keep the rules and the deal."""
        super().hear(event)
        if isinstance(event, HanchanStart):
            self._rules = event.rules
        elif isinstance(event, KyokuStart):
            self._deal = event

    def answer(self, question: Question) -> Action:
        """Return the default; search before the first answer."""
        deal, self._deal = self._deal, None
        if deal is not None and not searched:
            searched.append(True)
            for place, read in PLACES.items():
                for told in dict.fromkeys(self._learned(read, deal)):
                    print(f"KNOWS {place}: {told}", file=sys.stderr, flush=True)
            print(SEARCHED, file=sys.stderr, flush=True)
        return question.default

    def _learned(self, read: Callable[[], Iterator[bytes]], deal: KyokuStart) -> Iterator[str]:
        for text in read():
            if os.environ["GUESS_TOKEN"][::-1].encode() in text:
                yield TOKEN
            for wall in self._walls(text):
                own = enumerate(deal.hands)
                if all(hand is None or sorted(wall[13 * seat :][:13]) == self._names(hand) for seat, hand in own):
                    yield "".join(wall)

    def _walls(self, text: bytes) -> Iterator[list[str]]:
        for found in set(_WALL.findall(text)):
            tiles = found.decode()
            yield [tiles[at : at + 2] for at in range(0, len(tiles), 2)]
        for seed in {found.decode() for found in _SEED.findall(text)} | {str(self.seed)}:
            if seed not in self._dealt:
                seeds = ((of_game(seed, number), number) for number in range(_GAMES))
                walls = (walls_from(own, number, self._rules)(opening(self._rules)) for own, number in seeds)
                self._dealt[seed] = [[NAMES[tile] for tile in wall.tiles] for wall in walls]
            yield from self._dealt[seed]

    def _names(self, hand: tuple[int, ...]) -> list[str]:
        return sorted(NAMES[tile] for tile in hand)
