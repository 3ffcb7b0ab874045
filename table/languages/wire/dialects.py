"""The dialects by the names that settings use: the table's side of each, and the player's.

Sends mjsonp to a seat and reads its replies: the original mjai over TCP (protocol version 3), as gimite's server
speaks it.

One line is one event, and each is replied to, mostly with `{"type":"none"}`. An own `tsumo` and another seat's `dahai`
and `kakan` have `possible_actions`; an own `chi`, `pon` and `reach` has `cannot_dahai`, as in `mjai-actions`. Both may
be empty. An event is sent when the next one happens or when there is a question about it.
"""

from collections.abc import Callable
from typing import ClassVar

import msgspec

from jantaku.table.ground.port import Question
from jantaku.table.languages.mjai.speaker import MjaiDialect
from jantaku.table.languages.wire.dialect import Dialect, write_line
from jantaku.table.languages.wire.majiang import Majiang, Majiang2015, MajiangReader, MajiangReader2015
from jantaku.table.languages.wire.mjai import Mjai, MjaiActions, MjaiLines, MjaiLinesActions
from jantaku.table.languages.wire.mjai_reader import MjaiReader, MjsonpReader
from jantaku.table.languages.wire.riichilab.dialect import RiichiLab
from jantaku.table.languages.wire.riichilab.physical import RiichiLabReader
from jantaku.table.languages.wire.talk import Reader
from jantaku.table.riichi import events, ruleset
from jantaku.table.riichi.pieces.seats import SEATS


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


DEFAULT = "majiang"


class KnownDialect(msgspec.Struct, frozen=True):
    """A dialect: `side()` makes the table's side of a seat, `reader(rules)` the player's; the rules matter where
    messages do not tell them. `of_three`: whether it has words for a three-player game."""

    side: Callable[[], Dialect]
    reader: Callable[[str], Reader]
    of_three: bool = False


def _mjai(rules: str) -> Reader:
    return MjaiReader(ruleset.resolve(rules).rules)


DIALECTS: dict[str, KnownDialect] = {
    "majiang": KnownDialect(Majiang, lambda rules: MajiangReader()),
    "majiang-2015": KnownDialect(Majiang2015, lambda rules: MajiangReader2015(ruleset.resolve(rules).rules)),
    "mjai": KnownDialect(Mjai, _mjai, of_three=True),
    "mjai-actions": KnownDialect(MjaiActions, _mjai, of_three=True),
    "mjai-lines": KnownDialect(MjaiLines, _mjai, of_three=True),
    "mjai-lines-actions": KnownDialect(MjaiLinesActions, _mjai, of_three=True),
    "mjsonp": KnownDialect(Mjsonp, lambda rules: MjsonpReader(ruleset.resolve(rules).rules)),
    "riichilab": KnownDialect(RiichiLab, lambda rules: RiichiLabReader(ruleset.resolve(rules).rules), of_three=True),
}


def dialects_of(players: int) -> list[str]:
    """The dialects for games of `players`."""
    return [name for name, known in DIALECTS.items() if players == SEATS or known.of_three]
