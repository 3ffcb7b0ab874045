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

from jantaku.table.ground.errors import BadInput, PlayerFault
from jantaku.table.ground.port import Action, Choice, Player, Verdict
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.verdicts import IN_THE_MAIN_THREAD
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.encoding import GameEncoder, Mask, NetEncoder
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import OpenQuestions, RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import player_of, seat_of
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

LEARNER: Final = "learner"
"""The word for a player whose questions are rows."""
Reward = Callable[[Standing, Standing, HanchanEnd | None], Sequence[float]]
"""What the players gain, by their place: called with the standing before and after each kyoku, and with the end of the
game behind its last kyoku."""


class BatchPlan(msgspec.Struct, frozen=True):
    """What is played at every table, see `Batch`. `bots` are by player; None is a learner."""

    rules: Rules
    seed: str
    reward: Reward
    encoder: NetEncoder
    bots: tuple[Entrant | None, ...]
    paired: bool

    def seating(self, number: int) -> tuple[int, int, tuple[int, ...], str]:
        """Of game `number`: the number of its walls, the first dealer's place, the player at each place, and the seed
        of walls and bots."""
        seats = len(self.bots)
        if not self.paired:
            return number, *seat_draw(self.seed, number, seats), self.seed
        walls, turned = divmod(number, seats)
        order = tuple((place + turned) % seats for place in range(seats))
        return walls, 0, order, seeds.of_game(self.seed, walls)


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


def plan_of(
    rules: Rules | str, seed: str, encoder: str, players: Sequence[str], reward: Reward | str, paired: bool = False
) -> BatchPlan:
    """Make a plan from what a person gives. Raises BadInput for names that there are not, and what does not fit."""
    if isinstance(reward, str) and reward not in REWARDS:
        raise BadInput(f"reward = “{reward}”; allowed are {', '.join(REWARDS)}, or a function")
    law = preset(rules) if isinstance(rules, str) else rules
    kind, seats = encoder_of(encoder), law.game.players
    kind.refuse(seats, "encoder")
    bots = bots_of(players or [LEARNER] * seats, seats)
    return BatchPlan(law, str(seed), REWARDS[reward] if isinstance(reward, str) else reward, kind, bots, paired)


def bots_of(players: Sequence[str], seats: int) -> tuple[Entrant | None, ...]:
    """The bots of a batch by player, None for a learner. Raises BadInput for another number of players, for none that
    learns, and for a bot that runs in a process of its own."""
    if len(players) != seats:
        raise BadInput(f"players: {len(players)} given; {seats} play by these rules")
    if LEARNER not in players:
        raise BadInput(f"players: there is no learner; allowed are bots and at least one “{LEARNER}”")
    entrants = iter(enlist([player for player in players if player != LEARNER]))
    bots = tuple([None if player == LEARNER else next(entrants) for player in players])
    for bot in bots:
        if bot is not None and bot.scheme:
            raise BadInput(f"players: {bot.spec}: a batch plays with Python bots of its own process")
    return bots


RowHead = tuple[int, int, int, int, float, bool]
"""Of a row: table, player, seat, game, what the player has gained since its row before, whether its game is over."""


class RowQuestion(msgspec.Struct):
    """What a learner is asked: at its `place`, a `choice` (None: its game is over), and the number that it answered
    `first` if this is the second question of a decision."""

    place: int
    choice: Choice | None
    first: int | None = None


