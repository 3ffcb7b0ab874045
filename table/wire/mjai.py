"""mjai to a seat and its replies, as bots of mjai.app and Mortal read it.

    mjai        one line is an array of all events since the last line; each line is replied to with one object.
                Lines are sent when there is a question, at the start, and at the end of each kyoku and of the game
    mjai-lines  one line is one event, sent as late; the one that is asked about has no `can_act: false`, and only
                that one is replied to

Player ids count from the first dealer. A riichi takes two questions: `reach`, which is echoed, then `dahai`. There
are no numbers in this dialect: replies are told apart by counting them. Where tenpai has to be declared it is.
If the echoed riichi comes to nothing, because its discard could not be used or the seat only sits beside a record, the
kyoku is told again from its `start_kyoku` with the next message: nobody plays on with a riichi that there is not.

A reply may be an array with the discard that follows its reach, chi or pon, as akochan's are; then nobody is asked for
that discard. So is a `reach` that has its discard as `pai`, as Akagi's may.

What a reply has under `meta`, or `log` as gimite's clients say, is kept in the record and changes nothing.
What is asked about says, in `mjai-actions` and `mjai-lines-actions`, as gimite's servers do, what may be replied:
`possible_actions` without the discards, or, where only a discard is left, `cannot_dahai`.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from jantaku.table.compiled import mypyc_attr
from jantaku.table.errors import BadInput, PlayerUnreadable
from jantaku.table.formats.facts import AS_THEY_ARE, fact_of
from jantaku.table.formats.mjai.reading import tile_of, tiles_of
from jantaku.table.formats.mjai.replies import cannot_dahai, possible_actions, replies
from jantaku.table.formats.mjai.speaker import MjaiDialect, Speaker
from jantaku.table.formats.mjai.words import Line
from jantaku.table.port import Action, Choice, Question
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import by_seat, player_of, seat_of, side_of
from jantaku.table.wire.dialect import Greeting, Heard, Side, Talk, field, read_json, shown, text_of, write_line

T = TypeVar("T")
_AS_THEY_ARE: Final = AS_THEY_ARE
_CALLS: Final = {"chi": 2, "pon": 2, "daiminkan": 3}
_DISCARDS: Final = (
    (actions.DISCARDS, actions.TSUMOGIRI),
    (actions.RIICHI_DISCARDS, actions.RIICHI_TSUMOGIRI),
)
"""Without and with riichi, from the hand and as drawn: the very options that are offered are found at once."""
_MOVES: Final = 2
"""Most moves in a reply: what a claim or riichi is, and its discard."""
_MADE: Final = {"dahai", "ankan", "kakan"}
_FRAME: Final = {events.HanchanStart, events.KyokuStart, events.HanchanEnd}


@mypyc_attr(allow_interpreted_subclasses=True)
class Mjai(Side):
    """One seat's side, an array a line. Implements `Dialect`; ids are counted from the first dealer."""

    says_actions: ClassVar[bool] = False
    """Whether a message says what may be replied to it."""
    aside: ClassVar[str] = "nukidora"
    """The word of a reply that sets a north aside."""
    spoken: ClassVar[MjaiDialect] = "wide"
    """The fields that events have."""

    def __init__(self) -> None:
        super().__init__()
        self._board = Board()
        self._speaker = Speaker(self._board, self.spoken)
        self._waiting: list[Line] = []
        """Events that the seat has heard and that were not sent yet."""
        self._first_dealer = 0
        self._playing = False
        """A kyoku has begun and its end was not sent."""
        self._reach_sent = False
        """The own riichi was echoed already, before its discard."""
        self._kyoku: list[Line] = []
        """All that was said of this kyoku."""
        self._second: Line | None = None
        """The discard that came with the last reply."""

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        """See `Dialect.tell`. Within a kyoku events wait until there is a question; then it says its time."""
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
        """The reply to `start_game`."""
        return self._greet()

    def ask(self, question: Question) -> Talk:
        """All that happened, the last of it being what the question is about."""
        self.meta = None
        if question.default == actions.NOTEN:
            return actions.TENPAI
        second, self._second = self._second, None
        if second is not None and self._has_called:  # said already: what happened is sent with the next question
            return self._action(field(second, "type", str), second, question)
        reply = self._reply((yield from self._put(self._flush(question))))
        kind = field(reply, "type", str)
        if kind == "reach" and any(_is_riichi(option) for option in question.options):
            return (yield from self._riichi(reply, question))
        return self._action(kind, reply, question)

    def _riichi(self, reply: Line, question: Question) -> Talk:
        """The discard of a riichi: it came with its declaration, or is asked for."""
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
        """Whether the last that happened is an own chi or pon, so that a discard is due."""
        last = self._waiting[-1] if self._waiting else {}
        return last.get("type") in ("chi", "pon") and last["actor"] == self.me

    def written(self, action: Action) -> str:
        """See `Dialect.written`: a riichi is two lines."""
        return " ".join(text_of(line) for line in replies(action, self.me, self._board, self.aside))

    def offered(self, choice: Choice) -> Iterable[str]:
        """See `Dialect.offered`: after `reach` only its discards."""
        if not self._reach_sent:
            return super().offered(choice)
        return [text_of(replies(one, self.me, self._board)[-1]) for one in choice.options if _is_riichi(one)]

    def messages(self, data: bytes) -> list[str]:
        """See `Dialect.messages`: a text for each event, however many are in a line."""
        found = [msgspec.json.decode(line) for line in data.splitlines()]
        return [text_of(one) for line in found for one in (line if isinstance(line, list) else [line])]

    def _put(self, data: bytes) -> Generator[bytes, Heard, bytes]:
        """Send `data`; the line that replies to it."""
        number = self._replies.due
        self._replies.asking(number)
        return self._reply_to(number, data)

    def _reply(self, line: bytes) -> Line:
        """The reply in a line, which has to be of this seat. What comes with it is kept as `_second`."""
        moves = _moves(line)
        for move in moves:
            if move.get("actor", self.me) != self.me:
                raise PlayerUnreadable(f"its actor is {move['actor']}, but {self.me} was asked")
        self._second = moves[1] if len(moves) > 1 else None
        self._keep(moves[0].get("meta", moves[0].get("log")))
        return moves[0]

    def _keep(self, said: Any) -> None:
        """Keep what a reply says besides. What comes with the discard of a riichi is added to that of its `reach`."""
        if said is not None and isinstance(self.meta, dict):
            self.meta = {**self.meta, "dahai": said}
        elif said is not None:
            self.meta = said

    def _greet(self) -> Greeting:
        self._reply((yield from self._put(b"")))

    # --- what is sent

    def _flush(self, question: Question | None = None, *, again: bool = False) -> bytes:
        """Everything pending, as one line that is replied to; `again`: with the second reply to that question."""
        self._replies.expect()
        return write_line(self._lines(question, again=again))

    def _lines(self, question: Question | None, *, again: bool) -> list[Line]:
        """Everything pending; the last says what may be replied, the time, and which defaults were played."""
        lines, self._waiting = self._waiting, []
        if lines and (also := self._also(None if again else question)):
            lines[-1] = lines[-1] | also
        if lines and question and self.says_actions:
            lines[-1] = lines[-1] | self._allowed(lines[-1], question)
        return lines

    def _allowed(self, line: Line, question: Question) -> Line:
        """What may be replied to `line`, see `possible_actions` and `cannot_dahai`."""
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
        """Without the own `reach`, which was sent before the discard. It may have come to nothing: then the seat did
        something else."""
        if lines and lines[-1]["type"] in _MADE and lines[-1]["actor"] == self.me:
            self._reach_sent = False
            return lines[1:] if lines[0]["type"] == "reach" else self._told_again(lines)
        return lines

    def _told_again(self, lines: list[Line]) -> list[Line]:
        """The kyoku with these last lines, for a player that was told of a riichi that there is not."""
        self._waiting.clear()
        return [*self._kyoku]

    def _start_game(self, event: events.HanchanStart) -> Line:
        """`jantaku` has the rules, and what is for this player alone; mjai has no words for them."""
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
        """What a reply says. PlayerUnreadable."""
        match kind:
            case "none":
                return actions.PASS
            case "dahai":
                return self._discard(reply, question, riichi=False)
            case "reach":  # not offered: any discard with riichi says so
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
        """Without `tsumogiri` the discard that is meant, where it can be one only."""
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
        """Only questions are replied to."""
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
    """As `Mjai`, with what may be replied."""

    says_actions: ClassVar[bool] = True


class MjaiLinesActions(MjaiLines):
    """As `MjaiLines`, with what may be replied."""

    says_actions: ClassVar[bool] = True


def _moves(line: bytes) -> list[Line]:
    """The moves of a reply: an object, or an array of one or two. PlayerUnreadable."""
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
    """The consumed tiles. PlayerUnreadable."""
    consumed = field(reply, "consumed", list)
    return _read(tiles_of, [str(text) for text in consumed], count)


def _read(parse: Callable[..., T], *words: Any) -> T:
    """Words of a reply. PlayerUnreadable for unknown words."""
    try:
        return parse(*words)
    except BadInput as error:
        raise PlayerUnreadable(str(error)) from None


def _kakan(reply: Line, question: Question) -> Meld:
    """The kakan that is offered with these tiles; else one that represents the reply, with an arbitrary source."""
    added = _tile(field(reply, "pai", str))
    kept = _tiles(reply, 3) if "consumed" in reply else None
    for option in question.options:
        meld = option.meld if isinstance(option, actions.Kan) else None
        if meld is not None and meld.added == added and (kept is None or sorted(meld.tiles[:-1]) == sorted(kept)):
            return meld
    kept = kept or [added] * 3
    return kakan(pon(kept[0], 1, *kept[1:]), added)
