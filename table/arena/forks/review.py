"""Reviews a record with a bot: what was played at every decision, and what the bot would have done.

    review_of(read_any(path).record, {2: enlist(["shanten"])[0]}).differences

The bot sits beside the record in the seat of each reviewed player, hears what that player heard and gets its questions
(`shadow.py`); its answers do not change the game.

`options_worth` says what the options of a question are worth: each is played out to the end of the kyoku from the same
made-up pasts.

    told = options_worth(read_line(text), enlist(["shanten"])[0], pasts=100)

The worth hangs on the bot that plays all seats from there, and on the hidden tiles being as likely as any others: hands
are not guessed from discards.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean

import msgspec

from jantaku.table.arena.forks.between import ALONE, Beside, play_between
from jantaku.table.arena.forks.course import Course, course_of
from jantaku.table.arena.forks.fork import KyokuWay, RestOfKyoku
from jantaku.table.arena.forks.rollout import Branch, BranchedGame, crossing
from jantaku.table.arena.forks.shadow import RecordedGame, Shadowed, beside_record
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Answer, Player
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import Decision, DecisionView, decisions
from jantaku.table.records.replay.fitting import unfit
from jantaku.table.records.replay.past import Past, begun, past_of
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview, head_of, kind_of
from jantaku.table.riichi.flow.worth import StandingWorth
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules

PASTS = 100
"""The pasts of a question, if no other number is wanted."""


class OptionWorth(msgspec.Struct, frozen=True):
    """What an option is worth: the mean final points, with uma and oka, that its player can expect behind the kyoku.
    `option` is a Majiang reply, `number` its option number. `behind`: how much less it is worth than the best option,
    and `margin` the half of its 95 % interval (None if there are too few pasts for one); both are 0 for the best
    one."""

    option: Item
    number: int
    points: float
    behind: float
    margin: float | None


class OptionsWorth(msgspec.Struct, frozen=True):
    """The options of a question, the best first: the bot `by` has played all seats from each of `pasts` pasts."""

    by: str
    pasts: int
    options: tuple[OptionWorth, ...]


def options_worth(
    position: Position,
    bot: Entrant,
    *,
    pasts: int = PASTS,
    seed: str = "1",
    beside: Beside = ALONE,
    played: Callable[[], object] = lambda: None,
) -> OptionsWorth:
    """Play every option out from each past; `played` is called after each past. BadInput if no kyoku leads to the
    position, or the bot cannot be made."""
    points: dict[Action, list[float]] = {option: [] for option in position.choice.options}
    for number in range(pasts):
        rest = _RestOfPast(past_of(position, f"{seed}|{number}"), bot, beside)
        for option, found in points.items():
            found.append(rest.points(option))
        played()
    best = max(points, key=lambda option: sum(points[option]))
    told = [_worth(option, found, points[best]) for option, found in points.items()]
    return OptionsWorth(bot.name, pasts, tuple(sorted(told, key=lambda one: -one.points)))


def _worth(option: Action, found: list[float], best: list[float]) -> OptionWorth:
    less = [top - own for top, own in zip(best, found, strict=True)]
    half = 0.0 if found is best else interval(less, [1.0] * len(less)).half
    margin = None if half is None else round(half, 2)
    return OptionWorth(reply(option), number_of(option), round(mean(found), 2), round(mean(less), 2), margin)


class _RestOfPast:
    def __init__(self, past: Past, bot: Entrant, beside: Beside) -> None:
        self._past, self._bot, self._beside = past, bot, beside
        self._told = begun(past)
        course = course_of(past.record)
        if not course.kyoku:  # the question is the first one of the kyoku
            course = msgspec.structs.replace(course, kyoku=[[]], standings=[self._told.standing])
        self._course = course
        self._worth = StandingWorth(self._course.rules)

    def points(self, option: Action) -> float:
        """Return the final points that the player can expect behind the kyoku, if it chooses this option."""
        past, course, turns = self._past, self._course, len(self._course.kyoku[0])
        given = {past.player: option}
        if past.given is not None:
            turn = self._told.turn()
            assert turn is not None, "the kyoku goes on"
            given[turn.seat] = past.given
        branch = Branch(1, turns + 1, given)
        game = BranchedGame(course, self._told, branch, self._told.walls[0])
        entrants = dict.fromkeys(range(course.seats), self._bot)
        play_between(lambda players: game, course.seats, entrants, self._beside, turns=turns)
        return self._worth.outlook(game.standing, game.over, past.player, self._told.first_dealer).points


class Considered(msgspec.Struct, frozen=True):
    """One reviewed decision: the decision in the record, its line of the review, and the bot's answer."""

    seen: Decision[DecisionView]
    line: ReviewedDecision
    answer: Answer


def review_of(record: Record, entrants: Mapping[int, Entrant], beside: Beside = ALONE) -> WholeReview:
    """Review a whole record. BadInput as in `reviewed`, or if the record does not say its rules."""
    if record.rules is None:
        raise BadInput(f"{record.path}: it does not say by which rules it was played")
    path = Path(record.path)
    return whole_review(record, record.rules, entrants, reviewed(record, record.rules, entrants, beside), path, path)


