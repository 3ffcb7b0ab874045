"""Forks one hanchan of the baseline. The candidate is asked beside it at every seat. At its first difference in a
kyoku, the rest of that kyoku is played both ways: with its choice and with the recorded one.

The record's wall is one of many: the tiles that nobody had seen could have any other order. So both ways are also
played on walls with these tiles shuffled anew, the same walls for both ways, which removes most of the luck. The number
of walls follows from the number of differences in the hanchan, so that each hanchan costs about the same.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from jantaku.table.arena.forks.between import Beside, play_between
from jantaku.table.arena.forks.course import Course
from jantaku.table.arena.forks.rollout import Branch, BranchedGame, Crossing, crossing
from jantaku.table.arena.forks.shadow import RecordedGame, Shadowed, beside_record, shadowed
from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.port import Player, innermost_of
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.play.seating.lots import says_itself
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.replay.reviewed import kind_of
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame

WALLS = 24
"""Walls of all forks of a hanchan together, if there are not more forks than that."""
MOST_WALLS = 16
"""Most walls of one fork."""


class KyokuWay(msgspec.Struct, frozen=True, array_like=True):
    """The end of a kyoku: the standing after it, and whether the game was over."""

    standing: Standing
    over: bool


class Fork(msgspec.Struct, frozen=True):
    """The first decision in a kyoku at which the candidate differs from the record at one seat. `event`, `before`,
    `kind` and `hand` are as in `ReviewedDecision`. `ways` holds for each wall the end of the kyoku with the candidate
    and with the recorded choice, the record's own wall first."""

    kyoku: int
    turn: int
    event: int
    before: int
    player: int
    kind: str
    hand: str
    played: Item
    said: Item
    verdict: str
    ways: tuple[tuple[KyokuWay, KyokuWay], ...]


class ForkedGame(msgspec.Struct, frozen=True):
    """A line of `forks.jsonl`: one forked hanchan of the baseline. `standings` are those at each deal and at the
    end."""

    game: int
    first_dealer: int
    standings: tuple[Standing, ...]
    asked: int
    forks: tuple[Fork, ...]
    faults: dict[str, int]
    """The candidate's bad answers, by verdict."""
    again: int = -1
    """How often the baseline's own player did not repeat its record: answers that differ beside it, plus forks whose
    recorded way ends differently when replayed; -1 if it was not asked."""

    @property
    def seats(self) -> int:
        return len(self.standings[0].scores)

    @property
    def kyoku(self) -> int:
        """Number of kyoku, each counted once per seat."""
        return self.seats * (len(self.standings) - 1)


