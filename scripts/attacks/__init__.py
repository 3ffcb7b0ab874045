"""A standing hostile suite: `scripts/checks attacks` tries everything that an attacker might do to the table.

An attack is a sentence that says what is tried, a function that tries it, and a bound in seconds. The table has
survived it if the function returns. `Failed` (or a failed `assert`) is a hole, with its evidence; `Skipped` says what
the host lacks. Every attack runs in a process and a folder of its own. It is killed when its time is up, which counts
as a failure, and it fails as well if a process that it started is still there at its end.

To add attacks: write `scripts/attacks/GROUP.py` with a function `attacks()` that yields them.

    from collections.abc import Iterator
    from pathlib import Path
    from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
    from scripts.attacks.kit.command import jantaku

    def attacks() -> Iterator[Attack]:
        yield Attack("a record that is empty is shown", empty_record, seconds=10, quick=True)
        for count in (1, 100):                       # rows from parameters: what follows the function goes to it
            yield attack(f"a record of {count} brackets", brackets, count)

    def empty_record(folder: Path) -> str | None:    # a folder of its own, removed afterwards; a remark or None
        (folder / "empty.jsonl").touch()
        jantaku("show", "empty.jsonl", cwd=folder).refused()     # one line, exit code 2, no traceback

    def brackets(folder: Path, count: int) -> None: ...

`kit` has the tools: `command` runs jantaku with a bound and checks what a user sees, `serving` starts and stops a
server, `left` finds processes. An attack that measures time says `alone=True`: nothing else runs beside it.
`quick=True` marks the few that are tried with every change (a second or two each, a minute in all).
"""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scripts.attacks.kit.attack import Attack

GROUPS = tuple(f"{__name__}.{one.name}" for one in pkgutil.iter_modules(__path__) if not one.ispkg)
"""The modules of attacks."""


def attacks_of(group: str) -> Iterator["Attack"]:
    """Yield the attacks of a module."""
    yield from importlib.import_module(group).attacks()
