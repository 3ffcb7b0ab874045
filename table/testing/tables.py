"""Seats bots for a test: whole games against built-in opponents, and single questions about a position."""

import threading
from collections.abc import Mapping, Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Player, Question, Remote, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import LIMIT, Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play import seeds
from jantaku.table.play.cores import core_for, on_core
from jantaku.table.play.roster import enlist, let_go
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import resolve, with_settings
from jantaku.table.riichi.words import word_of
from jantaku.table.testing.hampered import Hampered
from jantaku.table.testing.played import Listener, PlayedBotGame, left_behind
from jantaku.table.testing.script import Actor, scripts
from jantaku.table.testing.sitting import Sat, Sitting, in_words

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
        `one` is a single kyoku; `rules="tenhou-3p"` seats three. `threads` is `per-turn` (each turn makes a
        `DiscardEvent` and starts four threads), `resident` (four threads for the game: faster), or `inline` (no threads
        and so no clock: `limit=None`). Threads keep to one core, where they hand each other the turn faster, unless a
        library that computes in threads of its own is imported, or with `pin=False`. Raises BadInput for what cannot be
        played.
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
        by word: `東z6_ 南pass` (`jantaku.table.testing.script`). Raises BadInput for an impossible position or
        script, or if the seat is not asked.
        """
        law, words = _rules(rules, settings or {}), scripts(script)
        place = _place(seat, law.game.players)
        game = begin(law, stack(law, hands, **picture))
        bot = _named(player, 0, 0)[0]
        others: dict[int, Player] = {other: Actor(words[other]) for other in range(game.seats) if other != place}
        clock = Clock(turn=limit, reaction=limit)
        sitting = Sitting(
            game,
            place,
            bot,
            others,
            clock,
            script=words[place],
            enough=lambda bot: bool(bot.asked) or game.rounds > 1,
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
