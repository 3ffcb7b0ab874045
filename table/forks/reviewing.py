"""A bot looks over a record: at every decision what was played, and what the bot would have done.

    review_of(read_any(path).record, {2: enlist(["shanten"])[0]}).differences

The bot sits beside the record as each of the players that it reviews, hears what they heard and is asked what they were
asked (`shadow.py`); nothing that it answers changes the game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.forks.course import Course, course_of
from jantaku.table.forks.forking import KyokuWay, RestOfKyoku
from jantaku.table.forks.playing import ALONE, Beside
from jantaku.table.forks.rollout import crossing
from jantaku.table.forks.shadow import RecordedGame, Shadowed, beside_record
from jantaku.table.forks.worth import StandingWorth
from jantaku.table.formats.majiang.words import Item, reply
from jantaku.table.play import seeds
from jantaku.table.play.roster import Entrant
from jantaku.table.port import Answer, Player
from jantaku.table.record.lines import content_of
from jantaku.table.record.read import Record
from jantaku.table.replay.decisions import Decision, DecisionView, decisions
from jantaku.table.replay.fitting import unfit
from jantaku.table.replay.reviewed import ReviewedDecision, WholeReview, head_of, kind_of
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules


class Considered(msgspec.Struct, frozen=True):
    """A decision as it was reviewed: with what the record tells of it, and all that came of asking the bot."""

    seen: Decision[DecisionView]
    line: ReviewedDecision
    answer: Answer


def review_of(record: Record, entrants: Mapping[int, Entrant], beside: Beside = ALONE) -> WholeReview:
    """The review of a record as a whole. BadInput as of `reviewed`, or where the record does not say its rules."""
    if record.rules is None:
        raise BadInput(f"{record.path}: it does not say by which rules it was played")
    asked = reviewed(record, record.rules, entrants, beside)
    head = head_of(
        content_of(record.path),
        record.path,
        record.path,
        by=next(iter(entrants.values())).name,
        names=record.names,
        seats=list(entrants),
        rules=record.rules,
    )
    return WholeReview(head, [one.line for one in asked])


def reviewed(
    record: Record, rules: Rules, entrants: Mapping[int, Entrant], beside: Beside = ALONE, walls: int = 0
) -> Iterator[Considered]:
    """Every decision of the players that have an entrant to review them, in the order of play.

    At a game of ours the bot of each has the seed that its player had: a bot that draws lots repeats its own game.
    With `walls` the kyoku of each difference is played out by the bot at all seats, both ways on as many walls, which
    differ in what nobody had seen. BadInput where record and rules contradict each other, or if a bot cannot be made.
    """
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
        """The mean over all walls of what the bot's choice comes to, less what was played comes to."""
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
    """An entrant whose bot has the seed of the player that it reviews, if the record has one."""
    if record.seed is None or record.driven:
        return entrant
    _, order = seat_draw(record.seed, record.number)
    seed = seeds.of_bot(record.seed, record.number, order[player])
    return msgspec.structs.replace(entrant, make=partial(_made, entrant.make, seed))


def _made(make: Callable[[int], Player], seed: int, _other: int) -> Player:
    return make(seed)


def _taken(found: Sequence[Decision[DecisionView]]) -> Mapping[tuple[int, int], set[int]]:
    """By kyoku and turn, the players who may have claimed something that went to another: whoever passes there has
    perhaps been overruled, and only a journal tells."""
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
    """Whether two replies come to the same: it is, whether a tile that is discarded was just drawn or in the hand."""
    return _plain(played) == _plain(choice)


def _plain(told: Item) -> Item:
    return {word: text.replace("_", "") if word == "dapai" else text for word, text in told.items()}
