"""Reads RiichiLab's protocol 2 into events and writes replies: for a player of ours at a server that speaks it.

The replies are chosen from `possible_actions`, whatever the player's own rules allow.
"""

from collections import Counter
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.languages.mjai.reader import KNOWN
from jantaku.table.languages.mjai.words import Line
from jantaku.table.languages.wire.mjai_reader import MjaiReader
from jantaku.table.languages.wire.talk import Told
from jantaku.table.riichi.events import Draw, Event, KyokuStart
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.rules import Rules

_SHOWN = 200
"""The most bytes of a message that an error repeats."""
_KEPT = 100
"""The most messages that could not be understood and are kept."""
_NOTHING = Told((), False, again=True)
"""A message without events that wants no reply."""


class RiichiLabReader(MjaiReader):
    """Reads a server's messages for one seat, and writes its replies. `rules` are those to play by.

    Only a refusal by the server ends the game. A message that cannot be read is skipped; after an event that
    contradicts earlier ones, the replies are harmless until the next kyoku.
    """

    aside = "kita"

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.troubles: list[str] = []
        """Why messages could not be understood."""
        self._possible: list[Line] = []
        self._last = 0
        """The number of the last request."""
        self._begun = self._follows = False
        """Whether the game has begun; whether all events of this kyoku were understood."""

    def read(self, line: bytes) -> Told:
        """Read one line; unknown types are ignored. Raises BadInput for a refusal."""
        try:
            told = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self._left_out(f"{line[:_SHOWN]!r} is no message: {error}")
        if not isinstance(told, dict):
            return self._left_out(f"{line[:_SHOWN]!r} is no message: it is no JSON object")
        kind = told.get("type")
        if kind == "error" or (kind is None and "error" in told):
            raise BadInput(f"the server says: {str(told.get('message') or told.get('error'))[:_SHOWN]}")
        if kind == "request_action":
            return self._request(told, line)
        if not isinstance(kind, str) or kind not in KNOWN:
            return _NOTHING
        return self._happened(kind, told)

    def _happened(self, kind: str, told: Line) -> Told:
        marker = told.get("dora_marker")
        if isinstance(marker, list) and len(marker) == 1:  # the form in the service's documentation
            told = {**told, "dora_marker": marker[0]}
        if kind == "start_game":  # request numbers begin again with each game
            self._begun, self._last = True, 0
        self._follows = self._begun and (self._follows or kind in ("start_game", "start_kyoku"))
        if not self._follows:
            return _NOTHING
        try:
            happened = super().read(msgspec.json.encode(told)).events
            if any(isinstance(event, KyokuStart) and not any(event.hands) for event in happened):
                raise BadInput("no hand is told")
        except BadInput as error:
            self._follows = False
            return self._left_out(str(error))
        if happened:
            self._planned = None
        return Told(happened, False, again=not happened)

    def _event(self, line: Any) -> Event | None:
        """Read an event. Raises BadInput for a draw out of turn: events before it are missing."""
        board = self._follower.board
        whose = after(board.last_seat, 1, board.seats) if any(river.tiles for river in board.rivers) else 0
        someone_holds = any(hand.size % 3 != 1 for hand in board.hands)
        event = super()._event(line)
        if isinstance(event, Draw) and not event.rinshan and (event.seat != whose or someone_holds):
            raise BadInput("it is not the turn of who draws")
        return event

    def _left_out(self, why: str) -> Told:
        self.troubles += [why] if len(self.troubles) < _KEPT else []
        return _NOTHING

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action`; if that is not possible, a harmless one that is."""
        wanted: Line = msgspec.json.decode(super().write(action if self._follows else None, number))
        reply = self._possible_as(wanted)
        if reply is None and self._planned is not None:  # riichi is not possible here: its discard alone
            reply, self._planned = self._possible_as(self._planned), None
        also = {"meta": msgspec.Raw(meta.encode())} if meta and reply is not None else {}
        return msgspec.json.encode({**(reply or self._harmless()), **also, "request_id": number}) + b"\n"

    def _request(self, told: Line, line: bytes) -> Told:
        possible, number = told.get("possible_actions"), told.get("request_id")
        if type(number) is not int or not isinstance(possible, list) or not possible:
            return self._left_out(f"{line[:_SHOWN]!r} is no request_action with its request_id and possible_actions")
        if number <= self._last:  # a repeated request
            return self._left_out(f"request {number} came after request {self._last}")
        self._last, self._possible = number, [one for one in possible if isinstance(one, dict)]
        return Told((), True, number, again=self._follows and self._planned is None)

    def _possible_as(self, wanted: Line) -> Line | None:
        """The possible action that equals `wanted`, with red fives compared as plain ones if nothing else fits; None if
        none does."""
        for plain in (False, True):
            for one in self._possible:
                if _same(one, wanted, plain):
                    return {**wanted, **one}
        return None

    def _harmless(self) -> Line:
        """The reply if the player's own answer is not possible: none, or the last discard, which is the drawn tile."""
        by_type = {one.get("type"): one for one in self._possible}
        found = by_type.get("none") or by_type.get("dahai") or next(iter(self._possible), {"type": "none"})
        return {**found, "tsumogiri": True} if found.get("type") == "dahai" else dict(found)


def _same(one: Line, wanted: Line, plain: bool) -> bool:
    """Whether a possible action is the wanted one. Fields that only one of them has are not compared."""

    def word(tile: Any) -> str:
        return str(tile)[:2] if plain else str(tile)

    if one.get("type") != wanted["type"]:
        return False
    if "pai" in one and "pai" in wanted and wanted["type"] != "hora" and word(one["pai"]) != word(wanted["pai"]):
        return False
    theirs, ours = one.get("consumed"), wanted.get("consumed")
    if not isinstance(theirs, list) or ours is None:
        return True
    return Counter(map(word, theirs)) == Counter(map(word, ours))
