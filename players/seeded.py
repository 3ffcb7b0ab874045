"""What bots of every game start from: the seed that the table gives."""

from functools import cached_property


class Seeded:
    """A bot that may be made with a seed.

    An author's own `__init__` need not call this one, unless the bot reads `self.seed`: what a base class needs besides
    is made when it is first asked for.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    @cached_property
    def seed(self) -> int:
        """The seed that it was made with."""
        raise AttributeError(f"{type(self).__name__}.__init__ does not call super().__init__(seed=seed)")
