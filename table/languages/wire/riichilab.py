"""Sends RiichiLab's protocol 2 to a seat: events one by one as they happen, `request_action` when the seat has to
reply, and an `action_ack` for each reply.

A request has a number (`request_id`), every possible reply, the time, and what the seat sees (`observation`). A reply
repeats the number; one without a number counts as the reply to the next request. A riichi takes two requests. The
discard that a riichi forces is requested as well, but the table does not wait for the answer.
"""

from collections.abc import Generator
from typing import Any, Literal

import msgspec

from jantaku.table.ground.errors import PlayerUnreadable
from jantaku.table.ground.port import Action, DefaultPlayed, Question
from jantaku.table.languages.facts import fact_of
from jantaku.table.languages.mjai.speaker import Speaker
from jantaku.table.languages.mjai.words import TILES, Line
from jantaku.table.languages.wire.dialect import WRONG, Aside, Greeting, Heard, Side, Talk, read_json, shown, text_of
from jantaku.table.languages.wire.mjai import Mjai
from jantaku.table.languages.wire.riichilab_physical import (
    Candidate,
    Physical,
    candidates,
    match,
    observation,
    shortened,
)
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.seats import by_seat

Status = Literal["accepted", "rejected", "unparseable", "stale", "defaulted"]
KINDS = frozenset({"dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "hora", "ryukyoku", "kita", "none"})
"""The types of a reply."""
ENDLESS = 3600.0
"""Seconds that are sent if there is no clock."""
_MS = 1000


class Request(msgspec.Struct, frozen=True):
    """One `request_action`. `since`: seconds of the question that an earlier request has used; `question` is -1 if the
    table does not wait for the reply."""

    id: int
    number: int
    offered: list[Candidate]
    grace: float
    bank: float
    question: int = -1
    since: float = 0.0
    default: Action = None


class RiichiLab(Mjai):
    """One seat's side. Implements `Dialect`; ids are counted from the first dealer."""

    key = "request_id"
    aside = "kita"

    def __init__(self) -> None:
        super().__init__()
        self._speaker = Speaker(self._board, "riichilab")
        self._seen = Physical()
        self._news: list[str] = []
        """The events since the last observation."""
        self._numbers: dict[int, int] = {}
        """By `request_id`, the number of the message, counted from 1."""
        self._last_id = self._first_id = 0
        self._open: Request | None = None
        """The request that waits for its reply; None if there is none."""
        self._settled = True
        """Whether the last request is settled, by a reply or a default."""
        self._last: Request | None = None
        self._unasked: dict[int, Request] = {}
        """By number, the requests whose reply the table does not wait for."""
        self.penalized = False
        """Whether some reply was illegal or could not be read."""

    # --- events

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        data = b"".join(map(self._said_now, self._lines_of(event)))
        if question is None and isinstance(event, events.Draw) and self._is_forced(event):
            data += self._unasked_request(candidates([actions.TSUMOGIRI[event.tile or 0]], self._seen))
        return data

    def _is_forced(self, draw: events.Draw) -> bool:
        """Whether the own riichi leaves nothing but to discard the drawn tile."""
        return draw.tile is not None and draw.seat == self._seen.seat and self._board.riichi[draw.seat] > 0

    def _lines_of(self, event: events.Event) -> list[Line]:
        before: list[Line] = []
        if isinstance(event, events.KyokuStart | events.HanchanEnd) and self._playing:
            before, self._playing, self._reach_sent = [{"type": "end_kyoku"}], False, False
        self._seen.follow(event)
        if isinstance(event, events.HanchanStart):
            self._board.rules = event.rules
            return [{"type": "start_game", "id": self._start_game(event)["id"]}]
        if isinstance(event, events.HanchanEnd):
            scores = list(by_seat(event.scores, self._first_dealer))
            return [*before, {"type": "end_game", "scores": scores}]
        self._playing = True
        fact = fact_of(event, self._board)
        event.apply(self._board)
        lines = self._speaker.lines(fact)
        return before + (self._without_echo(lines) if self._reach_sent else lines)

    def _told_again(self, lines: list[Line]) -> list[Line]:
        """Repeat nothing: an observation contains the current state of the kyoku."""
        return lines

    def _said_now(self, line: Line) -> bytes:
        """Encode a line, and keep it for the next observation."""
        kept = {key: value for key, value in line.items() if key != "id"}
        self._news.append(_encoded(kept).decode())
        return _encoded(line) + b"\n"

    def messages(self, data: bytes) -> list[str]:
        """Return the messages as text, with observations shortened."""
        return [shortened(text) for text in Side.messages(self, data)]

    def greet(self) -> Greeting | None:
        """Return None: a client says nothing before its first request."""
        return None

    def again(self) -> "RiichiLab":
        side = super().again()
        side._numbers, side._last_id, side._first_id = self._numbers, self._last_id, self._last_id
        return side

    # --- requests

    def ask(self, question: Question) -> Talk:
        self.meta = None
        if actions.TENPAI in question.options:
            return _at_once(actions.TENPAI)
        bank = question.bank if question.allowed is not None else 0.0
        allowed = ENDLESS if question.allowed is None else question.allowed
        offered = candidates(question.options, self._seen)
        self._open = self._request(offered, allowed - bank, bank, question)
        return self._talk(self._open, question)

    def _talk(self, request: Request, question: Question) -> Talk:
        try:
            chosen, waited = yield from self._chosen(request, b"", question)
            if isinstance(chosen, Candidate) and chosen.kind == "reach":
                left = max(0.0, request.grace + request.bank - waited)
                bank = min(left, request.bank)
                offered = candidates(question.options, self._seen, after_reach=True)
                self._reach_sent = True
                echo = self._said_now({"type": "reach", "actor": self.me})
                self._open = self._request(offered, left - bank, bank, question, request.since + waited)
                chosen, _ = yield from self._chosen(self._open, echo, question)
            return chosen.action if isinstance(chosen, Candidate) else chosen
        finally:
            self._open = None

    def _chosen(
        self, request: Request, before: bytes, question: Question
    ) -> Generator[bytes, Heard, tuple[Candidate | Action, float]]:
        """Put a request, and take lines until its reply is there; return what it means, and after how many seconds it
        came."""
        heard = yield before + self._written_request(request)
        while True:
            reply, number = self._read(heard)
            if number == WRONG:
                self._replies.answers(heard, request.number, request.number)
                waited = heard.waited - request.since
                yield Aside(self._refused(request, "unparseable", waited, _unknown(reply, request)))
                raise PlayerUnreadable(_unknown(reply, request))
            told = self._named(reply, number)
            if self._replies.answers(heard, number, request.number):
                break
            yield Aside(self._stray(reply, told, heard))
            heard = yield b""
        waited = heard.waited - request.since
        kind = reply.get("type") if isinstance(reply, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            yield Aside(self._refused(request, "unparseable", waited, _no_reply(heard)))
            raise PlayerUnreadable(_no_reply(heard))
        self._keep(reply.get("meta"))
        if (found := match(reply, request.offered, self._seen.drawn)) is not None:
            yield Aside(self._acknowledged(request, "accepted", waited))
            return found, waited
        yield Aside(self._rejected(request, waited, heard, reply))
        return self._attempt(reply, question, _not_possible(heard, request)), waited

    def _attempt(self, reply: Line, question: Question, why: str) -> Action:
        """Return the game's action that an illegal reply stands for. Raises PlayerUnreadable if there is none."""
        try:
            action = self._action(reply["type"], {"tsumogiri": False, **reply}, question)
        except PlayerUnreadable:
            raise PlayerUnreadable(why) from None
        if action in question.options:  # a discard after reach that does not keep tenpai
            raise PlayerUnreadable(why)
        return action

    def _request(
        self, offered: list[Candidate], grace: float, bank: float, question: Question | None = None, since: float = 0.0
    ) -> Request:
        """Make the next request. Its number grows over all seats of the table, as the ids of questions do."""
        put = -1 if question is None else question.id
        self._last_id = max(self._last_id + 1, self._first_id + 2 * put + 1)
        number = self._replies.expect()
        self._numbers[self._last_id] = number
        default = None if question is None else question.default
        request = Request(self._last_id, number, offered, grace, bank, put, since, default)
        if question is None:
            self._unasked[number] = request
        else:
            self._replies.asking(number)
            self._last, self._settled = request, False
        return request

    def _unasked_request(self, offered: list[Candidate]) -> bytes:
        grace, bank = (ENDLESS, 0.0) if self._last is None else (self._last.grace, self._last.bank)
        return self._written_request(self._request(offered, grace, bank))

    def _written_request(self, request: Request) -> bytes:
        news, self._news = self._news, []
        grace, bank = _ms(request.grace), _ms(request.bank)
        line = {
            "observation": observation(self.me, self._board, self._seen, request.offered, news),
            "possible_actions": [one.line(self.me) for one in request.offered],
            "request_id": request.id,
            "time": {"bank_ms": bank, "deadline_ms": grace + bank, "grace_ms": grace},
            "type": "request_action",
        }
        return _encoded(line) + b"\n"

    # --- replies

    def _read(self, heard: Heard) -> tuple[Any, int]:
        """Parse a line: return its JSON value, None if it is not JSON, and the number of the message that it answers: 0
        without a `request_id`, WRONG for an unknown one."""
        try:
            reply = read_json(heard.line)
        except PlayerUnreadable:
            return None, 0
        told = reply.get(self.key) if isinstance(reply, dict) else None
        if told is None:
            return reply, 0
        return reply, self._numbers.get(told, WRONG) if type(told) is int else WRONG

    def _number(self, heard: Heard) -> int:
        return self._read(heard)[1]

    def interjected(self, heard: Heard) -> bytes | None:
        """Acknowledge every reply at once. Without an open question, such a reply is not a fault."""
        if self._open is not None:
            return None
        reply, number = self._read(heard)
        told = self._named(reply, number)
        if number == WRONG or not isinstance(reply, dict):
            self._replies.stale += 1
            return self._ack(
                told, "unparseable", heard.waited, reason="no request is open, and this is no reply to one"
            )
        self._replies.answers(heard, number, WRONG)
        return self._stray(reply, told, heard)

    def _stray(self, reply: Any, told: int, heard: Heard) -> bytes:
        """The ack of a line that answers no question: a late or repeated reply, or one that the table did not wait
        for."""
        request = self._unasked.pop(self._numbers.get(told, WRONG), None)
        if request is None:
            return self._ack(told, "stale", heard.waited)
        kind = reply.get("type") if isinstance(reply, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            return self._refused(request, "unparseable", heard.waited, _no_reply(heard))
        if match(reply, request.offered, self._seen.drawn) is None:
            return self._rejected(request, heard.waited, heard, reply)
        return self._ack(told, "accepted", heard.waited)

    def _named(self, reply: Any, number: int) -> int:
        """The id that a reply names, or the id of the request that it answers by its order."""
        if number == WRONG and type(reply[self.key]) is int:
            return int(reply[self.key])
        number = number or self._replies.reached([0])
        return next((told for told, known in self._numbers.items() if known == number), self._last_id)

    def _refused(self, request: Request, status: Status, waited: float, why: str, **more: Any) -> bytes:
        self.penalized = True
        return self._acknowledged(request, status, waited, reason=why, **more)

    def _rejected(self, request: Request, waited: float, heard: Heard, reply: Line) -> bytes:
        attempted = {key: value for key, value in reply.items() if key != self.key}
        types = sorted({one.kind for one in request.offered})
        why = _not_possible(heard, request)
        return self._refused(request, "rejected", waited, why, attempted=attempted, legal_types=types)

    def _acknowledged(self, request: Request, status: Status, waited: float, **more: Any) -> bytes:
        """Acknowledge the reply to an open request."""
        self._settled = True
        consumed = min(request.bank, max(0.0, waited - request.grace))
        return self._ack(request.id, status, waited, consumed, request.bank - consumed, **more)

    def _ack(
        self, told: int, status: Status, waited: float, consumed: float = 0.0, bank: float | None = None, **more: Any
    ) -> bytes:
        left = (0.0 if self._last is None else self._last.bank) if bank is None else bank
        line = {
            "type": "action_ack",
            "request_id": told,
            "status": status,
            "elapsed_ms": _ms(waited),
            "bank_consumed_ms": _ms(consumed),
            "bank_ms": _ms(left),
        }
        return _encoded(line | more) + b"\n"

    def default_played(self, played: DefaultPlayed) -> bytes:
        """Return the ack of a request that was not answered."""
        last = self._last
        if last is None or self._settled or played.question != last.question:
            return b""
        self._settled = True
        more = {"action": _default(last.default)}
        return self._ack(last.id, "defaulted", last.grace + last.bank, last.bank, 0.0, **more)


def _default(action: Action) -> Line:
    """A default action, in the form of an ack."""
    if isinstance(action, actions.Discard):
        return {"type": "dahai", "pai": TILES[action.tile], "tsumogiri": action.tsumogiri}
    return {"type": "none"}


def _at_once(action: Action) -> Talk:
    """A talk that returns an answer without asking."""
    yield from ()
    return action


def _no_reply(heard: Heard) -> str:
    return f"{shown(heard.line)} is no reply: a JSON object with a type, one of {', '.join(sorted(KINDS))}"


def _not_possible(heard: Heard, request: Request) -> str:
    return f"{shown(heard.line)} is not among the possible_actions of request {request.id}"


def _unknown(reply: Any, request: Request) -> str:
    return f"its request_id {text_of(reply['request_id'])[:40]} is none that was put; the open one is {request.id}"


def _ms(seconds: float) -> int:
    return round(seconds * _MS)


def _encoded(line: Any) -> bytes:
    """Encode a message as RiichiLab does: with its keys in alphabetical order."""
    return msgspec.json.encode(line, order="sorted")


def validation_result(side: RiichiLab) -> bytes:
    """The last message to a bot that is being validated: whether all its replies could be used."""
    result: Line = {"type": "validation_result", "passed": not side.penalized}
    return _encoded(result | ({"reason": "penalized (illegal action)"} if side.penalized else {})) + b"\n"
