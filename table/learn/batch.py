"""Many tables in one step: every open question of every table is a row of numbers.

    batch = Batch(64, rules="tenhou", seed="1")
    rows = batch.rows()
    for _ in range(10_000):
        count = batch.observe(rows)
        batch.step(policy(rows.obs[:count], rows.mask[:count]))

All claims on one discard are rows of the same step, so that no claim sees another. A question with one
option is no row. A game that is over gives each of its players a last row, which is `done` and wants no action; its
table deals the next game. Games depend on seed and number alone, not on how many tables play.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.own import ACTIONS, SIZE, check_buffers, write
from jantaku.table.play.questions import OpenQuestions
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.pieces.seats import player_of, seat_of
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

Reward = Callable[[Standing, Standing, HanchanEnd | None], Sequence[float]]
"""What the players gain, by their place: called with the standing before and after each kyoku, and with the end of the
game behind its last kyoku."""


def kyoku_points(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The points won in a kyoku, in thousands."""
    return [(now - then) / 1000 for then, now in zip(before.scores, after.scores, strict=True)]


def final_points(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The final points with uma and oka, once at the end."""
    return [0.0] * len(after.scores) if end is None else [tenths / 10 for tenths in end.tenths]


def final_rank(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The middle rank minus the final one, once at the end: more is better, and the sum is zero."""
    middle = (len(after.scores) + 1) / 2
    return [0.0] * len(after.scores) if end is None else [middle - rank for rank in end.ranks]


REWARDS: Final[dict[str, Reward]] = {"kyoku": kyoku_points, "points": final_points, "rank": final_rank}


class BatchRows(msgspec.Struct):
    """Buffers for the rows of a step. `table` and `player` say whose a row is, `game` the number of its game;
    `reward` is what the player has gained since its row before."""

    obs: NDArray[np.int32]
    mask: NDArray[np.bool_]
    table: NDArray[np.int32]
    player: NDArray[np.int32]
    game: NDArray[np.int64]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]

    @classmethod
    def of(cls, count: int) -> "BatchRows":
        """Make empty buffers."""
        return cls(
            obs=np.zeros((count, SIZE), np.int32),
            mask=np.zeros((count, ACTIONS), np.bool_),
            table=np.zeros(count, np.int32),
            player=np.zeros(count, np.int32),
            game=np.zeros(count, np.int64),
            reward=np.zeros(count, np.float32),
            done=np.zeros(count, np.bool_),
        )


class _Table(OpenQuestions):
    """One table: the game that it plays, what is asked, and what has been gained."""

    def __init__(self, number: int, rules: Rules, seed: str, reward: Reward) -> None:
        self._rules, self._seed, self._reward = rules, seed, reward
        self.gained = [0.0] * rules.game.players
        self.deal(number)

    def deal(self, number: int) -> None:
        """Begin game `number`."""
        self.number = number
        first, self.order = seat_draw(self._seed, number, self._rules.game.players)
        names = tuple(f"player {place}" for place in self.order)
        walls = walls_from(self._seed, number, self._rules)
        super().__init__(RiichiGame(self._rules, walls, names, first))
        self.go_on()

    @property
    def rows(self) -> Sequence[tuple[int, Choice | None]]:
        """What is asked by player, or, at the end of the game, no choice for each player."""
        return self.open or [(player, None) for player in range(self.game.seats)]

    def _settle(self) -> None:
        before, rounds = self.game.standing, self.game.rounds
        super()._settle()
        if self.game.rounds == rounds and not self.game.over:
            return
        last = self.game.events[-1]
        gains = self._reward(before, self.game.standing, last if isinstance(last, HanchanEnd) else None)
        for player, gain in enumerate(gains):
            self.gained[self.order[player]] += gain


