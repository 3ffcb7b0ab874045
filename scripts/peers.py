"""Has majiang-core check our records: `python -m scripts.peers --games 300`.

Plays seeded games of dice, caller and shanten under the preset majiang with 1, 2 and 3 winners in turn, and lets
majiang-core's own replay (tests/peer/replay.js) replay each 牌譜: same events, points and ranks.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.languages.majiang.rule import to_majiang
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.core import compile_first

PEER = Path(__file__).parent.parent / "tests" / "peer"
REPLAY = PEER / "replay.js"
TABLES = ("dice,caller,shanten,shanten", "shanten,shanten,shanten,shanten", "caller,dice,caller,dice")


def rules_for(winners: int) -> Rules:
    """Return majiang-core's defaults with that many winners; there, two winners mean that three claims abort."""
    changes = {"ron.max_winners": str(winners), "ron.sanchahou": "true" if winners == 2 else "false"}
    return with_settings(preset("majiang"), {**changes, "ron.chankan_sanchahou": "false"})


def play(number: int) -> bytes:
    """Play one game; return a line for the replay."""
    rules = rules_for(number % 3 + 1)
    entrants = enlist(TABLES[number // 3 % len(TABLES)].split(","))
    first_dealer, order = seat_draw("peers", number)
    a, b, c, d = (entrants[place].name for place in order)
    game = RiichiGame(rules, walls_from("peers", number, rules), (a, b, c, d), first_dealer)
    players = [entrants[place].make(seeds.of_bot("peers", number, place)) for place in order]
    Judge(game, players, mode=Mode.INLINE).run()
    return line(paifu_of(game.events, rules, f"game {number}"), rules)


def replayed(games: int) -> tuple[int, str]:
    """Play and let majiang-core replay; return its exit code and output."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        with path.open("wb") as out:
            for number in range(games):
                out.write(play(number))
        return replay(path)


def replay(path: Path) -> tuple[int, str]:
    """Let majiang-core replay a file of lines as `line` writes them; return its exit code and output."""
    done = subprocess.run(
        ["node", str(REPLAY), str(path)], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.returncode, done.stdout.decode()


def line(paifu: dict[str, Any], rules: Rules) -> bytes:
    """Return a 牌譜 with its rules, as the replay reads them."""
    return msgspec.json.encode({"rule": to_majiang(rules), "paifu": paifu}) + b"\n"


def require_majiang_core() -> None:
    """Exit with a line that says what to do if node or majiang-core is not there."""
    if shutil.which("node") is None or not (PEER / "node_modules" / "@kobalab" / "majiang-core").is_dir():
        print("this needs node, and majiang-core from npm: npm install --prefix tests/peer", file=sys.stderr)
        sys.exit(2)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.peers", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="how many hanchan (default 300)")
    options = parser.parse_args()
    require_majiang_core()
    code, said = replayed(options.games)
    print(said, end="")
    return code


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
