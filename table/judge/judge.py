"""The judge of one table: asks the game for turns, collects answers within their limits, lets the game rule, and
notifies the watches."""

import threading
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from jantaku.table.ground.errors import BadInput, PlayersNotReady, TableFault
from jantaku.table.ground.game import Game, Turn
from jantaku.table.ground.log import logger
from jantaku.table.ground.port import Action, Answer, Player, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME, Cause, Fault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.result import Ending, Result, Watch
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.shared import start
from jantaku.table.judge.stalls import STALLS
from jantaku.table.judge.story import Story
from jantaku.table.judge.timing import Clock, Flag
from jantaku.table.judge.turn.threaded import Inline, Threaded
from jantaku.table.judge.turn.threads import PerTurn, Resident
from jantaku.table.judge.turn.way import Played, TurnRunner, table_fault
from jantaku.table.judge.verdicts import IN_A_THREAD, IN_THE_MAIN_THREAD


class OnFault(StrEnum):
    """What follows a bad verdict. The default is played for the question in any case. A seat's clock may ask for more
    where an answer was lost to it (`Clock.flag`)."""

    DEFAULT = "default"  # the seat is asked again next time
    FORFEIT = "forfeit"  # the seat is not asked again in this game
    VOID = "void"  # the game stops and does not count
    # an unusable answer ends the round with a payment (a chombo); for other faults the default is played
    CHOMBO = "chombo"


MOST_CHOMBOS: Final = 10
"""How many rounds of a game a seat can end by a chombo; after that its defaults are played, so that every game ends."""
QUESTIONS: Final = 1000
"""Upper bound of the questions that a seat gets in a game; bounds what `increment` can add to its bank."""
# Final copies for speed: compiled code looks another module's names up at every use
_OK: Final = Verdict.OK
_Word = TypeVar("_Word", bound=StrEnum)


