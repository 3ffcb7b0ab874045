"""One table of a batch: the game that it plays, the bots at it, and what the learners are asked."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput, PlayerFault
from jantaku.table.ground.port import Action, Choice, Player, Verdict
from jantaku.table.judge.seats.seat import Seat
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.verdicts import IN_THE_MAIN_THREAD
from jantaku.table.learn.encoding import GameEncoder, Mask
from jantaku.table.learn.plan import BatchPlan
from jantaku.table.play import seeds
from jantaku.table.play.questions import OpenQuestions
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.game import RiichiGame, walls_from


class RowQuestion(msgspec.Struct):
    """What a learner is asked: at its `place`, a `choice` (None: its game is over), and the number that it answered
    `first` if this is the second question of a decision."""

    place: int
    choice: Choice | None
    first: int | None = None


class BatchTable(OpenQuestions):
    """A table that asks its bots itself, and keeps the questions of learners as rows for the next step."""

    def __init__(self, plan: BatchPlan, table: int, number: int) -> None:
        self._plan = plan
        self.table = table
        """Its number."""
        self.gained = [0.0] * len(plan.bots)
        """By player, what it gained since its last row."""
        self.deal(number)

    def deal(self, number: int) -> None:
        """Begin game `number`."""
        plan = self._plan
        walls, first, order, seed = plan.seating(number)
        bots = [plan.bots[player] for player in order]
        names = tuple(
            [f"player {player}" if bot is None else bot.name for player, bot in zip(order, bots, strict=True)]
        )
        super().__init__(RiichiGame(plan.rules, walls_from(seed, walls, plan.rules), names, first))
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
        self.go_on()
        self._ask()

    def _seated(self, place: int, bot: Player) -> Seat:
        seat = Seat(place, bot, self.game, Clock(), table=self.table)
        seat.player.look(IN_THE_MAIN_THREAD, IN_THE_MAIN_THREAD)
        return seat

    def write(self, row: RowQuestion, obs: Any, mask: Mask) -> None:
        """Write what a learner sees."""
        assert row.choice is not None, "the game goes on"
        self._seen.write(row.place, row.choice, obs, mask, row.first)

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
        self.answer([said[place] for place, _ in self.open])

    def _ask(self) -> None:
        """Ask the bots until a learner is asked, or the game is over."""
        while self.open:
            for place, choice in self.open:
                if place in self._bots:
                    self._said[place] = self._answered(place, choice)
                elif (unasked := self._plan.encoder.unasked(choice)) is not None:
                    self._said[place] = unasked
                else:
                    self.rows.append(RowQuestion(place, choice))
            if self.rows:
                return
            self._settle_open()
        self.rows = [RowQuestion(place, None) for place in range(len(self.order)) if place not in self._bots]

    def _answered(self, place: int, choice: Choice) -> Action:
        answer = self._bots[place].put(self.turns, choice, None, len(self.game.events))
        if answer.verdict is not Verdict.OK:
            name = self.game.words.players[place]
            raise PlayerFault(f"table {self.table}, player {self.order[place]}: {name} failed: {answer.reason}")
        return answer.action

    def _settle(self) -> None:
        before, rounds = self.game.standing, self.game.rounds
        super()._settle()
        if self.game.rounds == rounds and not self.game.over:
            return
        last = self.game.events[-1]
        gains = self._plan.reward(before, self.game.standing, last if isinstance(last, HanchanEnd) else None)
        for place, gain in enumerate(gains):
            self.gained[self.order[place]] += gain
