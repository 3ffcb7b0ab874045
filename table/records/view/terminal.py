"""The table in a terminal: a position of a record, or a running game."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from jantaku.table.drawing.columns import SeatRows, WholeScreen, shortened
from jantaku.table.ground.clock import now
from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.judge.faults import place_of, reason_of
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, WINDS, after
from jantaku.table.riichi.pieces.tiles import EAST, KINDS, NAMES, NORTH, RED_M

_HONOURS = "東南西北白發中"
_COLOURS = {"m": "red", "p": "bright_blue", "s": "green", "z": "bold"}
_ROW = 6
RIVER = 34
"""Columns of a river, frame included."""
SHOWN_VERDICTS = 4
PAUSE = 0.15
"""Seconds between two drawings."""
TICK = 1.0
"""Seconds between two drawings while the table waits for a player."""


def tile_text(tile: int | None) -> Text:
    """A tile in two columns: `5m`, `0p` for a red five, `東`, or `▒▒` for a hidden one."""
    if tile is None:
        return Text("▒▒", style="dim")
    name = NAMES[tile]
    if name[0] == "z":
        return Text(_HONOURS[tile - EAST], style=_COLOURS["z"])
    style = _COLOURS[name[0]] + (" reverse" if tile >= RED_M else "")
    return Text(name[1] + name[0], style=style)


def hand_text(board: Board, seat: int) -> Text:
    """A hand: concealed tiles, the drawn one apart, then the melds, and norths set aside after 抜."""
    hand = board.hands[seat]
    tiles: list[int | None] = list(hand.tiles_before_draw) if hand.known else [None] * hand.size
    text = Text(" ").join(tile_text(tile) for tile in tiles)
    if hand.drawn is not None:
        text += Text("  ") + tile_text(hand.drawn)
    for meld in hand.melds:
        text += Text("  ") + meld_text(meld)
    return text + Text("  抜") + Text(" ").join([tile_text(NORTH)] * hand.aside) if hand.aside else text


def meld_text(meld: Meld) -> Text:
    """A meld, with the called tile at the side of its source, `◂` 上家, `▴` 対面 or `▸` 下家; a closed kan between
    bars."""
    if meld.kind == MeldKind.ANKAN:
        return Text("|") + Text(" ").join(tile_text(tile) for tile in meld.own) + Text("|")
    parts = [tile_text(tile) for tile in meld.own]
    called = tile_text(meld.called) + Text(" ▸▴◂"[meld.source])
    if meld.added is not None:
        called += tile_text(meld.added)
    parts.insert(meld.place, called)
    return Text("[") + Text(" ").join(parts) + Text("]")


def river_text(board: Board, seat: int) -> Text:
    """A river in rows of six: the riichi tile in `«…»`, tsumogiri dim, called tiles struck through."""
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


def waits_text(board: Board, ready: Readiness, seat: int) -> Text:
    """A line with the waits of a tenpai hand, and whether it is furiten; empty for any other hand."""
    waits = ready.waits[seat]
    if not waits:
        return Text()
    text = Text("\n待ち ") + Text(" ").join(tile_text(kind) for kind in range(KINDS) if waits >> kind & 1)
    furiten = ready.missed[seat] or waits & board.rivers[seat].kinds
    return text + Text("  振聴", style="bold red") if furiten else text


def position(
    board: Board,
    names: Sequence[str],
    acting: int | None = None,
    clocks: Sequence[str] = ("",) * 4,
    ready: Readiness | None = None,
) -> RenderableType:
    """The whole table. `names` and `clocks` are by seat of the kyoku; `acting` is the seat on turn. `ready` adds the
    waits below each tenpai hand. The first dealer has 起 (起家) after its wind."""
    kyoku = f"{WINDS[board.round % 4]}{'一二三四'[board.kyoku]}局"
    head = Text(f"{kyoku} {board.honba}本場  供託{board.sticks}  残り{board.live}枚  ドラ表示 ")
    head += Text(" ").join(tile_text(tile) for tile in board.indicators)
    names = [shortened(name) for name in names]
    rows, rivers = [], []
    for seat in range(board.seats):
        mark = "▶" if seat == acting else " "
        first = "起" if after(seat, board.kyoku, board.seats) == 0 else ""
        riichi = "リーチ" if board.riichi[seat] else " " * 6
        words = (f"{mark}{WINDS[seat]}{first}", names[seat], f"{board.scores[seat]:>6}", riichi)
        rows.append((words, hand_text(board, seat) + (waits_text(board, ready, seat) if ready else Text())))
        title, time = Text(f"{WINDS[seat]} {names[seat]}"), Text(clocks[seat], style="dim")
        rivers.append(Panel(river_text(board, seat), title=title, subtitle=time, width=RIVER, height=5))
    two = Table.grid()
    two.add_row(*rivers[:2])
    two.add_row(*rivers[2:])
    return Group(head, SeatRows(rows), two)


class SeatClock:
    """One player's time in the terminal: the last answer's, and the rest of its bank."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._bank = clock.bank
        self._last = ""

    def new_kyoku(self) -> None:
        if self._clock.bank_per == "round":
            self._bank = self._clock.bank

    def take(self, answer: Answer, *, turn: bool) -> None:
        """Take an answer of this player; `turn` if it answers the question of its own turn."""
        self._last = seconds_text(answer.used)
        limit = self._clock.turn if turn else self._clock.reaction
        if answer.allowed is not None and limit is not None:
            self._last += f" of {limit:g} s"
            self._bank = max(answer.allowed - max(answer.used, limit), 0.0) + self._clock.increment

    @property
    def text(self) -> str:
        """The time as `0.31 ms of 5 s, bank 12.5 s`."""
        bank = f"bank {self._bank:.1f} s" if self._clock.bank or self._clock.increment else ""
        return ", ".join(filter(None, (self._last, bank)))


