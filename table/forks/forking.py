"""One hanchan of the baseline: the candidate is asked beside it at every seat, and where it first differs in a kyoku
the rest of that kyoku is played both ways.

The record's own way is one of many: the tiles that nobody had seen might have lain in any other order. So both ways are
also played on walls on which these are shuffled anew, the same for both ways; that takes most of the luck out. How many
walls that are follows from how often the candidate differs in the hanchan, so that a hanchan costs about as much
whatever is compared.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from jantaku.table.chance import Numbers, shuffled
from jantaku.table.forks.course import Course
from jantaku.table.forks.playing import Beside, play_between
from jantaku.table.forks.rollout import Branch, BranchedGame, Crossing, crossing
from jantaku.table.forks.shadow import RecordedGame, Shadowed, beside_record, shadowed
from jantaku.table.formats.majiang.words import Item, reply
from jantaku.table.play.roster import Entrant
from jantaku.table.port import Player, innermost_of
from jantaku.table.replay.reviewed import kind_of
from jantaku.table.riichi.flow.standing import Standing
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.seating.lots import says_itself

WALLS = 24
"""Walls of all forks of a hanchan, if there are not more forks than that."""
MOST_WALLS = 16
"""Walls of one fork."""


class KyokuWay(msgspec.Struct, frozen=True, array_like=True):
    """How a kyoku ended: where the game then stood, and whether it was over."""

    standing: Standing
    over: bool


class Fork(msgspec.Struct, frozen=True):
    """The first decision of a kyoku at which the candidate differs at one seat: where it is (`event`, `before`, `kind`
    and `hand` as in `ReviewedDecision`), and for each wall how the kyoku ended with it and as the record has it, the
    record's own wall first."""

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
    """A line of `forks.jsonl`: what came of one hanchan of the baseline. `standings` are those at each deal, and at the
    end."""

    game: int
    first_dealer: int
    standings: tuple[Standing, ...]
    asked: int
    forks: tuple[Fork, ...]
    faults: dict[str, int]
    """The candidate's bad answers, by verdict."""
    again: int = -1
    """How often the baseline's own player did not repeat its record: answers that differ beside it, and forks from
    which its own way ends otherwise; -1: it was not asked."""

    @property
    def seats(self) -> int:
        """Players of the table."""
        return len(self.standings[0].scores)


class Forking:
    """Forks hanchan of `own`, the baseline's player, with `other`."""

    def __init__(self, own: Entrant, other: Entrant, beside: Beside) -> None:
        self._own, self._other, self._beside = own, other, beside

    def forked(self, course: Course, seed: str, game: int, *, control: bool) -> ForkedGame:
        """One hanchan, whose seed and number its players' seeds were made of. `control`: its own player is asked beside
        it, too."""
        beside = msgspec.structs.replace(self._beside, seed=seed, game=game)
        again = self._differences(course, beside) if control else -1
        told, found = first_differences(course, self._other, beside)
        differing = [one for one in found if one.differs]
        rest = RestOfKyoku(course, told.game, self._own, self._other, beside)
        if control:
            again += sum(not rest.is_repeated(one) for one in differing)
        walls = max(1, min(MOST_WALLS, WALLS // max(len(differing), 1)))
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
    """Ask that player beside a record at every seat, in each kyoku up to its first answer that differs: the game that
    was told, and all questions."""
    left: set[tuple[int, int]] = set()

    def leave(one: Shadowed) -> None:
        if one.differs:
            left.add((one.kyoku, one.player))

    told = RecordedGame(course, range(course.seats), lambda kyoku, turn, player: (kyoku, player) not in left)
    return told, beside_record(told, dict.fromkeys(range(course.seats), other), beside, leave)


class RestOfKyoku:
    """Plays the rest of kyoku of one hanchan that is over."""

    def __init__(self, course: Course, told: RiichiGame, own: Entrant, other: Entrant, beside: Beside) -> None:
        self._course, self._told, self._own, self._other, self._beside = course, told, own, other, beside
        self.standings: tuple[Standing, ...] = (*course.standings, told.standing)

    def fork(self, one: Shadowed, walls: int) -> Fork:
        """One fork, on so many walls."""
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
        """How that kyoku ended in the record."""
        return KyokuWay(self.standings[one.kyoku], one.kyoku == len(self._course.kyoku) and self._told.over)

    def is_repeated(self, one: Shadowed) -> bool:
        """Whether players that are told the record up to there play on to its end."""
        at = self._at(one)
        way = self.way(at, at.branch(self._course, one.played), self.tiles(at, 0), None)
        return way == self.recorded(one)

    def _at(self, one: Shadowed) -> Crossing:
        return crossing(self._course, self._told, one.kyoku, one.turn, one.player)

    def tiles(self, at: Crossing, number: int) -> Sequence[int]:
        """The tiles of that wall of a fork: the record's, or others in the places that nobody had seen."""
        tiles = list(self._told.walls[at.kyoku - 1].tiles)
        if number:
            where = f"{self._beside.seed}|{self._beside.game}|{at.kyoku}|{at.turn}|{number}"
            mixed = shuffled([tiles[place] for place in at.unseen], Numbers(f"jantaku fork 1|{where}"))
            for place, tile in zip(at.unseen, mixed, strict=True):
                tiles[place] = tile
        return tiles

    def way(self, at: Crossing, branch: Branch, tiles: Sequence[int], candidate: int | None) -> KyokuWay:
        """How the kyoku ends that leaves the record there, with the candidate on that seat."""
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
    """Whether it may keep anything of earlier kyoku."""
    bot = innermost_of(player)
    return getattr(bot, "remembers", True) is not False or not says_itself(bot, "remembers")
