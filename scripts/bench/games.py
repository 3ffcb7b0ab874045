"""One hanchan of four equal bots, in each of the ways that are compared."""

import atexit
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.ground.port import Action, Answer, Choice, Player, PlayerWrapper, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Ending, Result, Watch
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.writer import Header, Journal
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.bench.bursts import BurstCount, Play
from scripts.bench.policies import POLICIES, Policies, win_or_least_shanten

SEED = "bench"
NAMES = ("a", "b", "c", "d")
RULES = "tenhou"


def game_of(number: int, rules: Rules) -> RiichiGame:
    """Return the hanchan of that number, dealt and not yet played."""
    return RiichiGame(rules, walls_from(SEED, number, rules), NAMES[: rules.game.players])


def bots(policy: str, number: int, policies: Policies = POLICIES, seats: int = 4) -> list[Player]:
    """Return one bot of that policy per seat."""
    return [policies[policy](seed=number * 4 + seat) for seat in range(seats)]


# --- by the judge


def judged(policy: str, mode: str, policies: Policies = POLICIES, named: str = RULES) -> Play:
    """Return a play by the judge, with the rules of that name and without a journal."""
    rules = preset(named)
    return lambda number: run(game_of(number, rules), bots(policy, number, policies, rules.game.players), mode)


def counted(policy: str) -> Play:
    """Return an inline play by bots that count their options."""
    rules = preset(RULES)

    def play(number: int) -> BurstCount:
        players = [Counting(bot) for bot in bots(policy, number)]
        done = run(game_of(number, rules), [*players], "inline")
        done.options = sum(player.options for player in players)
        return done

    return play


def journalled(policy: str, policies: Policies = POLICIES, *, buffered: bool = False) -> Play:
    """Return an inline play with the journal written to a file, which is then deleted."""
    rules = preset(RULES)
    head = msgspec.to_builtins(rules)

    def keeping(game: RiichiGame, number: int, path: Path) -> Journal:
        header = Header(FORMAT, "bench", "riichi", head, SEED, number, NAMES, game.first_dealer)
        return Journal(path, header, game, buffered=buffered)

    return _kept(policy, keeping, policies)


def written(policy: str, policies: Policies = POLICIES, *, at_once: bool = False) -> Play:
    """Return an inline play that writes `LENGTH` constant bytes for each turn, or `at_once` all at the end."""
    return _kept(policy, lambda _game, _number, path: Bare(path, at_once=at_once), policies)


def _kept(policy: str, keeping: Callable[[RiichiGame, int, Path], "Journal | Bare"], policies: Policies) -> Play:
    rules = preset(RULES)
    folder = Path(tempfile.mkdtemp(prefix="jantaku-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def play(number: int) -> BurstCount:
        game = game_of(number, rules)
        path = folder / "game.jsonl"
        kept = keeping(game, number, path)
        try:
            return run(game, bots(policy, number, policies), "inline", [kept])
        finally:
            kept.close()
            path.unlink()

    return play


LENGTH = 180
"""Typical bytes of a turn in a journal."""


class Bare:
    """Writes constant bytes in every turn, or all at the end: the cost of a journal without composing it. Implements
    `Watch`."""

    def __init__(self, path: Path, *, at_once: bool) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        self._turn = b"x" * LENGTH
        self._at_once = at_once
        self._left = 0

    def events(self, new: Sequence[object]) -> None:
        """Write the bytes of a turn, or count it."""
        if self._at_once:
            self._left += 1
        else:
            os.write(self._file, self._turn)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Does nothing: a turn is counted by its events."""

    def close(self) -> None:
        """Write the rest, and close the file."""
        os.write(self._file, self._turn * self._left)
        os.close(self._file)


def run(game: RiichiGame, players: list[Player], mode: str, watches: list[Watch] | None = None) -> BurstCount:
    """Let the judge play. RuntimeError if a bot is at fault, because then something else is measured."""
    return count_of(Judge(game, players, mode=mode, watches=watches or ()).run())


def count_of(result: Result) -> BurstCount:
    """Count a finished game. RuntimeError if a bot was at fault or the game is not over."""
    verdicts = [seat.verdicts for seat in result.seats]
    if any(not verdict.good for one in verdicts for verdict in one):
        raise RuntimeError(f"a bot of the benchmark was at fault: {verdicts}")
    if result.ending is not Ending.OVER:
        raise RuntimeError(f"a game of the benchmark is not over: {result.ending}")
    return BurstCount(hanchan=1, turns=result.turns, questions=sum(sum(one.values()) for one in verdicts))


class Counting(PlayerWrapper):
    """A player that counts its options."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.options = 0

    def answer(self, question: Question) -> Action:
        """Count the options, and return the player's answer."""
        self.options += len(question.options)
        return super().answer(question)


# --- by nobody


def bare_engine(policy: str) -> Play:
    """Return a play of the pure game in a loop, without judge, questions and players: the difference is the judge's
    cost."""

    def play(number: int) -> BurstCount:
        done = BurstCount(hanchan=1)
        for asked, others in asked_seats(policy, number):
            done.turns += 1
            done.questions += len(asked) + len(others)
        return done

    return play


Asked = list[int]
"""Seats asked at the same time."""


def asked_seats(policy: str, number: int) -> Iterator[tuple[Asked, Asked]]:
    """Play a hanchan; yield for each turn the seats asked: the turn seat, if it is, then all that may react."""
    game = game_of(number, preset(RULES))
    choose = _chooser(policy, game, number)
    while (turn := game.turn()) is not None:
        mover, choice = turn.seat, turn.choice
        action = choose(mover, choice) if choice.asks else choice.default
        game.act(action)
        responses: list[Action | None] = [None] * 4
        others = []
        for step in (1, 2, 3):
            seat = (mover + step) % 4
            reaction = game.reaction(seat, action)
            if reaction is None:
                continue
            if reaction.asks:
                others.append(seat)
                responses[seat] = choose(seat, reaction)
            else:
                responses[seat] = reaction.default
        game.rule(responses)
        yield [mover] if choice.asks else [], others


def _chooser(policy: str, game: RiichiGame, number: int) -> Callable[[int, Choice], Action]:
    if policy == "T":
        return lambda seat, choice: choice.default
    if policy == "R":
        dice = random.Random(number).random
        return lambda seat, choice: choice.options[int(dice() * len(choice.options))]

    def win_or_shanten(player: int, choice: Choice) -> Action:
        hand = game.kyoku.board.hands[(player - game.standing.kyoku - game.first_dealer) % 4]
        return win_or_least_shanten(choice.options, choice.default, hand.counts)

    return win_or_shanten
