"""The player that a language model controls, and the tables at which it plays."""

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from jantaku.players.adapters.websocket import Visit
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, JantakuError, PlayerGone, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, PlayerWrapper, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.play.runner import Opener, Plan, play_one
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.pieces.seats import by_seat
from jantaku.table.serve.joining.search import Search
from jantaku.table.serve.joining.seated import Commentary
from jantaku.table.serve.models import texts

# The player that a language model controls: the table asks in one thread, tools look and answer in others.


class _Asked:
    """An open question, with the number that the model sees."""

    def __init__(self, number: int, question: Question) -> None:
        self.number, self.question = number, question
        self.deadline = Deadline(question.seconds)
        self.given: Action | None = None

    @property
    def text(self) -> str:
        """The question with its options, as text."""
        options, default = self.question.options, texts.option_text(self.question.default)
        left = self.deadline.left
        time = "no time limit is told" if left is None else f"{left:.0f} s left, then the default is played"
        head = f"Question {self.number}: your move ({time}; the default is {default}). Options:"
        return f"{head}\n{texts.options_text(options)}"


class ModelSeat:
    """Implements `jantaku.table.ground.port.Remote`. A model learns only what its seat has heard, which is masked."""

    game = "riichi"
    listens = True
    stale = 0

    def __init__(self) -> None:
        self._changed = threading.Condition()
        """Guards everything below; notified of every question and of the end."""
        self._view: WaitsView | None = None
        self._me = -1
        self._names: tuple[str, ...] = ()
        self._dealer = 0
        self._asked: _Asked | None = None
        self._number = 0
        self._new: list[str] = []
        """Events of this kyoku since the last answer."""
        self._told: list[str] = []
        """Results and defaults since the last answer."""
        self._over = ""
        """Why there are no more questions; empty while there may be."""
        self._commentary = Commentary(lambda line: self._told.append(line.strip()))

    # --- called by the table

    def start(self, seconds: float | None) -> None:
        """Does nothing: the model has asked for the game, so it is ready."""

    def close(self) -> None:
        self.end("the game is over")

    def end(self, why: str) -> None:
        """End the questions. Only the first reason is kept."""
        with self._changed:
            self._over = self._over or why
            self._changed.notify_all()

    def hear(self, event: Event) -> None:
        with self._changed:
            if isinstance(event, HanchanStart):
                self._view, self._names, self._me = WaitsView(event.rules), event.names, -1
            if self._view is not None:
                self._view.follow(event)
            self._commentary.event(event)
            if isinstance(event, KyokuStart):
                self._me = next(seat for seat, hand in enumerate(event.hands) if hand is not None)
                self._dealer, self._new = event.dealer, []
            elif text := texts.event_text(event, len(self._names)):
                self._new.append(text)
        if isinstance(event, HanchanEnd):
            self.end("the game is over")

    def line(self, line: bytes) -> None:
        """Read a message of a server: it may report a default."""
        with self._changed:
            self._commentary.line(line)

    def tell(self, line: str) -> None:
        """Set the text to show before there is a game."""
        with self._changed:
            self._told = [line]

    @property
    def began(self) -> bool:
        """Whether a game has begun."""
        return self._commentary.began

    def defaulted(self, played: DefaultPlayed) -> None:
        """Tell the model of a default, unless its silence, which it knows of already, was the reason."""
        if played.verdict != "silent":
            with self._changed:
                self._told.append(f"the default was played for you: {played.reason}")

    def answer(self, question: Question) -> Action:
        """Return the model's choice. Raises PlayerSilent when the time is over, PlayerGone if the model left."""
        with self._changed:
            self._number += 1
            asked = self._asked = _Asked(self._number, question)
            self._changed.notify_all()
            while asked.given is None and not self._over:
                if asked.deadline.over:
                    default = texts.option_text(question.default)
                    self._told.append(
                        f"question {asked.number}: no answer came in time; the default was played, {default}"
                    )
                    break
                self._changed.wait(asked.deadline.left)
            self._asked = None
            if asked.given is not None:
                return asked.given
            if self._over:
                raise PlayerGone("the model has left")
            raise PlayerSilent("the model has not answered")

    # --- called for the model

    def wait(self, seconds: float) -> str:
        """Return the table when it is the model's move or the game is over, or in any case after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked is not None or self._over, seconds)
            return self._text()

    def look(self) -> str:
        """Return the table as text. Changes nothing."""
        with self._changed:
            return self._text()

    def act(self, number: int, said: str) -> None:
        """Answer question `number`. Raises BadInput, which says what is allowed, if the answer is invalid."""
        with self._changed:
            asked = self._asked
            if asked is None or asked.given is not None:
                now = self._over or "it is not your move; call wait"
                raise BadInput(f"nothing was played: no question is open: {now}")
            if number != asked.number:
                raise BadInput(f"nothing was played: question {number} is not open any more or yet.\n{asked.text}")
            option = texts.chosen(asked.question.options, said)
            if option is None:
                raise BadInput(f"nothing was played: {said[:80]!r} is not one of the options.\n{asked.text}")
            asked.given, self._asked = option, None
            self._new, self._told = [], []
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether there are no more questions."""
        return bool(self._over)

    def _text(self) -> str:
        parts = [*self._told]
        if self._view is not None and self._me >= 0 and not self._over:
            if self._new:
                parts.append(f"Since your last answer: {'; '.join(self._new)}.")
            parts.append(texts.table_text(self._view, self._me, by_seat(self._names, self._dealer)))
        if self._over:
            parts.append(f"No move is to be made: {self._over}. start_game plays another.")
        else:
            parts.append(self._asked.text if self._asked else "It is not your move yet: call wait.")
        return "\n".join(parts)


# The tables at which a model plays: its own game against bots, or a room of a server.

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