class BatchTable:
    """A table that asks its bots itself, and keeps the questions of learners as rows for the next step."""

    def __init__(self, plan: BatchPlan, table: int, number: int) -> None:
        self._plan = plan
        self.table = table
        """Its number."""
        self.gained = [0.0] * len(plan.bots)
        """By player, what it gained since its last row."""
        self.deal(number)

    def deal(self, number: int) -> None:
        plan = self._plan
        walls, first, order, seed = plan.seating(number)
        bots = [plan.bots[player] for player in order]
        names = tuple(
            [f"player {player}" if bot is None else bot.name for player, bot in zip(order, bots, strict=True)]
        )
        self.game = RiichiGame(plan.rules, walls_from(seed, walls, plan.rules), names, first)
        self._standing, self._rounds = self.game.standing, self.game.rounds
        self._questions = OpenQuestions(self.game)
        self.number, self.order = number, order
        self._bots = {
            place: self._seated(place, bot.make(seeds.of_bot(seed, number, place)))
            for place, bot in enumerate(bots)
            if bot is not None
        }
        self._seen = GameEncoder(plan.encoder, self.game)
        self._said: dict[int, Action] = {}
        self.rows: list[RowQuestion] = []
        """What is asked of the learners; at the end of the game, a row without a choice for each."""
        self._questions.go_on()
        self._ask()

    def _seated(self, place: int, bot: Player) -> Seat:
        seat = Seat(place, bot, self.game, Clock(), table=self.table)
        seat.player.look(IN_THE_MAIN_THREAD, IN_THE_MAIN_THREAD)
        return seat

    def write(self, row: RowQuestion, obs: Any, mask: Mask) -> None:
        """Write what a learner sees; zeros at the end of the game."""
        if row.choice is None:
            obs[...], mask[...] = 0, False
        else:
            self._seen.write(row.place, row.choice, obs, mask, row.first)

    def packed(self) -> list[Any]:
        """What the learners see by row, packed (see `RowPacking`); None at the end of the game."""
        look = self._seen.packed
        return [None if row.choice is None or look is None else look(row.place, row.choice) for row in self.rows]

    def heads(self) -> list[RowHead]:
        """By row. What was gained is paid with it."""
        game, number, gained = self.game, self.number, self.gained
        dealer = player_of(game.kyoku.board.kyoku, game.first_dealer, game.seats)
        heads: list[RowHead] = []
        for row in self.rows:
            player = self.order[row.place]
            seat = seat_of(row.place, dealer, game.seats)
            heads.append((self.table, player, seat, number, gained[player], row.choice is None))
            gained[player] = 0.0
        return heads

    def meant(self, row: RowQuestion, number: int, *, pays: bool = False) -> Action | int | None:
        """What an answer means, see `NetEncoder.meant`; None at the end of the game. Raises BadInput for one that is
        not allowed, or returns None if the player `pays` for it."""
        if row.choice is None:
            return None
        encoder = self._plan.encoder
        meant = encoder.meant(row.choice, number, row.first)
        if meant is not None or pays:
            return meant
        words = encoder.words
        name = words[number] if 0 <= number < len(words) else "no option"
        legal = [one for one in range(len(words)) if encoder.options(row.choice, one, row.first)]
        raise BadInput(
            f"table {self.table}, player {self.order[row.place]}: {number} ({name}) is not allowed; "
            f"the mask has {', '.join(f'{one} ({words[one]})' for one in legal)}"
        )

    def take(self, meant: Sequence[Action | int]) -> None:
        """Take what the rows were answered, an option or the number after which the row is asked again, and go on."""
        left = []
        for row, said in zip(self.rows, meant, strict=True):
            if isinstance(said, int):
                row.first = said
                left.append(row)
            else:
                self._said[row.place] = said
        self.rows = left
        if not left:
            self._settle_open()
            self._ask()

    def _settle_open(self) -> None:
        said, self._said = self._said, {}
        questions = self._questions
        questions.answer([said[place] for place, _ in questions.open])
        if self.game.rounds != self._rounds or self.game.over:
            self._pay()

    def _pay(self) -> None:
        """Pay what a kyoku came to. One answer ends one at the most: the next one begins with a question."""
        before, self._standing, self._rounds = self._standing, self.game.standing, self.game.rounds
        last = self.game.events[-1]
        gains = self._plan.reward(before, self._standing, last if isinstance(last, HanchanEnd) else None)
        for player, gain in zip(self.order, gains, strict=True):
            self.gained[player] += gain

    def _ask(self) -> None:
        """Ask the bots until a learner is asked, or the game is over."""
        unasked = self._plan.encoder.unasked
        while self._questions.open:
            for place, choice in self._questions.open:
                if place in self._bots:
                    self._said[place] = self._answered(place, choice)
                elif (given := unasked(choice)) is not None:
                    self._said[place] = given
                else:
                    self.rows.append(RowQuestion(place, choice))
            if self.rows:
                return
            self._settle_open()
        self.rows = [RowQuestion(place, None) for place in range(len(self.order)) if place not in self._bots]

    def _answered(self, place: int, choice: Choice) -> Action:
        answer = self._bots[place].put(self._questions.turns, choice, None, len(self.game.events))
        if answer.verdict is not Verdict.OK:
            name = self.game.words.players[place]
            raise PlayerFault(f"table {self.table}, player {self.order[place]}: {name} failed: {answer.reason}")
        return answer.action


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
    … of the `seed`; the seats of each game are drawn by lot. `paired`: games come in sets with the same walls, in
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
        self._write_heads(rows, count)
        obs, mask = rows.obs[:count], rows.mask[:count]
        if self.encoder.packing is not None:
            self.encoder.packing.write([row for table in self._tables for row in table.packed()], obs, mask)
            return count
        number = 0
        for table in self._tables:
            for row in table.rows:
                table.write(row, obs[number], mask[number])
                number += 1
        return count

    def _write_heads(self, rows: BatchRows, count: int) -> None:
        """Write all but observations and masks: a column at once, since a single number costs as much."""
        heads = [head for table in self._tables for head in table.heads()]
        columns: tuple[NDArray[Any], ...] = (rows.table, rows.player, rows.seat, rows.game, rows.reward, rows.done)
        for column, numbers in zip(columns, zip(*heads, strict=True), strict=True):
            column[:count] = numbers

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
            if not table.game.over:
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
