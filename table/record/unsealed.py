"""Opens the journal of a game that was killed: by the complete journal that the table kept, or by its seed."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.record.lines import Line, read_lines
from jantaku.table.record.sealed import commitment, folder, is_sealed, whole_of

SeedsOf = Callable[[int], Sequence[str]]
"""Candidate seeds for the game of that number."""
Dealt = Callable[[Line, str, Iterable[tuple[str, Line]]], Iterable[Line]]
"""The lines of a game with the tiles or cards that its seed deals: by its header, the header's place, and the lines
with theirs. BadInput where one does not have the shape that dealing needs."""
REFILLED = "opened by its seed"
"""The version in the header of a journal whose tiles were dealt again: it has no answers."""


def no_seeds(number: int) -> Sequence[str]:
    """No seed is known."""
    return ()


def unsealed(path: Path, content: bytes, seeds: SeedsOf, dealt: Dealt) -> tuple[bytes, str]:
    """The journal in `content` completed, and an empty text; or unchanged, and why only the public part is known.
    `dealt` is the game's own. BadInput if a given seed is not the one of the game."""
    if not is_sealed(content):
        return content, ""
    whole = whole_of(path, content)
    if whole is not None:
        return whole, ""
    header, *lines = read_lines(path, content)
    if not isinstance(header.get("number"), int):
        return content, ""  # no header of ours: the reader of the game refuses it
    if header.get("driven"):
        return content, _HIDDEN.format("its tiles are those of another record", folder())
    given = list(seeds(header["number"]))
    for seed in given:
        if commitment(seed, header["number"]) == header.get("commit"):
            return _refilled(path, {**header, "seed": seed}, lines, dealt), ""
    if given:
        raise BadInput(f"--seed: that is not the seed of {path}: it was committed to {header.get('commit')}")
    return content, _HIDDEN.format("give its seed with --seed", folder())


_HIDDEN = "only what the public saw: the game was not ended and the rest of its journal is not in {1}; {0}"


def _refilled(path: Path, header: Line, lines: Iterable[Line], dealt: Dealt) -> bytes:
    """A journal with the tiles or cards that its seed deals. It has no answers: only the complete journal had them."""
    numbered = [(f"{path} line {number}", line) for number, line in enumerate(lines, 2)]
    shown = {key: value for key, value in header.items() if key != "sealed"} | {"version": REFILLED}
    told = dealt(header, f"{path} line 1", numbered)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (shown, *told))
