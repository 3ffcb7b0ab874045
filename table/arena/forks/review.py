"""Reviews a record with a bot: what was played at every decision, and what the bot would have done.

    review_of(read_any(path).record, {2: enlist(["shanten"])[0]}).differences

The bot sits beside the record in the seat of each reviewed player, hears what that player heard and gets its questions
(`shadow.py`); its answers do not change the game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from jantaku.table.arena.forks.between import ALONE, Beside
from jantaku.table.arena.forks.course import course_of
from jantaku.table.arena.forks.shadow import RecordedGame, Shadowed, beside_record
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Answer, Player
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.play import seeds
from jantaku.table.play.playouts import Playouts
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import Decision, DecisionView, decisions
from jantaku.table.records.replay.fitting import unfit
from jantaku.table.records.replay.reviewed import ReviewedDecision, WholeReview, head_of, kind_of
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.world import NoWorld

PLAYS_ON = "shanten"
"""The bot that plays the rest of a kyoku: fast enough for hundreds of worlds at each difference."""


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
    record: Record, rules: Rules, entrants: Mapping[int, Entrant], beside: Beside = ALONE, worlds: int = 0
) -> Iterator[Considered]:
    """Yield every decision of the players in `entrants`, in the order of play. If the record is a journal of jantaku,
    each bot gets the seed of the player that it reviews, so that a bot that draws lots repeats its own game. With
    `worlds`, each difference is played out to the end of its kyoku by `PLAYS_ON` at all seats, both ways in up to
    that many worlds. BadInput if record and rules contradict each other, or a bot cannot be made."""
    course = course_of(record, rules)
    if (parted := course.parted) is not None:
        why = unfit(record, rules) or "name the rules by which it was played with --rules"
        raise BadInput(f"{record.path}: it cannot be reviewed: {parted}; {why}")
    seen = {(one.kyoku, one.turn, one.player): one for one in decisions(record, rules, lined=worlds > 0)}
    taken = _taken(list(seen.values()))
    seated = {player: _seeded(one, record, player) for player, one in entrants.items()}
    told = RecordedGame(course, seated)
    found = beside_record(told, seated, beside)
    for one in found:
        decision = seen.get((one.kyoku, one.turn, one.player))
        if decision is not None:  # else there was a single option, or a chombo
            known = decision.told or one.player not in taken[one.kyoku, one.turn]
            line = _line(decision, one, known=known)
            if worlds and line.agrees is False:
                worth, margin = _played_out(decision.line, one, worlds)
                line = msgspec.structs.replace(line, worth=worth, margin=margin)
            yield Considered(decision, line, one.answer)


def _played_out(line: str, one: Shadowed, worlds: int) -> tuple[float | None, float | None]:
    """How many points more the bot's choice makes than the recorded one, and half of the 95 % interval; None if no
    hidden tiles fit the position."""
    try:
        playouts = Playouts(read_line(line), PLAYS_ON, options=[one.answer.action, one.played])
        playouts.play(worlds)  # fewer where one leads for sure
    except NoWorld:
        return None, None
    return playouts.behind(one.played, one.answer.action)


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
