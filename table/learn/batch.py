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

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.learn.encoding import NetEncoder
from jantaku.table.learn.plan import Reward, plan_of
from jantaku.table.learn.tables import BatchTable, RowQuestion
from jantaku.table.riichi.pieces.seats import player_of, seat_of
from jantaku.table.riichi.rules import Rules


class BatchRows(msgspec.Struct):
    """Buffers for the rows of a step. `table` and `player` say whose a row is, `seat` where it sits in the kyoku (0 is
    東), `game` the number of its game; `reward` is what the player has gained since its row before."""

    obs: NDArray[Any]
    mask: NDArray[np.bool_]
    table: NDArray[np.int32]
    player: NDArray[np.int32]
    seat: NDArray[np.int32]
    game: NDArray[np.int64]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]

    @classmethod
    def of(cls, encoder: NetEncoder, count: int) -> "BatchRows":
        """Make empty buffers."""
        obs, mask = encoder.buffers(count)
        table, player, seat = (np.zeros(count, np.int32) for _ in range(3))
        game, reward, done = np.zeros(count, np.int64), np.zeros(count, np.float32), np.zeros(count, np.bool_)
        return cls(obs, mask, table, player, seat, game, reward, done)


class Batch:
    """`tables` tables in this process, at which learners and bots play.

    `rules` are the name of a preset, or Rules. `encoder` names the observation. `players` says of each player whether
    it is a `learner` (without it, all are) or which bot plays. Table n plays the games n, n + tables, n + 2 · tables,
    … of the `seed`; who sits where is drawn by lot for each game. `paired`: games come in sets with the same walls, in
    which the players sit at each other's places, those of `jantaku match` with this seed. `reward` is a key of
    `REWARDS`, or a function. `illegal` is the reward of an answer that the mask does not allow, for which the default
    is played; None refuses it. `part`, (k, n), plays the share k, from 0, of n processes.
    """

    def __init__(
        self,
        tables: int,
        *,
        rules: Rules | str = "tenhou",
        seed: str = "1",
        encoder: str = "jantaku-1",
        players: Sequence[str] = (),
        paired: bool = False,
        reward: Reward | str = "points",
        illegal: float | None = None,
        part: tuple[int, int] = (0, 1),
    ) -> None:
        if tables < 1:
            raise BadInput(f"tables = {tables}; allowed is 1 or more")
        if not 0 <= part[0] < part[1]:
            raise BadInput(f"part = {part}; allowed is (k, n) with k from 0 to n - 1")
        plan = plan_of(rules, seed, encoder, players, reward, paired)
        self.encoder, self.seats, self.illegal = plan.encoder, len(plan.bots), illegal
        self._games = tables * part[1]
        """The games that all processes play at once."""
        self._first, self._apart = part
        self._tables = [BatchTable(plan, number, number) for number in range(self._first, self._games, self._apart)]
        self.most_rows = tables * plan.bots.count(None)
        """The most rows that there can be in one step."""

    def rows(self) -> BatchRows:
        """Make buffers that are large enough for every step."""
        return BatchRows.of(self.encoder, self.most_rows)

    def observe(self, rows: BatchRows) -> int:
        """Write a row for every open question of a learner, tables in order, and return how many there are. Raises
        BadInput, before anything is written, for buffers that are too small or of another type."""
        size = len(rows.obs) if isinstance(rows.obs, np.ndarray) else 0
        self.encoder.check(rows.obs, rows.mask, size)
        for name, given in msgspec.structs.asdict(rows).items():
            if not isinstance(given, np.ndarray) or len(given) != size:
                raise BadInput(f"rows.{name}: allowed is an array with {size} rows, as obs has")
        count = sum(len(table.rows) for table in self._tables)
        if size < count:
            raise BadInput(f"there are {count} rows, and buffers for {size}; make {self.most_rows}")
        number = 0
        for table in self._tables:
            for row in table.rows:
                self._write(rows, number, table, row)
                number += 1
        return count

    def _write(self, rows: BatchRows, number: int, table: BatchTable, row: RowQuestion) -> None:
        player = table.order[row.place]
        dealer = player_of(table.game.kyoku.board.kyoku, table.game.first_dealer, self.seats)
        rows.table[number], rows.player[number], rows.game[number] = table.table, player, table.number
        rows.seat[number] = seat_of(row.place, dealer, self.seats)
        rows.reward[number], table.gained[player] = table.gained[player], 0.0
        rows.done[number] = row.choice is None
        if row.choice is None:
            rows.obs[number], rows.mask[number] = 0, False
        else:
            table.write(row, rows.obs[number], rows.mask[number])

    def step(self, actions: Any) -> None:
        """Answer the rows of the last `observe`, one number of the encoder for each; what stands for a `done` row is
        ignored. Raises BadInput, and plays nothing, for another number of actions or one that is not allowed; and
        PlayerFault if a bot fails."""
        told = np.asarray(actions)
        count = sum(len(table.rows) for table in self._tables)
        if told.shape != (count,) or told.dtype.kind not in "iu":
            raise BadInput(f"actions are {told.dtype} {told.shape}; allowed are whole numbers ({count},)")
        numbers = iter(told.tolist())
        meant = [
            [table.meant(row, next(numbers), pays=self.illegal is not None) for row in table.rows]
            for table in self._tables
        ]
        for table, answers in zip(self._tables, meant, strict=True):
            if table.open:
                table.take([self._played(table, *one) for one in zip(table.rows, answers, strict=True)])
            else:
                table.deal(table.number + self._games)

    def reset(self, table: int, game: int | None = None) -> None:
        """Leave the game of a table, and deal game number `game` there, or its next one. Raises BadInput for a table
        that there is not."""
        numbers = range(self._first, self._games, self._apart)
        if table not in numbers:
            raise BadInput(f"table = {table}; allowed is one of {', '.join(map(str, numbers))}")
        left = self._tables[numbers.index(table)]
        left.gained = [0.0] * self.seats
        left.deal(left.number + self._games if game is None else game)

    def _played(self, table: BatchTable, row: RowQuestion, meant: Action | int | None) -> Action | int:
        if meant is not None:
            return meant
        assert row.choice is not None, "the game goes on"
        table.gained[table.order[row.place]] += self.illegal or 0.0
        return row.choice.default
