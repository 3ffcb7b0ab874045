"""Common base of the bots of every game: the seed that the table gives, and the methods that a bot may define."""

from functools import cached_property


class Seeded:
    """A bot that may be made with a seed.

    An author's own `__init__` need not call this one, unless the bot reads `self.seed`: base classes create everything
    else on first use.
    """

    warms_up = False
    """Whether the bot's own class defines `warm_up`: else the table need not call it."""
    remarks = False
    """Whether the bot's own class defines `remark`: else the table need not call it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.warms_up = cls.warm_up is not Seeded.warm_up
        cls.remarks = cls.remark is not Seeded.remark

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    @cached_property
    def seed(self) -> int:
        """The seed that the bot was made with."""
        raise AttributeError(f"{type(self).__name__}.__init__ does not call super().__init__(seed=seed)")

    def warm_up(self) -> None:
        """Load what takes long: called once before the first event and question, in the time of `clock.start` (30
        seconds), so that it does not take the time of the first answer."""

    def remark(self) -> object:
        """Return something for readers of the record, such as the values of the options: any value that JSON can
        express, or numpy's arrays; None for no remark. It is called after an answer and has no other effect."""
        return None
