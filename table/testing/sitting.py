"""One game with the player under examination in one seat, until it fails or has been asked enough."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput, PlayersNotReady, TableFault
from jantaku.table.ground.port import Answer, Player
from jantaku.table.judge.judge import Judge, OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.player import State
from jantaku.table.judge.result import Result
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.making import let_go
from jantaku.table.riichi.actions import Ron, Tsumo
from jantaku.table.riichi.events import KyokuStart, Ryukyoku, Win
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.testing.examined import Examined
from jantaku.table.testing.exchange import QuestionReport, not_good, while_hearing, without_question
from jantaku.table.testing.scripts import Actor, Script


class Sat(msgspec.Struct, frozen=True):
    """The result of a sitting. `longest` is the player's slowest answer in seconds."""

    asked: int
    longest: float
    failure: QuestionReport | None


class Sitting:
    """A game with `player` at `place` and `others` at the other places. Implements `Watch`.

    `clock` is the player's own; the others have no limit. The game ends at the player's first fault, at its end, or
    when `enough` says so.
    """

    def __init__(
        self,
        game: RiichiGame,
        place: int,
        player: Player,
        others: Mapping[int, Player],
        clock: Clock,
        *,
        threads: Mode | str = Mode.RESIDENT,
        script: Script | None = None,
        enough: Callable[[Examined], bool] = lambda bot: False,
    ) -> None:
        self.bot = Examined(player, game, script)
        self._game, self._place, self._enough = game, place, enough
        self._others = others
        self._failure: QuestionReport | None = None
        self._claimed = False
        seats = [others.get(seat, self.bot) for seat in range(game.seats)]
        clocks = [clock if seat == place else Clock() for seat in range(game.seats)]
        self._judge = Judge(
            game, seats, mode=threads, clock=clocks, watches=[self], on_fault=OnFault.VOID, must_start=True
        )

    def play(self) -> Sat:
        """Play the game. BadInput for a script that cannot be followed. Ctrl-C ends the game and is raised."""
        self._judge.start()
        try:
            result = self._judge.join()
        except PlayersNotReady as unready:
            failure = without_question(self.bot, self._game, self._place, "start_failed", unready.missing[0][1])
            return Sat(self.bot.asked, 0.0, failure)
        except KeyboardInterrupt:
            self._judge.stop()
            raise
        finally:
            let_go(self.bot)
        self._check_scripts()
        report = result.seats[self._place]
        return Sat(self.bot.asked, report.longest, self._failure or self._afterwards(result))

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """"""
        for answer in answers:
            if answer.seat == self._place:
                if answer.verdict.good:
                    self._claimed = isinstance(answer.action, Ron | Tsumo)
                elif self._failure is None:
                    self._failure = not_good(self.bot, self._game, self._place, answer)
            elif not answer.verdict.good:
                raise TableFault(f"the player opposite failed: {answer.verdict}: {answer.reason}")

    def events(self, new: Sequence[Any]) -> None:
        """"""
        if self._claimed:
            self._claimed = False
            if not self._won(new):
                reason = "it claimed the win in time and was not among the winners"
                self._failure = self._failure or without_question(self.bot, self._game, self._place, "unpaid", reason)
        if self._failure is not None or self._enough(self.bot):
            self._judge.stop()

    def _won(self, new: Sequence[Any]) -> bool:
        """Return whether the last claim was paid, lost to a nearer claim by the rules, or aborted the kyoku."""
        wins = [event for event in new if isinstance(event, Win)]
        if not wins:
            return any(isinstance(event, Ryukyoku) for event in new)
        end = len(self._game.events) - len(new)
        dealer = next(event.dealer for event in reversed(self._game.events[:end]) if isinstance(event, KyokuStart))
        ron = self._game.rules.ron
        won = any(player_of(win.seat, dealer, self._game.seats) == self._place for win in wins)
        return won or len(wins) in (ron.max_winners, ron.chankan_max_winners)

    def _afterwards(self, result: Result) -> QuestionReport | None:
        """Return a failure that no verdict shows; None if there is none."""
        if self.bot.deaf is not None:
            return while_hearing(self.bot, self._game, self._place)
        report = result.seats[self._place]
        if report.state == State.GONE:
            return without_question(self.bot, self._game, self._place, "gone", "it did not come back")
        if report.stale:
            reason = f"{report.stale} replies that answered nothing, or came after their time"
            return without_question(self.bot, self._game, self._place, "stale", reason)
        return None

    def _check_scripts(self) -> None:
        actors = [other for other in self._others.values() if isinstance(other, Actor)]
        for script in (self.bot.script, *(actor.script for actor in actors)):
            if script.trouble:
                raise BadInput(script.trouble)