class Forking:
    """Asks `other`, the candidate, beside hanchan of `own`, the baseline's player, and forks them."""

    def __init__(self, own: Entrant, other: Entrant, beside: Beside) -> None:
        self._own, self._other, self._beside = own, other, beside

    def forked(self, course: Course, seed: str, game: int, *, control: bool, asked_only: bool = False) -> ForkedGame:
        """Fork one hanchan. `seed` and `game` are those from which its players' seeds were made. `control`: the
        baseline's own player is asked beside it as well. `asked_only`: nothing is played, and forks have no ways."""
        beside = msgspec.structs.replace(self._beside, seed=seed, game=game)
        again = self._differences(course, beside) if control else -1
        told, found = first_differences(course, self._other, beside)
        differing = [one for one in found if one.differs]
        rest = RestOfKyoku(course, told.game, self._own, self._other, beside)
        if control:
            again += sum(not rest.is_repeated(one) for one in differing)
        walls = 0 if asked_only else max(1, min(MOST_WALLS, WALLS // max(len(differing), 1)))
        faults = Counter(str(one.answer.verdict) for one in found if not one.answer.verdict.good)
        return ForkedGame(
            game=game,
            first_dealer=told.game.first_dealer,
            standings=rest.standings,
            asked=len(found),
            forks=tuple([rest.fork(one, walls) for one in differing]),
            faults=dict(sorted(faults.items())),
            again=again,
        )

    def _differences(self, course: Course, beside: Beside) -> int:
        found = shadowed(course, dict.fromkeys(range(course.seats), self._own), beside)
        return sum(one.differs for one in found)


def first_differences(course: Course, other: Entrant, beside: Beside) -> tuple[RecordedGame, list[Shadowed]]:
    """Ask `other` beside a record at every seat, in each kyoku up to its first different answer. Return the replayed
    game and all questions."""
    left: set[tuple[int, int]] = set()

    def leave(one: Shadowed) -> None:
        if one.differs:
            left.add((one.kyoku, one.player))

    told = RecordedGame(course, range(course.seats), lambda kyoku, turn, player: (kyoku, player) not in left)
    return told, beside_record(told, dict.fromkeys(range(course.seats), other), beside, leave)


class RestOfKyoku:
    """Plays the rest of kyoku of one finished hanchan."""

    def __init__(self, course: Course, told: RiichiGame, own: Entrant, other: Entrant, beside: Beside) -> None:
        self._course, self._told, self._own, self._other, self._beside = course, told, own, other, beside
        self.standings: tuple[Standing, ...] = (*course.standings, told.standing)

    def fork(self, one: Shadowed, walls: int) -> Fork:
        """Play one fork on `walls` walls."""
        course = self._course
        at = self._at(one)
        said, played = at.branch(course, one.answer.action), at.branch(course, one.played)
        own = self.recorded(one)
        ways = []
        for number in range(walls):
            tiles = self.tiles(at, number)
            record = own if number == 0 else self.way(at, played, tiles, None)
            ways.append((self.way(at, said, tiles, one.player), record))
        return Fork(
            kyoku=one.kyoku,
            turn=one.turn,
            event=at.items,
            before=at.decisive,
            player=one.player,
            kind=kind_of([reply(option) for option in one.choice.options]),
            hand=at.hand,
            played=reply(one.played),
            said=reply(one.answer.action),
            verdict=str(one.answer.verdict),
            ways=tuple(ways),
        )

    def recorded(self, one: Shadowed) -> KyokuWay:
        return KyokuWay(self.standings[one.kyoku], one.kyoku == len(self._course.kyoku) and self._told.over)

    def is_repeated(self, one: Shadowed) -> bool:
        """Return whether the baseline's players play on to the same end once they have heard the record up to there."""
        at = self._at(one)
        way = self.way(at, at.branch(self._course, one.played), self.tiles(at, 0), None)
        return way == self.recorded(one)

    def _at(self, one: Shadowed) -> Crossing:
        return crossing(self._course, self._told, one.kyoku, one.turn, one.player)

    def tiles(self, at: Crossing, number: int) -> Sequence[int]:
        """Return the tiles of wall `number` of a fork: number 0 is the record's wall; in the others the unseen places
        are shuffled."""
        tiles = list(self._told.walls[at.kyoku - 1].tiles)
        if number:
            where = f"{self._beside.seed}|{self._beside.game}|{at.kyoku}|{at.turn}|{number}"
            mixed = shuffled([tiles[place] for place in at.unseen], Numbers(f"jantaku fork 1|{where}"))
            for place, tile in zip(at.unseen, mixed, strict=True):
                tiles[place] = tile
        return tiles

    def way(self, at: Crossing, branch: Branch, tiles: Sequence[int], candidate: int | None) -> KyokuWay:
        """Return the end of the kyoku if it leaves the record there. `candidate`: the seat that the candidate plays;
        None for none."""
        wall = self._told.walls[at.kyoku - 1]
        dealt = type(wall).from_tiles(tiles, wall.dice)
        games: list[BranchedGame] = []

        def game_for(players: Sequence[Player]) -> BranchedGame:
            whole = any(map(_remembers, players))
            games.append(BranchedGame(self._course, self._told, branch, dealt, whole=whole))
            return games[0]

        seats = self._course.seats
        entrants = {player: self._other if player == candidate else self._own for player in range(seats)}
        play_between(game_for, seats, entrants, self._beside, turns=at.before)
        return KyokuWay(games[0].standing, games[0].over)


def _remembers(player: Player) -> bool:
    bot = innermost_of(player)
    return getattr(bot, "remembers", True) is not False or not says_itself(bot, "remembers")