class Judge:
    """Runs one game from its first event to its last; used once.

    `players[n]` sits on seat n; `clock` is one clock for all seats or one for each. With `must_start`, `run` raises
    PlayersNotReady if a player does not become ready, and nothing is played. `turns` is the number of turns played
    before, in a game that is continued. `prompt` are seats whose players are known to answer at once: in `resident` the
    judge's thread asks them, so that they can neither be cut off nor cost a hand-off.
    Raises BadInput for settings that cannot work together. `run` plays in the caller's thread; `start` and `join` use a
    thread of the judge's own.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        mode: Mode | str = Mode.PER_TURN,
        clock: Clock | Sequence[Clock] | None = None,
        table: int = 1,
        watches: Sequence[Watch] = (),
        on_fault: OnFault | str = OnFault.DEFAULT,
        must_start: bool = False,
        turns: int = 0,
        prompt: Collection[int] = (),
    ) -> None:
        self._mode = _word(Mode, "threads", mode)
        self._on_fault = _word(OnFault, "on_fault", on_fault)
        clocks = [clock or Clock()] * game.seats if isinstance(clock, Clock | None) else list(clock)
        _refuse_misfits(game, players, self._mode, clocks)
        self._must_start = must_start
        penalty = _penalty(game) if self._on_fault is OnFault.CHOMBO else None
        here = prompt if self._mode is Mode.RESIDENT else ()
        self._seats = [
            Seat(n, one, game, clocks[n], table=table, penalty=penalty, prompt=n in here)
            for n, one in enumerate(players)
        ]
        self._chombos = [0] * game.seats
        self._game = game
        self._table = table
        self._watches = tuple(watches)
        self._turns = turns
        self._rounds = game.rounds
        self._shown = 0
        self._stopping = False
        self._void = ""
        self._own_thread: threading.Thread | None = None
        self._used = False
        self._finished = threading.Event()
        self._outcome: Result | BaseException | None = None
        self._log = logger(table=table)
        self._story: Story | None = None

    # --- running it

    def run(self) -> Result:
        """Play the game to its end. Raises TableFault for a defect of ours, and BadInput if a watch cannot write its
        file (a full disk). In both cases no thread stays behind, except one that is still inside a player's code."""
        if self._used:
            raise TableFault(f"table {self._table}: this judge has run already; make a new one for the next game")
        self._used = True
        try:
            self._look()
            clocked = [seat for seat in self._seats if self._mode is not Mode.INLINE]
            STALLS.join(clocked, self._longest())
            try:
                ending, left_behind = self._from_start_to_end()
            finally:
                STALLS.leave(clocked, self._longest())
        except (BadInput, TableFault, PlayersNotReady):
            raise
        except Exception as defect:
            raise table_fault(self._table, self._turns, defect) from defect
        if left_behind:
            self._log.warning("players still busy", threads=left_behind)
        reports = tuple(seat.report() for seat in self._seats)
        return Result(ending, self._turns, reports, left_behind, self._void)

    def _longest(self) -> float | None:
        """The longest time in seconds that a seat can have for one question; None if a seat has no clock."""
        clocks = [seat.account.clock for seat in self._seats]
        if not all(clock.runs for clock in clocks):
            return None
        return max(
            clock.wall((clock.longest or 0) + clock.bank + QUESTIONS * clock.increment + clock.margin)
            for clock in clocks
        )

    def _from_start_to_end(self) -> tuple[Ending, tuple[str, ...]]:
        """Play, and return how the game ended and the names of the threads that are still busy."""
        runner = self._runner()
        try:
            self._start(runner)
            ending = self._play(runner)
            if ending is not Ending.STOPPED:
                runner.finish()
        finally:
            left_behind = runner.close()
        return ending, left_behind

    def start(self) -> None:
        """Play in a new thread, `T1-judge`: a daemon, so that Ctrl-C in the main thread can end the program."""
        self._own_thread = threading.Thread(target=self._keep_outcome, name=f"T{self._table}-judge", daemon=True)
        start(self._own_thread)

    def join(self, timeout: float | None = None) -> Result:
        """Wait for a started judge, at most `timeout` seconds; return its result or raise the error that ended it.

        Raises TimeoutError if the game still runs. A signal (Ctrl-C, a test's time-out) interrupts the wait.
        """
        if self._own_thread is None:
            raise TableFault(f"table {self._table}: join() before start()")
        if not self._finished.wait(timeout):
            raise TimeoutError(f"table {self._table} still plays after {timeout} s: {self!r}")
        self._own_thread.join()
        if isinstance(self._outcome, Result):
            return self._outcome
        assert self._outcome is not None
        raise self._outcome

    def stop(self) -> None:
        """End the game after the current turn. May be called from any thread, or a signal handler."""
        self._stopping = True
        for seat in self._seats:
            seat.player.quiet = True

    def _keep_outcome(self) -> None:
        try:
            self._outcome = self.run()
        except BaseException as problem:  # raised again in the thread that joins
            self._outcome = problem
        finally:
            self._finished.set()

    def _runner(self) -> TurnRunner:
        self._story = Story.of(self._game, self._log)
        if self._mode is Mode.INLINE:
            return Inline(self._game, self._seats, self._story)
        threads = PerTurn if self._mode is Mode.PER_TURN else Resident
        return Threaded(self._game, self._seats, threads, self._table, self._story)

    # --- the turns

    def _look(self) -> None:
        """Inspect the players, in the thread that plays the game."""
        here = IN_THE_MAIN_THREAD if threading.current_thread() is threading.main_thread() else IN_A_THREAD
        for seat in self._seats:
            seat.player.look(here, here if self._mode is Mode.INLINE or seat.prompt else IN_A_THREAD)
            seat.measure()

    def _start(self, runner: TurnRunner) -> None:
        """Wait until the players are ready. For a player that is not, defaults are played, or with `must_start` no game
        is."""
        runner.start()
        faults = [(seat.number, seat.place.leaving) for seat in self._seats]
        missing = [(seat, fault.reason) for seat, fault in faults if fault and fault.cause is Cause.NOT_READY]
        if missing and self._must_start:
            raise PlayersNotReady(missing)
        for seat, reason in missing:
            self._log.warning("player is not ready", seat=seat, player=self._game.words.players[seat], reason=reason)

    def _play(self, runner: TurnRunner) -> Ending:
        self._show()
        while not self._stopping:
            turn = self._game.turn()
            if turn is None:
                return Ending.OVER
            self._turns += 1
            self._new_round(runner)
            played = runner.play(self._turns, turn)
            self._account(played.answers, turn)
            if not self._void:
                self._rule(played)
            self._tell(played)
            if self._void:
                return Ending.VOID
        return Ending.STOPPED

    def _rule(self, played: Played) -> None:
        game, story = self._game, self._story
        if story is None:
            game.rule(played.responses)
            return
        before = len(game.events)
        game.rule(played.responses)
        story.ruled(played.responses, game.events[before:])

    def _new_round(self, runner: TurnRunner) -> None:
        """At the beginning of a round, let the seats hear of it before the next question, and refill the banks that are
        per round."""
        if self._game.rounds != self._rounds:
            self._rounds = self._game.rounds
            for seat in self._seats:
                seat.account.new_round()
            runner.new_round()

    def _account(self, answers: list[Answer], turn: Turn) -> None:
        """Count the sealed answers, and apply `on_fault` to the bad ones."""
        for answer in answers:
            seat = self._seats[answer.seat]
            seat.account.book(answer)
            if answer.verdict is _OK or answer.verdict.good:
                continue
            seat.note(answer, self._rounds, self._turns)
            self._log_fault(answer, turn)
            what = f"{answer.verdict} at question {answer.question}: {answer.reason}"
            flag = seat.account.clock.flag if answer.verdict in OUT_OF_TIME else Flag.DEFAULT
            if OnFault.FORFEIT in (self._on_fault, flag):
                seat.player.leave(Fault(Cause.FORFEITED, f"forfeited, {what}"))
            elif OnFault.VOID in (self._on_fault, flag):
                self._void = self._void or f"seat {answer.seat}, {what}"
            elif seat.penalty is not None and answer.action is seat.penalty:
                self._chombos[answer.seat] += 1
                if self._chombos[answer.seat] == MOST_CHOMBOS:
                    seat.penalty = None

    def _log_fault(self, answer: Answer, turn: Turn) -> None:
        words = self._game.words
        self._log.info(
            "fault",
            **{words.round: self._rounds},
            turn=self._turns,
            mover=turn.seat,
            seat=answer.seat,
            player=words.players[answer.seat],
            question=answer.question,
            verdict=answer.verdict,
            used=round(answer.used, 3),
            allowed=answer.allowed,
            reason=answer.reason,
        )

    def _tell(self, played: Played) -> None:
        if self._watches and played.answers:
            for watch in self._watches:
                watch.answers(self._turns, played.answers)
        self._show()

    def _show(self) -> None:
        """Pass new events to the watches, each once."""
        if not self._watches:
            return
        events = self._game.events
        new = events[self._shown : len(events)]
        self._shown += len(new)
        if new:
            for watch in self._watches:
                watch.events(new)

    def __repr__(self) -> str:
        seats = " ".join(seat.place.state for seat in self._seats)
        return f"<Judge T{self._table} {self._mode}: turn {self._turns}, seats {seats}>"


