"""What a seat may do: put cards, or none. Actions are values: equal actions are the same action."""

import msgspec


class Put(msgspec.Struct, frozen=True, gc=False):
    """Play `cards`, in ascending order; none: pass."""

    cards: tuple[int, ...] = ()

    def twin(self) -> "Put":
        """See `table.choice.Choice`. The pass is a constant."""
        return Put(self.cards) if self.cards else self


PASS = Put()
