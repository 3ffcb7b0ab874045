"""Plays the rest of a kyoku differently, and what the standing behind it is worth."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise, repeat
from typing import Any

import msgspec

from jantaku.table.arena.forks.shadow import Course
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
from jantaku.table.riichi.rules import Rules

# What a standing between two kyoku is worth to a player: its expected rank and final points.
#
# The difference of two scores follows a random walk: after n more kyoku it is normal with variance n · spread². The
# chance that one player ends above another is Φ(difference / (spread · √n)); the expected rank is 1 plus the chances
# of the others. For the points, each score is normal with half that variance, independently, which gives the same
# chances: integrating over the player's own score gives the chance of each rank, which brings its uma and oka. The
# scores themselves are expected to stay the same. If the game is over, rank and points follow from the rules.
#
# n is the number of planned kyoku that are left, at least one. Repeated deals and overtime are part of the spread,
# which is measured on the games at hand: see `spread_of`.

SPREAD = 9000.0
"""Standard deviation by which the difference of two scores changes per planned kyoku, if there are no games to measure
it."""
_FEWEST = 20
"""The spread is measured on at least this many kyoku."""
_NODES_UP = (
    (0.0, 0.7977583071397493),
    (0.799129068324548, 0.5826965579477281),
    (1.6067100690287297, 0.2241371742044197),
    (2.432436827009758, 0.04352954135285795),
    (3.2890824243987664, 0.003928782634853378),
    (4.1962077112690155, 0.00014142763708854477),
    (5.190093591304781, 1.4978155716931977e-06),
    (6.363947888829839, 2.1531059307602043e-09),
)
"""Nodes and weights of the 15-point Gauss-Hermite rule for exp(-x² / 2), from the middle up."""
_NODES = (*((-node, weight) for node, weight in _NODES_UP[:0:-1]), *_NODES_UP)


class Outlook(msgspec.Struct, frozen=True):
    """What a player can expect: its rank, from 1, and its final points."""

    rank: float
    points: float


class StandingWorth:
    """The value model of games with these rules."""

    def __init__(self, rules: Rules, spread: float = SPREAD) -> None:
        self._rules, self.spread = rules, spread
        self._bonus = [float(bonus) for bonus in hanchan.rank_bonus(rules)]

    def outlook(self, standing: Standing, over: bool, player: int, first_dealer: int) -> Outlook:
        """Return the expected rank and points of `player` at this standing; the final ones if the game is `over`."""
        if over:
            end = hanchan.final(standing, self._rules, first_dealer)
            return Outlook(end.ranks[player], end.tenths[player] / 10)
        scores = standing.scores
        scale = self.spread * math.sqrt(max(standing.last - standing.number + 1, 1))
        ahead = [(score - scores[player]) / scale for other, score in enumerate(scores) if other != player]
        rank = 1 + sum(_normal(distance) for distance in ahead)
        base = (scores[player] - self._rules.game.return_points) / 1000
        chances = _rank_chances(ahead)
        return Outlook(rank, base + sum(chance * bonus for chance, bonus in zip(chances, self._bonus, strict=True)))


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _rank_chances(ahead: Sequence[float]) -> list[float]:
    """Return the chance of each rank. `ahead`: by how much each other player leads, in standard deviations of a
    difference."""
    worst = len(ahead)
    total = [0.0] * (worst + 1)
    for node, weight in _NODES:
        chances = [1.0] + [0.0] * worst
        for distance in ahead:
            above = _normal(distance * math.sqrt(2) - node)
            chances = [
                chances[0] * (1 - above),
                *(chances[rank] * (1 - above) + chances[rank - 1] * above for rank in range(1, worst + 1)),
            ]
        total = [sum_ + weight * chance for sum_, chance in zip(total, chances, strict=True)]
    scale = math.sqrt(2 * math.pi)
    return [chance / scale for chance in total]


def spread_of(games: Iterable[Sequence[Standing]]) -> float:
    """Measure the spread in these games, each given by its standings at every deal and at its end: how far the
    difference of two scores moves per planned kyoku, repeated deals included."""
    squares, kyoku, planned = 0.0, 0, 0
    for standings in games:
        planned += standings[0].last + 1 - standings[0].number
        for before, after in pairwise(standings):
            moved = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
            pairs = [(a - b) ** 2 for place, a in enumerate(moved) for b in moved[:place]]
            squares += sum(pairs) / len(pairs)
            kyoku += 1
    return math.sqrt(squares / planned) if kyoku >= _FEWEST and squares and planned else SPREAD


# Plays the rest of one kyoku of a record differently, from the exact state and wall of one of its turns.
#
# Every player is a fresh one that has heard the record up to there. The actions of the first turn are given; from
# then on all players are asked. The game ends with the kyoku, and its players are told so as at the end of any game.


class Branch(msgspec.Struct, frozen=True):
    """Where a kyoku leaves its record: kyoku and turn from 1, and the actions given in that turn, by player. Players
    without one are asked."""

    kyoku: int
    turn: int
    given: Mapping[int, Action]


class Crossing(msgspec.Struct, frozen=True):
    """A question at which a kyoku may leave its record.

    `mover` is the player whose turn it is, `unseen` the places of the wall that nobody has seen, `before` the number of
    turns of the game before this one. `items` events of the kyoku come before the question, `decisive` of them before
    the turn (see `Record.answers`). `hand` is the asked player's hand.
    """

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
    """Return a game that begins with that kyoku on that wall, played up to that turn.

    It may deal one more kyoku afterwards, which no player hears of.
    """
    walls = chain([wall], repeat(told.walls[0]))
    names, start = told.events[0].names, course.standings[kyoku - 1]
    game = RiichiGame(course.rules, lambda at: _again(next(walls)), names, told.first_dealer, start)
    for one in course.kyoku[kyoku - 1][: turn - 1]:
        game.act(one.action)
        game.rule(one.responses)
    return game


def _again(wall: Wall) -> Wall:
    """Return the same wall with no tile drawn."""
    return type(wall).from_tiles(wall.tiles, wall.dice)


class BranchedGame(GameWrapper[RiichiGame]):
    """One kyoku that leaves the record at a branch.

    `told` is the game of the record, played at least to that kyoku. Players hear it from its beginning. With `whole`
    false they hear only how the game began and this kyoku, which suffices for players that keep nothing else.
    """

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
        """Whether the kyoku is over."""
        return self.game.over or self.game.rounds > 1

    @property
    def standing(self) -> Standing:
        """The standing after the kyoku."""
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
    """Return the number of events before that kyoku."""
    deals = (place for place, event in enumerate(told.events) if isinstance(event, KyokuStart))
    return next(place for number, place in enumerate(deals, 1) if number == kyoku)
