"""The player that a language model controls, and the tables at which it plays.

A model reads the table as text, from what its seat has heard and nothing else.

Tiles are written as people write them: `1m`, `5s-red`, `East`. Equal boards and options give equal text.
"""

import threading
from collections.abc import Callable, Iterable, Sequence

import msgspec

from jantaku.players.adapters.websocket import Visit
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, JantakuError, PlayerGone, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, PlayerWrapper, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.play.runner import Opener, Plan, play_one
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import at_side, by_seat
from jantaku.table.riichi.pieces.tiles import EAST, KINDS, NAMES, RED_M, dora_of, sort_tiles
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.words import word_of
from jantaku.table.serve.joining import Commentary, Search

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


# The player that a language model controls: the table asks in one thread, tools look and answer in others.


class _Asked:
    """An open question, with the number that the model sees."""

    def __init__(self, number: int, question: Question) -> None:
        self.number, self.question = number, question
        self.deadline = Deadline(question.seconds)
        self.given: Action | None = None

    @property
    def text(self) -> str:
        """The question with its options, as text."""
        options, default = self.question.options, option_text(self.question.default)
        left = self.deadline.left
        time = "no time limit is told" if left is None else f"{left:.0f} s left, then the default is played"
        head = f"Question {self.number}: your move ({time}; the default is {default}). Options:"
        return f"{head}\n{options_text(options)}"


class _Timer(msgspec.Struct):
    """The time that a message tells; see `jantaku.table.languages.wire.dialect.timer`."""

    left: float
    margin: float = 0.0


class _Time(msgspec.Struct):
    """The time in RiichiLab's form."""

    deadline_ms: float


class _Timed(msgspec.Struct):
    timer: _Timer | None = None
    time: _Time | None = None


class ModelSeat:
    """Implements `jantaku.table.ground.port.Remote`, and `Sight` elsewhere. A model learns only what its seat has
    heard, which is masked."""

    game = "riichi"
    listens = True
    stale = 0

    def __init__(self) -> None:
        self.timer: _Timer | None = None
        """The time that a server's last message told."""
        self._changed = threading.Condition()
        """Guards everything below; notified of every question and of the end."""
        self._view: WaitsView | None = None
        self._me = -1
        self._names: tuple[str, ...] = ()
        self._dealer = 0
        self._asked: _Asked | None = None
        self._number = 0
        self._new: list[str] = []
        """Events of this kyoku since the last answer."""
        self._told: list[str] = []
        """Results and defaults since the last answer."""
        self._over = ""
        """Why there are no more questions; empty while there may be."""
        self._commentary = Commentary(lambda line: self._told.append(line.strip()))

    # --- called by the table

    def start(self, seconds: float | None) -> None:
        """Does nothing: the model has asked for the game, so it is ready."""

    def close(self) -> None:
        self.end("the game is over")

    def end(self, why: str) -> None:
        """End the questions. Only the first reason is kept."""
        with self._changed:
            self._over = self._over or why
            self._changed.notify_all()

    def hear(self, event: Event) -> None:
        with self._changed:
            if isinstance(event, HanchanStart):
                self._view, self._names, self._me = WaitsView(event.rules), event.names, -1
            if self._view is not None:
                self._view.follow(event)
            self._commentary.event(event)
            if isinstance(event, KyokuStart):
                self._me = next(seat for seat, hand in enumerate(event.hands) if hand is not None)
                self._dealer, self._new = event.dealer, []
            elif text := event_text(event, len(self._names)):
                self._new.append(text)
        if isinstance(event, HanchanEnd):
            self.end("the game is over")

    def line(self, line: bytes) -> None:
        """Read what a message of a server says beside the game: the time, and a default."""
        with self._changed:
            self._commentary.line(line)
        try:
            told = msgspec.json.decode(line, type=_Timed)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            told = _Timed()
        self.timer = told.timer if told.time is None else _Timer(told.time.deadline_ms / 1000)

    def event(self, event: Event) -> None:
        """Does nothing: the seat hears events itself."""

    def tell(self, line: str) -> None:
        """Set the text to show before there is a game."""
        with self._changed:
            self._told = [line]

    @property
    def began(self) -> bool:
        """Whether a game has begun."""
        return self._commentary.began

    def defaulted(self, played: DefaultPlayed) -> None:
        """Tell the model of a default, unless its silence, which it knows of already, was the reason."""
        if played.verdict != "silent":
            with self._changed:
                self._told.append(f"the default was played for you: {played.reason}")

    def answer(self, question: Question) -> Action:
        """Return the model's choice. Raises PlayerSilent when the time is over, PlayerGone if the model left."""
        with self._changed:
            self._number += 1
            asked = self._asked = _Asked(self._number, question)
            self._changed.notify_all()
            while asked.given is None and not self._over:
                if asked.deadline.over:
                    default = option_text(question.default)
                    self._told.append(
                        f"question {asked.number}: no answer came in time; the default was played, {default}"
                    )
                    break
                self._changed.wait(asked.deadline.left)
            self._asked = None
            if asked.given is not None:
                return asked.given
            if self._over:
                raise PlayerGone("the model has left")
            raise PlayerSilent("the model has not answered")

    # --- called for the model

    def wait(self, seconds: float) -> str:
        """Return the table when it is the model's move or the game is over, or in any case after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked is not None or self._over, seconds)
            return self._text()

    def look(self) -> str:
        """Return the table as text. Changes nothing."""
        with self._changed:
            return self._text()

    def act(self, number: int, said: str) -> None:
        """Answer question `number`. Raises BadInput, which says what is allowed, if the answer is invalid."""
        with self._changed:
            asked = self._asked
            if asked is None or asked.given is not None:
                now = self._over or "it is not your move; call wait"
                raise BadInput(f"nothing was played: no question is open: {now}")
            if number != asked.number:
                raise BadInput(f"nothing was played: question {number} is not open any more or yet.\n{asked.text}")
            option = chosen(asked.question.options, said)
            if option is None:
                raise BadInput(f"nothing was played: {said[:80]!r} is not one of the options.\n{asked.text}")
            asked.given, self._asked = option, None
            self._new, self._told = [], []
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether there are no more questions."""
        return bool(self._over)

    def _text(self) -> str:
        parts = [*self._told]
        if self._view is not None and self._me >= 0 and not self._over:
            if self._new:
                parts.append(f"Since your last answer: {'; '.join(self._new)}.")
            parts.append(table_text(self._view, self._me, by_seat(self._names, self._dealer)))
        if self._over:
            parts.append(f"No move is to be made: {self._over}. start_game plays another.")
        else:
            parts.append(self._asked.text if self._asked else "It is not your move yet: call wait.")
        return "\n".join(parts)


