"""The table at one moment as a picture: what `terminal.position` prints, as SVG for a notebook or page."""

from collections.abc import Sequence
from html import escape
from typing import Final

from jantaku.table.ground.columns import shortened
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.picture import HEIGHT, WIDTH, element, hand_row, placed
from jantaku.table.riichi.pieces.seats import WINDS, after

SIDE: Final = 1200
"""Length of the table's sides, in units of which a tile is 60 wide."""
_CENTRE: Final = SIDE // 2
_LONG = 6
"""Tiles in a row of a river, as at a table; the third row goes on."""
_ROWS = 3
_FELT, _INK, _FAINT = "#1d5c47", "#f4f1e4", "#b9d3c8"
_HAND: Final = 0.8
_RIVER: Final = 0.72
"""Sizes of the tiles in hands and rivers."""


def table_svg(board: Board, names: Sequence[str], bottom: int = 0, acting: int | None = None) -> str:
    """The whole table as one SVG element, the seat `bottom` below and the others counter-clockwise.

    Seats are those of the kyoku, `names` by seat; `acting` is the seat on turn. A tile that was called is dim, one that
    was discarded as drawn has a line on it, a riichi tile lies on its side.
    """
    parts = [f'<rect width="{SIDE}" height="{SIDE}" rx="24" fill="{_FELT}"/>', _middle(board)]
    for seat in range(board.seats):
        turn = -90 * after(seat, -bottom, board.seats)
        parts.append(f'<g transform="rotate({turn} {_CENTRE} {_CENTRE})">{_seat(board, names, seat, acting)}</g>')
    return element("".join(parts), (0, 0, SIDE, SIDE), _text(f"{_kyoku(board)} {', '.join(names)}"), 0.5)


def _kyoku(board: Board) -> str:
    return f"{WINDS[board.round % 4]}{board.kyoku + 1}局 {board.honba}本場"


def _middle(board: Board) -> str:
    """The kyoku, the sticks, the tiles left and the indicators."""
    shown = "".join(placed(tile, WIDTH * place, 0) for place, tile in enumerate(board.indicators))
    left = _CENTRE - len(board.indicators) * WIDTH * 0.6 / 2
    return (
        _words(_CENTRE, _CENTRE - 38, _kyoku(board), 36, "middle")
        + _words(_CENTRE, _CENTRE, f"供託 {board.sticks}  残り {board.live}", 26, "middle")
        + f'<g transform="translate({left:.0f} {_CENTRE + 22}) scale(0.6)">{shown}</g>'
    )


def _seat(board: Board, names: Sequence[str], seat: int, acting: int | None) -> str:
    """The hand, river and name of a seat, as they lie before the player below."""
    tiles, width = hand_row(board.hands[seat])
    size = min(_HAND, (SIDE - 2 * HEIGHT) / max(width, 1))
    hand_top = SIDE - (WIDTH + HEIGHT) * size - 16
    left = (SIDE - width * size) / 2
    mark = "▶ " if seat == acting else ""
    stick = "  リーチ" if board.riichi[seat] else ""
    said = f"{mark}{WINDS[seat]} {shortened(names[seat])}  {board.scores[seat]}{stick}"
    return (
        f'<g transform="translate({left:.0f} {hand_top:.0f}) scale({size:.3f})">{tiles}</g>'
        + f'<g transform="translate({_CENTRE - 3 * WIDTH * _RIVER:.0f} {_CENTRE + 174}) scale({_RIVER})">'
        + _river(board, seat)
        + "</g>"
        + _words(_CENTRE, _CENTRE + 152, _text(said), 26, "middle", _INK if seat == acting else _FAINT)
    )


def _river(board: Board, seat: int) -> str:
    """The discards in rows of six; of those that were called only a shade is left."""
    river = board.rivers[seat]
    parts = []
    x = row = 0
    for place, tile in enumerate(river.tiles):
        if place % _LONG == 0 and 0 < place < _LONG * _ROWS:
            x, row = 0, row + 1
        lies = place in river.sideways
        wide = HEIGHT if lies else WIDTH
        top = row * HEIGHT
        parts.append(placed(tile, x, top + (HEIGHT - WIDTH) * lies, lies=lies, dim=place in river.called_by))
        if river.tsumogiri[place]:
            parts.append(f'<rect x="{x + 8}" y="{top + HEIGHT - 8}" width="{wide - 16}" height="5" fill="#6b6557"/>')
        x += wide
    return "".join(parts)


def _text(words: str) -> str:
    """Words of a record as text of the picture: what XML cannot hold, or nobody can see, is shown as �."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words))


def _words(x: float, y: float, text: str, size: int, anchor: str, colour: str = _INK) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f"font-family=\"'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans',sans-serif\" "
        f'xml:space="preserve">{text}</text>'
    )
