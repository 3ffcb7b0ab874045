"""What a seat may do: play cards or pass. Actions are values: equal actions are the same action."""

import msgspec

from jantaku.table.daifugo.cards import CARDS, NAMES


class Put(msgspec.Struct, frozen=True, gc=False):
    """Play `cards`, in ascending order; without cards: pass."""

    cards: tuple[int, ...] = ()

    def __str__(self) -> str:
        whole = isinstance(self.cards, tuple) and all(card in range(CARDS) for card in self.cards)
        return f"Put {' '.join(NAMES[card] for card in self.cards) or 'nothing' if whole else repr(self.cards)}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def twin(self) -> "Put":
        """An equal copy; see `jantaku.table.ground.choice.Choice`. The pass is a constant."""
        return Put(self.cards) if self.cards else self


PASS = Put()
