"""Parts cut out of a match that one machine has played, so that all their bytes are known."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from jantaku.table.play.parts import PartFile, PartOf

LINES = ("journal.jsonl", "times.jsonl")


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, but for what tells of hosts."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "parts.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def cut(whole: Path, folder: Path, part: PartOf, sets: int) -> Path:
    """Make the folder of a part from that of a whole match."""
    (folder / "records").mkdir(parents=True)
    shutil.copy(whole / "match.json", folder)
    PartFile(part.number, part.of, sets).write(folder)
    for name in LINES:
        head, *lines = (whole / name).read_bytes().splitlines(keepends=True)
        games = [msgspec.json.decode(line)["game"] for line in lines]
        size = len(lines) // sets
        own = [line for line, game in zip(lines, games, strict=True) if part.has(game // size)]
        (folder / name).write_bytes(b"".join([head, *own]))
    for game in games:
        if part.has(game // size):
            for path in (whole / "records").glob(f"game-{game:04}.*"):
                shutil.copy(path, folder / "records")
    return folder


def cut_all(whole: Path, folder: Path, of: int, sets: int) -> Sequence[Path]:
    """Make the folders of all parts."""
    return [cut(whole, folder / f"part-{number}", PartOf(number, of), sets) for number in range(1, of + 1)]
