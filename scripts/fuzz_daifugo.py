"""大富豪 at full size: random games with invariants, and legality compared with a second implementation.

    python -m scripts.fuzz_daifugo --games 10000 --cases 100000

Prints one line for each class and preset. A violation ends it with the seed or the case in the message.
"""

import argparse
import tempfile
from pathlib import Path

from jantaku.table.daifugo.rules import PRESETS
from jantaku.table.ground.clock import now
from scripts.fuzzing.daifugo.check import check_game, check_legality, check_offers
from scripts.fuzzing.daifugo.deck import rules


def _games(letter: str, preset: str, games: int, seed: int, verify_every: int) -> str:
    """Play games of one round with 2 to 6 seats in turn, with ranks carried over in every tenth."""
    began, turns, verified = now(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(games):
            rounds = "3" if number % 10 == 0 else "1"
            table = rules(letter, preset, game__seats=str(2 + number % 5), series__rounds=rounds)
            checked = number % verify_every == 0
            turns += check_game(table, seed + number, Path(folder) if checked else None)
            verified += checked
    return f"class {letter} {preset}: {games} games, {turns} turns, {verified} verified, {now() - began:.0f} s"


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1000, help="games for each class and preset")
    parser.add_argument("--cases", type=int, default=100_000, help="plays whose legality is compared")
    parser.add_argument("--hands", type=int, default=2000, help="hands whose offers are compared")
    parser.add_argument("--verify-every", type=int, default=1, help="verify the record of every n-th game")
    parser.add_argument("--only", metavar="A-strict", help="one class and preset, for a run in several processes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"legality: {check_legality(given.cases, given.seed)} cases, no difference", flush=True)
    print(f"offers: {check_offers(given.hands, given.seed)} hands, no difference", flush=True)
    for letter in "AB":
        for preset in PRESETS:
            if given.only not in (None, f"{letter}-{preset}"):
                continue
            print(_games(letter, preset, given.games, given.seed, given.verify_every), flush=True)


if __name__ == "__main__":
    main()
