"""The result of driving the engine by a record, for every game."""

import msgspec

from jantaku.table.records.journal.digest import Guard


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """How many rounds and events were compared, and where record and engine differ."""

    rounds: int
    events: int
    complete: bool
    """Whether the record reaches the end of its game."""
    difference: object | None
    """The first difference; None if there is none. Its text describes it."""
    why: str = ""
    """What explains the difference; empty if nothing does."""
    answers: int = 0
    told: tuple[str, ...] = ()
    """Statements of the record that follow from nothing else, so that they are not proven."""
    guard: Guard = Guard()
    unit: str = "rounds"
    """The game's word for its rounds."""
    marked: int = 0
    """Number of discards of a drawn five that are marked as from the hand, which only majiang-core does."""

    @property
    def amount(self) -> str:
        """How much was compared, as text."""
        marked = f", {self.marked} of a drawn five marked as from the hand, as majiang-core does" if self.marked else ""
        return f"{self.rounds} {self.unit}, {self.events} events{marked}"
