"""Every reader of foreign bytes gets slightly invalid input, some thousands of times; `scripts.fuzz_readers` does
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
    """See the package."""
    for name in READERS or ("anything",):
        yield msgspec.structs.replace(attack(f"{EXAMPLES} spoiled: {name}", spoiled, name), seconds=120.0)


def spoiled(folder: Path, name: str) -> None:
    """Nothing but refusals."""
    if MISSING:
        raise Skipped(MISSING)
    try:
        fuzz(READERS[name], EXAMPLES)
    except BaseException as error:
        raise Failed(shown(error)) from error
