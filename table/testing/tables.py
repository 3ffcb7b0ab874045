"""Seats bots for a test: whole games against built-in opponents, and single questions about a position.

A game's result has assertions about the bots under test.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Answer, Player, Question, Remote, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.result import Result
from jantaku.table.judge.timing import LIMIT, Clock, spent
from jantaku.table.play import seeds
from jantaku.table.play.cores import core_for, on_core
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import resolve, with_settings
from jantaku.table.riichi.words import word_of
from jantaku.table.testing.exchange import in_words
from jantaku.table.testing.hampered import Hampered
from jantaku.table.testing.scripts import Actor, scripts
from jantaku.table.testing.sitting import Sat, Sitting

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
        """Assert that no question of the seat took longer, and that it was asked each of them. On a busy machine
        everything takes longer: leave room."""
        __tracebackhide__ = True
        self._expect_questions(seat)
        longer = [one for one in self.of(seat) if one.used > seconds or one.verdict is Verdict.NOT_ASKED]
        self._deny(seat, longer, f"more than {seconds} s")

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


OPPONENT = "dice"
"""The player of empty seats."""
PATIENCE = 5.0
"""Seconds in which released threads must end after a test."""


class Asked(msgspec.Struct, frozen=True):
    """A bot's answer to one question. `word` is empty if it gave no usable answer."""

    word: str
    verdict: str
    options: tuple[str, ...]
    said: str
    used: float
    reason: str = ""

    def __str__(self) -> str:
        why = f" ({self.verdict}: {self.reason})" if self.reason else f" ({self.verdict})"
        return f"asked {' '.join(self.options)}, it said {self.said or 'nothing'}{why}"


class Tables:
    """The fixture `jantaku_table`."""

    def __init__(self) -> None:
        self._played: list[PlayedBotGame] = []

    def __call__(
        self,
        *players: Player | str,
        limit: float | None = LIMIT,
        margin: float = 0.1,
        rules: str = "tenhou",
        settings: Mapping[str, str] | None = None,
        length: str = "one",
        seed: int = 7,
        threads: Mode | str = Mode.PER_TURN,
        pin: bool = True,
    ) -> PlayedBotGame:
        """Play one game and return what happened in it.

        A player is an object, or, as on the command line, the name of an installed bot, `module:Class` or `exec:…`.
        Objects are under test: they have `limit` seconds for each question, and the `margin`, which a busy machine may
        need; players given by name have no limit. `dice` takes empty seats. `length` is `game.length` of the rules,
        `one` is a single kyoku; `rules="tenhou-3p"` seats three. `threads` is `per-turn` (new threads every turn),
        `resident` (four threads for the game: faster), or `inline` (no threads and so no clock: `limit=None`). `pin`
        keeps the threads to one core, which is faster. Raises BadInput for what cannot be played.
        """
        law = _rules(rules, {"game.length": length, **(settings or {})})
        seats = _seated(players, seed, law.game.players)
        clock = Clock(turn=limit, reaction=limit, margin=margin)
        clocks = [Clock() if named else clock for _, _, named in seats]
        names = tuple(name for _, name, _ in seats)
        game = RiichiGame(law, walls_from(str(seed), 0, law), names)
        listener = Listener()
        bots = [player for player, _, _ in seats]
        try:
            judge = Judge(game, bots, mode=threads, clock=clocks, watches=[listener])
            elsewhere = ["remote" for bot in bots if isinstance(bot, Remote)]  # a program would inherit the core
            with on_core(core_for(Mode(threads), elsewhere) if pin else None):
                result = judge.run()
        finally:
            let_go(*bots)
        self._played.append(PlayedBotGame(game, result, tuple(listener.heard), names, margin))
        return self._played[-1]

    def ask(
        self,
        player: Player | str,
        *,
        seat: str = "東",
        hands: Sequence[str] = (),
        script: str = "",
        limit: float | None = LIMIT,
        rules: str = "tenhou",
        settings: Mapping[str, str] | None = None,
        **picture: str,
    ) -> Asked:
        """Return the answer of `player` to the first question to `seat` after `script`.

        `hands` are the hands of 東南西北, complete or in part; `draws`, `last`, `rinshan`, `dora`, `ura`, `hidden`
        describe the rest of the position (`jantaku.table.riichi.position`). `script` is what the seats say before, word
        by word: `東z6_ 南pass`; a word is a wind and what the seat answers, `.` the default, and `南.*17` seventeen of
        them (`jantaku.table.testing.scripts`). Raises BadInput for an impossible position or script, or if the seat is
        not asked.
        """
        law, words = _rules(rules, settings or {}), scripts(script)
        place = _place(seat, law.game.players)
        game = begin(law, stack(law, hands, **picture))
        bot = _named(player, 0, 0)[0]
        others: dict[int, Player] = {other: Actor(words[other]) for other in range(game.seats) if other != place}
        clock = Clock(turn=limit, reaction=limit)
        sitting = Sitting(
            game, place, bot, others, clock, script=words[place], enough=lambda bot: bool(bot.asked) or game.rounds > 1
        )
        sat = sitting.play()
        question = sitting.bot.question
        if question is None:
            raise BadInput(f"ask: {seat} is not asked anything in this kyoku after the words “{script}”")
        return _asked(question, in_words(sitting.bot.given), sat)

    def close(self) -> None:
        """Wait for released threads at the end of the test."""
        names = left_behind(self._played)
        for thread in threading.enumerate():
            if thread.name in names:
                thread.join(PATIENCE)


def _asked(question: Question, said: str, sat: Sat) -> Asked:
    options, failure = tuple(map(word_of, question.options)), sat.failure
    if failure is not None:
        return Asked("", failure.verdict, options, said, sat.longest, failure.reason)
    return Asked(said, Verdict.OK, options, said, sat.longest)


def _place(seat: str, seats: int) -> int:
    winds = WINDS[:seats]
    if seat not in winds or len(seat) != 1:
        raise BadInput(f"seat: {seat!r} is not known; allowed are {', '.join(winds)}")
    return winds.index(seat)


def _rules(source: str, settings: Mapping[str, str]) -> Rules:
    return with_settings(resolve(source).rules, settings, "settings")


def _seated(players: Sequence[Player | str], seed: int, seats: int) -> list[tuple[Player, str, bool]]:
    """Return the players of all seats, their names, and whether each was given by name."""
    if not 1 <= len(players) <= seats:
        raise BadInput(f"players: {len(players)} given; allowed are 1 to {seats}")
    filled = [*players, *[OPPONENT] * (seats - len(players))]
    return [_named(player, seed, place) for place, player in enumerate(filled)]


def _named(player: Player | str, seed: int, place: int) -> tuple[Player, str, bool]:
    if not isinstance(player, str):
        return player, player.name if isinstance(player, Hampered) else type(player).__name__, False
    (entrant,) = enlist([player])
    return entrant.make(seeds.of_bot(str(seed), 0, place)), f"{entrant.name}-{place}", True
