"""One game with the player under examination in one seat: what it hears, answers, and where it failed.

A script has what seats say in a kyoku, word by word:

    東. 南m1_ 東z6* 西pass

A word is a wind and what that seat answers: `.` the default (ツモ切り), a discard (`m1`, `m1_` ツモ切り, `m1*`, `m1_*`
with riichi), a meld in Majiang notation, `tsumo`, `ron`, `setaside` (a north, with three players), `kyuushu`, `tenpai`,
`noten` or `pass`.

A number after `*` repeats a word: `南.*17`. Words of one seat are used in order. A word for the seat's own turn waits
for that turn, a reaction until it is offered; meanwhile the seat answers the default.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from jantaku.table.ground.errors import BadInput, PlayerFault, PlayersNotReady, TableFault
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import (
    Action,
    Answer,
    Choice,
    Evidence,
    Player,
    PlayerWrapper,
    Question,
    Verdict,
    port_of,
)
from jantaku.table.judge.judge import Judge, OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.player import State
from jantaku.table.judge.result import Result
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.verdicts import IN_A_THREAD, in_objects, shown
from jantaku.table.play.outcome import details_of, listed, wrapped
from jantaku.table.play.roster import let_go
from jantaku.table.riichi.actions import PASS, RiichiAction, Ron, Tsumo
from jantaku.table.riichi.events import KyokuStart, Ryukyoku, Win
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import WINDS, player_of, seat_of
from jantaku.table.riichi.words import word_of

DEFAULT = "."
_WORD = re.compile(rf"([{WINDS}])(.+?)(?:\*(\d+))?")
_REACTION = re.compile(r"ron|pass|[mpsz]\d+[-+=]\d*")
_KAKAN = re.compile(r"[mpsz]\d{3}[-+=]\d")


class Script:
    """The words of one seat, used in that seat's thread. A word that does not fit is not the player's fault: `trouble`
    keeps it, and the script ends there."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = list(words)
        self.trouble = ""

    def say(self, question: Question) -> Action | None:
        """Return the script's answer to this question; None when all its words are used."""
        if not self._words:
            return None
        word = self._words[0]
        turn = PASS not in question.options
        if word == DEFAULT and turn:
            self._words.pop(0)
            return question.default
        for option in question.options:
            if word_of(option) == word:
                self._words.pop(0)
                return option
        if turn and not _is_reaction(word):
            offered = " ".join(map(word_of, question.options))
            self.trouble = f"script: the word {word} is not among what the seat may do: {offered}"
            self._words.clear()
        return question.default


class Actor:
    """A player that follows a script, and answers the default afterwards."""

    listens = False

    def __init__(self, script: Script) -> None:
        self.script = script

    def hear(self, event: object) -> None:
        """Does nothing: the script does not depend on events."""

    def answer(self, question: Question) -> Action:
        """Return the next word's action, or the default."""
        said = self.script.say(question)
        return question.default if said is None else said


def scripts(text: str) -> list[Script]:
    """Parse `text` into the scripts of the seats. BadInput for unknown words."""
    words: list[list[str]] = [[], [], [], []]
    for word in text.split():
        match = _WORD.fullmatch(word)
        if match is None:
            raise BadInput(
                f"script: “{word}” is no word; a word is one of {WINDS} and what that seat says, as in 東m1_"
            )
        words[WINDS.index(match[1])] += [match[2]] * int(match[3] or 1)
    return [Script(said) for said in words]


def _is_reaction(word: str) -> bool:
    return bool(_REACTION.fullmatch(word)) and not _KAKAN.fullmatch(word)


# Wraps the player under examination: records what it hears and answers, and its last question.


class Examined(PlayerWrapper):
    """A player that follows a script first and then answers by itself.

    Questions that the script answers are not put to the player: it hears what its seat did, as after a timeout. Runs in
    the seat's thread.
    """

    def __init__(self, player: Player, game: Game, script: Script | None = None) -> None:
        self.script = script or Script(())
        self.asked = 0
        """Number of questions put to the player itself."""
        self.rounds = 0
        """Kyoku of the last of them, from 1."""
        self.opening: Question | None = None
        """The first of them."""
        self.question: Question | None = None
        """The last of them."""
        self.at = 0
        """Number of events of the game at the last of them."""
        self.given: object = None
        """The player's answer to it; None if it gave none."""
        self.deaf: tuple[int, str] | None = None
        """Number of the event at which `hear` failed, and the error."""
        super().__init__(player)
        self._game = game
        self._heard = 0

    def hear(self, event: Any) -> None:
        """Pass the event on, and note the first one at which the player fails."""
        self._heard += 1
        try:
            self.wrapped.hear(event)
        except BaseException as fault:  # of any kind: the seat decides what it means
            if self.deaf is None and not isinstance(fault, PlayerFault):
                self.deaf = self._heard, f"{type(fault).__name__}: {fault}"
            raise

    def answer(self, question: Question) -> Action:
        """Return the script's answer, else the player's."""
        said = self.script.say(question)
        if said is not None:
            return said
        self.asked += 1
        self.question, self.given = question, None
        self.opening = self.opening or question
        self.rounds, self.at = self._game.rounds, len(self._game.events)
        self.given = given = self.wrapped.answer(question)
        return given


