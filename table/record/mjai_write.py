"""A record as an mjai log: one JSON event a line, in the dialect that a reader wants.

    wide       for every reader known: all fields that any of them wants and none that one of them refuses
    gimite     the original: `uradora_markers`
    mortal     only what libriichi reads
    riichienv  its words for draws, `pai` with an ankan, `tsumo` with a tsumo

Player ids count from the first dealer, who is 0 there. What mjai has no field for (rules, seed, title) stands
under `jantaku` in `start_game`; readers skip keys they do not know.
"""

from collections.abc import Iterator

import msgspec

from table.errors import BadInput
from table.record.follow import Follower, in_play_order
from table.record.items import Item
from table.record.mjai_events import DIALECTS as DIALECTS
from table.record.mjai_events import Dialect, Line, Speaker
from table.record.read import Record


def mjai_lines(record: Record, dialect: Dialect, extra: Line) -> Iterator[Line]:
    """The events of a log. `extra` is kept in `start_game`. Raises BadInput where the record contradicts itself."""
    start: Line = {"type": "start_game", "names": [record.names[(record.first_dealer + n) % 4] for n in range(4)]}
    if dialect != "mortal":
        tonpu = record.rules is not None and record.rules.game.length == "tonpu"
        reds = record.rules is None or record.rules.tiles.red_m + record.rules.tiles.red_p > 0
        start |= {"kyoku_first": 4 if tonpu else 0, "aka_flag": reds}
    yield start | ({"jantaku": extra} if extra else {})
    for number, kyoku in enumerate(record.log, 1):
        yield from _Kyoku(kyoku, f"{record.path} kyoku {number}", dialect).lines()
        if not kyoku[-1].keys().isdisjoint(("hule", "pingju")):
            yield {"type": "end_kyoku"}
    if record.final is not None:
        defen = record.final["defen"]
        scores = [defen[(record.first_dealer + n) % 4] for n in range(4)]
        yield {"type": "end_game"} | ({} if dialect == "mortal" else {"scores": scores})


class _Kyoku:
    """One kyoku on its way to mjai."""

    def __init__(self, kyoku: list[Item], where: str, dialect: Dialect) -> None:
        self._items = in_play_order(kyoku)
        self._follower = Follower(where)
        self._speaker = Speaker(self._follower.board, dialect)

    def lines(self) -> Iterator[Line]:
        for item in self._items:
            event = self._follower.take(item)
            yield from self._speaker.lines(event, item)


def mjai_bytes(record: Record, dialect: str, extra: Line) -> bytes:
    """The whole log. Raises BadInput for an unknown dialect."""
    for known in DIALECTS:
        if known == dialect:
            return b"".join(msgspec.json.encode(line) + b"\n" for line in mjai_lines(record, known, extra))
    raise BadInput(f"mjai dialect {dialect}; allowed are {', '.join(DIALECTS)}")
