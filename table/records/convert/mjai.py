"""mjai logs of every dialect are read, and records are written as such.

Only full logs: a single player's view, with hidden tiles, is refused. The payments of a win may be missing; the rules
then determine them.

Dialects:  wide       for every known reader: all fields that any of them needs and none that one of them refuses
           gimite     the original: `uradora_markers`; a deal has points only if they do not follow from before
           mortal     only the fields that libriichi reads; four entries in a three-player game, the fourth empty
           riichienv  its words for draws and norths, `pai` with an ankan, `tsumo` with a tsumo

What mjai has no field for (rules, seed, title) is written under `jantaku` in `start_game`; readers skip keys that they
do not know.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, Fact, Follower, WinFact
from jantaku.table.languages.mjai.reader import HIDDEN, POINTS, EndGame, Hearer, StartGame
from jantaku.table.languages.mjai.speaker import DIALECTS as DIALECTS
from jantaku.table.languages.mjai.speaker import MjaiDialect, Speaker, widened
from jantaku.table.languages.mjai.words import NUMBERS, Line
from jantaku.table.records.convert.following import Builder, Imported, rotated
from jantaku.table.records.journal.lines import from_json
from jantaku.table.records.journal.read import Record, take_extra
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.seats import by_player, by_seat
from jantaku.table.riichi.rules import Rules


def read_mjai(path: Path, content: bytes, rules: Rules | None = None) -> Imported:
    """Read a log as a record. Raises BadInput, with the line, if it cannot be read or contradicts earlier lines.
    `rules` give the points at the start if the log does not."""
    reader = _Reader(path, rules)
    for number, line in _lines(path, content):
        try:
            reader.take(line)
        except BadInput as error:
            raise error.within(f"{path} line {number}:" if error.place else f"{path} line {number}") from None
    return reader.imported()


def _lines(path: Path, content: bytes) -> Iterator[tuple[int, Line]]:
    """Yield events with their line number: one object a line, or an array of them, as mjai.app writes."""
    for number, text in enumerate(content.splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = from_json(text)
        except ValueError as error:
            raise BadInput(f"{path} line {number}: not JSON ({error})") from None
        for one in line if isinstance(line, list) else [line]:
            if not isinstance(one, dict) or not isinstance(one.get("type"), str):
                raise BadInput(f"{path} line {number}: not an mjai event: an object with “type” is expected")
            yield number, one


class _Reader:
    """Takes the lines of a log one by one and builds the record."""

    def __init__(self, path: Path, rules: Rules | None) -> None:
        self._path, self._rules = path, rules
        self._names: list[str] | None = None
        self._follower = Follower()
        self._hearer = Hearer(self._follower.board, 0)
        self._log: list[Builder] = []
        self._imported = Imported(Record(path, (), 0, []), draws={})
        self._length_untold = True
        self._unpaid = 0
        """The last kyoku, from 1, with a win whose payments the log does not have; 0 if there is none."""

    def take(self, line: Line) -> None:
        fact = self._hearer.hear(line)
        if isinstance(fact, WinFact) and fact.deltas is None:
            self._unpaid = len(self._log)
        if isinstance(fact, StartGame):
            self._start(fact)
        elif isinstance(fact, EndGame):
            self._imported.ended = True
        elif isinstance(fact, events.KyokuStart):
            _refuse_a_view(fact)
            if self._unpaid and line.get("scores") is None:
                raise BadInput(
                    f"a start_kyoku without “scores” after kyoku {self._unpaid}, which has no “deltas” for its win: "
                    "a log needs one of the two"
                )
            self._log.append(Builder(f"kyoku {len(self._log) + 1}", self._follower))
            self._add(fact)
        elif isinstance(fact, events.Draw) and fact.tile is None:
            raise BadInput(f"a hidden tile “{HIDDEN}”: this log is the view of one player, not of the table")
        elif fact is not None:
            self._add(fact)

    def _add(self, fact: Fact) -> None:
        if not self._log:
            raise BadInput("a turn before the first start_kyoku")
        self._log[-1].add(fact)

    def _start(self, told: StartGame) -> None:
        if told.names and len(told.names) not in NUMBERS:
            raise BadInput(f"{len(told.names)} names; three or four players are expected")
        self._names = [str(name) for name in told.names] if told.names else None
        self._imported.tonpu = told.kyoku_first == 4
        self._length_untold = told.kyoku_first is None
        self._imported.reds = told.aka_flag is not False
        take_extra(self._imported.record, told.jantaku)
        if (rules := self._rules or self._imported.record.rules) is not None:
            self._hearer.start_points = rules.game.start_points

    def imported(self) -> Imported:
        record = self._imported.record
        if not self._log:
            raise BadInput(f"{self._path}: an mjai log without any start_kyoku")
        players = self._log[0].board.seats
        names = self._names or [""] * players
        if len(names) < players or any(names[players:]):
            raise BadInput(f"{self._path}: {len(names)} names; the hands are those of {NUMBERS[players]} players")
        record.names = rotated(names[:players], record.first_dealer)
        self._imported.take(self._log)
        if self._length_untold and self._imported.ended and self._ended_in_the_east():
            self._imported.tonpu = True
        return self._imported

    def _ended_in_the_east(self) -> bool:
        """Whether it was a tonpu, which the log does not say: a hanchan ends there only if somebody is bankrupt."""
        last = self._log[-1]
        return not last.deal.round_wind and last.deal.kyoku == last.board.seats - 1 and min(last.board.scores) >= 0


def _refuse_a_view(deal: events.KyokuStart) -> None:
    hands = by_player(deal.hands, deal.dealer)
    hidden = [str(player) for player, hand in enumerate(hands) if hand is None]
    seen = next((player for player, hand in enumerate(hands) if hand is not None), None)
    if hidden:
        whose = "nobody's hand is shown" if seen is None else f"this is what player {seen} saw"
        raise BadInput(
            f"the tiles of player {', '.join(hidden)} are hidden (“{HIDDEN}”): {whose}; "
            "a record needs the log of the table, which shows every tile"
        )


def mjai_bytes(record: Record, dialect: str, extra: Line) -> bytes:
    """Return the whole log. Raises BadInput for an unknown dialect, or if the record contradicts itself."""
    for known in DIALECTS:
        if known == dialect:
            return b"".join(msgspec.json.encode(line) + b"\n" for line in _told(record, known, extra))
    raise BadInput(f"mjai dialect {dialect}; allowed are {', '.join(DIALECTS)}")


def _told(record: Record, dialect: MjaiDialect, extra: Line) -> Iterator[Line]:
    """Yield the events of a log. `extra` is stored in `start_game`."""
    start: Line = {"type": "start_game", "names": widened(by_seat(record.names, record.first_dealer), dialect, "")}
    if dialect != "mortal":
        tonpu = record.rules is not None and record.rules.game.length == "tonpu"
        reds = record.rules is None or record.rules.tiles.red_m + record.rules.tiles.red_p > 0
        start |= {"kyoku_first": 4 if tonpu else 0, "aka_flag": reds}
    yield start | ({"jantaku": extra} if extra else {})
    points = _points_at_first(record)
    for number, kyoku in enumerate(record.log, 1):
        follower = Follower(f"{record.path} kyoku {number}")
        speaker = Speaker(follower.board, dialect)
        for fact in kyoku:
            follower.take(fact)
            yield from _as_original(speaker.lines(fact), points) if dialect == "gimite" else speaker.lines(fact)
        points = list(by_player(follower.board.scores, follower.board.kyoku))
        if isinstance(kyoku[-1], WinFact | DrawFact):
            yield {"type": "end_kyoku"}
    if record.final is not None:
        scores = widened(by_seat(record.final.scores, record.first_dealer), dialect, 0)
        yield {"type": "end_game"} | ({} if dialect == "mortal" else {"scores": scores})


def _points_at_first(record: Record) -> list[int]:
    """The points at the start that every reader assumes, with or without our rules; empty if the rules have other
    points."""
    players = len(record.names)
    others = record.rules is not None and record.rules.game.start_points != POINTS[players]
    return [] if others else [POINTS[players]] * players


def _as_original(lines: list[Line], points: list[int]) -> list[Line]:
    """Drop the points of a deal if they follow from before, as the original mjai does not have them."""
    for line in lines:
        if line["type"] == "start_kyoku" and line["scores"] == points:
            del line["scores"]
    return lines
