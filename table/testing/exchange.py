"""The exchange at which a player failed, in words that its author can act on."""

from typing import Any, Final

import msgspec

from jantaku.table.ground.port import Answer, Choice, Evidence, Verdict, port_of
from jantaku.table.judge.verdicts import IN_A_THREAD, in_objects, shown
from jantaku.table.play.outcome import details_of, listed, wrapped
from jantaku.table.riichi.actions import RiichiAction
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import WINDS, seat_of
from jantaku.table.riichi.words import word_of
from jantaku.table.testing.examined import Examined

AROUND = 8
"""At most this many events or messages before the failure are shown."""
NOTHING: Final = Evidence()


class QuestionReport(msgspec.Struct, frozen=True):
    """One question with its outcome, or a failure outside a question.

    `heard` are the last messages to this seat; `options` is what it could answer, `answer` what it did answer. All are
    in the player's own form: objects of a Python bot, messages of a program as they were sent. `options` is empty if
    nothing was asked. `used` and `allowed` are seconds. `trace` and `stderr` are as in `Evidence`.
    """

    where: str
    seat: str
    verdict: str
    reason: str
    heard: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    answer: str = ""
    used: float = 0.0
    allowed: float | None = None
    trace: str = ""
    stderr: str = ""

    def lines(self) -> list[str]:
        """Return the report for a person: what was heard, asked and answered, and what is wrong with it."""
        told = [f"where    {self.where}, in the seat {self.seat}", *(f"heard    {item}" for item in self.heard)]
        if self.options:
            told += listed("options", self.options) + wrapped("answer", self.answer or "none")
        limit = "" if self.allowed is None else f" after {self.used:.2f} s of {self.allowed:.2f} s"
        listed_above = self.verdict == Verdict.ILLEGAL and self.options
        told.append(f"verdict  {self.verdict}{limit}: {'not one of the options' if listed_above else self.reason}")
        return [*told, *details_of(Evidence(self.trace, stderr=self.stderr))]


def not_good(bot: Examined, game: RiichiGame, place: int, answer: Answer) -> QuestionReport:
    """Report an answer with a bad verdict."""
    found = answer.evidence or NOTHING
    if bot.deaf is not None:
        return while_hearing(bot, game, place, found)
    question = bot.question if bot.question is not None and bot.question.id == answer.question else None
    return QuestionReport(
        **_place(bot, game, place, len(game.events) if question is None else bot.at),
        verdict=str(answer.verdict),
        reason=answer.reason,
        options=() if question is None else _offered(bot, question.choice),
        answer="" if question is None else found.came,
        used=round(answer.used, 3),
        allowed=answer.allowed,
        trace=found.trace,
        stderr=found.stderr,
    )


def while_hearing(bot: Examined, game: RiichiGame, place: int, found: Evidence = NOTHING) -> QuestionReport:
    """Report the event at which `hear` failed."""
    assert bot.deaf is not None
    number, reason = bot.deaf
    where = _place(bot, game, place, number)
    told = f"{reason} (while hearing the last of these)"
    return QuestionReport(**where, verdict="gone", reason=told, trace=found.trace, stderr=found.stderr)


def without_question(bot: Examined, game: RiichiGame, place: int, verdict: str, reason: str) -> QuestionReport:
    """Report a failure outside a question."""
    return QuestionReport(**_place(bot, game, place, len(game.events)), verdict=verdict, reason=reason)


def in_words(given: object) -> str:
    """Return a player's answer as a word if it is an action, else its repr."""
    if given is None:
        return ""
    try:
        if isinstance(given, RiichiAction):
            return word_of(given)
    except Exception:  # an action with foreign values in it may raise anything
        return shown(given, IN_A_THREAD)
    return shown(given, IN_A_THREAD)


def _offered(bot: Examined, choice: Choice) -> tuple[str, ...]:
    """Return what the player could have answered."""
    explain = port_of(bot).explain
    return (in_objects(choice, None, IN_A_THREAD) if explain is None else explain(choice)).offered


def _place(bot: Examined, game: RiichiGame, place: int, end: int) -> dict[str, Any]:
    """Return where the game stands after `end` of its events, and what the player at `place` heard last."""
    begun = [number for number, event in enumerate(game.events[:end]) if isinstance(event, KyokuStart)]
    if not begun:
        return {"where": "before the first deal", "seat": "none yet"}
    start = game.events[begun[-1]]
    sent = port_of(bot).sent
    heard = [repr(game.masked(number, place)) for number in range(begun[-1], end)] if sent is None else sent()
    where = kyoku_text(start.round_wind, start.kyoku, start.honba)
    return {"where": where, "seat": WINDS[seat_of(place, start.dealer, game.seats)], "heard": tuple(heard[-AROUND:])}