def seconds_text(seconds: float) -> str:
    """A time in ms or s, rounded for people."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.2g} ms"


def _why(answer: Answer) -> str:
    """The place of a fault and then its cause: a narrow terminal cuts off the end of the cause."""
    place = place_of(answer)
    return f"{f' at {place}' if place else ''}: {reason_of(answer)}"


class LiveTable:
    """Shows a running game. Implements `jantaku.table.play.runner.Looker`. The judge's thread draws it between turns,
    when no clock runs, at most a few times a second. Only while the table waits for an answer, another thread redraws
    it with the time that has passed. `clocks` are by name of the player."""

    def __init__(self, console: Console, clocks: Mapping[str, Clock] | None = None) -> None:
        self._board = Board()
        self._followed: WaitsView | None = None
        self._names: tuple[str, ...] = ("", "", "", "")
        self._first_dealer = 0
        self._settings = clocks or {}
        self._clocks: list[SeatClock] = [SeatClock(Clock())] * SEATS
        self._verdicts: list[Text] = []
        self._faults: dict[tuple[int, Verdict], tuple[int, str]] = {}
        """By player and verdict: how often it occurred, and the first reason."""
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()
        self._drawn = self._told = now()
        self._lock = threading.Lock()
        """Held while the view is drawn or changed."""
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="terminal", daemon=True)
        self._ticker.start()

    def events(self, new: Sequence[Any]) -> None:
        with self._lock:
            for event in new:
                self._take(event)
            self._told = now()
            if self._told - self._drawn >= PAUSE:
                self._draw()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        with self._lock:
            acting = self._player(self._board.last_seat)
            for answer in answers:
                self._clocks[answer.seat].take(answer, turn=answer.seat == acting)
                words = " ".join(str(value) for value in reply(answer.action).values()) or "pass"
                allowed = "" if answer.allowed is None else f" of {answer.allowed:.1f} s"
                line = f"{self._names[answer.seat]}: {words}  {seconds_text(answer.used)}{allowed}  {answer.verdict}"
                self._verdicts.append(Text(line, style="" if answer.verdict.good else "bold red", no_wrap=True))
                if not answer.verdict.good:
                    times, why = self._faults.get((answer.seat, answer.verdict), (0, ""))
                    self._faults[answer.seat, answer.verdict] = times + 1, why or _why(answer)
            del self._verdicts[:-SHOWN_VERDICTS]

    def _answered(self) -> list[Text]:
        """The last answers, below the faults so far: faults stay while answers scroll by."""
        told = [(f"{self._names[seat]}: {bad} {times}", why) for (seat, bad), (times, why) in self._faults.items()]
        lines = [
            Text(f"{who}, first{why}", style="bold red", no_wrap=True, overflow="ellipsis")
            for who, why in told[: SHOWN_VERDICTS - 1]
        ]
        return [*lines, *self._verdicts[-(SHOWN_VERDICTS - len(lines)) :]]

    def close(self) -> None:
        self._over.set()
        self._ticker.join()
        self._live.stop()

    def _take(self, event: Any) -> None:
        if isinstance(event, events.HanchanStart):
            self._names, self._first_dealer = event.names, event.first_dealer
            self._followed = WaitsView(event.rules)
            self._board = self._followed.board
            self._clocks = [SeatClock(self._settings.get(name, Clock())) for name in event.names]
        if self._followed is not None:
            self._followed.follow(event)
        if isinstance(event, events.KyokuStart):
            for clock in self._clocks:
                clock.new_kyoku()

    def _tick(self) -> None:
        while not self._over.wait(PAUSE):
            with self._lock:
                stale = self._drawn < self._told and now() - self._told >= PAUSE
                if stale or now() - self._drawn >= TICK:
                    self._draw()

    def _draw(self) -> None:
        self._live.update(self._shown(), refresh=True)
        self._drawn = now()

    def _player(self, seat: int) -> int:
        return after(seat, self._first_dealer + self._board.kyoku, self._board.seats)

    def _shown(self) -> RenderableType:
        seats = [self._player(seat) for seat in range(self._board.seats)]
        names, clocks = [self._names[player] for player in seats], [self._clocks[player].text for player in seats]
        acting = self._board.last_seat
        ready = None if self._followed is None else self._followed.ready
        table = position(self._board, names, acting, clocks, ready)
        waited = now() - self._told
        waiting = Text(f"waiting for {waited:.0f} s …", style="bold") if waited >= TICK else Text()
        return WholeScreen(table, [*self._answered(), waiting])
