"""Sends mjai to a seat and reads its replies, as bots of mjai.app and Mortal expect it.

    mjai        one line is an array of all events since the last line; each line is replied to with one object.
                Lines are sent when there is a question, at the start, and at the end of each kyoku and of the game
    mjai-lines  one line is one event, sent at the same moments; all lines have `can_act: false` except the one that
                is asked about, and only that one is replied to

Player ids count from the first dealer. A riichi takes two questions: `reach`, which is echoed, then `dahai`. This
dialect has no numbers: replies are matched by counting them. Where tenpai has to be declared, it is declared for the
bot. If the echoed riichi is not carried out, because its discard could not be used or because the seat only sits beside
a record, the next message repeats the kyoku from its `start_kyoku`: no bot continues with a riichi that does not exist.

A reply may be an array with the discard that follows its reach, chi or pon, as akochan sends it; then that discard is
not asked for. The same holds for a `reach` that has its discard as `pai`, as Akagi may send it.

A reply's `meta` (or `log`, as gimite's clients call it) is kept in the record and has no other effect. In
`mjai-actions` and `mjai-lines-actions`, the event that is asked about lists the possible replies, as gimite's servers
do: `possible_actions` without the discards or, if only a discard is possible, `cannot_dahai`.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from jantaku.table.compiled import mypyc_attr
from jantaku.table.ground.errors import BadInput, PlayerUnreadable
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.languages.facts import AS_THEY_ARE, fact_of
from jantaku.table.languages.mjai.reader import tile_of, tiles_of
from jantaku.table.languages.mjai.replies import cannot_dahai, possible_actions, replies
from jantaku.table.languages.mjai.speaker import MjaiDialect, Speaker
from jantaku.table.languages.mjai.words import Line
from jantaku.table.languages.wire.dialect import (
    Greeting,
    Heard,
    Side,
    Talk,
    field,
    read_json,
    shown,
    text_of,
    write_line,
)
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import by_seat, player_of, seat_of, side_of

T = TypeVar("T")
# Final copies for speed: compiled code looks another module's names up at every use
_AS_THEY_ARE: Final = AS_THEY_ARE
_CALLS: Final = {"chi": 2, "pon": 2, "daiminkan": 3}
_DISCARDS: Final = ((actions.DISCARDS, actions.TSUMOGIRI), (actions.RIICHI_DISCARDS, actions.RIICHI_TSUMOGIRI))
"""[without, with riichi][from the hand, as drawn][tile]: the shared objects that options use too, so that a lookup
finds them by identity."""
_MOVES: Final = 2
"""The most moves in a reply: a claim or riichi, and its discard."""
_MADE: Final = {"dahai", "ankan", "kakan"}
_FRAME: Final = {events.HanchanStart, events.KyokuStart, events.HanchanEnd}


@mypyc_attr(allow_interpreted_subclasses=True)
class Mjai(Side):
    """One seat's side, an array a line. Implements `Dialect`; ids are counted from the first dealer."""

    says_actions: ClassVar[bool] = False
    """Whether a message lists the possible replies."""
    aside: ClassVar[str] = "nukidora"
    """The word of a reply that sets a north aside."""
    spoken: ClassVar[MjaiDialect] = "wide"
    """The dialect of the fields in events."""

    def __init__(self) -> None:
        super().__init__()
        self._board = Board()
        self._speaker = Speaker(self._board, self.spoken)
        self._waiting: list[Line] = []
        """Events that the seat has heard and that are not sent yet."""
        self._first_dealer = 0
        self._playing = False
        """Whether a kyoku has begun and its end is not sent."""
        self._reach_sent = False
        """Whether the own riichi is echoed already, before its discard."""
        self._kyoku: list[Line] = []
        """All lines of this kyoku so far."""
        self._second: Line | None = None
        """The discard that came with the last reply; None if there was none."""

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        """Return the lines to send. Within a kyoku, events wait until there is a question; then its time is sent with
        them."""
        if type(event) not in _FRAME:
            self._say(event)
            return b""
        if isinstance(event, events.HanchanStart):
            self._waiting.append(self._start_game(event))
            return self._flush()
        data, self._reach_sent, self._kyoku = self._end_kyoku(), False, []
        if isinstance(event, events.HanchanEnd):
            scores = list(by_seat(event.scores, self._first_dealer))
            self._waiting.append({"type": "end_game", "scores": scores})
            return data + self._flush()
        self._playing = True
        self._say(event)
        self._kyoku[-1]["num_players"] = self._board.seats
        return data

    def _say(self, event: events.Event) -> None:
        fact = event if type(event) in _AS_THEY_ARE else fact_of(event, self._board)
        self._board.apply(event)
        lines = self._speaker.lines(fact)
        self._kyoku += lines
        self._waiting += self._without_echo(lines) if self._reach_sent else lines

    def greet(self) -> Greeting | None:
        """Wait for the reply to `start_game`."""
        return self._greet()

    def ask(self, question: Question) -> Talk:
        """Send all pending events, of which the last is the one asked about, and read the reply."""
        self.meta = None
        if question.default == actions.NOTEN:
            return actions.TENPAI
        second, self._second = self._second, None
        if second is not None and self._has_called:  # replied to already: the events are sent with the next question
            return self._action(field(second, "type", str), second, question)
        reply = self._reply((yield from self._put(self._flush(question))))
        kind = field(reply, "type", str)
        if kind == "reach" and any(_is_riichi(option) for option in question.options):
            return (yield from self._riichi(reply, question))
        return self._action(kind, reply, question)

    def _riichi(self, reply: Line, question: Question) -> Talk:
        """Return the discard of a riichi: it came with the declaration, or is asked for now."""
        second, self._second = self._second, None
        if second is None and "pai" in reply:
            return self._discard(reply, question, riichi=True)
        if second is None:
            self._reach_sent = True
            self._waiting.append({"type": "reach", "actor": self.me})
            second = self._reply((yield from self._put(self._flush(question, again=True))))
        if field(second, "type", str) != "dahai":
            raise PlayerUnreadable(f"its riichi goes on with {second['type']}; after reach comes dahai")
        return self._discard(second, question, riichi=True)

    @property
    def _has_called(self) -> bool:
        """Whether the last event is an own chi or pon, so that a discard is due."""
        last = self._waiting[-1] if self._waiting else {}
        return last.get("type") in ("chi", "pon") and last["actor"] == self.me

    def written(self, action: Action) -> str:
        """Return the action as text; a riichi is two lines."""
        return " ".join(text_of(line) for line in replies(action, self.me, self._board, self.aside))

    def offered(self, choice: Choice) -> Iterable[str]:
        """Return the options as text; after `reach` only its discards."""
        if not self._reach_sent:
            return super().offered(choice)
        return [text_of(replies(one, self.me, self._board)[-1]) for one in choice.options if _is_riichi(one)]

    def messages(self, data: bytes) -> list[str]:
        """Return one text for each event, however many are in a line."""
        found = [msgspec.json.decode(line) for line in data.splitlines()]
        return [text_of(one) for line in found for one in (line if isinstance(line, list) else [line])]

    def _put(self, data: bytes) -> Generator[bytes, Heard, bytes]:
        """Send `data`, and return the line that replies to it."""
        number = self._replies.due
        self._replies.asking(number)
        return self._reply_to(number, data)

    def _reply(self, line: bytes) -> Line:
        """Read a reply, which must come from this seat. A second move in it is kept as `_second`."""
        moves = _moves(line)
        for move in moves:
            if move.get("actor", self.me) != self.me:
                raise PlayerUnreadable(f"its actor is {move['actor']}, but {self.me} was asked")
        self._second = moves[1] if len(moves) > 1 else None
        self._keep(moves[0].get("meta", moves[0].get("log")))
        return moves[0]

    def _keep(self, said: Any) -> None:
        """Keep what a reply says besides. What comes with the discard of a riichi is added to the remark of its
        `reach`."""
        if said is not None and isinstance(self.meta, dict):
            self.meta = {**self.meta, "dahai": said}
        elif said is not None:
            self.meta = said

    def _greet(self) -> Greeting:
        self._reply((yield from self._put(b"")))

    # --- what is sent

    def _flush(self, question: Question | None = None, *, again: bool = False) -> bytes:
        """Return all pending events as one line that is replied to. `again`: it asks for the second reply to
        `question`."""
        self._replies.expect()
        return write_line(self._lines(question, again=again))

    def _lines(self, question: Question | None, *, again: bool) -> list[Line]:
        """Return all pending events; the last one has the possible replies, the time, and the defaults that were
        played."""
        lines, self._waiting = self._waiting, []
        if lines and (also := self._also(None if again else question)):
            lines[-1] = lines[-1] | also
        if lines and question and self.says_actions:
            lines[-1] = lines[-1] | self._allowed(lines[-1], question)
        return lines

    def _allowed(self, line: Line, question: Question) -> Line:
        """The possible replies to `line`; see `possible_actions` and `cannot_dahai`."""
        kind, options = line["type"], question.options
        if line.get("actor") == self.me and kind in ("chi", "pon", "reach"):
            return {"cannot_dahai": cannot_dahai(options, self.me, self._board, riichi=kind == "reach")}
        return {"possible_actions": possible_actions(options, self.me, self._board)}

    def _end_kyoku(self) -> bytes:
        if not self._playing:
            return b""
        self._playing = False
        self._waiting.append({"type": "end_kyoku"})
        return self._flush()

    def _without_echo(self, lines: list[Line]) -> list[Line]:
        """Drop the own `reach`, which was sent before the discard. If the riichi was not carried out, the seat did
        something else, and the kyoku is told again."""
        if lines and lines[-1]["type"] in _MADE and lines[-1]["actor"] == self.me:
            self._reach_sent = False
            return lines[1:] if lines[0]["type"] == "reach" else self._told_again(lines)
        return lines

    def _told_again(self, lines: list[Line]) -> list[Line]:
        """Replace the pending events by the whole kyoku, these last lines included, for a player that saw a riichi
        echoed that does not exist."""
        self._waiting.clear()
        return [*self._kyoku]

    def _start_game(self, event: events.HanchanStart) -> Line:
        """`jantaku` has the rules and what is for this player alone; mjai has no fields for them."""
        first, rules = event.first_dealer, event.rules
        self._first_dealer = first
        self.me = seat_of(event.you or 0, first, len(event.names))
        reds = rules.tiles.red_m + rules.tiles.red_p + rules.tiles.red_s
        return {
            "type": "start_game",
            "id": self.me,
            "names": list(by_seat(event.names, first)),
            "num_players": len(event.names),
            "kyoku_first": 4 if rules.game.length == "tonpu" else 0,
            "aka_flag": reds > 0,
            "jantaku": {"rules": msgspec.to_builtins(rules), **self.ours},
        }

    # --- what is replied

    def _action(self, kind: str, reply: Line, question: Question) -> Action:
        """Return the action that a reply means. Raises PlayerUnreadable for an unknown type."""
        match kind:
            case "none":
                return actions.PASS
            case "dahai":
                return self._discard(reply, question, riichi=False)
            case "reach":  # riichi is not offered: any discard with riichi is a refused action
                return actions.Discard(getattr(question.default, "tile", 0), riichi=True)
            case "hora":
                own_turn = any(isinstance(option, actions.Discard) for option in question.options)
                return actions.TSUMO if own_turn else actions.RON
            case "ryukyoku":
                return actions.KYUUSHU
            case "chi" | "pon" | "daiminkan":
                return actions.Call(self._call(kind, reply))
            case "ankan":
                return actions.Kan(ankan(*_tiles(reply, 4)))
            case "kakan":
                return actions.Kan(_kakan(reply, question))
            case "nukidora" | "kita":
                return actions.SET_ASIDE
        raise PlayerUnreadable(f"there is no reply {kind}")

    def _discard(self, reply: Line, question: Question, *, riichi: bool) -> actions.Discard:
        """Read a discard. Without `tsumogiri`, the possible one of both is taken; PlayerUnreadable if both are
        possible."""
        tile = _tile(field(reply, "pai", str))
        from_hand, drawn = [discards[tile] for discards in _DISCARDS[riichi]]
        if reply.get("tsumogiri") is not None:
            return drawn if field(reply, "tsumogiri", bool) else from_hand
        if {from_hand, drawn} <= set(question.options):
            raise PlayerUnreadable(f"it has no tsumogiri, and its pai {reply['pai']} was drawn and is in the hand, too")
        return drawn if drawn in question.options else from_hand

    def _call(self, kind: str, reply: Line) -> Meld:
        called, own = _tile(field(reply, "pai", str)), _tiles(reply, _CALLS[kind])
        if kind == "chi":
            return chi(called, *own)
        seats = self._board.seats
        target = player_of(self._board.last_seat, self._board.kyoku, seats)
        source = side_of(self.me, field({"target": target, **reply}, "target", int), seats)
        return pon(called, source, *own) if kind == "pon" else daiminkan(called, source, *own)


