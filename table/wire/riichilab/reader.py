"""Reads RiichiLab's protocol 2 back into events and writes replies: for a player of ours at a server that speaks it.

The replies are chosen from `possible_actions`, whatever the player thinks of its rules.
"""

from collections import Counter
from typing import Any

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.formats.mjai.reading import KNOWN
from jantaku.table.formats.mjai.words import Line
from jantaku.table.port import Action
from jantaku.table.riichi.events import Draw, Event, KyokuStart
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.rules import Rules
from jantaku.table.wire.mjai_reader import MjaiReader
from jantaku.table.wire.told import Told

_SHOWN = 200
"""Bytes of a message that are repeated."""
_KEPT = 100
"""Messages that could not be understood and are kept."""
_NOTHING = Told((), False, again=True)
"""A message in which nothing happens and nothing is wanted."""


class RiichiLabReader(MjaiReader):
    """Reads what a server says to one seat, and writes its replies. `rules` are those to play by.

    Nothing that a server says ends the game but its refusal: what cannot be read is left out, and after an event that
    contradicts those before, what is said is harmless until the next kyoku.
    """

    aside = "kita"

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.troubles: list[str] = []
        """What could not be understood."""
        self._possible: list[Line] = []
        self._last = 0
        """The number of the last request."""
        self._begun = self._follows = False
        """Whether the game has begun, and all events of this kyoku were understood."""

    def read(self, line: bytes) -> Told:
        """One line; types that are not known say nothing. BadInput for a refusal."""
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
        if isinstance(marker, list) and len(marker) == 1:  # as the service's documentation has it
            told = {**told, "dora_marker": marker[0]}
        if kind == "start_game":  # requests are numbered by the game
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
        """See `MjaiReader`; where something is missing before a draw, that is noticed."""
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
        """The reply `action`; what is possible in its place where it is not."""
        wanted: Line = msgspec.json.decode(super().write(action if self._follows else None, number))
        reply = self._possible_as(wanted)
        if reply is None and self._planned is not None:  # no riichi here: its discard
            reply, self._planned = self._possible_as(self._planned), None
        also = {"meta": msgspec.Raw(meta.encode())} if meta and reply is not None else {}
        return msgspec.json.encode({**(reply or self._harmless()), **also, "request_id": number}) + b"\n"

    def _request(self, told: Line, line: bytes) -> Told:
        possible, number = told.get("possible_actions"), told.get("request_id")
        if type(number) is not int or not isinstance(possible, list) or not possible:
            return self._left_out(f"{line[:_SHOWN]!r} is no request_action with its request_id and possible_actions")
        if number <= self._last:  # said twice
            return self._left_out(f"request {number} came after request {self._last}")
        self._last, self._possible = number, [one for one in possible if isinstance(one, dict)]
        return Told((), True, number, again=self._follows and self._planned is None)

    def _possible_as(self, wanted: Line) -> Line | None:
        """The possible action that `wanted` is; a red five as a plain one where the table tells them so."""
        for plain in (False, True):
            for one in self._possible:
                if _same(one, wanted, plain):
                    return {**wanted, **one}
        return None

    def _harmless(self) -> Line:
        """What is said where the player's own answer is not possible: nothing, or the last discard, the drawn tile."""
        by_type = {one.get("type"): one for one in self._possible}
        found = by_type.get("none") or by_type.get("dahai") or next(iter(self._possible), {"type": "none"})
        return {**found, "tsumogiri": True} if found.get("type") == "dahai" else dict(found)


def _same(one: Line, wanted: Line, plain: bool) -> bool:
    """Whether a possible action is the wanted one. What only one of them tells is not compared."""

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