def _word(words: type[_Word], name: str, given: str) -> _Word:
    try:
        return words(given)
    except ValueError:
        allowed = ", ".join(words)
        raise BadInput(f"{name}: {given!r} is not known; allowed are {allowed}") from None


def _penalty(game: Game) -> Action:
    """The action that replaces an unusable answer. Raises BadInput for a game that has no penalty."""
    if game.penalty is not None:
        return game.penalty
    allowed = ", ".join(one for one in OnFault if one is not OnFault.CHOMBO)
    raise BadInput(f"on_fault: this game knows no chombo; allowed are {allowed}")


def _refuse_misfits(game: Game, players: Sequence[Player], mode: Mode, clocks: Sequence[Clock]) -> None:
    """Raise BadInput for impossible settings before the game begins."""
    if len(players) != game.seats:
        raise BadInput(f"players: {len(players)} given for the {game.seats} seats of this game")
    if len(clocks) != game.seats:
        raise BadInput(f"clock: {len(clocks)} given for the {game.seats} seats of this game; allowed are one or all")
    if mode is Mode.INLINE and any(clock.runs for clock in clocks):
        raise BadInput(
            "threads: inline cannot keep a clock, as it cannot cut a slow player off; "
            "with a clock allowed are per-turn and resident"
        )
    first: dict[int, int] = {}
    for seat, player in enumerate(players):
        other = first.setdefault(id(player), seat)
        if other != seat:
            raise BadInput(f"players: seats {other} and {seat} share one object; make one for each seat")
