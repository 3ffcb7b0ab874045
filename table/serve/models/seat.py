"""The player that a language model controls: the table asks in one thread, tools look and answer in others."""

import threading

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerGone, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Question
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.pieces.seats import by_seat
from jantaku.table.serve.joining.commentary import Commentary
from jantaku.table.serve.models import texts


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
