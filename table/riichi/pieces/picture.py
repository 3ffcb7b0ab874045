"""Tiles and hands as SVG, for notebooks and pages without a script. Text and shapes alone: no font file, no image."""

from collections.abc import Iterable
from typing import Final

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, NORTH, RED_M, WHITE

WIDTH, HEIGHT, GAP = 60, 80, 18
"""Size of a tile and the gap before a drawn tile or meld, in units of the picture."""
ROW = WIDTH + HEIGHT
"""Height of a hand's row: a kakan has two tiles on their sides."""

_RED, _GREEN, _BLUE, _INK = "#b3202a", "#1c7d46", "#2a4d9b", "#222"
_NUMERALS: Final = "一二三四五六七八九"
_HONOURS: Final = "東南西北 發中"
_FONT: Final = "'Noto Serif CJK JP','Noto Serif JP','Hiragino Mincho ProN','Yu Mincho',serif"
_PLACES: Final = {
    1: ("30 40",),
    2: ("30 22", "30 58"),
    3: ("16 20", "30 40", "44 60"),
    4: ("19 22", "41 22", "19 58", "41 58"),
    5: ("18 20", "42 20", "30 40", "18 60", "42 60"),
    6: ("19 18", "41 18", "19 40", "41 40", "19 62", "41 62"),
    7: ("14 14", "30 21", "46 28", "19 46", "41 46", "19 65", "41 65"),
    8: ("19 14", "41 14", "19 31", "41 31", "19 49", "41 49", "19 66", "41 66"),
    9: ("14 18", "30 18", "46 18", "14 40", "30 40", "46 40", "14 62", "30 62", "46 62"),
}
"""By rank, where the dots or sticks of a tile have their centres."""


def tile_svg(tile: int | None) -> str:
    """One tile as SVG elements in a box of 60 by 80; None is a tile face down."""
    back = tile is None
    face = (
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="6" '
        f'fill="{"#d9a441" if back else "#fffdf5"}" stroke="#8a8578"/>'
    )
    return face if tile is None else face + _mark(tile)


def _mark(tile: int) -> str:
    kind = KIND[tile]
    suit, rank = NAMES[kind][0], int(NAMES[kind][1])
    red = tile >= RED_M
    if suit == "z":
        if kind == WHITE:
            return f'<rect x="12" y="14" width="36" height="52" rx="3" fill="none" stroke="{_BLUE}" stroke-width="4"/>'
        return _text(_HONOURS[rank - 1], 57, 44, {6: _GREEN, 7: _RED}.get(rank, _INK))
    if suit == "m":
        return _text(_NUMERALS[rank - 1], 36, 30, _RED if red else _INK) + _text("萬", 70, 30, _RED)
    places = [tuple(map(int, place.split())) for place in _PLACES[rank]]
    size = 20 if rank == 1 else 9 if rank < 7 else 7.5
    if suit == "p":
        colour = _RED if red or rank == 1 else _BLUE
        return "".join(
            f'<circle cx="{x}" cy="{y}" r="{size}" fill="none" stroke="{colour}" stroke-width="{size / 3:.1f}"/>'
            f'<circle cx="{x}" cy="{y}" r="{size / 3:.1f}" fill="{colour}"/>'
            for x, y in places
        )
    return "".join(
        f'<rect x="{x - size / 2.4:.1f}" y="{y - size:.1f}" width="{size / 1.2:.1f}" height="{size * 2:.1f}" '
        f'rx="{size / 3:.1f}" fill="{_RED if red else _GREEN}"/>'
        for x, y in places
    )


def _text(text: str, baseline: int, size: int, colour: str) -> str:
    return (
        f'<text x="30" y="{baseline}" font-size="{size}" font-family="{_FONT}" font-weight="bold" '
        f'text-anchor="middle" fill="{colour}">{text}</text>'
    )


def hand_svg(tehai: Tehai) -> str:
    """A hand as one SVG element: the concealed tiles, the drawn tile apart, then the melds, whose called tile lies on
    its side; of an ankan the outer tiles are face down, and the added tile of a kakan lies above the called one."""
    parts, width = hand_row(tehai)
    top = 0 if any(meld.added is not None for meld in tehai.melds) else WIDTH
    return element(parts, (0, top, max(width, WIDTH), ROW - top), str(tehai), 2 / 3)


def element(parts: str, box: tuple[int, int, int, int], title: str, scale: float) -> str:
    """An SVG element of what lies in `box` (left, top, width, height), as large as the box times `scale` in pixels."""
    left, top, width, height = box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img"><title>{title}</title>{parts}</svg>'
    )


def hand_row(tehai: Tehai) -> tuple[str, int]:
    """The tiles of a hand in a row `ROW` high, and the row's width."""
    parts: list[str] = []
    x = 0
    for tile in tehai.tiles_before_draw if tehai.known else [None] * tehai.size:
        parts.append(placed(tile, x))
        x += WIDTH
    if tehai.drawn is not None:
        parts.append(placed(tehai.drawn, x := x + GAP))
        x += WIDTH
    for meld in tehai.melds:
        x += GAP
        for tile, lies in _laid(meld):
            if lies and meld.added is not None:
                parts.append(placed(meld.added, x, ROW - 2 * WIDTH, lies=True))
            parts.append(placed(tile, x, ROW - (WIDTH if lies else HEIGHT), lies=lies))
            x += HEIGHT if lies else WIDTH
    for _ in range(tehai.aside):
        parts.append(placed(NORTH, x := x + GAP))
        x += WIDTH
    return "".join(parts), x


def placed(tile: int | None, x: int, y: int = WIDTH, *, lies: bool = False, dim: bool = False) -> str:
    """A tile with its upper left corner at `x`, `y`, upright or on its side, or dimmed."""
    move = f"translate({x} {y + WIDTH}) rotate(-90)" if lies else f"translate({x} {y})"
    shade = ' opacity="0.55"' if dim else ""
    return f'<g transform="{move}"{shade}>{tile_svg(tile)}</g>'


def _laid(meld: Meld) -> Iterable[tuple[int | None, bool]]:
    """The tiles of a meld from left to right, each with whether it lies on its side: the place says from whom it came
    (上家 left, 対面 in the middle, 下家 right)."""
    if meld.kind == MeldKind.ANKAN:
        return [(None, False), *((tile, False) for tile in meld.own[1:3]), (None, False)]
    laid: list[tuple[int | None, bool]] = [(tile, False) for tile in meld.own]
    assert meld.called is not None
    laid.insert(meld.place, (meld.called, True))
    return laid
