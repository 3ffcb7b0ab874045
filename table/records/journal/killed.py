"""Opens the journal of a killed game: with the complete journal that the table kept, or with the game's seed."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.lines import Line, read_lines
from jantaku.table.records.journal.sealed import commitment, folder, is_sealed, whole_of

SeedsOf = Callable[[int], Sequence[str]]
"""Returns candidate seeds for the game of that number."""
Dealt = Callable[[Line, str, Iterable[tuple[str, Line]]], Iterable[Line]]
"""Yields the lines of a game with the tiles or cards that its seed deals. It gets the header, the header's place, and
each line with its place. Raises BadInput if a line does not have the shape that dealing needs."""
REFILLED = "opened by its seed"
"""The version in the header of a journal whose tiles were dealt again: such a journal has no answers."""


def no_seeds(number: int) -> Sequence[str]:
    return ()


def unsealed(path: Path, content: bytes, seeds: SeedsOf, dealt: Dealt) -> tuple[bytes, str]:
    """Return the completed journal and an empty text; or `content` unchanged and the reason why only the public part is
    known. `dealt` deals the tiles of this game. Raises BadInput if a given seed is not the game's."""
    if not is_sealed(content):
        return content, ""
    whole = whole_of(path, content)
    if whole is not None:
        return whole, ""
    header, *lines = read_lines(path, content)
    if not isinstance(header.get("number"), int):
        return content, ""  # not a header of ours: the game's own reader refuses it
    if header.get("driven"):
        return content, _HIDDEN.format("its tiles are those of another record", folder())
    given = list(seeds(header["number"]))
    for seed in given:
        if commitment(seed, header["number"]) == header.get("commit"):
            return _refilled(path, {**header, "seed": seed}, lines, dealt), ""
    if given:
        raise BadInput(f"--seed: that is not the seed of {path}: it was committed to {header.get('commit')}")
    return content, _HIDDEN.format("give its seed with --seed", folder())


_HIDDEN = "only what was public: the game was not ended and the rest of its journal is not in {1}; {0}"


def _refilled(path: Path, header: Line, lines: Iterable[Line], dealt: Dealt) -> bytes:
    """Build a journal with the tiles or cards that its seed deals. It has no answers: only the complete journal had
    them."""
    numbered = [(f"{path} line {number}", line) for number, line in enumerate(lines, 2)]
    shown = {key: value for key, value in header.items() if key != "sealed"} | {"version": REFILLED}
    told = dealt(header, f"{path} line 1", numbered)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (shown, *told))
