"""What becomes of a record that drives the engine, whatever the game."""

import msgspec

from jantaku.table.record.digest import Guard


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """How many rounds and events were compared, and where record and engine part."""

    rounds: int
    events: int
    complete: bool
    """Whether the record goes to the end of its game."""
    difference: object | None
    """None if there is none; its text says it to people."""
    why: str = ""
    """What explains the difference, in words."""
    answers: int = 0
    told: tuple[str, ...] = ()
    """What stands in the record without following from the rest, so that it is not proven."""
    guard: Guard = Guard()
    unit: str = "rounds"
    """What rounds are called in that game."""
    marked: int = 0
    """Discards of a drawn five that are marked as from the hand, which only majiang-core does."""

    @property
    def amount(self) -> str:
        """How much was compared, in words."""
        marked = f", {self.marked} of a drawn five marked as from the hand, as majiang-core does" if self.marked else ""
        return f"{self.rounds} {self.unit}, {self.events} events{marked}"
