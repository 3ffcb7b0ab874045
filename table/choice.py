"""What one seat may do now: the part of a question that the game writes."""

from collections.abc import Hashable

Action = Hashable
"""One thing that a seat may do. Each game defines its own; equal actions are interchangeable."""

Options = tuple[Action, ...]


class Choice:
    """What one seat may do now. `default` is legal and is played for a seat that gives no answer.

    With a single option the seat is not asked (`asks`), unless the game says `always`: there a player has to
    say it itself. Choices are values: they never change, and equal ones are interchangeable.
    """

    __slots__ = ("_always", "_asks", "_default", "_options")

    def __init__(self, options: Options | None, default: Action, always: bool = False) -> None:
        """`options` is None only in a subclass that lists them when they are first looked at."""
        self._options = options
        self._default = default
        self._always = always
        self._asks = always or options is None or len(options) > 1

    @property
    def default(self) -> Action:
        """What is played for a seat that gives no answer."""
        return self._default

    @property
    def always(self) -> bool:
        """Whether the seat is asked even if there is nothing to choose."""
        return self._always

    @property
    def asks(self) -> bool:
        """Whether the seat is asked at all."""
        return self._asks

    @property
    def options(self) -> Options:
        """Everything that is legal now, in the game's own order."""
        options = self._options
        if options is None:
            self._options = options = self._listed()
        return options

    def _listed(self) -> Options:
        """The options, worked out from what was known when the choice was made: the game may have gone on."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return NotImplemented
        return (self.options, self.default, self.always) == (other.options, other.default, other.always)

    def __hash__(self) -> int:
        return hash((self.options, self.default, self.always))

    def __repr__(self) -> str:
        always = ", always=True" if self.always else ""
        return f"Choice({self.options!r}, {self.default!r}{always})"
