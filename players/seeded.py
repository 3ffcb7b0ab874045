"""Common base of the bots of every game: the seed that the table gives."""

from functools import cached_property


class Seeded:
    """A bot that may be made with a seed.

    An author's own `__init__` need not call this one, unless the bot reads `self.seed`: base classes create everything
    else on first use.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    @cached_property
    def seed(self) -> int:
        """The seed that the bot was made with."""
        raise AttributeError(f"{type(self).__name__}.__init__ does not call super().__init__(seed=seed)")