class MjaiLines(Mjai):
    """One seat's side, an event a line. Implements `Dialect`."""

    def greet(self) -> Greeting | None:
        """Return None: only questions are replied to."""
        return None

    def _flush(self, question: Question | None = None, *, again: bool = False) -> bytes:
        lines = self._lines(question, again=again)
        silent = lines if question is None else lines[:-1]
        if question is not None:
            self._replies.expect()
        data = b"".join(write_line({**line, "can_act": False}) for line in silent)
        return data + b"".join(write_line(line) for line in lines[len(silent) :])


@mypyc_attr(allow_interpreted_subclasses=True)
class MjaiActions(Mjai):
    """Like `Mjai`, with the possible replies."""

    says_actions: ClassVar[bool] = True


class MjaiLinesActions(MjaiLines):
    """Like `MjaiLines`, with the possible replies."""

    says_actions: ClassVar[bool] = True


def _moves(line: bytes) -> list[Line]:
    """Split a reply into moves: an object, or an array of one or two. Raises PlayerUnreadable for anything else."""
    value = read_json(line)
    if type(value) is dict:
        return [value]
    if type(value) is list and 0 < len(value) <= _MOVES and all(type(move) is dict for move in value):
        return value
    raise PlayerUnreadable(f"{shown(line)} is not a JSON object, or an array of {_MOVES} at the most")


