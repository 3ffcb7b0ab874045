"""Writes an action as a reply of mjai, and lists the possible replies as gimite's servers do."""

from collections.abc import Iterable

from jantaku.table.ground.port import Action
from jantaku.table.languages.mjai.words import TILES, Line
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import at_side, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import NORTH

_ORDER = ("hora", "reach", "ryukyoku", "daiminkan", "pon", "chi", "ankan", "kakan", "nukidora", "none")
"""The order in which possible actions are listed."""


def replies(action: Action | None, me: int, board: Board, aside: str = "nukidora") -> list[Line]:
    """Return the lines in which player `me` says `action` (None: no action): one line, or two for a riichi, of which
    the second answers the next message. `board` is what that player sees; ids count from the first dealer. `aside` is
    the word for setting a north aside."""
    match action:
        case actions.Discard():
            discard: Line = {"type": "dahai", "actor": me, "pai": TILES[action.tile], "tsumogiri": action.tsumogiri}
            return [{"type": "reach", "actor": me}, discard] if action.riichi else [discard]
        case actions.Tsumo():
            drawn = {} if board.last_tile is None else {"pai": TILES[board.last_tile]}
            return [{"type": "hora", "actor": me, "target": me, **drawn}]
        case actions.Ron():
            target = player_of(board.last_seat, board.kyoku, board.seats)
            return [{"type": "hora", "actor": me, "target": target, "pai": TILES[board.last_tile or 0]}]
        case actions.Kyuushu():
            return [{"type": "ryukyoku", "actor": me, "reason": "kyushukyuhai"}]
        case actions.Call(meld) | actions.Kan(meld):
            return [_meld(meld, me, board.seats)]
        case actions.SetAside():
            return [{"type": aside, "actor": me, "pai": TILES[NORTH]}]
    return [{"type": "none", "actor": me}]


def possible_actions(options: Iterable[Action], me: int, board: Board) -> list[Line]:
    """The replies that player `me` may send, without discards and passing; of a riichi the first line. gimite's servers
    send them as `possible_actions` with an own `tsumo` and another seat's `dahai` or `kakan`."""
    found: list[Line] = []
    for option in options:
        line = replies(option, me, board)[0]
        if line["type"] not in ("dahai", "none") and line not in found:
            found.append(line)
    return sorted(found, key=lambda line: _ORDER.index(line["type"]))


def cannot_dahai(options: Iterable[Action], me: int, board: Board, *, riichi: bool = False) -> list[str]:
    """The tiles in the hand of player `me` that must not be discarded now. gimite's servers send them as `cannot_dahai`
    with an own `chi` or `pon` and, with `riichi`, an own `reach`."""
    allowed = {option.tile for option in options if isinstance(option, actions.Discard) and option.riichi == riichi}
    held = dict.fromkeys(board.hands[seat_of(me, board.kyoku, board.seats)].tiles)
    return [TILES[tile] for tile in held if tile not in allowed]


def _meld(meld: Meld, me: int, seats: int) -> Line:
    line: Line = {"type": meld.kind.name.lower(), "actor": me}
    if meld.added is not None:
        return line | {"pai": TILES[meld.added], "consumed": [TILES[tile] for tile in meld.tiles[:-1]]}
    if meld.called is not None:
        line |= {"target": at_side(me, meld.source, seats), "pai": TILES[meld.called]}
    return line | {"consumed": [TILES[tile] for tile in meld.own]}
