"""A table without threads: the judge calls the players one after another. For trusted, fast players."""

from collections.abc import Sequence

from jantaku.table.ground.game import Game, Turn
from jantaku.table.ground.port import Action, Answer, Choice
from jantaku.table.judge.seats.seat import Seat
from jantaku.table.judge.story import Story
from jantaku.table.judge.turn.responses import question_id
from jantaku.table.judge.turn.way import Played, Way


class Inline(Way):
    """Keeps no state between turns and creates no object that it does not need: this is the fast path."""

    def __init__(self, game: Game, seats: Sequence[Seat], story: Story | None) -> None:
        self._game = game
        self._seats = seats
        self._story = story

    def start(self) -> None:
        """Start the remote players one after another."""
        for seat in self._seats:
            if seat.player.remote is not None and seat.begin(seat.account.clock.start):
                seat.get_ready(len(self._game.events))
                seat.come_home()

    def new_round(self) -> None:
        """Does nothing: this mode has no clock."""

    def play(self, number: int, turn: Turn) -> Played:
        """Ask the turn seat first, then the others in seat order."""
        game, choice, story = self._game, turn.choice, self._story
        if story is not None:
            story.begin(number, turn, "turn begins")
        answers: list[Answer] = []
        responses: list[Action | None] = [None] * len(self._seats)
        action = choice.default
        if choice.asks:
            answer = self._ask(self._seats[turn.seat], choice, number)
            answers.append(answer)
            action = answer.action
        game.act(action)
        if story is not None:
            story.settled(action, answers[0] if answers else None)
        for number_of_seat in game.reacting():
            reaction = game.reaction(number_of_seat, action)
            if reaction is None:
                continue
            if story is not None:
                story.may_react(number_of_seat, reaction)
            if not reaction.asks:
                responses[number_of_seat] = reaction.default
                continue
            answer = self._ask(self._seats[number_of_seat], reaction, number)
            answers.append(answer)
            responses[number_of_seat] = answer.action
        if story is not None:
            story.called(answers)
        return Played(answers, responses)

    def finish(self) -> None:
        for seat in self._seats:
            seat.hear_to(len(self._game.events))

    def close(self) -> tuple[str, ...]:
        """Does nothing: no thread was started."""
        return ()

    def _ask(self, seat: Seat, choice: Choice, number: int) -> Answer:
        question = question_id(number, seat.number, len(self._seats))
        gone = seat.place.leaving
        if gone is not None:
            return seat.unasked(question, choice, gone)
        return seat.put(question, choice, None, len(self._game.events))