# The exchange at which a player failed, in words that its author can act on.

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


# One game with the player under examination in one seat, until it fails or has been asked enough.


class Sat(msgspec.Struct, frozen=True):
    """The result of a sitting. `longest` is the player's slowest answer in seconds."""

    asked: int
    longest: float
    failure: QuestionReport | None


class Sitting:
    """A game with `player` at `place` and `others` at the other places. Implements `Watch`.

    `clock` is the player's own; the others have no limit. The game ends at the player's first fault, at its end, or
    when `enough` says so.
    """

    def __init__(
        self,
        game: RiichiGame,
        place: int,
        player: Player,
        others: Mapping[int, Player],
        clock: Clock,
        *,
        threads: Mode | str = Mode.RESIDENT,
        script: Script | None = None,
        enough: Callable[[Examined], bool] = lambda bot: False,
    ) -> None:
        self.bot = Examined(player, game, script)
        self._game, self._place, self._enough = game, place, enough
        self._others = others
        self._failure: QuestionReport | None = None
        self._claimed = False
        seats = [others.get(seat, self.bot) for seat in range(game.seats)]
        clocks = [clock if seat == place else Clock() for seat in range(game.seats)]
        self._judge = Judge(
            game,
            seats,
            mode=threads,
            clock=clocks,
            watches=[self],
            on_fault=OnFault.VOID,
            must_start=True,
        )

    def play(self) -> Sat:
        """Play the game. BadInput for a script that cannot be followed. Ctrl-C ends the game and is raised."""
        self._judge.start()
        try:
            result = self._judge.join()
        except PlayersNotReady as unready:
            failure = without_question(self.bot, self._game, self._place, "start_failed", unready.missing[0][1])
            return Sat(self.bot.asked, 0.0, failure)
        except KeyboardInterrupt:
            self._judge.stop()
            raise
        finally:
            let_go(self.bot)
        self._check_scripts()
        report = result.seats[self._place]
        return Sat(self.bot.asked, report.longest, self._failure or self._afterwards(result))

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """"""
        for answer in answers:
            if answer.seat == self._place:
                if answer.verdict.good:
                    self._claimed = isinstance(answer.action, Ron | Tsumo)
                elif self._failure is None:
                    self._failure = not_good(self.bot, self._game, self._place, answer)
            elif not answer.verdict.good:
                raise TableFault(f"the player opposite failed: {answer.verdict}: {answer.reason}")

    def events(self, new: Sequence[Any]) -> None:
        """"""
        if self._claimed:
            self._claimed = False
            if not self._won(new):
                reason = "it claimed the win in time and was not among the winners"
                self._failure = self._failure or without_question(self.bot, self._game, self._place, "unpaid", reason)
        if self._failure is not None or self._enough(self.bot):
            self._judge.stop()

    def _won(self, new: Sequence[Any]) -> bool:
        """Return whether the last claim was paid, lost to a nearer claim by the rules, or aborted the kyoku."""
        wins = [event for event in new if isinstance(event, Win)]
        if not wins:
            return any(isinstance(event, Ryukyoku) for event in new)
        end = len(self._game.events) - len(new)
        dealer = next(event.dealer for event in reversed(self._game.events[:end]) if isinstance(event, KyokuStart))
        ron = self._game.rules.ron
        won = any(player_of(win.seat, dealer, self._game.seats) == self._place for win in wins)
        return won or len(wins) in (ron.max_winners, ron.chankan_max_winners)

    def _afterwards(self, result: Result) -> QuestionReport | None:
        """Return a failure that no verdict shows; None if there is none."""
        if self.bot.deaf is not None:
            return while_hearing(self.bot, self._game, self._place)
        report = result.seats[self._place]
        if report.state == State.GONE:
            return without_question(self.bot, self._game, self._place, "gone", "it did not come back")
        if report.stale:
            reason = f"{report.stale} replies that answered nothing, or came after their time"
            return without_question(self.bot, self._game, self._place, "stale", reason)
        return None

    def _check_scripts(self) -> None:
        actors = [other for other in self._others.values() if isinstance(other, Actor)]
        for script in (self.bot.script, *(actor.script for actor in actors)):
            if script.trouble:
                raise BadInput(script.trouble)
