"""The exchange at which a player failed, in words that its author can act on."""

from collections.abc import Sequence
from typing import Any

import msgspec

from table.exam.examined import Examined
from table.formats.majiang.items import Encoder
from table.judge.verdicts import IN_A_THREAD, shown
from table.play.faults import details_of
from table.port import Answer, Evidence, Question
from table.replay.drive import show
from table.riichi.actions import RiichiAction
from table.riichi.events import Event, KyokuStart
from table.riichi.game import RiichiGame
from table.riichi.pieces.notation import kyoku_text
from table.riichi.pieces.seats import WINDS, seat_of
from table.riichi.words import word_of

AROUND = 8
"""At most this many events before the failure are shown."""


class QuestionReport(msgspec.Struct, frozen=True):
    """One question with its outcome, or a failure outside of a question.

    `heard` are the last events as this seat heard them, in the form of a 牌譜; `options` and `answer` are words
    (`table.formats.majiang.words`), `options` is empty where nothing was asked. `used` and `allowed` are seconds.
    `evidence` has options and answer in the player's own words, as far as they matter, and its traceback.
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
    evidence: Evidence = Evidence()

    def lines(self) -> list[str]:
        """For a person: what was heard, asked and said, and what is wrong with it."""
        told = [f"where    {self.where}, in the seat {self.seat}", *(f"heard    {item}" for item in self.heard)]
        if self.options and not self.evidence.offered:
            told += [f"options  {' '.join(self.options)}", f"answer   {self.answer or 'none'}"]
        limit = "" if self.allowed is None else f" after {self.used:.2f} s of {self.allowed:.2f} s"
        return [*told, f"verdict  {self.verdict}{limit}: {self.reason}", *details_of(self.evidence)]


def not_good(bot: Examined, game: RiichiGame, place: int, answer: Answer) -> QuestionReport:
    """The exchange of an answer with a bad verdict."""
    if bot.deaf is not None:
        return while_hearing(bot, game, place, answer.evidence)
    question, asked = bot.question, bot.question is not None and bot.question.id == answer.question
    return QuestionReport(
        **_place(game, place, bot.at if asked else len(game.events)),
        verdict=str(answer.verdict),
        reason=answer.reason,
        options=tuple(map(word_of, question.options)) if question is not None and asked else (),
        answer=in_words(bot.given) if asked else "",
        used=round(answer.used, 3),
        allowed=answer.allowed,
        evidence=_in_its_dialect(answer.evidence or Evidence(), question),
    )


def _in_its_dialect(evidence: Evidence, question: Question | None) -> Evidence:
    """Evidence without objects: options and answer are told in words, which are shorter."""
    if question is None or evidence.offered != tuple(map(repr, question.options)):
        return evidence
    return msgspec.structs.replace(evidence, came="", offered=())


def while_hearing(bot: Examined, game: RiichiGame, place: int, evidence: Evidence | None = None) -> QuestionReport:
    """The event at which `hear` failed."""
    assert bot.deaf is not None
    number, reason = bot.deaf
    return QuestionReport(
        **_place(game, place, number),
        verdict="gone",
        reason=f"{reason} (while hearing the last of these)",
        evidence=evidence or Evidence(),
    )


def without_question(game: RiichiGame, place: int, verdict: str, reason: str) -> QuestionReport:
    """Something that went wrong apart from a question."""
    return QuestionReport(**_place(game, place, len(game.events)), verdict=verdict, reason=reason)


def in_words(given: object) -> str:
    """A player's answer: a word if it is an action, else its repr."""
    if given is None:
        return ""
    try:
        if isinstance(given, RiichiAction):
            return word_of(given)
    except Exception:  # an action with foreign values in it may raise anything
        return shown(given, IN_A_THREAD)
    return shown(given, IN_A_THREAD)


def _place(game: RiichiGame, place: int, end: int) -> dict[str, Any]:
    """Where the game stands after `end` of its events, and what the player at `place` has heard last."""
    begun = [number for number, event in enumerate(game.events[:end]) if isinstance(event, KyokuStart)]
    if not begun:
        return {"where": "before the first deal", "seat": "none yet"}
    start = game.events[begun[-1]]
    heard = _items([game.masked(number, place) for number in range(begun[-1], end)])
    where = kyoku_text(start.round_wind, start.kyoku, start.honba)
    return {"where": where, "seat": WINDS[seat_of(place, start.dealer)], "heard": heard[-AROUND:]}


def _items(events: Sequence[Event]) -> tuple[str, ...]:
    encoder = Encoder()
    return tuple(show(item) for event in events if (item := encoder.encode(event)) is not None)
