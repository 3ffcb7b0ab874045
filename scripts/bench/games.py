"""One hanchan of four equal bots, in each of the ways that are compared.

`python -m scripts.bench.games ROW POLICY WARM-UP` is the child process of a row.
"""

import atexit
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from jantaku.table import core
from jantaku.table.ground.port import Action, Choice, Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Ending, Watch
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.writer import Header, Journal
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.bench.bursts import BurstCount, Play, serve
from scripts.bench.policies import POLICIES, WITH_BOARD, Policies, win_or_least_shanten

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


def judged(policy: str, mode: str = "inline", policies: Policies = POLICIES, named: str = RULES) -> Play:
    """Return a play by the judge, with the rules of that name and without a journal."""
    rules = preset(named)
    return lambda number: run(game_of(number, rules), bots(policy, number, policies, rules.game.players), mode)


def journalled(policy: str, *, buffered: bool = False) -> Play:
    """Return an inline play with the journal written to a file, which is then deleted."""
    rules = preset(RULES)
    head = msgspec.to_builtins(rules)
    folder = Path(tempfile.mkdtemp(prefix="jantaku-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def play(number: int) -> BurstCount:
        game = game_of(number, rules)
        path = folder / "game.jsonl"
        header = Header(FORMAT, "bench", "riichi", head, SEED, number, NAMES, game.first_dealer)
        kept = Journal(path, header, game, buffered=buffered)
        try:
            return run(game, bots(policy, number, WITH_BOARD), "inline", [kept])
        finally:
            kept.close()
            path.unlink()

    return play


def run(game: RiichiGame, players: list[Player], mode: str, watches: list[Watch] | None = None) -> BurstCount:
    """Let the judge play. RuntimeError if a bot is at fault or the game is not over, because then something else is
    measured."""
    result = Judge(game, players, mode=mode, watches=watches or ()).run()
    verdicts = [seat.verdicts for seat in result.seats]
    if any(not verdict.good for one in verdicts for verdict in one):
        raise RuntimeError(f"a bot of the benchmark was at fault: {verdicts}")
    if result.ending is not Ending.OVER:
        raise RuntimeError(f"a game of the benchmark is not over: {result.ending}")
    return BurstCount(hanchan=1, turns=result.turns, questions=sum(sum(one.values()) for one in verdicts))


# --- by nobody


def bare_engine(policy: str) -> Play:
    """Return a play of the pure game in a loop, without judge and players: the difference is the judge's cost."""
    rules = preset(RULES)

    def play(number: int) -> BurstCount:
        game, done = game_of(number, rules), BurstCount(hanchan=1)
        choose = _chooser(policy, game, number)

        def answer(seat: int, choice: Choice) -> Action:
            done.questions += choice.asks
            return choose(seat, choice) if choice.asks else choice.default

        while (turn := game.turn()) is not None:
            action = answer(turn.seat, turn.choice)
            game.act(action)
            responses: list[Action | None] = [None] * 4
            for seat in ((turn.seat + step) % 4 for step in (1, 2, 3)):
                if (reaction := game.reaction(seat, action)) is not None:
                    responses[seat] = answer(seat, reaction)
            game.rule(responses)
            done.turns += 1
        return done

    return play


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


# --- the rows

ROWS: dict[str, tuple[str, Callable[[str], Play]]] = {
    "engine": ("the pure game in a bare loop, without judge and players", bare_engine),
    "inline": ("the judge calls the players", judged),
    "three": ("inline, with three players", lambda policy: judged(policy, named="tenhou-3p")),
    "board": (
        "inline, with bots as users write them: on the base class, and each looks at its board",
        lambda policy: judged(policy, policies=WITH_BOARD),
    ),
    "board-play": ("board, and the journal as `play` writes it", journalled),
    "board-match": ("board, and the journal as `match` writes it", lambda policy: journalled(policy, buffered=True)),
    "resident": ("four threads live for the game", lambda policy: judged(policy, "resident")),
    "per-turn": ("four threads are started in every turn", lambda policy: judged(policy, "per-turn")),
}
"""By name: what a row is, and its play for a policy."""


if __name__ == "__main__":
    row, policy, warm_up = sys.argv[1:]
    serve(ROWS[row][1](policy), int(warm_up), core)
