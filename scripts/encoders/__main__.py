"""Compares our observations with mlibriichi's, byte for byte: `python -m scripts.encoders --games 100`.

mlibriichi comes from PyPI's `mjai` 0.2.1 (CPython 3.10 to 3.12), in an environment that is kept in your cache. Bots
that make riichi, kans, calls and wins often play; at every choice of a seat, riichi discards and kans apart, all
versions are compared. Prints the first differences with their planes, and last `TOTAL n observations, d different`;
exit code 1 if d is not 0. mlibriichi knows tenhou's rules alone: under others, what differs only in the planes of the
offers and in the mask is counted apart, because these are the table's. `--freeze FILE` writes mlibriichi's digests
for tests.
"""

import argparse
import base64
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from jantaku.table.ground.errors import BadInput
from jantaku.table.learn.mortal import planes
from jantaku.table.learn.mortal.layout import starts
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.bench.peers import environment
from scripts.encoders.child import VERSIONS
from scripts.encoders.games import BOTS, play
from scripts.encoders.watch import Parts, SeatWatch

SHOWN = 10


class Peer:
    """The other program, in its own environment."""

    def __init__(self) -> None:
        python = environment(lambda text: print(text, file=sys.stderr))
        command = [str(python), str(Path(__file__).with_name("child.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, player: int, story: list[Any], raw: int | None = None) -> Any:
        """Return the reply about one seat's kyoku. Raises BadInput if the program does not understand it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        line = msgspec.json.encode({"player": player, "story": story, "raw": raw})
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline() or '{"error": "it has ended"}')
        if isinstance(reply, dict):
            raise BadInput(f"the other program says: {reply['error']}")
        return reply


class Comparison:
    """What all seats' observations came to."""

    def __init__(self, peer: Peer, tells: bool) -> None:
        """`tells`: a difference is printed with the kyoku that leads to it."""
        self.peer, self._tells = peer, tells
        self.count, self.different, self.explained = 0, 0, 0
        self.others = False
        """Whether the rules offer other actions than tenhou's, which the other program takes for granted."""
        self.frozen: list[list[str]] = []
        """The other program's digests by observation and version."""
        self.kinds: Counter[str] = Counter()
        """Observations by the kind of their question."""
        self.planes: Counter[str] = Counter()
        """By version and plane, how many observations differ first in it."""
        self.spent = [0.0] * len(VERSIONS)
        """Seconds that our observations took, by version."""

    def compare(self, player: int, story: list[Any], ours: list[list[str]], raw: list[Parts]) -> None:
        theirs = self.peer.ask(player, story)
        self.frozen += theirs
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            self.count += len(one)
            if one != other:
                self._report(player, story, number, raw[number], one, other)

    def _report(
        self, player: int, story: list[Any], number: int, ours: Parts, one: list[str], other: list[str]
    ) -> None:
        theirs = self.peer.ask(player, story, number)
        for place, version in enumerate(VERSIONS):
            if one[place] == other[place]:
                continue
            decoded = [base64.b64decode(part) for part in theirs[place]]
            found = first_difference(version, ours[place], decoded)
            if self.others and only_offers(version, ours[place][0], decoded[0]):
                self.explained += 1
                continue
            self.different += 1
            self.planes[f"mortal-{version} {found[0]}"] += 1
            if sum(self.planes.values()) <= SHOWN:
                print(f"mortal-{version}, player {player}: {found[0]}: ours {found[1]}, theirs {found[2]}")
                if not self._tells:
                    continue
                asks = [at for at, told in enumerate(story) if not isinstance(told, str)]
                print("  ", *(str(told) for told in story[: asks[number] + 1] if isinstance(told, str)), sep="\n   ")


def first_difference(version: int, ours: tuple[bytes, bytes], theirs: list[bytes]) -> tuple[str, Any, Any]:
    """Return the first plane that differs, and both rows of it; of the mask the numbers."""
    one, other = (np.frombuffer(each[0], np.float32).reshape(-1, 34) for each in (ours, theirs))
    rows = np.nonzero((one != other).any(axis=1))[0]
    if len(rows):
        row = int(rows[0])
        columns = np.nonzero(one[row] != other[row])[0]
        told = [{int(column): float(each[row, column]) for column in columns} for each in (one, other)]
        return f"plane {row} ({planes(version)[row]})", told[0], told[1]
    masks = [np.nonzero(np.frombuffer(each[1], np.bool_))[0].tolist() for each in (ours, theirs)]
    return "mask", masks[0], masks[1]


def only_offers(version: int, ours: bytes, theirs: bytes) -> bool:
    """Whether two observations differ in what is offered only: by the rules, that may be something else."""
    one, other = (np.frombuffer(each, np.float32).reshape(-1, 34).copy() for each in (ours, theirs))
    first = starts(version)["claimed"]
    one[first:] = other[first:] = 0
    return bool((one == other).all())


def offers_of(rules: Rules) -> tuple[Any, ...]:
    """Return what the rules say of the actions that are offered."""
    riichi, call = rules.riichi, rules.call
    riichi_terms = riichi.min_points, riichi.min_tiles, riichi.ankan
    return *riichi_terms, call.kuikae, call.kokushi_ankan, rules.abort.kyuushu, rules.draw.own_four_is_tenpai


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.encoders", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="how many hanchan by each of the rules (default 20)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game (default 0)")
    parser.add_argument("--rules", default="tenhou", help="presets, apart by commas (default tenhou)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of the rules")
    parser.add_argument("--bots", default=",".join(BOTS), help=f"who plays, by turns (default {','.join(BOTS)})")
    parser.add_argument("--freeze", type=Path, metavar="FILE", help="write the other program's digests to a new file")
    parser.add_argument("--story", action="store_true", help="print the kyoku before a difference, as mjai")
    given = parser.parse_args()
    comparison = Comparison(Peer(), given.story)
    settings = dict(one.split("=", 1) for one in given.set)
    for name in given.rules.split(","):
        rules = with_settings(preset(name), settings) if settings else preset(name)
        comparison.others = offers_of(rules) != offers_of(preset("tenhou"))
        before, unequal, explained = comparison.count, comparison.different, comparison.explained
        for number in range(given.first, given.first + given.games):
            play(rules, number, given.bots.split(","), [SeatWatch(player, comparison) for player in range(4)])
        found = comparison.count - before, comparison.different - unequal
        by_rules = comparison.explained - explained
        print(f"{name}: {found[0]} observations, {found[1]} different, {by_rules} more by these rules", flush=True)
    for plane, times in comparison.planes.most_common(30):
        print(f"{times:6} {plane}")
    if given.freeze:
        given.freeze.write_text(json.dumps(comparison.frozen, separators=(",", ":")).replace("],", "],\n") + "\n")
    asked = sum(comparison.kinds.values())
    print(*(f"{kind} {times}" for kind, times in comparison.kinds.items()), sep=", ")
    for version, seconds in zip(VERSIONS, comparison.spent, strict=True):
        print(f"mortal-{version}: {seconds / max(asked, 1) * 1e6:.1f} µs an observation")
    print(f"TOTAL {comparison.count} observations, {comparison.different} different")
    return int(comparison.different > 0)


if __name__ == "__main__":
    sys.exit(main())
