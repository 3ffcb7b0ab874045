"""Draws the pictures of the site with the tiles of `jantaku show`: `python -m scripts.pictures` updates docs/pictures.

The logo stands on light and dark pages, so it has two files; the other pictures bring a ground of their own.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from jantaku import Hand
from jantaku.table.arena.match.report.plots import share_plot
from jantaku.table.riichi.pieces.notation import parse_tile
from jantaku.table.riichi.pieces.picture import ROW, element, hand_row, placed, tile_svg
from scripts import laws

FOLDER = laws.ROOT / "docs" / "pictures"
FELT, EDGE, IVORY, GOLD, SKY = "#123d33", "#0b2a23", "#f1f5ee", "#ffd166", "#7cc4ff"
"""Colours of the viewer (`table/records/view/page/ground.css`)."""
INKS = {"light": "#14221d", "dark": "#f1f5ee"}
FONT = "system-ui,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP',sans-serif"
WINDS = "z1", "z2", "z3", "z4"
CARD = 600, 400
"""Size of the pictures of the doors."""
MONO = "ui-monospace,'SFMono-Regular',Menlo,Consolas,'DejaVu Sans Mono',monospace"
SHARES = {
    "shanten": (1.0, 0.0, 0.0, 0.0),
    "tsumogiri": (0.0, 0.33, 0.41, 0.26),
    "caller": (0.0, 0.39, 0.29, 0.32),
    "dice": (0.0, 0.28, 0.30, 0.42),
}
"""What `jantaku match --players shanten,caller,dice,tsumogiri --sets 25 --length tonpu --threads inline --workers 0
--seed 7` printed."""
PLOT = (
    f".plot text{{fill:{IVORY};font:11px {FONT}}}.axis{{fill:none;stroke:{IVORY};stroke-width:.8}}"
    ".share0{fill:#2f855a}.share1{fill:#90cdb4}.share3{fill:#f0c9a0}.share4{fill:#c05621}"
    ".plot .on0,.plot .on4{fill:#fff}.plot .on1,.plot .on3{fill:#1a202c}"
)
"""The classes of a plot in a report, on felt."""
LANES = 120, 320, 520
"""Middle of each of the three columns of the picture of a turn."""


def pictures() -> dict[Path, str]:
    found = {"mark": mark(), "write": write("m123p406s27899z11 +m4"), "compare": compare(), "turn": turn()}
    found |= {f"logo-{scheme}": logo(ink) for scheme, ink in INKS.items()}
    return {FOLDER / f"{name}.svg": f"{text}\n" for name, text in found.items()}


def mark() -> str:
    """A table seen from above: the four winds, each before its seat."""
    return element(_table(), (0, 0, 256, 256), "jantaku", 0.5)


def logo(ink: str) -> str:
    """The table with the name beside it, in one colour of ink."""
    name = _said(282, 118, "jantaku", 92, ink, "start", weight="bold") + _said(
        284, 218, "雀卓", 74, ink, "start", weight="bold"
    )
    return element(_table() + name, (0, 0, 730, 256), "jantaku 雀卓", 0.5)


def write(text: str) -> str:
    """A question to a bot: its hand, the function that answers, and the discard that leaves the most tiles."""
    question = Hand(text)
    tiles, width = hand_row(question.tehai)
    best = next(iter(question.discards))
    scale = 540 / width
    parts = [
        _felt(0, 0, *CARD, 14),
        f'<g transform="translate(30 {70 - ROW * scale / 2}) scale({scale:.4f})">{tiles}</g>',
        _said(40, 190, "def answer(self, question):", 26, SKY, "start", family=MONO),
        _said(80, 232, "…", 26, SKY, "start", family=MONO),
        _said(80, 282, "return", 26, SKY, "start", family=MONO),
        _said(190, 282, f"Discard({best})", 26, GOLD, "start", family=MONO),
        f'<rect x="464" y="214" width="92" height="120" rx="10" fill="{GOLD}"/>',
        _at(468, 218, best, 1.4),
        _said(
            40,
            350,
            f"{question.shanten} shanten, {sum(question.discards[best].values())} tiles help",
            24,
            anchor="start",
        ),
    ]
    return element("".join(parts), (0, 0, *CARD), f"{question.tehai}: discard {best}", 0.5)


def compare() -> str:
    """Ranks in 100 games of four bots, as the report of a match draws them."""
    plot = share_plot("Ranks", SHARES, ("1.", "2.", "3.", "4."), "games")
    drawn = re.sub(r"<svg [^>]*>|</svg>", "", plot)
    ground = f"<style>{PLOT}</style>{_felt(0, 0, *CARD, 14)}"
    parts = f'{ground}<g class="plot" transform="translate(14 65) scale(1.58)">{drawn}</g>'
    return element(parts, (0, 0, *CARD), "Ranks of four bots", 0.5)


def turn() -> str:
    """One turn of the judge, from the event to the ruling."""
    judge, mover, others = LANES
    parts = [
        _felt(0, 0, 640, 580, 14),
        *(
            _said(x, 40, name, 21, GOLD, weight="bold")
            for x, name in zip(LANES, ("judging thread", "turn player", "three others"), strict=True)
        ),
        *(_line(x, 164, x, 480, "#3d5c53") for x in (220, 420)),
        _box(judge, 76, "DiscardEvent()"),
        _arrow(judge + 85, 99, mover - 85, 99),
        _said(120, 148, "start(), four times", 18, SKY),
        *(_box(at + others - 8, 76 + at, "") for at in (16, 8)),
        _box(mover, 76, "thread"),
        _arrow(mover + 85, 99, others - 93, 99),
        _box(others - 8, 76, "wait()"),
        _said(mover, 168, "asks its player", 20),
        *(_at(mover - 90 + 46 * at, 184, tile, 0.7) for at, tile in enumerate(("m3", "m4", "p0", "m5"))),
        _box(mover, 260, "settle(5m)"),
        _arrow(mover + 85, 283, others - 85, 283),
        _line(others, 140, others, 250, IVORY, dash=True),
        _box(others, 260, "reads 5m"),
        *(_said(others, 338 + 28 * at, text, 20) for at, text in enumerate(("ron? pon?", "daiminkan? chi?"))),
        _said(judge, 283, "join(), each until", 19),
        _said(judge, 308, "its deadline", 19),
        _line(mover, 306, mover, 398, SKY),
        _line(others, 378, others, 421, SKY),
        _line(others, 421, mover + 175, 421, SKY),
        *_responses(),
        _arrow(mover - 50, 421, judge + 85, 421),
        _box(judge, 398, "seals the sheet"),
        _arrow(judge, 444, judge, 492),
        _said(36, 522, "Ruling: ron, else kan and pon, else chi, else the next draw.", 20, anchor="start"),
        _said(36, 554, "A seat that is late or silent gets 自摸切り or a pass.", 20, anchor="start"),
    ]
    return element("".join(parts), (0, 0, 640, 580), "A turn of the judge", 1)


def _responses() -> Iterable[str]:
    yield f'<rect x="270" y="398" width="225" height="68" rx="8" fill="{EDGE}" stroke="{GOLD}" stroke-width="2"/>'
    yield _said(382, 426, "Responses", 20, GOLD, weight="bold")
    yield _said(382, 453, "action, verdict, seconds", 17)


def _table() -> str:
    seats = "".join(
        f'<g transform="rotate({-90 * at} 128 128)"><g transform="translate(90 152) scale(1.26 1.1)">'
        f"{tile_svg(parse_tile(wind))}</g></g>"
        for at, wind in enumerate(WINDS)
    )
    return (
        f'<rect x="4" y="4" width="248" height="248" rx="40" fill="{FELT}" stroke="#b98a3c" stroke-width="8"/>{seats}'
    )


def _felt(left: int, top: int, width: int, height: int, round_by: int) -> str:
    return f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="{round_by}" fill="{FELT}"/>'


def _at(x: int, y: int, tile: str, scale: float) -> str:
    return f'<g transform="translate({x} {y}) scale({scale})">{placed(parse_tile(tile), 0, 0)}</g>'


def _box(x: int, y: int, text: str) -> str:
    return (
        f'<rect x="{x - 85}" y="{y}" width="170" height="46" rx="8" fill="{EDGE}" stroke="{SKY}" stroke-width="2"/>'
        + (_said(x, y + 30, text, 20) if text else "")
    )


def _arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    """An arrow to the left, to the right, or down."""
    across = (to_x > x) - (to_x < x)
    x_end, y_end = to_x - 10 * across, to_y - 10 * (not across)
    x_half, y_half = 6 * (not across), 6 * abs(across)
    points = f"{to_x},{to_y} {x_end - x_half},{y_end - y_half} {x_end + x_half},{y_end + y_half}"
    return _line(x, y, x_end, y_end, SKY) + f'<polygon points="{points}" fill="{SKY}"/>'


def _line(x: int, y: int, to_x: int, to_y: int, colour: str, *, dash: bool = False) -> str:
    dashed = ' stroke-dasharray="5 6"' if dash else ""
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{colour}" stroke-width="2"{dashed}/>'


def _said(
    x: int,
    y: int,
    text: str,
    size: int,
    colour: str = IVORY,
    anchor: str = "middle",
    *,
    weight: str = "normal",
    family: str = FONT,
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-family="{family}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{colour}">{text}</text>'
    )


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    old = [file for file, text in pictures().items() if not file.exists() or file.read_text("utf-8") != text]
    for file in old:
        file.write_text(pictures()[file], "utf-8")
        print(f"{file.relative_to(laws.ROOT)}: brought up to date")
    return int(bool(old))


if __name__ == "__main__":
    sys.exit(main())