def whole_review(
    record: Record, rules: Rules, entrants: Mapping[int, Entrant], asked: Iterable[Considered], path: Path, out: Path
) -> WholeReview:
    """Return these decisions as the review, to be written to `out`, of the record at `path`."""
    by, seats = next(iter(entrants.values())).name, list(entrants)
    head = head_of(content_of(path), path, out, by=by, names=record.names, seats=seats, rules=rules)
    return WholeReview(head, [one.line for one in asked])


def reviewed(
    record: Record, rules: Rules, entrants: Mapping[int, Entrant], beside: Beside = ALONE, walls: int = 0
) -> Iterator[Considered]:
    """Yield every decision of the players in `entrants`, in the order of play. If the record is a journal of jantaku,
    each bot gets the seed of the player that it reviews, so that a bot that draws lots repeats its own game. With
    `walls`, each difference is played out to the end of its kyoku by the bot at all seats, both ways on that many
    walls, which differ in what nobody had seen. BadInput if record and rules contradict each other, or a bot cannot be
    made."""
    course = course_of(record, rules)
    if (parted := course.parted) is not None:
        why = unfit(record, rules) or "name the rules by which it was played with --rules"
        raise BadInput(f"{record.path}: it cannot be reviewed: {parted}; {why}")
    seen = {(one.kyoku, one.turn, one.player): one for one in decisions(record, rules)}
    taken = _taken(list(seen.values()))
    seated = {player: _seeded(one, record, player) for player, one in entrants.items()}
    told = RecordedGame(course, seated)
    found = beside_record(told, seated, beside)
    worths = _Worths(course, told.game, next(iter(entrants.values())), beside, walls) if entrants and walls else None
    for one in found:
        decision = seen.get((one.kyoku, one.turn, one.player))
        if decision is not None:  # else there was a single option, or a chombo
            known = decision.told or one.player not in taken[one.kyoku, one.turn]
            line = _line(decision, one, known=known)
            if worths is not None and line.agrees is False:
                line = msgspec.structs.replace(line, worth=worths.of(one))
            yield Considered(decision, line, one.answer)


class _Worths:
    """What differences win or cost, in points of the final score with uma and oka."""

    def __init__(self, course: Course, told: RiichiGame, bot: Entrant, beside: Beside, walls: int) -> None:
        self._course, self._told, self._walls = course, told, walls
        self._rest = RestOfKyoku(course, told, bot, bot, beside)
        self._model = StandingWorth(course.rules)

    def of(self, one: Shadowed) -> float:
        """Return how many points more the bot's choice makes than the recorded one: the mean over all walls."""
        at = crossing(self._course, self._told, one.kyoku, one.turn, one.player)
        ways = [at.branch(self._course, action) for action in (one.answer.action, one.played)]
        won = 0.0
        for number in range(1, self._walls + 1):
            tiles = self._rest.tiles(at, number)
            choice, played = [self._points(self._rest.way(at, way, tiles, None), one.player) for way in ways]
            won += choice - played
        return round(won / self._walls, 3)

    def _points(self, way: KyokuWay, player: int) -> float:
        return self._model.outlook(way.standing, way.over, player, self._told.first_dealer).points


def _seeded(entrant: Entrant, record: Record, player: int) -> Entrant:
    """Give the entrant's bot the seed of the player that it reviews, if the record has one."""
    if record.seed is None or record.driven:
        return entrant
    _, order = seat_draw(record.seed, record.number)
    seed = seeds.of_bot(record.seed, record.number, order[player])
    return msgspec.structs.replace(entrant, make=partial(_made, entrant.make, seed))


def _made(make: Callable[[int], Player], seed: int, _other: int) -> Player:
    return make(seed)


def _taken(found: Sequence[Decision[DecisionView]]) -> Mapping[tuple[int, int], set[int]]:
    """Return, by kyoku and turn, the players without a reply in a turn in which another player claimed something. They
    may have been overruled: only a journal tells."""
    turns = defaultdict[tuple[int, int], list[Decision[DecisionView]]](list)
    for one in found:
        turns[one.kyoku, one.turn].append(one)
    overruled = defaultdict[tuple[int, int], set[int]](set)
    for turn, asked in turns.items():
        if any(one.answer.keys() & {"fulou", "hule"} for one in asked):
            overruled[turn] = {one.player for one in asked if not one.answer}
    return overruled


def _line(decision: Decision[DecisionView], one: Shadowed, *, known: bool) -> ReviewedDecision:
    good, played = one.answer.verdict.good, decision.answer if known else None
    choice = reply(one.answer.action) if good else None
    return ReviewedDecision(
        kyoku=decision.kyoku,
        turn=decision.turn,
        event=decision.event,
        before=decision.key[1],
        player=decision.player,
        kind=kind_of(decision.options),
        hand=decision.view.hand,
        played=played,
        choice=choice,
        agrees=None if played is None or choice is None else is_same(played, choice),
        verdict=str(one.answer.verdict),
        reason=one.answer.reason,
        meta=msgspec.json.decode(one.answer.meta) if one.answer.meta else None,
    )


def is_same(played: Item, choice: Item) -> bool:
    """Return whether two replies mean the same, apart from whether a discarded tile was just drawn."""
    return _plain(played) == _plain(choice)


def _plain(told: Item) -> Item:
    return {word: text.replace("_", "") if word == "dapai" else text for word, text in told.items()}
