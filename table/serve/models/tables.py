"""The tables at which a model plays: its own game against bots, or a room of a server."""

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from jantaku.players.adapters.websocket import Visit
from jantaku.table.ground.errors import JantakuError, PlayerSilent
from jantaku.table.ground.port import Action, PlayerWrapper, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.play.runner import Opener, Plan, play_one
from jantaku.table.riichi.events import Event
from jantaku.table.serve.joining.searching import Search
from jantaku.table.serve.models.seat import ModelSeat

LEAVING = 5.0
"""Seconds for a game to end after the model has left."""


class ModelTable(Protocol):
    """A table that plays one game after another with the model."""

    def play(self, seat: ModelSeat) -> str:
        """Play a game, and return the text for its end. Raises JantakuError if it cannot be played."""

    def stop(self) -> None:
        """End the current game."""


class OwnTable:
    """Games against bots, kept as records. `plan_of(seat)` returns the plan with the model's seat in it."""

    def __init__(self, plan_of: Callable[[ModelSeat], Plan], opener: Opener) -> None:
        self._plan_of, self._opener = plan_of, opener
        self._number = 0
        self._judge: Judge | None = None

    def play(self, seat: ModelSeat) -> str:
        number, self._number = self._number, self._number + 1
        outcome = play_one(self._plan_of(seat), number, self._opener, conduct=self._conduct)
        return f"the game is over ({outcome.ending}); its record: {outcome.records[-1]}"

    def stop(self) -> None:
        if self._judge is not None:
            self._judge.stop()

    def _conduct(self, judge: Judge) -> Result:
        self._judge = judge
        judge.start()
        return judge.join()


class AwayTable:
    """Games in a room of a server: the named room, or one that has a free seat. `wait` is the number of seconds to wait
    for a server that is not up, or for a seat. Raises BadInput for an invalid address."""

    def __init__(self, visit: Visit, wait: float = 0.0) -> None:
        self._visit, self._wait = visit, wait
        self._search = self._search_for(None)

    def play(self, seat: ModelSeat) -> str:
        look, self._search = _Look(seat), self._search_for(seat)
        self._search.game(lambda: _Visiting(seat, look), look)
        return "the game is over"

    def stop(self) -> None:
        """Stop waiting for a seat. In a running game, a seat that has ended breaks the connection."""
        self._search.stop()

    def _search_for(self, seat: ModelSeat | None) -> Search:
        return Search(self._visit, self._wait, lambda line: None if seat is None else seat.tell(line))


class _Timer(msgspec.Struct):
    """The time that a message tells; see `jantaku.table.languages.wire.dialect.timer`."""

    left: float
    margin: float = 0.0


class _Time(msgspec.Struct):
    """The time in RiichiLab's form."""

    deadline_ms: float


class _Timed(msgspec.Struct):
    timer: _Timer | None = None
    time: _Time | None = None


class _Look:
    """Reads what a server sends beside the game: the time, and defaults. Implements `Sight`."""

    def __init__(self, seat: ModelSeat) -> None:
        self._seat = seat
        self.timer: _Timer | None = None

    @property
    def began(self) -> bool:
        return self._seat.began

    def line(self, line: bytes) -> None:
        self._seat.line(line)
        try:
            told = msgspec.json.decode(line, type=_Timed)
        except (msgspec.DecodeError, UnicodeDecodeError):
            told = _Timed()
        self.timer = told.timer if told.time is None else _Timer(told.time.deadline_ms / 1000)

    def event(self, event: Event) -> None:
        """Does nothing: the seat hears events itself."""


class _Visiting(PlayerWrapper):
    """The seat at a remote table, with that table's time."""

    def __init__(self, seat: ModelSeat, look: _Look) -> None:
        super().__init__(seat)
        self._look = look

    def answer(self, question: Question) -> Action:
        """Return the model's answer, or the default when the time is over, as the server plays it."""
        if timer := self._look.timer:
            question = question.with_time(timer.left, margin=timer.margin)
        try:
            return super().answer(question)
        except PlayerSilent:
            return question.default


class ModelGame:
    """The model's game: one at a time, in its own thread."""

    def __init__(self, place: ModelTable) -> None:
        self._place = place
        self._thread: threading.Thread | None = None
        self.seat: ModelSeat | None = None

    def begin(self) -> ModelSeat | None:
        """Start a game; None if one is still being played."""
        if self._thread is not None and self._thread.is_alive():
            return None
        seat = self.seat = ModelSeat()
        self._thread = threading.Thread(target=self._play, args=(seat,), name="game", daemon=True)
        self._thread.start()
        return seat

    def close(self) -> None:
        """End the game, after the model has left."""
        self._place.stop()
        if self.seat is not None:
            self.seat.end("you have left")
        if self._thread is not None:
            self._thread.join(LEAVING)

    def _play(self, seat: ModelSeat) -> None:
        why = "the table is broken, which is a defect of jantaku"
        try:
            why = self._place.play(seat)
        except JantakuError as problem:
            why = f"the table is gone: {problem}"
        finally:
            seat.end(why)
