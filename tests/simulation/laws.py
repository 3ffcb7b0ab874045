"""Whether what came of a script is what must come: equal to the model in one of its outcomes, and no law broken."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jantaku.table.judge.faults import NO_ANSWER
from jantaku.table.judge.mode import Mode
from tests.simulation.acting import Broken, Played, game_of
from tests.simulation.model import Table
from tests.simulation.moments import Ties, Undecided
from tests.simulation.scripted import Part, Script

EXACT = 1e-5
"""Seconds by which two times may differ that are the same."""
MOST_OUTCOMES = 64
"""More ties make a script one of which the model tells too little."""
Facts = dict[str, Any]


@lru_cache(maxsize=256)
def outcomes(script: Script) -> list[tuple[Facts, str]]:
    """All that may come of a script, each with the ties that lead there. Undecided if they are too many."""
    ties, found = Ties(), list[tuple[Facts, str]]()
    while True:
        table = Table(script, game_of(script, None), ties).play()
        found.append((of_the_model(table), "; ".join(ties.told)))
        if not ties.next():
            return found
        if len(found) == MOST_OUTCOMES:
            raise Undecided("too many ties")


def of_the_model(table: Table) -> Facts:
    facts: Facts = {"ending": table.ending, "turns": table.number, "left": sorted(table.left)}
    facts["events"] = list(table.game.events)
    for number, replies in table.turns:
        for one in replies:
            key = f"turn {number} seat {one.seat}"
            facts[key] = (one.question, one.action, str(one.verdict), "" if one.why == "gone" else one.why)
            facts[f"{key} times"] = [one.used, one.allowed, one.stalled, one.cpu]
        facts[f"turn {number}"] = [one.seat for one in replies]
    for sit in table.sits:
        state, stale = table.ends[sit.number]
        facts |= _of_a_seat(sit.number, state, sit.bank, sit.asked, sit.heard)
        facts[f"seat {sit.number} counts"] = ({str(word): n for word, n in sit.counts.items()}, stale)
        facts[f"seat {sit.number} total"], facts[f"seat {sit.number} longest"] = sit.total, sit.longest
    return facts


def of_the_table(played: Played) -> Facts:
    result = played.result
    facts: Facts = {"ending": str(result.ending), "turns": result.turns, "left": sorted(result.left_behind)}
    facts["events"] = list(played.record.events_seen)
    for number, answers in played.record.turns:
        for one in answers:
            key = f"turn {number} seat {one.seat}"
            facts[key] = (one.question, one.action, str(one.verdict), _why(one.reason))
            facts[f"{key} times"] = [one.used, one.allowed, one.stalled, one.cpu]
        facts[f"turn {number}"] = [one.seat for one in answers]
    for seat, actor in enumerate(played.actors):
        report = result.seats[seat]
        asked = [(one.question, one.allowed, one.bank) for one in actor.asked]
        facts |= _of_a_seat(seat, report.state, played.banks[seat], asked, len(actor.heard))
        facts[f"seat {seat} counts"] = ({str(word): n for word, n in report.verdicts.items()}, report.stale)
        facts[f"seat {seat} total"], facts[f"seat {seat} longest"] = report.total, report.longest
    return facts


def _why(reason: str) -> str:
    words = {"on autopilot": "autopilot", "still busy": "busy"}
    return next((why for begins, why in words.items() if reason.startswith(begins)), "")


def _of_a_seat(seat: int, state: str, bank: float, asked: list[Any], heard: int) -> Facts:
    return {
        f"seat {seat} state": state,
        f"seat {seat} bank": bank,
        f"seat {seat} asked": [question for question, _, _ in asked],
        f"seat {seat} had": [time for _, allowed, bank in asked for time in (allowed, bank)],
        f"seat {seat} heard": heard,
    }


def same(one: Any, other: Any) -> bool:
    """Equal, times to within `EXACT`."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) < EXACT
    if isinstance(one, list) and isinstance(other, list):
        return one == other or (len(one) == len(other) and all(map(same, one, other)))
    return bool(one == other)


def differences(played: Facts, expected: Facts) -> Iterator[str]:
    """Each in a line: what was to come, and what came."""
    for key in sorted({*played, *expected}):
        if not same(came := played.get(key, "-"), wanted := expected.get(key, "-")):
            yield f"{key}: {_short(came)} came; the model says {_short(wanted)}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 300 else f"{text[:300]}…"


