"""What the planes say of the seat's own hand: shanten and waits between the turns, what each discard does in a turn.
Without numpy: the core compiles it."""

from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, kinds_in
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.scorer import Situation, has_yaku
from jantaku.table.riichi.rules import Rules


class OwnHand:
    """Shanten, waits and furiten of one seat as they stood when it last had 3n + 1 tiles."""

    __slots__ = ("_flags", "_kept", "_missing", "_yaku", "completing", "furiten", "shanten", "waits")

    def __init__(self) -> None:
        self.shanten = 0
        """Of the tiles after the last discard, kan or call; at least 0."""
        self.completing = 0
        """The kinds that complete the hand, as a bit mask."""
        self.waits = 0
        """Those of them of which a copy is unseen."""
        self.furiten = False
        self._missing = False
        """Whether the last event offers a tile that completes the hand."""
        self._flags: tuple[int, int] | None = None
        self._kept: tuple[int, int] | None = None
        self._yaku: dict[tuple[bytes, int], bool] = {}

    def start(self, board: Board, seat: int) -> None:
        """Begin a kyoku after the deal."""
        self.furiten = self._missing = False
        self._kept = None
        self._yaku.clear()
        self.settle(board, seat)

    def settle(self, board: Board, seat: int) -> None:
        """Look at the hand anew: it has 3n + 1 tiles."""
        counts = board.hands[seat].counts
        self._flags = None
        self.shanten, useful = shapes.useful(counts)
        self.completing = 0 if self.shanten else useful
        seen = board.visible_to(seat) if self.completing else counts
        self.waits = sum(1 << kind for kind in kinds_in(self.completing) if seen[kind] < 4)

    def discarded(self, board: Board, seat: int, was_riichi: bool, kept: tuple[int, int] | None) -> None:
        """Look at the hand after a discard of its own. With `kept` what discards do stays so from now on: the hand is
        in riichi, and the waits stay as well."""
        if not was_riichi:
            self.settle(board, seat)
        self._kept = kept
        self._look_at_river(board, seat, was_riichi)

    def _look_at_river(self, board: Board, seat: int, in_riichi: bool) -> None:
        """The hand is furiten if the river has a tile that completes it; what it missed counts on in riichi only."""
        river = bool(self.completing & board.rivers[seat].kinds)
        self.furiten = river or (in_riichi and self.furiten)

    def called(self, board: Board, seat: int) -> None:
        """Look at the hand after a chi or pon: waits and furiten stay as they were."""
        self._flags = None
        self._yaku.clear()
        self.shanten = max(shapes.shanten(board.hands[seat].counts), 0)

    def melded(self, board: Board, seat: int) -> None:
        """Look at the hand after a kan of its own, before the rinshan draw; in riichi the waits stay."""
        self._yaku.clear()
        in_riichi = bool(board.riichi[seat])
        if not in_riichi:
            self.settle(board, seat)
        self._look_at_river(board, seat, in_riichi)

    def drew(self) -> None:
        """Forget what discards do: there is one more tile."""
        self._flags = None

    def offered(self, kind: int) -> None:
        """Another seat discards or adds to a kan: if nobody wins, a wait makes furiten at the next event."""
        self._missing = bool(self.waits >> kind & 1) and not self.furiten

    def missed(self) -> None:
        """The next event is here."""
        if self._missing:
            self.furiten, self._missing = True, False

    def is_furiten(self, may_win: bool) -> bool:
        """Whether the seat is furiten now. A wait on which it may not win, for want of a yaku, counts at once."""
        return self.furiten or (self._missing and not may_win)

    def flags(self, tehai: Tehai) -> tuple[int, int]:
        """The kinds whose discard keeps the shanten, and those whose discard lowers it, as bit masks."""
        if self._kept is not None:
            return self._kept
        if self._flags is None:
            counts = tehai.counts
            least, best = shapes.best_discards(counts)
            if least >= self.shanten:
                self._flags = best if least == self.shanten else 0, 0
            else:
                self._flags = self._keeping(counts, tehai.one & ~best), best
        return self._flags

    def _keeping(self, counts: list[int], kinds: int) -> int:
        """Those of the kinds whose discard keeps the shanten."""
        rest, found = counts[:], 0
        for kind in kinds_in(kinds):
            rest[kind] -= 1
            if shapes.shanten(rest) == self.shanten:
                found |= 1 << kind
            rest[kind] += 1
        return found

    def certain(self, board: Board, seat: int, rules: Rules, kinds: int) -> int:
        """Those of the discards in `kinds` after which some unseen tile wins by ron with a yaku of the hand itself, and
        none that completes the hand is in the own river. After an accepted riichi it is the drawn tile, unless the
        hand is furiten."""
        tehai = board.hands[seat]
        if self.shanten > 1 or not board.live:
            return 0
        drawn = tehai.drawn
        if shapes.is_complete(tehai.counts) if drawn is None else self.waits >> KIND[drawn] & 1:
            return 0
        if board.deposited[seat]:
            return 0 if self.furiten or drawn is None else 1 << KIND[drawn]
        found = 0
        kinds &= shapes.tenpai_discards(tehai.counts)
        seen = board.visible_to(seat) if kinds else []
        for kind in kinds_in(kinds):
            if self._wins(board, seat, rules, kind, seen):
                found |= 1 << kind
        return found

    def _wins(self, board: Board, seat: int, rules: Rules, discard: int, seen: list[int]) -> bool:
        tehai = board.hands[seat]
        rest = tehai.counts[:]
        rest[discard] -= 1
        completing = shapes.waits(rest) & ~tehai.four & ~(1 << discard)
        if completing & board.rivers[seat].kinds:
            return False
        return any(
            seen[kind] < 4 and self._has_yaku(board, seat, rules, discard, kind) for kind in kinds_in(completing)
        )

    def _has_yaku(self, board: Board, seat: int, rules: Rules, discard: int, kind: int) -> bool:
        """Whether the hand without a discarded kind wins by ron on `kind`."""
        hand = board.hands[seat].copy()
        hand.remove(discard if hand.holds(discard) else 34 + discard // 9)
        key = bytes(hand.counts), kind
        known = self._yaku.get(key)
        if known is None:
            situation = Situation(seat=seat, round_wind=board.round, tsumo=False)
            known = self._yaku[key] = has_yaku(hand, kind, situation, rules)
        return known
