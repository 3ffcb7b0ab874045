"""The table as text for a language model, from what one seat has heard and nothing else.

Tiles are written as people write them: `1m`, `5s-red`, `East`. Equal boards and options give equal text.
"""

from collections.abc import Iterable, Sequence

from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import at_side
from jantaku.table.riichi.pieces.tiles import EAST, KINDS, NAMES, RED_M, dora_of, sort_tiles
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.words import word_of

HONOURS = ("East", "South", "West", "North", "White", "Green", "Red")
SEATS = HONOURS[:4]
_RIICHI = ("", "riichi", "double riichi")
_WORDS: dict[Action, str] = {
    actions.TSUMO: "tsumo (win with the drawn tile)",
    actions.RON: "ron (win with that tile)",
    actions.KYUUSHU: "kyuushu (abort: nine kinds of terminals and honours)",
    actions.PASS: "pass",
    actions.SET_ASIDE: "set a north aside (a dora; draw another tile)",
    actions.TENPAI: "tenpai (show the hand)",
    actions.NOTEN: "noten (keep the hand closed)",
}
RULES = """\
Riichi mahjong for four or three. Win one kyoku (deal) after another with four sets and a pair, seven pairs or thirteen
orphans; a winning hand needs a yaku. The most points at the end win.
Tiles: 1m-9m characters, 1p-9p circles, 1s-9s bamboos; East South West North winds; White Green Red dragons. 5m-red,
5p-red and 5s-red are red fives: a dora each. The dora is the tile after an indicator: 1 to 9 and back to 1; East South
West North; White Green Red.
Rivers are in order: ~ the drawn tile was discarded at once, ! riichi was declared with it, (..) another seat called
it. Tenpai: one tile is missing, the waits. Shanten: how many tiles are missing until tenpai. Furiten: a wait lies in
the own river, or a winning tile was let go; then only tsumo wins.
Where three play there are no 2m to 8m and no chi; after a 1m indicator the dora is 9m, and a North may be set aside.
How to play: start_game once. Whenever it is your move you are shown a numbered question with numbered options: call
act with the question's number and the number or the words of an option. act and wait return when it is your move again,
after some seconds at the latest; then call wait. see_table shows everything again and changes nothing. Who does not
answer in time has the default played."""


def tile_text(tile: int) -> str:
    """A tile as text: `1m`, `5s-red`, `East`."""
    if EAST <= tile < KINDS:
        return HONOURS[tile - EAST]
    name = NAMES[tile]
    suit, rank = name[0], name[1]
    return f"5{suit}-red" if tile >= RED_M else f"{rank}{suit}"


def tiles_text(tiles: Iterable[int]) -> str:
    """Tiles in the given order; `none` if there are none."""
    return " ".join(map(tile_text, tiles)) or "none"


def meld_text(meld: Meld) -> str:
    """A meld without its source: `chi 3m 4m 5m-red`."""
    return f"{MeldKind(meld.kind).name.lower()} {tiles_text(sort_tiles(meld.tiles))}"


def option_text(option: Action) -> str:
    """An option as text. The options of one question all differ."""
    match option:
        case actions.Discard(tile, tsumogiri, riichi):
            drawn = ", just drawn" if tsumogiri else ""
            return f"{'riichi, ' if riichi else ''}discard {tile_text(tile)}{drawn}"
        case actions.Call(meld):
            return f"{MeldKind(meld.kind).name.lower()} {tile_text(meld.tiles[-1])} with {tiles_text(meld.own)}"
        case actions.Kan(meld):
            return meld_text(meld)
        case _:
            return _WORDS.get(option) or word_of(option)


def options_text(options: Sequence[Action]) -> str:
    """The numbered options of a question."""
    return "\n".join(f"  {number} {option_text(option)}" for number, option in enumerate(options, 1))


