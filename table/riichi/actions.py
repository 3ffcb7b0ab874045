"""What a seat may do in riichi. Actions are values: equal actions are the same action.

The turn seat: Discard, Tsumo, Kan (ankan or kakan), SetAside, Kyuushu. The others: Ron, Call, Pass.
After an exhausted wall where tenpai must be declared: Tenpai, Noten.
"""

import msgspec

from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.tiles import TILES, tile_text


class _Said(msgspec.Struct, frozen=True):
    """Base of all actions. Prints them as people write tiles: alone as `Discard s5*`, in lists as `<Discard s5*>`."""

    def __str__(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{self}>"


class Discard(_Said, frozen=True, gc=False):
    """Discard `tile`; `tsumogiri` says that it is the tile just drawn, `riichi` that the discard declares riichi."""

    tile: int
    tsumogiri: bool = False
    riichi: bool = False

    def __str__(self) -> str:
        return f"Discard {tile_text(self.tile)}{'_' if self.tsumogiri else ''}{'*' if self.riichi else ''}"


class Tsumo(_Said, frozen=True, gc=False):
    """Win on the tile that the seat has drawn."""


class Ron(_Said, frozen=True, gc=False):
    """Win on another seat's discard or kan."""


class Call(_Said, frozen=True):
    """Chi, pon or daiminkan of the tile just discarded."""

    meld: Meld

    def __str__(self) -> str:
        return f"Call {self.meld}"

    def twin(self) -> "Call":
        """An equal copy; see `jantaku.table.ground.choice.Choice`."""
        return Call(self.meld.twin())


class Kan(_Said, frozen=True):
    """Ankan or kakan on the seat's own turn."""

    meld: Meld

    def __str__(self) -> str:
        return f"Kan {self.meld}"

    def twin(self) -> "Kan":
        """An equal copy; see `jantaku.table.ground.choice.Choice`."""
        return Kan(self.meld.twin())


class SetAside(_Said, frozen=True, gc=False):
    """Set a north aside (抜きドラ); three-player games only."""


class Kyuushu(_Said, frozen=True, gc=False):
    """Abort the kyoku for nine kinds of terminals and honours (九種九牌)."""


class Pass(_Said, frozen=True, gc=False):
    """Do not claim the tile."""


class Tenpai(_Said, frozen=True, gc=False):
    """Declare tenpai at an exhausted wall."""


class Noten(_Said, frozen=True, gc=False):
    """Keep the hand closed at an exhausted wall."""


class Chombo(_Said, frozen=True, gc=False):
    """Replaces an unusable answer where such an answer ends the kyoku (チョンボ). It is never an option of a
    question."""


TSUMO, RON, KYUUSHU, PASS, TENPAI, NOTEN = Tsumo(), Ron(), Kyuushu(), Pass(), Tenpai(), Noten()
SET_ASIDE = SetAside()
CHOMBO = Chombo()

RiichiAction = Discard | Tsumo | Ron | Call | Kan | SetAside | Kyuushu | Pass | Tenpai | Noten
"""Every action of the game that a player can choose."""

DISCARDS = tuple(Discard(tile) for tile in range(TILES))
"""By tile: its plain discard from the hand."""
TSUMOGIRI = tuple(Discard(tile, tsumogiri=True) for tile in range(TILES))
"""By tile: its discard as the tile just drawn."""
RIICHI_DISCARDS = tuple(Discard(tile, riichi=True) for tile in range(TILES))
"""By tile: riichi with that tile from the hand."""
RIICHI_TSUMOGIRI = tuple(Discard(tile, tsumogiri=True, riichi=True) for tile in range(TILES))
"""By tile: riichi with that tile, just drawn."""