# The tables at which a model plays: its own game against bots, or a room of a server.

LEAVING = 5.0
"""Seconds for a game to end after the model has left."""


class OwnTable:
    """Games against bots, kept as records. `plan_of(seat)` returns the plan with the model's seat in it."""

    def __init__(self, plan_of: Callable[[ModelSeat], Plan], opener: Opener) -> None:
        self._plan_of, self._opener = plan_of, opener
        self._number = 0
        self._judge: Judge | None = None

    def play(self, seat: ModelSeat) -> str:
        """Play a game, and return the text for its end. Raises JantakuError if it cannot be played."""
        number, self._number = self._number, self._number + 1
        outcome = play_one(self._plan_of(seat), number, self._opener, conduct=self._conduct)
        return f"the game is over ({outcome.ending}); its record: {outcome.records[-1]}"

    def stop(self) -> None:
        """End the current game."""
        if self._judge is not None:
            self._judge.stop()

    def _conduct(self, judge: Judge) -> Result:
        self._judge = judge
        judge.start()
        return judge.join()


class AwayTable:
    """Games in a room of a server: the named room, or one that has a free seat. `wait` is the number of seconds to wait
    for a server that is not up, or for a seat. Raises BadInput for an invalid address."""

    def __init__(self, visit: Visit, wait: float = 0.0) -> None:
        self._visit, self._wait = visit, wait
        self._search = self._search_for(None)

    def play(self, seat: ModelSeat) -> str:
        self._search = self._search_for(seat)
        self._search.game(lambda: _Visiting(seat), seat)
        return "the game is over"

    def stop(self) -> None:
        """Stop waiting for a seat. In a running game, a seat that has ended breaks the connection."""
        self._search.stop()

    def _search_for(self, seat: ModelSeat | None) -> Search:
        return Search(self._visit, self._wait, lambda line: None if seat is None else seat.tell(line))


class _Visiting(PlayerWrapper):
    """The seat at a remote table, with that table's time."""

    def __init__(self, seat: ModelSeat) -> None:
        super().__init__(seat)
        self._seat = seat

    def answer(self, question: Question) -> Action:
        """Return the model's answer, or the default when the time is over, as the server plays it."""
        if timer := self._seat.timer:
            question = question.with_time(timer.left, margin=timer.margin)
        try:
            return super().answer(question)
        except PlayerSilent:
            return question.default


class ModelGame:
    """The model's game: one at a time, in its own thread."""

    def __init__(self, place: OwnTable | AwayTable) -> None:
        self._place = place
        self._thread: threading.Thread | None = None
        self.seat: ModelSeat | None = None

    def begin(self) -> ModelSeat | None:
        """Start a game; None if one is still being played."""
        if self._thread is not None and self._thread.is_alive():
            return None
        seat = self.seat = ModelSeat()
        self._thread = threading.Thread(target=self._play, args=(seat,), name="game", daemon=True)
        self._thread.start()
        return seat

    def close(self) -> None:
        """End the game, after the model has left."""
        self._place.stop()
        if self.seat is not None:
            self.seat.end("you have left")
        if self._thread is not None:
            self._thread.join(LEAVING)

    def _play(self, seat: ModelSeat) -> None:
        why = "the table is broken, which is a defect of jantaku"
        try:
            why = self._place.play(seat)
        except JantakuError as problem:
            why = f"the table is gone: {problem}"
        finally:
            seat.end(why)
