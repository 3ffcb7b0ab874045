"""The result of a game with bots under test, and assertions about it."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.judge.result import Result
from jantaku.table.judge.timing import spent
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.words import word_of

_SHOWN = 5  # answers that a failed assertion lists


class Listener:
    """Collects the answers of a game. Implements `Watch`."""

    def __init__(self) -> None:
        self.heard: list[Answer] = []

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: the game has all events."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """"""
        self.heard += answers


class PlayedBotGame(msgspec.Struct, frozen=True):
    """A finished game. Seats count from 0 in the order in which the players were given.

    `answers` holds one `jantaku.table.ground.port.Answer` for each question of the game, in order: seat, verdict, the
    action that was played, seconds used and allowed, and the reason for a bad verdict. The assertions raise
    AssertionError with the answers that violate them.
    """

    game: RiichiGame
    result: Result
    answers: tuple[Answer, ...]
    names: tuple[str, ...]
    margin: float = 0.0
    """Seconds granted beyond each limit, because a busy machine wakes a waiting thread late."""

    def of(self, seat: int) -> list[Answer]:
        """The answers of one seat."""
        return [answer for answer in self.answers if answer.seat == seat]

    def verdicts(self, seat: int = 0) -> dict[Verdict, int]:
        """How often each verdict was given for a seat."""
        return self.result.seats[seat].verdicts

    def assert_verdicts(self, *allowed: str, seat: int = 0) -> None:
        """Assert that the seat was asked, and that each of its answers got one of these verdicts."""
        __tracebackhide__ = True
        known = set(map(str, Verdict))
        if unknown := set(allowed) - known:
            raise ValueError(f"no verdicts: {', '.join(sorted(unknown))}; they are {', '.join(sorted(known))}")
        self._expect_questions(seat)
        others = [answer for answer in self.of(seat) if answer.verdict not in allowed]
        self._deny(seat, others, f"a verdict that is not {' or '.join(allowed)}")

    def assert_sound(self, seat: int = 0) -> None:
        """Assert that every answer of the seat was legal and in time."""
        __tracebackhide__ = True
        self.assert_verdicts(Verdict.OK, Verdict.OK_MARGIN, seat=seat)

    def assert_within(self, seconds: float, seat: int = 0) -> None:
        """Assert that no question of the seat took longer. On a busy machine everything takes longer: leave room."""
        __tracebackhide__ = True
        self._expect_questions(seat)
        self._deny(seat, [answer for answer in self.of(seat) if answer.used > seconds], f"more than {seconds} s")

    def assert_cut_off(self, after: float, seat: int = 0) -> None:
        """Assert that the seat had `after` seconds for each question and used them up at least once, that its late
        answers were not played, and that no other seat was affected. A busy machine makes no difference."""
        __tracebackhide__ = True
        self._expect_questions(seat)
        given = self.of(seat)
        # None: the judge did not wait for this answer
        others = [answer for answer in given if answer.allowed not in (None, after)]
        self._deny(seat, others, f"another limit than {after} s")
        if not any(answer.verdict in OUT_OF_TIME for answer in given):
            raise AssertionError(f"{self._name(seat)} was never cut off:\n{_listed(given, self.margin)}")
        self.assert_verdicts(Verdict.OK, Verdict.OK_MARGIN, *OUT_OF_TIME, seat=seat)
        for other in range(len(self.names)):
            if other != seat:
                self._deny(other, [answer for answer in self.of(other) if not answer.verdict.good], "harm from it")

    def _expect_questions(self, seat: int) -> None:
        __tracebackhide__ = True
        if not self.of(seat):
            raise AssertionError(f"{self._name(seat)} was not asked anything in this game")

    def _deny(self, seat: int, against: Sequence[Answer], what: str) -> None:
        __tracebackhide__ = True
        if against:
            asked, listed = len(self.of(seat)), _listed(against, self.margin)
            raise AssertionError(f"{self._name(seat)} has {what} in {len(against)} of {asked} questions:\n{listed}")

    def _name(self, seat: int) -> str:
        return f"seat {seat} ({self.names[seat]})"


def _listed(answers: Sequence[Answer], margin: float) -> str:
    lines = [_line(answer, margin) for answer in answers[:_SHOWN]]
    if len(answers) > _SHOWN:
        lines.append(f"  … and {len(answers) - _SHOWN} more")
    return "\n".join(lines)


def _line(answer: Answer, margin: float) -> str:
    time, why = spent(answer.used, answer.allowed, margin), f"; {answer.reason}" if answer.reason else ""
    return f"  question {answer.question}: {answer.verdict} after {time}, played {word_of(answer.action)}{why}"


def left_behind(played: Iterable[PlayedBotGame]) -> set[str]:
    """Return the names of the threads that were still busy when their games were over."""
    return {name for one in played for name in one.result.left_behind}
