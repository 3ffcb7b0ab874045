"""An action as a reply of mjai."""

from table.formats.mjai.words import TILES, Line
from table.port import Action
from table.riichi import actions
from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import Meld
from table.riichi.pieces.seats import after, player_of


def replies(action: Action | None, me: int, board: Board) -> list[Line]:
    """The lines in which player `me` says `action`, None for nothing: one, or two for a riichi, the second of which
    belongs to the next message. `board` is what that player sees; ids count from the first dealer."""
    match action:
        case actions.Discard():
            discard: Line = {"type": "dahai", "actor": me, "pai": TILES[action.tile], "tsumogiri": action.tsumogiri}
            return [{"type": "reach", "actor": me}, discard] if action.riichi else [discard]
        case actions.Tsumo():
            return [{"type": "hora", "actor": me, "target": me}]
        case actions.Ron():
            target = player_of(board.last_seat, board.kyoku)
            return [{"type": "hora", "actor": me, "target": target, "pai": TILES[board.last_tile or 0]}]
        case actions.Kyuushu():
            return [{"type": "ryukyoku", "actor": me, "reason": "kyushukyuhai"}]
        case actions.Call(meld) | actions.Kan(meld):
            return [_meld(meld, me)]
    return [{"type": "none", "actor": me}]


def _meld(meld: Meld, me: int) -> Line:
    line: Line = {"type": meld.kind.name.lower(), "actor": me}
    if meld.added is not None:
        return line | {"pai": TILES[meld.added], "consumed": [TILES[tile] for tile in meld.tiles[:-1]]}
    if meld.called is not None:
        line |= {"target": after(me, meld.source), "pai": TILES[meld.called]}
    return line | {"consumed": [TILES[tile] for tile in meld.own]}
