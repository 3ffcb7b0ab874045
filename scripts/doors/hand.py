"""A player of mjai, written from the protocol alone; needs only the standard library.

    python hand.py SEAT

It reads standard input. It answers an array of events with one line (`mjai`), and a single event only if it can act
(`mjai-lines`); it chooses among `possible_actions` if there are any, else it finds its own. So this file is a bot of
Akagi's or mjai.app under the name bot.py, and one of Mortal's under the name mortal.py.

Environment variables: JANTAKU_DOORS_THINK="SHARE SECONDS" makes it think that long at that share of its decisions.
JANTAKU_DOORS_END="SHARE MOST FILE" kills it at that share of all lines, MOST times in all, and writes a line to FILE
for each death and each start.
"""

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

Item = dict[str, Any]
WANTED = ("hora", "reach", "ankan", "kakan", "daiminkan", "pon", "chi")
HONOURS = "ESWNPFC"
LAST_DRAWS = 4
"""It declares no riichi with fewer draws to come."""
DRAWS = 70
CALLS = 0.3
"""Share of the possible calls that it makes."""


class Pauses:
    """Thinks for some seconds at a share of the decisions."""

    def __init__(self, share: float = 0.0, seconds: float = 0.0, seed: int = 0) -> None:
        self._share, self._seconds, self._chance = share, seconds, random.Random(seed)

    def think(self) -> None:
        """Wait as long as this decision takes."""
        if self._share and self._chance.random() < self._share:
            time.sleep(self._seconds * self._chance.uniform(0.5, 1.5))


def chosen(listed: Iterable[Item], chance: random.Random) -> Item | None:
    """Return the best listed action besides discards and passing: wins and riichi always, calls now and then."""
    found = [one for one in listed if one["type"] not in ("dahai", "none")]
    for item in sorted(found, key=lambda one: WANTED.index(one["type"]) if one["type"] in WANTED else len(WANTED)):
        if item["type"] in ("hora", "reach") or chance.random() < CALLS:
            return item
    return None


