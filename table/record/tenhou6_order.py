"""The order of play of a hand of tenhou.net/6, which keeps takes and discards by player only.

A call may fit two discards of the same tile by the same player. The earlier one is tried first; where that leads
into a contradiction, the search goes back and takes the later one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from table.errors import BadInput
from table.record.tenhou6_words import NO_DISCARD, TSUMOGIRI, CallText, parse_call, tile_of
from table.riichi.pieces.melds import MeldKind


class Step(NamedTuple):
    """One step of play. `kind`: draw, call, discard or kan; `call` for call and kan; flags for a discard."""

    kind: str
    player: int
    tile: int = -1
    call: CallText | None = None
    tsumogiri: bool = False
    riichi: bool = False


class _Stuck(Exception):
    """This way of reading the hand leads nowhere."""


class _Way:
    """One way of reading the hand, as far as it has come."""

    def __init__(
        self, hands: list[Counter[int]], takes: Sequence[Sequence[Any]], outs: Sequence[Sequence[Any]]
    ) -> None:
        self.hands, self.takes, self.outs = hands, takes, outs
        self.taken, self.put = [0, 0, 0, 0], [0, 0, 0, 0]
        self.steps: list[Step] = []
        self.player = 0
        self.drawn = -1
        """The tile taken last, -1 after chi and pon."""

    def copy(self) -> "_Way":
        other = _Way([hand.copy() for hand in self.hands], self.takes, self.outs)
        other.taken, other.put, other.steps = self.taken[:], self.put[:], self.steps[:]
        return other

    def next_take(self, player: int) -> Any:
        at = self.taken[player]
        return self.takes[player][at] if at < len(self.takes[player]) else None

    @property
    def more_takes(self) -> bool:
        return any(at < len(takes) for at, takes in zip(self.taken, self.takes, strict=True))

    @property
    def finished(self) -> bool:
        return not self.more_takes and all(at == len(out) for at, out in zip(self.put, self.outs, strict=True))

    def take(self, player: int) -> None:
        """The next take of a player; a daiminkan is followed by its rinshan tile."""
        self.player = player
        take = self.next_take(player)
        if take is None:
            raise _Stuck(f"player {player} has nothing to take")
        self.taken[player] += 1
        if isinstance(take, int):
            self.drawn = tile_of(take)
            self.hands[player][self.drawn] += 1
            self.steps.append(Step("draw", player, self.drawn))
            return
        call = self._call_of_last(player, parse_call(take))
        self._lose(player, call.own)
        self.drawn = -1
        self.steps.append(Step("call", player, call.called, call))
        if call.kind == MeldKind.DAIMINKAN and self.more_takes:
            self.take(player)

    def _call_of_last(self, player: int, call: CallText) -> CallText:
        last = self.steps[-1] if self.steps else None
        fits = last and last.kind == "discard" and last.tile == call.called
        if not fits or last is None or (player + call.source) % 4 != last.player:
            raise _Stuck(f"player {player} calls a tile that was not just discarded")
        return call

    def discard(self) -> bool:
        """The next discard of the player whose turn it is; False where he has none."""
        player, out = self.player, self.outs[self.player]
        if self.put[player] == len(out):
            return False
        item = out[self.put[player]]
        self.put[player] += 1
        text = str(item)
        if text[0] != "r" and not text.isdigit():
            return self._kan(player, parse_call(text))
        code = int(text.removeprefix("r"))
        tile = self.drawn if code == TSUMOGIRI else tile_of(code)
        if tile < 0:
            raise _Stuck(f"player {player} discards the drawn tile and has drawn none")
        self._lose(player, (tile,))
        self.steps.append(Step("discard", player, tile, tsumogiri=code == TSUMOGIRI, riichi=text[0] == "r"))
        return True

    def _kan(self, player: int, call: CallText) -> bool:
        self._lose(player, (call.called,) if call.kind == MeldKind.KAKAN else (*call.own, call.called))
        self.steps.append(Step("kan", player, call.called, call))
        if not self.more_takes:
            return False
        self.take(player)
        return self.discard()

    def _lose(self, player: int, tiles: Sequence[int]) -> None:
        for tile in tiles:
            if not self.hands[player][tile]:
                raise _Stuck(f"player {player} does not hold a tile that leaves its hand")
            self.hands[player][tile] -= 1

    def followers(self) -> list[int]:
        """Who may come next after a discard: callers first, pon and kan before chi, then the next player."""
        last = self.steps[-1]
        found = []
        for player in range(4):
            take = self.next_take(player)
            if isinstance(take, str) and player != last.player:
                call = parse_call(take)
                if call.called == last.tile and (player + call.source) % 4 == last.player:
                    found.append((call.kind == MeldKind.CHI, player))
        after = (last.player + 1) % 4
        draws = [after] if isinstance(self.next_take(after), int) else []
        return [player for _, player in sorted(found)] + draws


def order_of_play(dealer: int, hands: Sequence[Sequence[Any]], takes: Sequence[Any], outs: Sequence[Any]) -> list[Step]:
    """The steps of one hand. Raises BadInput if no order fits all takes and discards."""
    counted = [Counter(tile_of(code) for code in hand) for hand in hands]
    kept = [[item for item in out if item != NO_DISCARD] for out in outs]
    waiting: list[tuple[_Way, int]] = [(_Way(counted, takes, kept), dealer)]
    furthest, trouble = -1, ""
    while waiting:
        way, player = waiting.pop()
        try:
            if _go_on(way, player, waiting):
                return way.steps
            reason = "takes or discards are left over"
        except _Stuck as stuck:
            reason = str(stuck)
        if len(way.steps) > furthest:
            furthest, trouble = len(way.steps), reason
    raise BadInput(f"event {furthest + 2}: no order of play fits: {trouble}")


def _go_on(way: _Way, player: int, waiting: list[tuple[_Way, int]]) -> bool:
    """Follow one way to its end; leave the other choices in `waiting`. Whether it used up everything."""
    while True:
        way.take(player)
        if not way.discard() or not way.more_takes:
            return way.finished
        followers = way.followers()
        if not followers:
            raise _Stuck(f"nobody can go on after the discard of player {way.player}")
        for other in reversed(followers[1:]):
            waiting.append((way.copy(), other))
        player = followers[0]
