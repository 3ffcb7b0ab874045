"""The faults of a disk, and the steps at which they can strike."""

from enum import StrEnum
from typing import Final, NamedTuple

DEAD: Final = 137
"""Exit code of a process that a fault has ended."""


class How(StrEnum):
    """What happens at a step. All but the first two end the process there, as `kill -9` does: nothing of it reaches the
    disk any more."""

    FULL = "full"
    """No space from here on: half of a write lands. What removes or renames still works."""
    ERROR = "error"
    """This one step fails with an input/output error."""
    KILL = "kill"
    """The process ends before the step, that is, after the one before it."""
    TORN = "torn"
    """Half of a write lands, then the process ends."""
    LOST = "lost"
    """The power goes: of every file what was not synced is gone."""
    SHORN = "shorn"
    """The power goes: of every file half of what was not synced is there."""
    BLANK = "blank"
    """The power goes: what was not synced has its size and only zeros in it."""

    @property
    def ends(self) -> bool:
        return self not in (How.FULL, How.ERROR)

    @property
    def is_power(self) -> bool:
        return self in (How.LOST, How.SHORN, How.BLANK)


class Fault(NamedTuple):
    """One of a run; steps count from 1."""

    how: How
    step: int


class Step(NamedTuple):
    """What a process asks of the disk: `what`, of the file at `path` below its root. `size`: bytes of a write."""

    what: str
    path: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.what} {self.path}" + (f", {self.size} bytes" if self.size else "")


FILLING: Final = ("create", "mkdir", "symlink", "write")
"""Steps that a full disk refuses."""


def strikes(how: How, step: Step) -> bool:
    """Whether a fault differs at that step from another one there."""
    return step.what == "write" if how is How.TORN else step.what in FILLING if how is How.FULL else True
