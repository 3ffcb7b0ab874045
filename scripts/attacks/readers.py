"""Attacks every reader of foreign bytes by some thousands of slightly invalid inputs; `scripts.fuzz_readers` tries
more."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack

try:
    from scripts.fuzz_readers import fuzz, shown
    from scripts.fuzzing.readers import READERS

    MISSING = ""
except ImportError as missing:  # hypothesis comes with the extra `test`
    READERS, MISSING = {}, str(missing)

EXAMPLES = 1000


def attacks() -> Iterator[Attack]:
    for name in READERS or ("anything",):
        yield msgspec.structs.replace(attack(f"{EXAMPLES} spoiled: {name}", spoiled, name), seconds=120.0)


def spoiled(folder: Path, name: str) -> None:
    """The reader raises nothing but refusals."""
    if MISSING:
        raise Skipped(MISSING)
    try:
        fuzz(READERS[name], EXAMPLES)
    except BaseException as error:
        raise Failed(shown(error)) from error