class Batch:
    """`tables` tables in this process. `rules`: the name of a preset, or Rules. Table n plays the games n, n + tables,
    n + 2 · tables, … of the `seed`, in which the players 0 to 3 sit where lots put them. `reward`: a key of `REWARDS`
    or a function. `illegal`: the reward of an action that the mask does not allow, for which the default is played;
    None refuses it."""

    def __init__(
        self,
        tables: int,
        *,
        rules: Rules | str = "tenhou",
        seed: str = "1",
        reward: Reward | str = "points",
        illegal: float | None = None,
    ) -> None:
        if tables < 1:
            raise BadInput(f"tables = {tables}; allowed is 1 or more")
        if isinstance(reward, str) and reward not in REWARDS:
            raise BadInput(f"reward = “{reward}”; allowed are {', '.join(REWARDS)}, or a function")
        law = preset(rules) if isinstance(rules, str) else rules
        gain = REWARDS[reward] if isinstance(reward, str) else reward
        self.seats, self.illegal = law.game.players, illegal
        self._tables = [_Table(number, law, seed, gain) for number in range(tables)]

    @property
    def most_rows(self) -> int:
        """The most rows that there can be in one step."""
        return len(self._tables) * self.seats

    def rows(self) -> BatchRows:
        """Make buffers that are large enough for every step."""
        return BatchRows.of(self.most_rows)

    def observe(self, rows: BatchRows) -> int:
        """Write a row for every open question, tables in order, and return how many there are. Raises BadInput, before
        anything is written, for buffers that are too small or of another type."""
        size = len(rows.obs) if isinstance(rows.obs, np.ndarray) else 0
        check_buffers(rows.obs, rows.mask, size)
        count = sum(len(table.rows) for table in self._tables)
        if size < count:
            raise BadInput(f"there are {count} rows, and buffers for {size}; make {self.most_rows}")
        row = 0
        for number, table in enumerate(self._tables):
            for player, choice in table.rows:
                self._write(rows, row, number, player, choice)
                row += 1
        return count

    def _write(self, rows: BatchRows, row: int, number: int, player: int, choice: Choice | None) -> None:
        table = self._tables[number]
        place = table.order[player]
        rows.table[row], rows.player[row], rows.game[row] = number, place, table.number
        rows.reward[row], table.gained[place] = table.gained[place], 0.0
        rows.done[row] = choice is None
        if choice is None:
            rows.obs[row], rows.mask[row] = 0, False
            return
        board = table.game.kyoku.board
        dealer = player_of(board.kyoku, table.game.first_dealer, self.seats)
        write(board, choice, seat_of(player, dealer, self.seats), rows.obs[row], rows.mask[row])

    def step(self, actions: Any) -> None:
        """Answer the rows of the last `observe`, one option number for each; what stands for a `done` row is ignored.
        Raises BadInput, and plays nothing, for another number of actions or one that is not allowed."""
        asked = [(table, *one) for table in self._tables for one in table.rows]
        told = np.asarray(actions)
        if told.shape != (len(asked),) or told.dtype.kind not in "iu":
            raise BadInput(f"actions are {told.dtype} {told.shape}; allowed are whole numbers ({len(asked)},)")
        chosen = [
            None if choice is None else self._chosen(table, player, choice, action)
            for (table, player, choice), action in zip(asked, told.tolist(), strict=True)
        ]
        begin = 0
        for table in self._tables:
            end = begin + len(table.rows)
            if table.open:
                table.answer([self._played(table, *one) for one in zip(table.open, chosen[begin:end], strict=True)])
            else:
                table.deal(table.number + len(self._tables))
            begin = end

    def _chosen(self, table: _Table, player: int, choice: Choice, action: int) -> Action | None:
        """The option with that number; None for one that is not allowed but only costs."""
        numbers = {number_of(option): option for option in choice.options}
        if action in numbers or self.illegal is not None:
            return numbers.get(action)
        name = NAMES[action] if 0 <= action < len(NAMES) else "no option"
        allowed = ", ".join(f"{legal} ({NAMES[legal]})" for legal in sorted(numbers))
        raise BadInput(
            f"table {self._tables.index(table)}, player {table.order[player]}: {action} ({name}) is not allowed; "
            f"the mask has {allowed}"
        )

    def _played(self, table: _Table, asked: tuple[int, Choice], action: Action | None) -> Action:
        player, choice = asked
        if action is None:
            table.gained[table.order[player]] += self.illegal or 0.0
            return choice.default
        return action
