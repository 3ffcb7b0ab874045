"""PyPI `mjai` (its compiled mlibriichi) under our policies: `python -m scripts.bench.peer_mjai POLICY WARM-UP`.

`POLICY GAMES loop` plays that number of games and ends.

Runs in an environment of its own, with mjai and without jantaku. The agents read the engine's state object, not the
JSON log of the hand beside it; their replies are the short JSON texts that it wants. With the further word `board`
every agent first reads what that object shows of the table.
"""

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from mjai.mlibriichi.arena import Match  # type: ignore[import-not-found]
from mjai.mlibriichi.tools import calc_shanten  # type: ignore[import-not-found]

from scripts.bench.bursts import BurstCount, Play, serve

SUITED = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
TILES = [*SUITED, "E", "S", "W", "N", "P", "F", "C"]
INDEX = {tile: index for index, tile in enumerate(TILES)} | {"5mr": 4, "5pr": 13, "5sr": 22}
FIVES = (4, 13, 22)
SHORT = [*SUITED, *(f"{rank}z" for rank in range(1, 8))]
PASS = '{"type":"none"}'
SHOWN = ("tehai", "akas_in_hand", "tiles_seen", "chis", "pons", "minkans", "ankans", "scores")
Choose = Callable[[int, Any], str]
"""Returns a player's (0-3) reply in a state."""


def dahai(player: int, tile: str, drawn: str | None) -> str:
    """Return a discard; of two equal tiles the drawn one."""
    tsumogiri = "true" if tile == drawn else "false"
    return f'{{"type":"dahai","actor":{player},"pai":"{tile}","tsumogiri":{tsumogiri}}}'


def tsumogiri(player: int, state: Any) -> str:
    """T: discard the drawn tile, or pass."""
    if not state.last_cans.can_discard:
        return PASS
    drawn = state.last_self_tsumo()
    return dahai(player, drawn, drawn)


def winner(player: int, state: Any) -> str:
    """W: asks the package's own function for the shanten after a discard, once per kind in hand."""
    can = state.last_cans
    if can.can_agari:
        return f'{{"type":"hora","actor":{player},"target":{can.target_actor}}}'
    if can.can_riichi:
        return f'{{"type":"reach","actor":{player}}}'
    if not can.can_discard:
        return PASS
    drawn = state.last_self_tsumo()
    if state.self_riichi_accepted:
        return dahai(player, drawn, drawn)
    return dahai(player, least_shanten(state, drawn), drawn)


def least_shanten(state: Any, drawn: str) -> str:
    """Return the drawn tile if no discard leaves less shanten, else the first kind that leaves the least."""
    held = state.tehai
    first = INDEX[drawn]
    best, least = first, 99
    for kind in (first, *(kind for kind in range(34) if held[kind] and kind != first)):
        held[kind] -= 1
        left = calc_shanten("".join(SHORT[other] * count for other, count in enumerate(held) if count))
        held[kind] += 1
        if left < least:
            best, least = kind, left
    return drawn if best == first else written(best, state)