def check(script: Script, played: Played) -> None:
    """Raises Broken with the difference that is the smallest, or with the law."""
    facts, least = of_the_table(played), list[str]()
    for expected, ties in outcomes(script):
        found = list(differences(facts, expected))
        if not found:
            break
        if not least or len(found) < len(least):
            least = [*found, f"(with these ties: {ties or 'none'})"]
    else:
        raise Broken("\n".join(least))
    for law in LAWS:
        law(script, played)


# --- the laws, of which none is told by the model


def no_answer_twice(script: Script, played: Played) -> None:
    """Each question has one answer, of the seat to which its number belongs."""
    questions = [answer.question for _, answers in played.record.turns for answer in answers]
    _hold(len(set(questions)) == len(questions), "a question was answered twice")
    numbered = all(a.question == turn * script.seats + a.seat for turn, answers in played.record.turns for a in answers)
    _hold(numbered, "an answer counted for another question")


def no_answer_lost(script: Script, played: Played) -> None:
    """What a player said in time is what was played; what counts is what a player said, or the default."""
    for _, answers in played.record.turns:
        for answer in answers:
            told = [one for one in played.actors[answer.seat].asked if one.question == answer.question]
            if answer.verdict.good:
                _hold(len(told) == 1 and told[0].said == answer.action, f"another answer was played: {answer}")
            else:
                _hold(answer.reason != "", f"nobody says what was wrong: {answer}")


def all_heard_in_order(script: Script, played: Played) -> None:
    """Each player has heard the events from the first on, each once, and of none what it may not see."""
    for seat, actor in enumerate(played.actors):
        _hold(
            all(event == played.game.masked(at, seat) for at, event in enumerate(actor.heard)),
            f"seat {seat} heard something else",
        )


def nothing_after_the_seal(script: Script, played: Played) -> None:
    """What was told of a turn is what the reports count, and every late word is stale or was on the sheet."""
    counts = [dict[str, int]() for _ in range(script.seats)]
    for _, answers in played.record.turns:
        for answer in answers:
            counts[answer.seat][answer.verdict] = counts[answer.seat].get(answer.verdict, 0) + 1
    for report in played.result.seats:
        _hold(counts[report.seat] == report.verdicts, f"seat {report.seat} was told otherwise than counted")


def no_innocent_blamed(script: Script, played: Played) -> None:
    """A seat that says something legal at once has no fault, whatever the others do."""
    for seat, part in enumerate(script.parts):
        if innocent(part):
            bad = [answer for _, answers in played.record.turns for answer in answers if answer.seat == seat]
            _hold(all(answer.verdict.good for answer in bad), f"seat {seat} is blamed for nothing: {bad}")


def innocent(part: Part) -> bool:
    """Whether it does nothing but answer at once."""
    return not part.hears and all(not one.pauses and one.ending in ("default", "option") for one in part.answers)


def threads_are_home_or_named(script: Script, played: Played) -> None:
    """At the end no thread of the table is there but those that are named. Of these one may just have ended."""
    unnamed = set(played.at_large) - set(played.result.left_behind)
    _hold(not unnamed, f"{sorted(unnamed)} run on and are not named")


def its_own_time(script: Script, played: Played) -> None:
    """The time that a question tells is its limit and the bank that it tells, or what of both is left to a seat that
    came home late; a bank is never less than nothing."""
    for part, actor, clock in zip(script.parts, played.actors, script.clocks, strict=True):
        limits = [limit for limit in (clock.turn, clock.reaction) if limit is not None]
        for told in actor.asked:
            if told.allowed is not None:
                limit = told.allowed - told.bank
                whole = any(same(limit, one) for one in limits)
                _hold(whole or (not innocent(part) and 0 <= limit < max(limits)), f"no limit of the clock: {told}")
                _hold(told.bank >= 0, f"less than nothing is in the bank: {told}")


def no_thread_without_need(script: Script, played: Played) -> None:
    """`inline` leaves nobody behind, and no answer there is late."""
    if script.mode is Mode.INLINE:
        verdicts = {answer.verdict for _, answers in played.record.turns for answer in answers}
        _hold(not played.result.left_behind and not verdicts & (NO_ANSWER - {"gone"}), "inline has let somebody go")


LAWS = (
    no_answer_twice,
    no_answer_lost,
    all_heard_in_order,
    nothing_after_the_seal,
    no_innocent_blamed,
    threads_are_home_or_named,
    its_own_time,
    no_thread_without_need,
)


def _hold(holds: bool, law: str) -> None:
    if not holds:
        raise Broken(law)