def chosen(options: Sequence[Action], said: str) -> Action | None:
    """Return the option that `said` means: by its number, its words, or the beginning of its words if only one option
    begins so. None if none matches."""
    word = " ".join(said.split()).lower().rstrip(".")
    if word.isdecimal():
        return options[int(word) - 1] if 0 < int(word[:4]) <= len(options) else None
    texts = {option_text(option).lower(): option for option in options}
    texts |= {word_of(option).lower(): option for option in options}
    if word in texts:
        return texts[word]
    begun = {id(option): option for text, option in texts.items() if text.startswith((f"{word},", f"{word} "))}
    return next(iter(begun.values())) if len(begun) == 1 else None


def event_text(event: events.Event, seats: int) -> str:
    """What has happened at a table of `seats`, as text; empty for events that the table's text shows."""
    match event:
        case events.Draw(seat, tile, rinshan):
            what = "a tile" if tile is None else tile_text(tile)
            return f"{SEATS[seat]} drew {what}{' from the dead wall' if rinshan else ''}"
        case events.TileDiscard(seat, tile, tsumogiri, riichi):
            how = f"{', just drawn' if tsumogiri else ''}{', and declared riichi' if riichi else ''}"
            return f"{SEATS[seat]} discarded {tile_text(tile)}{how}"
        case events.MeldCall(seat, meld):
            return f"{SEATS[seat]} called {meld_text(meld)} from {SEATS[at_side(seat, meld.source, seats)]}"
        case events.OwnKan(seat, meld):
            return f"{SEATS[seat]} made {meld_text(meld)}"
        case events.NorthAside(seat):
            return f"{SEATS[seat]} set a north aside"
        case events.Dora(indicator):
            return f"another dora indicator: {tile_text(indicator)}"
    return ""


def table_text(view: WaitsView, me: int, names: Sequence[str]) -> str:
    """Everything that seat `me` sees now. `names` are by seat."""
    board = view.board
    dora = ", ".join(f"{tile_text(dora_of(one, board.seats))} (indicator {tile_text(one)})" for one in board.indicators)
    head = f"{SEATS[board.round % 4]} {board.kyoku + 1}, honba {board.honba}, riichi sticks {board.sticks}"
    return "\n".join(
        [
            f"{head}, {board.live} tiles left to draw. Dora: {dora}.",
            *(_seat_text(board, seat, me, names[seat]) for seat in range(board.seats)),
            _hand_text(board, view.ready, me),
        ]
    )


def _seat_text(board: Board, seat: int, me: int, name: str) -> str:
    who = f"{SEATS[seat]} ({'you' if seat == me else name}{', dealer' if seat == 0 else ''})"
    riichi = f", {_RIICHI[board.riichi[seat]]}" if board.riichi[seat] else ""
    melds = "; ".join(map(meld_text, board.hands[seat].melds)) or "none"
    aside = f" Norths aside: {board.hands[seat].aside}." if board.hands[seat].aside else ""
    return f"{who}: {board.scores[seat]} points{riichi}. Melds: {melds}.{aside} River: {_river_text(board, seat)}."


def _river_text(board: Board, seat: int) -> str:
    river, texts = board.rivers[seat], []
    for place, tile in enumerate(river.tiles):
        text = f"{tile_text(tile)}{'~' if river.tsumogiri[place] else ''}{'!' if place in river.sideways else ''}"
        texts.append(f"({text})" if place in river.called_by else text)
    return " ".join(texts) or "none"


def _hand_text(board: Board, ready: Readiness, me: int) -> str:
    hand = board.hands[me]
    drawn = "" if hand.drawn is None else f" Drawn: {tile_text(hand.drawn)}."
    text = f"Your hand: {tiles_text(hand.tiles_before_draw)}.{drawn}"
    if waits := ready.waits[me]:
        kinds = [kind for kind in range(KINDS) if waits >> kind & 1]
        furiten = "" if any(ready.may_ron(me, kind) for kind in kinds) else ", furiten: no ron"
        return f"{text} Tenpai{' without the drawn tile' if drawn else ''}, waits: {tiles_text(kinds)}{furiten}."
    shanten = shapes.shanten(hand.counts)
    return (
        f"{text} {'Complete' if shanten < 0 else 'Shanten ' + str(shanten) if shanten else 'Tenpai with one discard'}."
    )