def _is_riichi(option: Action) -> bool:
    return isinstance(option, actions.Discard) and option.riichi


def _tile(text: str) -> int:
    return _read(tile_of, text)


def _tiles(reply: Line, count: int) -> list[int]:
    """Read `count` consumed tiles. Raises PlayerUnreadable for anything else."""
    consumed = field(reply, "consumed", list)
    return _read(tiles_of, [str(text) for text in consumed], count)


def _read(parse: Callable[..., T], *words: Any) -> T:
    """Parse words of a reply. Raises PlayerUnreadable for unknown words."""
    try:
        return parse(*words)
    except BadInput as error:
        raise PlayerUnreadable(str(error)) from None


def _kakan(reply: Line, question: Question) -> Meld:
    """Return the offered kakan with these tiles; without one, a kakan that represents the reply, with an arbitrary
    source."""
    added = _tile(field(reply, "pai", str))
    kept = _tiles(reply, 3) if "consumed" in reply else None
    for option in question.options:
        meld = option.meld if isinstance(option, actions.Kan) else None
        if meld is not None and meld.added == added and (kept is None or sorted(meld.tiles[:-1]) == sorted(kept)):
            return meld
    kept = kept or [added] * 3
    return kakan(pon(kept[0], 1, *kept[1:]), added)


class Mjsonp(MjaiActions):
    """The original mjai over TCP (protocol version 3), as gimite's server speaks it, after the handshake. One line is
    one event, and each is replied to, mostly with `{"type":"none"}`. An own `tsumo` and another seat's `dahai` and
    `kakan` have `possible_actions`; an own `chi`, `pon` and `reach` has `cannot_dahai`, as in `mjai-actions`. Both may
    be empty. An event is sent when the next one happens or when there is a question about it."""

    spoken: ClassVar[MjaiDialect] = "gimite"

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        data = self._flush()
        return data + super().tell(event, question)

    def _flush(self, question: Question | None = None, *, again: bool = False) -> bytes:
        """Return all pending events, a line each, all of which are replied to."""
        lines = [dict(line) for line in self._lines(question, again=again)]
        for line in lines:
            self._replies.expect()
            own = line.get("actor") == self.me
            if line["type"] in (("tsumo",) if own else ("dahai", "kakan")):
                line.setdefault("possible_actions", [])
            elif own and line["type"] in ("chi", "pon", "reach"):
                line.setdefault("cannot_dahai", [])
        return b"".join(map(write_line, lines))
