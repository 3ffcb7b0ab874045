"""Checks that the same seed gives the same bytes: in every mode, with and without the compiled core.

`python -m scripts.bench.identical SEEDS MODE [SEATS]` prints the kind of core, and then a digest per seed, of the 牌譜
and of the journal without times. `compared` starts it for every mode, and once more in plain Python, and compares the
lines.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from jantaku.table import core
from jantaku.table.ground.errors import TableFault
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal.digest import BEGINNING
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.writer import Header, Journal
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import preset
from scripts.bench.measuring import ROOT
from scripts.bench.showing import Part

PURE = "JANTAKU_PURE"
"""Environment variable that disables the compiled core."""
COMPILED = "compiled"
"""The value of `table.core` if the compiled core is used."""
SEED = "identical"
MODES = ("inline", "resident", "per-turn")
PRESETS = {4: ("tenhou", "showa", "mahjongsoul", "mleague", "majiang"), 3: ("tenhou-3p", "mahjongsoul-3p")}
"""Presets by number of players."""
TABLES = (
    "scripts.bench.policies:Winner,caller,dice,tsumogiri",
    "shanten,caller,dice,dice",
    "caller,caller,dice,dice",
    "shanten,shanten,caller,shanten",
)


def digest(seed: int, mode: str, seats: int = 4) -> str:
    """Return the digest of the records of one game with `seats` seats. Rules, players and seating change with the
    seed."""
    presets = PRESETS[seats]
    name = presets[seed % len(presets)]
    rules = preset(name)
    entrants = enlist(TABLES[seed % len(TABLES)].split(",")[:seats])
    first_dealer, order = seat_draw(SEED, seed, seats)
    names = tuple([entrants[place].name for place in order])
    game = RiichiGame(rules, walls_from(SEED, seed, rules), names, first_dealer)
    header = Header(FORMAT, "bench", "riichi", {}, SEED, seed, names, first_dealer)
    players = [entrants[place].make(seeds.of_bot(SEED, seed, place)) for place in order]
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        path = Path(folder) / "game.jsonl"
        journal = Journal(path, header, game)
        try:
            Judge(game, players, mode=mode, watches=[journal]).run()
        finally:
            journal.close()
        records = _without_times(path.read_bytes()) + msgspec.json.encode(paifu_of(game.events, rules, name))
    return hashlib.blake2b(records, digest_size=16).hexdigest()


def _without_times(journal: bytes) -> bytes:
    """Return a journal without times, and without the digests, which cover times."""
    lines = []
    for line in journal.splitlines():
        if line.startswith(BEGINNING):
            continue
        if b'"used":' in line:
            told = msgspec.json.decode(line)
            for answer in told["answers"]:
                answer["used"] = 0
            line = msgspec.json.encode(told)
        lines.append(line)
    return b"\n".join(lines)


def compared(seeds: int, say: Callable[[str], None], seats: int = 4) -> tuple[Part, int]:
    """Compare that many seeds in every mode, and the plain core with the compiled one. Return the report, and how many
    differ."""
    running = {mode: _started(seeds, mode, seats, pure=False) for mode in MODES}
    running["pure"] = _started(seeds, MODES[0], seats, pure=True)
    built = [_next_line(process) for process in running.values()]
    if built[-1] == COMPILED:
        raise TableFault(f"the core runs compiled although {PURE} is set")
    if built[0] != COMPILED:
        say(f"the core is {built[0]}, so that nothing compiled is compared")
    whole, different = hashlib.blake2b(digest_size=16), 0
    for seed in range(seeds):
        found = {name: _next_line(process).split()[-1] for name, process in running.items()}
        if len({*found.values()}) > 1:
            different += 1
            say(f"seed {seed}: {', '.join(f'{name} {digest}' for name, digest in found.items())}")
        whole.update(found[MODES[0]].encode())
    for process in running.values():
        process.communicate()
    figures = {"seeds": seeds, "different": different, "digest": whole.hexdigest(), "core": built[0]}
    shown = f"{', '.join(MODES)} with the core {built[0]}, inline with it pure; digest {whole.hexdigest()}"
    return Part([{"row": "bytes", **figures}], f"{shown}\n{seeds} seeds, {different} different"), different


def _started(seeds: int, mode: str, seats: int, *, pure: bool) -> "subprocess.Popen[str]":
    environment = {name: value for name, value in os.environ.items() if name != PURE}
    words = [sys.executable, "-m", "scripts.bench.identical", str(seeds), mode, str(seats)]
    env = environment | ({PURE: "1"} if pure else {})
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env)


def _next_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise TableFault(f"bytes: a process ended with exit code {process.wait()}, see above")
    return line.strip()


def main() -> None:
    seeds, mode, *seats = sys.argv[1:]
    print(core, flush=True)
    for seed in range(int(seeds)):
        print(f"{seed} {digest(seed, mode, *map(int, seats))}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):  # the parent has the result
        os._exit(130)
