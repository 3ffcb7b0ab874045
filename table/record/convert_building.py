"""What every importer needs: items put together, followed as they come, and results filled in from the board."""

from collections.abc import Sequence

import msgspec

from table.record.follow import Follower
from table.record.items import DRAW_NAMES, Item
from table.record.paifu import by_kyoku
from table.record.read import Record
from table.record.shapes import Qipai, refuse_misshapen
from table.riichi.pieces.board import Board
from table.riichi.pieces.notation import hand_text
from table.riichi.points.shapes import waits

MOST_KANS = 4
NOTEN_MOST = 3000
"""More than this is never paid between tenpai and noten: a draw that pays more is 流し満貫."""


class Imported(msgspec.Struct):
    """A foreign log as a record. `ended`: the log says that the game was over. `reds`: whether red fives are used.

    `draws`: by kyoku from 1, what else a draw may have been of which the log does not tell everything. `unpaid`:
    kyoku whose wins do not tell what is paid; their `fenpei` stand at nothing.
    """

    record: Record
    ended: bool = False
    reds: bool = True
    tonpu: bool = False
    notes: list[str] = []
    draws: dict[int, list[Item]] = {}
    unpaid: set[int] = set()


class Builder:
    """The items of one kyoku in the order of play."""

    def __init__(self, where: str, qipai: Item) -> None:
        refuse_misshapen(qipai, Qipai, where)
        self._follower = Follower(where)
        self._items: list[Item] = []
        self.add("qipai", qipai)

    @property
    def board(self) -> Board:
        """The board after the items so far."""
        return self._follower.board

    def add(self, key: str, value: Item) -> None:
        """One more item. Raises BadInput if it contradicts those before."""
        item = {key: value}
        self._follower.take(item)
        self._items.append(item)

    @property
    def kyoku(self) -> list[Item]:
        """All items as a 牌譜 has them."""
        return by_kyoku(self._items)[0]

    @property
    def after_kan(self) -> bool:
        """Whether the next draw is a rinshan tile."""
        last = next(item for item in reversed(self._items) if "kaigang" not in item)
        return "gang" in last or ("fulou" in last and self.board.hands[last["fulou"]["l"]].melds[-1].is_kan)

    @property
    def finished(self) -> bool:
        """Whether the kyoku has a result."""
        return not self._items[-1].keys().isdisjoint(("hule", "pingju"))

    def won_hand(self, seat: int, tsumo: bool) -> str:
        """The hand of a winner with the winning tile last."""
        hand, board = self.board.hands[seat], self.board
        tiles = hand.tiles_before_draw if tsumo else hand.tiles
        return hand_text(tiles, hand.melds, last=board.last_tile, riichi=bool(board.riichi[seat]))

    def shown_hands(self, seats: Sequence[int]) -> list[str]:
        """By seat the hands that are opened at a draw, empty where one stays closed."""
        shown = []
        for seat, hand in enumerate(self.board.hands):
            text = hand_text(hand.tiles_before_draw, hand.melds, last=hand.drawn, riichi=bool(self.board.riichi[seat]))
            shown.append(text if seat in seats else "")
        return shown

    def openers(self, name: str, fenpei: Sequence[int]) -> list[int]:
        """The seats that open their hands at a draw of which the log tells name and payments only."""
        board = self.board
        if name == DRAW_NAMES["kyuushu"]:
            return [board.last_seat]
        if name == DRAW_NAMES["suucha"]:
            return [0, 1, 2, 3]
        if name == DRAW_NAMES["sanchahou"]:
            return [seat for seat in range(4) if seat != board.last_seat]
        if name == DRAW_NAMES["exhaustive"] and any(fenpei):
            return [seat for seat in range(4) if fenpei[seat] > 0]
        if name in (DRAW_NAMES["exhaustive"], DRAW_NAMES["nagashi"]):
            return [seat for seat, hand in enumerate(board.hands) if waits(hand.counts)]
        return []

    def other_draws(self, names: Sequence[str], fenpei: Sequence[int]) -> list[Item]:
        """Everything that a draw with these payments may have been: one of `names`, and this or that hand opened."""
        riichi = [seat for seat in range(4) if self.board.riichi[seat]]
        found: list[Item] = []
        for name in names:
            for seats in (self.openers(name, fenpei), riichi, []):
                pingju = {"name": name, "shoupai": self.shown_hands(seats), "fenpei": list(fenpei)}
                if pingju not in found:
                    found.append(pingju)
        return found

    def draw_name(self, fenpei: Sequence[int]) -> str:
        """The name of a draw that the log does not name."""
        board = self.board
        if any(fenpei):
            return DRAW_NAMES["nagashi" if max(fenpei) > NOTEN_MOST else "exhaustive"]
        if board.hands[board.last_seat].drawn is not None:
            return DRAW_NAMES["kyuushu"]
        if all(board.riichi):
            return DRAW_NAMES["suucha"]
        if sum(any(meld.is_kan for meld in hand.melds) for hand in board.hands) > 1 and board.kans == MOST_KANS:
            return DRAW_NAMES["suukan"]
        if not board.live:
            return DRAW_NAMES["exhaustive"]
        first = [river.tiles[:1] for river in board.rivers]
        return DRAW_NAMES["suufon" if len({tuple(tiles) for tiles in first}) == 1 else "sanchahou"]
