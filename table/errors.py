"""Every error that jantaku raises on purpose, ordered by who is to blame.

JantakuError
├── BadInput      the person at the keyboard: a file, a key, an option (exit code 2)
├── PlayerFault   one player at the table: the table goes on without its answer
│   ├── PlayerSilent      ... because nothing came in time
│   ├── PlayerUnreadable  ... because what came cannot be read
│   └── PlayerGone        ... and that player will not come back
│       └── PlayerNotReady   ... because it never became ready in the first place
└── TableFault    ourselves: this table stops, keeps its record and says so
"""


class JantakuError(Exception):
    """Base of all errors that jantaku raises on purpose."""


class BadInput(JantakuError):
    """What a person gave us cannot be used: `problem` says what is wrong and what is allowed, `place` where it is, from
    the file inwards. The message is both."""

    def __init__(self, problem: str, *place: str) -> None:
        super().__init__(problem, *place)
        self.problem, self.place = problem, place

    def __str__(self) -> str:
        return f"{' '.join(self.place)}: {self.problem}" if self.place else self.problem

    def within(self, *place: str) -> "BadInput":
        """The same, its place being inside of another."""
        return BadInput(self.problem, *place, *self.place)


class PlayerFault(JantakuError):
    """A player broke the contract of the port. Never raised for a defect of ours.

    `limit`: which limit of its sandbox it broke, "memory", "cpu" or "forbidden"; empty: none.
    """

    def __init__(self, *words: object, limit: str = "") -> None:
        super().__init__(*words)
        self.limit = limit


class PlayerSilent(PlayerFault):
    """A player elsewhere has not answered by the time at which its answer could still be used."""


class PlayerUnreadable(PlayerFault):
    """What a player elsewhere has sent is no message of its dialect: bytes, JSON, keys or values are wrong."""


class PlayerGone(PlayerFault):
    """A player's process, connection or object is gone for good; it is not asked again."""


class PlayerNotReady(PlayerGone):
    """A player that never became ready: its program did not start or did not join in time."""


class TableFault(JantakuError):
    """A defect of ours or of the machine. It is never blamed on a player."""
