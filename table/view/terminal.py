"""The table in a terminal: a position of a record, and a running game."""

from collections.abc import Sequence
from typing import Any

from rich.align import Align
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from table.clock import now
from table.port import Answer
from table.record.items import reply
from table.riichi import events
from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import Meld, MeldKind
from table.riichi.pieces.tiles import EAST, NAMES, RED_M

WINDS = "東南西北"
_HONOURS = "東南西北白發中"
_COLOURS = {"m": "red", "p": "bright_blue", "s": "green", "z": "bold"}
_ROW = 6
SHOWN_VERDICTS = 4
PAUSE = 0.15
"""Seconds between two drawings."""


def tile_text(tile: int | None) -> Text:
    """A tile in two columns: `5m`, `0p` for a red five, `東`; `▒▒` for one that is hidden."""
    if tile is None:
        return Text("▒▒", style="dim")
    name = NAMES[tile]
    if name[0] == "z":
        return Text(_HONOURS[tile - EAST], style=_COLOURS["z"])
    style = _COLOURS[name[0]] + (" reverse" if tile >= RED_M else "")
    return Text(name[1] + name[0], style=style)


def hand_text(board: Board, seat: int) -> Text:
    """A hand: concealed tiles, the drawn one apart, then the melds."""
    hand = board.hands[seat]
    tiles: list[int | None] = list(hand.tiles_before_draw) if hand.known else [None] * hand.size
    text = Text(" ").join(tile_text(tile) for tile in tiles)
    if hand.drawn is not None:
        text += Text("  ") + tile_text(hand.drawn)
    for meld in hand.melds:
        text += Text("  ") + meld_text(meld)
    return text


def meld_text(meld: Meld) -> Text:
    """A meld with the called tile where its source sits, `◂` 上家, `▴` 対面 or `▸` 下家; a closed kan between bars."""
    if meld.kind == MeldKind.ANKAN:
        return Text("|") + Text(" ").join(tile_text(tile) for tile in meld.own) + Text("|")
    parts = [tile_text(tile) for tile in meld.own]
    called = tile_text(meld.called) + Text(" ▸▴◂"[meld.source])
    if meld.added is not None:
        called += tile_text(meld.added)
    parts.insert({3: 0, 2: 1, 1: len(parts)}[meld.source], called)
    return Text("[") + Text(" ").join(parts) + Text("]")


def river_text(board: Board, seat: int) -> Text:
    """A river in rows of six: riichi tile `«…»`, tsumogiri dim, a called tile struck through."""
    river = board.rivers[seat]
    text = Text()
    for place, tile in enumerate(river.tiles):
        if place:
            text += Text("\n" if place % _ROW == 0 and place < 3 * _ROW else " ")
        one = tile_text(tile)
        if river.tsumogiri[place]:
            one.stylize("dim")
        if place in river.called_by:
            one.stylize("strike")
        text += Text("«") + one + Text("»") if place in river.sideways else one
    return text


def position(board: Board, names: Sequence[str], acting: int | None = None) -> RenderableType:
    """The whole table. `names` by seat of the kyoku; `acting` is the seat whose turn it is."""
    kyoku = f"{WINDS[board.round]}{'一二三四'[board.kyoku]}局"
    head = Text(f"{kyoku} {board.honba}本場  供託{board.sticks}  残り{board.live}枚  ドラ表示 ")
    head += Text(" ").join(tile_text(tile) for tile in board.indicators)
    grid = Table.grid(expand=False, padding=(0, 2))
    rivers = []
    for seat in range(4):
        mark = "▶" if seat == acting else " "
        riichi = "リーチ" if board.riichi[seat] else ""
        grid.add_row(
            f"{mark}{WINDS[seat]}", Text(names[seat]), f"{board.scores[seat]:>6}", riichi, hand_text(board, seat)
        )
        rivers.append(Panel(river_text(board, seat), title=f"{WINDS[seat]} {names[seat]}", width=6 * 5, height=5))
    return Group(head, grid, Columns(rivers, width=6 * 5))


class LiveTable:
    """Shows a running game. Implements `table.match.watched.Looker`.

    It is drawn in the judge's thread, between turns, and a few times a second at most: no clock runs then.
    """

    def __init__(self, console: Console) -> None:
        self._board, self._names, self._first_dealer = Board(), ("", "", "", ""), 0
        self._verdicts: list[Text] = []
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()
        self._drawn = now()

    def events(self, new: Sequence[Any]) -> None:
        """See `Watch.events`."""
        for event in new:
            if isinstance(event, events.HanchanStart):
                self._names, self._first_dealer = event.names, event.first_dealer
            event.apply(self._board)
        if now() - self._drawn >= PAUSE:
            self._live.update(self._shown(), refresh=True)
            self._drawn = now()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`."""
        for answer in answers:
            words = " ".join(str(value) for value in reply(answer.action).values()) or "pass"
            allowed = "" if answer.allowed is None else f" of {answer.allowed:.1f} s"
            line = f"{self._names[answer.seat]}: {words}  {answer.used * 1000:.1f} ms{allowed}  {answer.verdict}"
            self._verdicts.append(Text(line, style="" if answer.verdict.good else "bold red"))
        del self._verdicts[:-SHOWN_VERDICTS]

    def close(self) -> None:
        """Give the terminal back."""
        self._live.stop()

    def _shown(self) -> RenderableType:
        names = [self._names[(self._first_dealer + self._board.kyoku + seat) % 4] for seat in range(4)]
        return Group(position(self._board, names, self._board.last_seat), Align.left(Group(*self._verdicts)))