class Hand:
    """Plays one game after another. `played` lists its replies by type."""

    def __init__(self, seed: int = 0, pauses: Pauses | None = None) -> None:
        self.played: list[str] = []
        self.over = False
        self._chance = random.Random(seed)
        self._pauses = pauses or Pauses()
        self._me = -1
        self._scores = [0, 0, 0, 0]
        self._deal([])

    def _deal(self, hand: list[str]) -> None:
        self._hand, self._river = hand, list[str]()
        self._in_riichi = self._is_open = False
        self._last_draw, self._draws, self._waiting_with = "", 0, ""

    def reply(self, event: Item) -> Item:
        """Return the reply to an event."""
        said = self._said(event)
        self.played.append(said["type"])
        return said

    def _said(self, event: Item) -> Item:
        kind, own = event["type"], event.get("actor") == self._me
        self.follow(event)
        if kind in ("reach", "chi", "pon") and own:
            barred = event.get("cannot_dahai")
            if barred is None:
                return self._own_discard(event)
            assert set(barred) <= set(self._hand), "only what is in the hand is listed"
            return self._discard(barred, self._last_draw if kind == "reach" else "")
        if kind == "tsumo" and own:
            self._pauses.think()
            listed = event.get("possible_actions")
            if listed is None:
                return self._own_turn() or self._own_discard(event)
            return self._choose(listed) or self._discard([], event["pai"])
        if kind in ("dahai", "kakan") and not own:
            listed = event.get("possible_actions")
            may = kind == "dahai" or self._in_riichi  # furiten after it lets a kan go that it could rob
            found = listed if listed is not None else self._claims(event) if may else []
            if found:
                self._pauses.think()
            return self._choose(found) or {"type": "none"}
        return {"type": "none"}

    def _choose(self, listed: list[Item]) -> Item | None:
        return chosen(listed, self._chance)

    def _discard(self, barred: list[str], drawn: str) -> Item:
        """Discard any tile that is not barred; in riichi the drawn one."""
        allowed = [drawn] if self._in_riichi and drawn else [tile for tile in self._hand if tile not in barred]
        return self._dahai(self._chance.choice(allowed), drawn)

    def _dahai(self, tile: str, drawn: str) -> Item:
        return {"type": "dahai", "actor": self._me, "pai": tile, "tsumogiri": bool(drawn) and tile == drawn}

    def follow(self, event: Item) -> None:
        """Update the hand."""
        kind, own = event["type"], event.get("actor") == self._me
        self.over = kind == "end_game"
        self._draws += kind == "tsumo"
        if kind == "start_game":
            self._me = event["id"]
        elif kind == "start_kyoku":
            self._deal(list(event["tehais"][self._me]))
            self._scores = list(event.get("scores") or self._scores)
            assert all(hand == ["?"] * 13 for seat, hand in enumerate(event["tehais"]) if seat != self._me)
        elif not own:
            assert kind != "tsumo" or event["pai"] == "?", event
        elif kind == "tsumo":
            self._last_draw = event["pai"]
            self._hand.append(event["pai"])
        elif kind in ("dahai", "kakan"):
            self._hand.remove(event["pai"])
            self._river += [kind_of(event["pai"])] if kind == "dahai" else []
        elif kind == "reach_accepted":
            self._in_riichi = True
        elif kind in ("chi", "pon", "daiminkan", "ankan"):
            self._is_open = self._is_open or kind != "ankan"
            for tile in event["consumed"]:
                self._hand.remove(tile)

    # --- where nothing is listed

    def _own_turn(self) -> Item | None:
        """Return a tsumo, which has a yaku while the hand is closed, or a riichi."""
        if self._is_open:
            return None
        if complete(self._hand):
            return {"type": "hora", "actor": self._me, "target": self._me, "pai": self._last_draw}
        may = not self._in_riichi and len(self._hand) == 14 and self._scores[self._me] >= 1000
        if may and DRAWS - self._draws >= LAST_DRAWS:
            for tile in sorted(set(self._hand), key=self._use)[:3]:
                left = list(self._hand)
                left.remove(tile)
                if waits(left):
                    self._waiting_with = tile
                    return {"type": "reach", "actor": self._me}
        return None

    def _claims(self, event: Item) -> list[Item]:
        """Return the possible claims: a ron in riichi, or a pon or chi that leaves a legal discard."""
        tile, target = event["pai"], event["actor"]
        base = {"actor": self._me, "target": target, "pai": tile}
        if self._in_riichi:
            wins = complete([*self._hand, tile]) and not waits(self._hand) & set(self._river)
            return [{"type": "hora", **base}] if wins else []
        if self._draws >= DRAWS:
            return []
        same = [one for one in self._hand if kind_of(one) == kind_of(tile)][:2]
        melds = [("pon", same)] if len(same) == 2 else []
        if (target + 1) % 4 == self._me:
            melds += [("chi", found) for pair in neighbours(kind_of(tile)) if (found := self._held(pair))]
        calls = [{"type": kind, **base, "consumed": consumed} for kind, consumed in melds]
        return [call for call in calls if self._after(call)]

    def _held(self, kinds: tuple[str, str]) -> list[str]:
        """Return a tile of each kind; empty if one is missing."""
        found = [next((tile for tile in self._hand if kind_of(tile) == kind), "") for kind in kinds]
        return found if all(found) else []

    def _after(self, call: Item) -> list[str]:
        """Return the tiles that may be discarded after a call: not by kuikae."""
        left = list(self._hand)
        for tile in call["consumed"]:
            left.remove(tile)
        barred = swapped(call)
        return [tile for tile in left if kind_of(tile) not in barred]

    def _own_discard(self, event: Item) -> Item:
        kind, drawn = event["type"], self._last_draw
        if kind == "reach":
            return self._dahai(self._waiting_with, drawn)
        if kind == "tsumo":
            tile = drawn if self._in_riichi else min(self._hand, key=self._use)
            return self._dahai(tile, drawn)
        barred = swapped(event)
        return self._dahai(min((one for one in self._hand if kind_of(one) not in barred), key=self._use), "")

    def _use(self, tile: str) -> int:
        """Return how well a tile fits the others in the hand."""
        kinds, kind = Counter(map(kind_of, self._hand)), kind_of(tile)
        near = sum(kinds[one] for pair in neighbours(kind) for one in pair)
        return 4 * (kinds[kind] - 1) + near


