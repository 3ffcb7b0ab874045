"""Sends mjsonp to a seat and reads its replies: the original mjai over TCP (protocol version 3), as gimite's server
speaks it.

One line is one event, and each is replied to, mostly with `{"type":"none"}`. An own `tsumo` and another seat's `dahai`
and `kakan` have `possible_actions`; an own `chi`, `pon` and `reach` has `cannot_dahai`, as in `mjai-actions`. Both may
be empty. An event is sent when the next one happens or when there is a question about it.
"""

from typing import ClassVar

from jantaku.table.ground.port import Question
from jantaku.table.languages.mjai.speaker import MjaiDialect
from jantaku.table.languages.wire.dialect import write_line
from jantaku.table.languages.wire.mjai import MjaiActions
from jantaku.table.riichi import events


class Mjsonp(MjaiActions):
    """One seat's side, after the handshake. Implements `Dialect`."""

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