def written(kind: int, state: Any) -> str:
    """Return a tile of that kind in hand: the plain five before the red one."""
    red = kind in FIVES and state.akas_in_hand[kind // 9]
    return f"{TILES[kind]}r" if red and state.tehai[kind] == 1 else TILES[kind]


def dice(seed: int) -> Choose:
    """R: any option; red and plain fives are different options."""
    roll = random.Random(seed).random

    def choose(player: int, state: Any) -> str:
        can = state.last_cans
        special = can.can_agari or can.can_riichi or can.can_ankan or can.can_kakan or can.can_ryukyoku
        if can.can_discard and not special and not state.self_riichi_accepted:  # usual case: write only one option
            tiles = discards(state)
            return dahai(player, tiles[int(roll() * len(tiles))], state.last_self_tsumo())
        found = list(options(player, state))
        return found[int(roll() * len(found))]

    return choose


def looking(choose: Choose) -> Choose:
    """Return the same reply after a look at the table."""

    def chosen(player: int, state: Any) -> str:
        for name in SHOWN:
            getattr(state, name)
        return choose(player, state)

    return chosen


def options(player: int, state: Any) -> Iterator[str]:
    """Yield all legal replies. After a `reach` any discard is listed, because the state does not say which are
    legal."""
    can = state.last_cans
    if can.can_agari:
        yield f'{{"type":"hora","actor":{player},"target":{can.target_actor}}}'
    if can.can_discard:
        yield from own_turn(player, state, can)
    else:
        yield PASS
        if can.can_chi or can.can_pon or can.can_daiminkan:
            yield from calls(player, state, can)


def own_turn(player: int, state: Any, can: Any) -> Iterator[str]:
    """Yield discards, riichi, kans and the abortive draw."""
    drawn = state.last_self_tsumo()
    if state.self_riichi_accepted:
        yield dahai(player, drawn, drawn)
    else:
        yield from (dahai(player, tile, drawn) for tile in discards(state))
    if can.can_riichi:
        yield f'{{"type":"reach","actor":{player}}}'
    if can.can_ryukyoku:
        yield '{"type":"ryukyoku"}'
    if can.can_ankan:
        for kind in map(INDEX.__getitem__, state.ankan_candidates()):
            yield meld("ankan", player, [next(copies(kind, 4, state)), *[TILES[kind]] * 3])
    if can.can_kakan:
        for kind in map(INDEX.__getitem__, state.kakan_candidates()):
            yield kakan(player, kind, state)


def discards(state: Any) -> list[str]:
    reds, forbidden = state.akas_in_hand, state.forbidden_tiles
    found = []
    for kind, count in enumerate(state.tehai):
        if count and not forbidden[kind]:
            if kind in FIVES and reds[kind // 9]:
                found.append(f"{TILES[kind]}r")
                count -= 1
            if count:
                found.append(TILES[kind])
    return found


def kakan(player: int, kind: int, state: Any) -> str:
    """Return the call that adds the fourth tile to a pon; one of four fives is red."""
    tile, plain = written(kind, state), TILES[kind]
    five = kind in FIVES
    others = [f"{plain}r" if five and not tile.endswith("r") else plain, plain, plain]
    return meld("kakan", player, others, f'"pai":"{tile}",')


def calls(player: int, state: Any, can: Any) -> Iterator[str]:
    """Yield chi, pon and daiminkan of the last discard."""
    tile = state.last_kawa_tile()
    kind, more = INDEX[tile], f'"target":{can.target_actor},"pai":"{tile}",'
    for wanted, steps in ((can.can_chi_low, (1, 2)), (can.can_chi_mid, (-1, 1)), (can.can_chi_high, (-2, -1))):
        if wanted:
            one, two = ([*copies(kind + step, state.tehai[kind + step], state)] for step in steps)
            yield from (meld("chi", player, [a, b], more) for a in one for b in two)
    own = [*copies(kind, state.tehai[kind], state)]
    if can.can_pon:
        red = own[0].endswith("r")
        if state.tehai[kind] - red >= 2:
            yield meld("pon", player, [TILES[kind]] * 2, more)
        if red:
            yield meld("pon", player, [own[0], TILES[kind]], more)
    if can.can_daiminkan:
        yield meld("daiminkan", player, [own[0], TILES[kind], TILES[kind]], more)


def copies(kind: int, count: int, state: Any) -> Iterator[str]:
    """Yield the different tiles of a kind with `count` copies in hand: a red five first, then the plain one."""
    red = kind in FIVES and state.akas_in_hand[kind // 9]
    if red:
        yield f"{TILES[kind]}r"
    if count > red:
        yield TILES[kind]


def meld(word: str, player: int, own: list[str], more: str = "") -> str:
    tiles = ",".join(f'"{tile}"' for tile in own)
    return f'{{"type":"{word}","actor":{player},{more}"consumed":[{tiles}]}}'


class Agent:
    """One of the four players, as the engine calls it."""

    engine_type = "mjai-log"

    def __init__(self, name: str, choose: Choose) -> None:
        self.name, self._choose = name, choose
        self.asked, self.ended = 0, False
        self._player = 0

    def set_player_ids(self, player_ids: Any) -> None:
        """Called before the game. Every agent gets the list of all."""
        self._players = player_ids

    def react_batch(self, states: Any) -> list[str]:
        """Return the replies to the open questions; there is one, because games are played one at a time."""
        self.asked += len(states)
        players, choose = self._players, self._choose
        return [choose(players[one.game_index], one.state) for one in states]

    def start_game(self, index: int) -> None: ...

    def end_kyoku(self, index: int) -> None: ...

    def end_game(self, index: int, scores: list[int]) -> None:
        """Called only at the true end: a game that broke off returns as if it were over."""
        self.ended = True


def play_of(policy: str, board: bool) -> Play:
    """Return the play of a policy. RuntimeError if the engine breaks a game off."""
    fixed: dict[str, Choose] = {"T": tsumogiri, "W": winner}
    match = Match()

    def play(number: int) -> BurstCount:
        choose = fixed.get(policy) or dice(number)
        choose = looking(choose) if board else choose
        agents = [Agent(str(player), choose) for player in range(4)]
        match.py_match(*agents, seed_start=(number, 2000))
        if not all(agent.ended for agent in agents):
            raise RuntimeError(f"mjai broke game {number} off: an answer was not legal")
        return BurstCount(hanchan=1, questions=sum(agent.asked for agent in agents))

    return play


if __name__ == "__main__":
    policy, number, *words = sys.argv[1:]
    if words == ["loop"]:
        for one in range(int(number)):
            play_of(policy, board=False)(one)
    else:
        serve(play_of(policy, bool(words)), int(number))