def kind_of(tile: str) -> str:
    """Return a tile without its colour."""
    return tile.removesuffix("r")


def neighbours(kind: str) -> list[tuple[str, str]]:
    """Return the pairs that make a run with a tile."""
    if kind in HONOURS:
        return []
    number, suit = int(kind[0]), kind[1]
    pairs = [(number + one, number + other) for one, other in ((-2, -1), (-1, 1), (1, 2))]
    return [(f"{one}{suit}", f"{other}{suit}") for one, other in pairs if one >= 1 and other <= 9]


def swapped(call: Item) -> set[str]:
    """Return the kinds that kuikae forbids after a call."""
    kind = kind_of(call["pai"])
    if call["type"] == "pon":
        return {kind}
    numbers, suit = sorted(int(tile[0]) for tile in call["consumed"]), kind[1]
    ends = {numbers[0] - 1, numbers[1] + 1} if numbers[1] - numbers[0] == 1 else {int(kind[0])}
    return {f"{number}{suit}" for number in ends} | {kind}


def complete(tiles: list[str]) -> bool:
    """Return whether the tiles are sets and a pair, or seven pairs."""
    kinds = Counter(map(kind_of, tiles))
    if len(tiles) == 14 and len(kinds) == 7 and set(kinds.values()) == {2}:
        return True
    return len(tiles) % 3 == 2 and any(_sets(kinds - Counter({pair: 2})) for pair in kinds if kinds[pair] >= 2)


def _sets(kinds: Counter[str]) -> bool:
    if not kinds:
        return True
    first = min(kinds)
    run = [first, *next((pair for pair in neighbours(first) if min(pair) > first), ())]
    ways = [Counter({first: 3}), Counter(run)]
    return any(way.total() == 3 and way <= kinds and _sets(kinds - way) for way in ways)


def waits(tiles: list[str]) -> set[str]:
    """Return the kinds that complete a hand and of which it does not hold all four."""
    near = {one for tile in tiles for pair in neighbours(kind_of(tile)) for one in pair} | set(map(kind_of, tiles))
    held = Counter(map(kind_of, tiles))
    return {kind for kind in near if held[kind] < 4 and complete([*tiles, kind])}


# --- as a program


def _words(name: str) -> list[str]:
    return os.environ.get(name, "").split()


class Ends:
    """Kills this process at random lines, a number of times over all its lives."""

    def __init__(self, seed: int) -> None:
        given = _words("JANTAKU_DOORS_END")
        self._share, self._most, self._file = (float(given[0]), int(given[1]), given[2]) if given else (0.0, 0, "")
        lives = self._noted.count("started") if given else 0
        self._chance = random.Random(f"{seed} {lives}")
        if given:
            self._note("started")

    @property
    def _noted(self) -> list[str]:
        with open(self._file, "a+", encoding="utf-8") as file:
            file.seek(0)
            return file.read().split()

    def _note(self, what: str) -> None:
        with open(self._file, "a", encoding="utf-8") as file:
            file.write(what + "\n")

    def perhaps(self) -> None:
        """Kill the process, perhaps."""
        if self._share and self._chance.random() < self._share and self._noted.count("died") < self._most:
            self._note("died")
            os.kill(os.getpid(), signal.SIGKILL)


def pauses(seed: int) -> Pauses:
    """Return the pauses that the environment asks for."""
    given = _words("JANTAKU_DOORS_THINK")
    return Pauses(float(given[0]), float(given[1]), seed) if given else Pauses()


def main() -> None:
    """Play over standard input and output."""
    seed = int(os.environ.get("JANTAKU_SEED") or 0) + int(sys.argv[1])
    hand, ends = Hand(seed, pauses(seed)), Ends(seed)
    for line in sys.stdin:
        ends.perhaps()
        told = json.loads(line)
        *before, last = told if isinstance(told, list) else [told]
        for event in before:
            hand.follow(event)
        if not last.get("can_act", True):
            hand.follow(last)
            continue
        sys.stdout.write(json.dumps(hand.reply(last)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
