"""Plays the rest of one kyoku of a record differently, from the exact state and wall of one of its turns.

Every player is a fresh one that has heard the record up to there. The actions of the first turn are given; from then
on all players are asked. The game ends with the kyoku, and its players are told so as at the end of any game.
"""

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any

import msgspec

from jantaku.table.arena.forks.course import Course
from jantaku.table.ground.game import GameWrapper, Turn
from jantaku.table.ground.port import Action, Choice
from jantaku.table.records.replay.decisions import own_hand
from jantaku.table.records.replay.drive import ELSEWHERE
from jantaku.table.riichi.events import HanchanEnd, KyokuStart
from jantaku.table.riichi.flow import hanchan
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.wall import Wall


class Branch(msgspec.Struct, frozen=True):
    """Where a kyoku leaves its record: kyoku and turn from 1, and the actions given in that turn, by player. Players
    without one are asked."""

    kyoku: int
    turn: int
    given: Mapping[int, Action]


class Crossing(msgspec.Struct, frozen=True):
    """A question at which a kyoku may leave its record. `mover` is the player whose turn it is, `unseen` the places of
    the wall that nobody has seen, `before` the number of turns of the game before this one. `items` events of the kyoku
    come before the question, `decisive` of them before the turn (see `Record.answers`). `hand` is the asked player's
    hand."""

    kyoku: int
    turn: int
    player: int
    mover: int
    unseen: Sequence[int]
    before: int
    items: int
    decisive: int
    hand: str

    def branch(self, course: Course, action: Action) -> Branch:
        """Return the branch in which the player does `action`. If it is another player's turn, all others act as in the
        record."""
        if self.player == self.mover:
            return Branch(self.kyoku, self.turn, {self.player: action})
        told = course.kyoku[self.kyoku - 1][self.turn - 1]
        given = {seat: response for seat, response in enumerate(told.responses) if response is not None}
        return Branch(self.kyoku, self.turn, {**given, self.mover: told.action, self.player: action})


def crossing(course: Course, told: RiichiGame, kyoku: int, turn: int, player: int) -> Crossing:
    """Find the question to `player` in that turn; kyoku and turn count from 1. `told` is the game of the record."""
    game = _begun(course, told, kyoku, turn, _again(told.walls[kyoku - 1]))
    decisive = sum(not isinstance(event, ELSEWHERE) for event in game.events)
    now = game.turn()
    assert now is not None, "the record goes on"
    if now.seat != player:
        game.act(course.kyoku[kyoku - 1][turn - 1].action)
    unseen = game.walls[0].unseen(len(game.kyoku.board.indicators))
    before = sum(map(len, course.kyoku[: kyoku - 1])) + turn - 1
    hand = own_hand(game.kyoku.board, seat_of(player, game.first_dealer + game.standing.kyoku, game.seats))
    return Crossing(kyoku, turn, player, now.seat, unseen, before, len(game.events) - 1, decisive, hand)


def _begun(course: Course, told: RiichiGame, kyoku: int, turn: int, wall: Wall) -> RiichiGame:
    """Return a game that begins with that kyoku on that wall, played up to that turn. It may deal one more kyoku
    afterwards, which no player hears of."""
    walls = chain([wall], repeat(told.walls[0]))
    names, start = told.events[0].names, course.standings[kyoku - 1]
    game = RiichiGame(course.rules, lambda at: _again(next(walls)), names, told.first_dealer, start)
    for one in course.kyoku[kyoku - 1][: turn - 1]:
        game.act(one.action)
        game.rule(one.responses)
    return game


def _again(wall: Wall) -> Wall:
    return type(wall).from_tiles(wall.tiles, wall.dice)


class BranchedGame(GameWrapper[RiichiGame]):
    """One kyoku that leaves the record at a branch. `told` is the game of the record, played at least to that kyoku.
    Players hear it from its beginning. With `whole` false they hear only how the game began and this kyoku, which
    suffices for players that keep nothing else."""

    def __init__(self, course: Course, told: RiichiGame, branch: Branch, wall: Wall, *, whole: bool = True) -> None:
        self._told = told
        super().__init__(_begun(course, told, branch.kyoku, branch.turn, wall))
        self._past = _begin(told, branch.kyoku) if whole else 1
        self.events = told.events[: self._past]
        self._read = 1
        self._given = branch.given
        self._take()

    @property
    def rounds(self) -> int:
        """One: the game is this kyoku."""
        return 1

    @property
    def ended(self) -> bool:
        return self.game.over or self.game.rounds > 1

    @property
    def standing(self) -> Standing:
        return self.game.standing

    @property
    def over(self) -> bool:
        """Whether the game is over with this kyoku, by its rules."""
        return self.game.over

    def turn(self) -> Turn | None:
        if self.ended:
            return None
        turn = self.game.turn()
        if turn is None or turn.seat not in self._given:
            return turn
        return Turn(turn.seat, _only(self._given[turn.seat]))

    def act(self, action: Action) -> None:
        self.game.act(action)
        self._take()

    def reaction(self, seat: int, action: Action) -> Choice | None:
        return _only(self._given[seat]) if seat in self._given else self.game.reaction(seat, action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        self._given = {}
        self.game.rule(responses)
        self._take()

    def masked(self, index: int, seat: int) -> Any:
        if index < self._past:
            return self._told.masked(index, seat)
        event = self.events[index]
        return event if isinstance(event, HanchanEnd) else self.game.masked(index - self._past + 1, seat)

    def _take(self) -> None:
        """Append what has happened. A further kyoku is left out; the end of the game takes its place."""
        stream = self.game.events
        while self._read < len(stream):
            event = stream[self._read]
            if isinstance(event, KyokuStart) and self._read > 1:
                self.events.append(hanchan.final(self.game.standing, self.game.rules, self.game.first_dealer))
                self._read = len(stream)
                return
            self.events.append(event)
            self._read += 1


def _only(action: Action) -> Choice:
    return Choice((action,), action)


def _begin(told: RiichiGame, kyoku: int) -> int:
    deals = (place for place, event in enumerate(told.events) if isinstance(event, KyokuStart))
    return next(place for number, place in enumerate(deals, 1) if number == kyoku)
