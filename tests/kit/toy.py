"""A game without tiles for the judge's tests, with turns, secrets, reactions and rulings."""

from collections.abc import Callable, Sequence

from jantaku.table.ground.game import Game, Turn
from jantaku.table.ground.port import Action, Choice

MOVES = ("keep", "offer", "show")
REACTIONS = ("pass", "claim", "shout")

Event = tuple[Action | None, ...]


class ToyWords:
    """Describes the toy game. Implements `jantaku.table.ground.game.Words`."""

    round = "lap"

    def __init__(self, seats: int) -> None:
        self.players = [f"toy-{seat}" for seat in range(seats)]

    def action(self, action: Action) -> str:
        return str(action)

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Event]) -> tuple[str, str]:
        claims = [seat for seat, response in enumerate(responses) if response == "claim"]
        return (f"turn of {new[-1][1]}" if len(new[-1]) > 1 else "the end"), f"{len(claims)} claims"


class ToyGame(Game):
    """Seats take turns. The mover's action decides which seats may react, and the nearest claim takes the next turn.

    "keep": no seat chooses (the next seat has one option only) · "offer": the next seat chooses · "show": all others
    do. `moves(turn)` are the mover's options in that turn, the first is the default. Each turn starts with a draw that
    only the mover may see.
    """

    def __init__(self, turns: int = 6, seats: int = 4, moves: Callable[[int], tuple[str, ...]] | None = None) -> None:
        super().__init__(seats, ToyWords(seats), [("start", turns)])
        self.ruled: list[tuple[Action | None, ...]] = []
        self._moves = moves or (lambda turn: MOVES)
        self._turns = turns
        self._turn = 1
        self._mover = 0
        self._action: Action = ""
        self._draw()

    @property
    def rounds(self) -> int:
        """One for every time that all seats have had a turn."""
        return (self._turn - 1) // self.seats + 1

    def turn(self) -> Turn | None:
        if self._turn > self._turns:
            return None
        moves = self._moves(self._turn)
        return Turn(self._mover, Choice(moves, moves[0]))

    def act(self, action: Action) -> None:
        assert type(action) is str and action in self._moves(self._turn), action
        self._action = action
        self.events.append(("act", self._mover, action))

    def reacting(self) -> list[int]:
        others = [(self._mover + step) % self.seats for step in range(1, self.seats)]
        return [seat for seat in others if self.reaction(seat, self._action) is not None]

    def reaction(self, seat: int, action: Action) -> Choice | None:
        is_next = (seat - self._mover) % self.seats == 1
        if action == "show" or (action == "offer" and is_next):
            return Choice(REACTIONS, "pass")
        return Choice(("pass",), "pass") if is_next else None

    def rule(self, responses: Sequence[Action | None]) -> None:
        assert responses[self._mover] is None
        self.ruled.append(tuple(responses))
        after = [(self._mover + step) % self.seats for step in range(1, self.seats)]
        claims = [seat for seat in after if responses[seat] == "claim"]
        self.events.append(("ruling", *responses))
        self._turn += 1
        self._mover = claims[0] if claims else after[0]
        self._draw()

    def masked(self, index: int, seat: int) -> Event:
        event = self.events[index]
        return (*event[:2], None) if event[0] == "draw" and event[1] != seat else event

    def accepts(self, action: object) -> bool:
        return isinstance(action, str) and action in (*MOVES, *REACTIONS)

    def _draw(self) -> None:
        over = self._turn > self._turns
        self.events.append(("end",) if over else ("draw", self._mover, self._turn * 7919 % 101))
