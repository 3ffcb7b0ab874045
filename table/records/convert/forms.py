"""Records in three forms of others: mjai logs, Tenhou's own logs (mjlog), and JSON of tenhou.net/6.

**mjai** logs of every dialect are read, and records are written as such. Only full logs: a single player's view, with
hidden tiles, is refused. The payments of a win may be missing; the rules then determine them.

Dialects:  wide       for every known reader: all fields that any of them needs and none that one of them refuses
           gimite     the original: `uradora_markers`; a deal has points only if they do not follow from before
           mortal     only the fields that libriichi reads; four entries in a three-player game, the fourth empty
           riichienv  its words for draws and norths, `pai` with an ankan, `tsumo` with a tsumo

What mjai has no field for (rules, seed, title) is written under `jantaku` in `start_game`; readers skip keys that they
do not know.

**mjlog** (XML) is read, whole games or as far as a broken file goes. The rules are Tenhou's, changed by what the log
tells: its head has red fives, open tanyao and the length; a lobby of its own may change more without a word, of which
the course and the end of the game show points at the start, length and uma.

**tenhou.net/6**: whole games are read, or the single hands that its editor shares, and records are written as such
JSON. Players count from the first dealer. What the format has no place for (rules, seed, first dealer, title beyond two
lines) is written under `jantaku`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from jantaku.table.ground.clock import date_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import saving
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, Follower, WinFact
from jantaku.table.languages.mjai.reader import HIDDEN, POINTS, EndGame, Hearer, StartGame
from jantaku.table.languages.mjai.speaker import DIALECTS as DIALECTS
from jantaku.table.languages.mjai.speaker import MjaiDialect, Speaker, widened
from jantaku.table.languages.mjai.words import NUMBERS, Line
from jantaku.table.languages.mjlog import (
    HANCHAN,
    NO_OPEN_TANYAO,
    NO_REDS,
    LogHead,
    Tag,
    facts_of,
    final_of,
    head_of,
    kyoku_in,
    tags_of,
)
from jantaku.table.languages.tenhou6.reader import Log, kyoku_of
from jantaku.table.languages.tenhou6.writer import CIRCLE, HandWriter
from jantaku.table.records.convert.completion import ASSUMED, Builder, Imported, assumed, rotated
from jantaku.table.records.journal.lines import from_json
from jantaku.table.records.journal.read import Record, take_extra
from jantaku.table.riichi import events, ruleset
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.flow.hanchan import by_rank, final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.pieces.seats import THREE, by_player, by_seat
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
                raise BadInput(f"{path} line {number}: no mjai event: an object with “type” is expected")
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
                    f"a start_kyoku without “scores” after kyoku {self._unpaid}, of which no “deltas” tell what its "
                    "win pays: a log needs the one or the other"
                )
            self._log.append(Builder(f"kyoku {len(self._log) + 1}", self._follower))
            self._add(fact)
        elif isinstance(fact, events.Draw) and fact.tile is None:
            raise BadInput(f"a hidden tile “{HIDDEN}”: this is what one player saw, not the log of the table")
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
        """Return the record of all lines taken."""
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
        whose = "nobody's hand is told" if seen is None else f"this is what player {seen} saw"
        raise BadInput(
            f"the tiles of player {', '.join(hidden)} are hidden (“{HIDDEN}”): {whose}; "
            "a record is made of the log of the table, in which every tile is told"
        )


# --- writing


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


_RANKED_LOBBY = "0"


def read_mjlog(path: Path, content: bytes) -> Imported:
    """Read a log. Raises BadInput, with kyoku and tag, if it is invalid; a file that breaks off is read up to there,
    and a note says so."""
    try:
        tags, broken = tags_of(content)
        head = head_of(tags)
        end = final_of(tags, head.players)
    except BadInput as error:
        raise error.within(str(path)) from None
    built = _built_log(tags, head, path)
    deals = [builder.deal for builder in built]
    dealer = (deals[0].dealer - deals[0].kyoku) % head.players if deals else 0
    record = Record(path, head.names, dealer, [])
    imported = Imported(record, ended=end is not None, final=end)
    imported.take(built)
    for number, deal in enumerate(deals, 1):
        if (dealer + deal.kyoku) % head.players != deal.dealer:
            raise BadInput(f"player {deal.dealer} deals, and it is the turn of another", f"{path} kyoku {number}")
    if deals:
        record.rules = rules_told(head, deals, end)
        if end is not None and (uma := _uma(record.rules, end, dealer)) != list(record.rules.game.uma):
            record.rules = ruleset.with_settings(record.rules, {"game.uma": str(uma)})
            imported.notes.append(f"uma {uma}, as its final scores have it")
    if head.own_rules:
        imported.notes.append("its lobby has rules of its own (csrule), which are not read")
    if broken:
        imported.notes.append(f"the file breaks off ({broken}): {len(deals)} kyoku are read, what follows is missing")
    return imported


def _built_log(tags: Sequence[Tag], head: LogHead, path: Path) -> list[Builder]:
    built = []
    for number, part in enumerate(kyoku_in(tags), 1):
        place = f"{path} kyoku {number}"
        built.append(builder := Builder(place))
        try:
            for fact in facts_of(part, head):
                builder.add(fact)
        except BadInput as error:
            raise error if error.place[:1] == (place,) else error.within(place) from None
    return built


def rules_told(head: LogHead, deals: Sequence[KyokuStart], end: EndFact | None) -> Rules:
    """Return the rules of a game with this head, these deals and this end."""
    rules = ruleset.preset(assumed(head.players))
    hanchan = bool(head.kind & HANCHAN) or (head.lobby != _RANKED_LOBBY and _outlasts_a_tonpu(deals, rules))
    changes = {"game.length": "hanchan" if hanchan else "tonpu", "game.start_points": str(deals[0].scores[0])}
    # Some tables give final scores with a decimal; the others have rounded them.
    decimals = end is not None and any(tenths % 10 for tenths in end.tenths or ())
    changes["game.score_rounding"] = "none" if decimals else "half-away"
    if head.kind & NO_REDS:
        changes |= {"tiles.red_m": "0", "tiles.red_p": "0", "tiles.red_s": "0"}
    if head.kind & NO_OPEN_TANYAO:
        changes["score.open_tanyao"] = "false"
    return ruleset.with_settings(rules, changes)


def _outlasts_a_tonpu(deals: Sequence[KyokuStart], rules: Rules) -> bool:
    """Whether a tonpu would have ended earlier: private lobbies may change the length without saying so in the head."""
    enough, seats = rules.game.extension_points, len(deals[0].scores)
    numbered = [(deal.round_wind * seats + deal.kyoku, deal) for deal in deals]
    passed = [now for before, now in pairwise(numbered) if before[0] < now[0]]
    late = any(number >= seats and max(deal.scores) >= enough for number, deal in passed)
    return late or numbered[-1][0] >= 2 * seats


def _uma(rules: Rules, end: EndFact, dealer: int) -> list[float]:
    """The uma that leads to these final scores: all but that of rank 1, which takes the rest, follow from them."""
    seats = len(end.scores)
    plain = msgspec.structs.replace(rules.game, uma=(0.0,) * seats)
    bare = final(Standing(0, 0, 0, end.scores, 0), msgspec.structs.replace(rules, game=plain), dealer).tenths
    assert end.tenths is not None, "a log tells both"
    _, *others = by_rank(end.scores, dealer)
    rest = [(end.tenths[player] - bare[player]) / 10 for player in others]
    return [-sum(rest), *rest]


Json = dict[str, Any]
_LENGTHS = {"tonpu": "東", "hanchan": "南"}


def read_tenhou6(path: Path, content: bytes) -> Imported:
    """Read a log, or a URL that contains one. Raises BadInput, with kyoku and place, if it is invalid."""
    told = tenhou6_json(path, content)
    if not isinstance(told.get("log"), list):
        raise BadInput(f"{path}: not a log of tenhou.net/6: “log” is missing")
    log = shaped(told, Log, f"{path}: not a log of tenhou.net/6")
    names, players = log.name or [], log.players
    names += [""] * (CIRCLE - len(names))
    named = len([name for name in names if name])
    if len(names) != CIRCLE or any(names[players:]) or (players == CIRCLE and named == THREE):
        raise BadInput(f"{path} name: {named} players; the hands are those of {NUMBERS[players]}")
    record = Record(path, ("",) * players, 0, [])
    record.title = title_of(log.title)
    take_extra(record, log.jantaku)
    record.names = rotated(names[:players], record.first_dealer)
    base = "mahjongsoul" if log.is_mahjong_soul else ASSUMED
    imported = Imported(record, ended=bool(log.sc), reds=log.reds, tonpu=log.tonpu, base=base, changes=log.red_fives)
    built = [_built(hand, players, f"{path} kyoku {number}") for number, hand in enumerate(log.log, 1)]
    imported.take(built)
    return imported


def title_of(lines: Sequence[Any] | None) -> str:
    """The title in lines. In exporters' logs the second one may be seconds since 1970, which become a date."""
    return "\n".join(_title_line(line) for line in lines or () if line)


def _title_line(line: object) -> str:
    return date_of(line) if isinstance(line, int | float) and 10**9 <= line < 10**10 else str(line)


def tenhou6_json(path: Path, content: bytes) -> Json:
    """Return the JSON of a file, or of the URL in it."""
    text = content.decode("utf-8", "replace").strip()
    if text.startswith("http"):
        if "#json=" not in text:
            raise BadInput(f"{path}: a link and no log, and links are not followed; {saving(text)}")
        text = unquote(text.partition("#json=")[2])
    try:
        log = from_json(text)
    except ValueError as error:
        raise BadInput(f"{path}: not JSON ({error}); a truncated or foreign file") from None
    if not isinstance(log, dict):
        raise BadInput(f"{path}: not a log of tenhou.net/6: a JSON object is expected")
    return log


def _built(hand: object, players: int, where: str) -> Builder:
    builder = Builder(where)
    try:
        facts = kyoku_of(hand, players)
    except BadInput as error:
        raise error.within(where) from None
    for fact in facts:
        builder.add(fact)
    return builder


# --- writing


def tenhou6_of(record: Record, extra: Json) -> Json:
    """Return the whole log. Raises BadInput if the record contradicts itself."""
    first, _, rest = record.title.partition("\n")
    log: Json = {
        "title": [first, rest],
        "name": list(by_seat(record.names, record.first_dealer)) + [""] * (CIRCLE - len(record.names)),
        "rule": _rule(record),
        "log": [_array(record, number) for number in range(len(record.log))],
    }
    if record.final is not None:
        points = by_seat([_number(tenths / 10) for tenths in record.final.tenths or ()], record.first_dealer)
        scores = by_seat(record.final.scores, record.first_dealer)
        log["sc"] = [value for pair in zip(scores, points, strict=True) for value in pair]
        log["sc"] += [0] * (2 * (CIRCLE - len(scores)))
    return log | ({"jantaku": extra} if extra else {})


def _array(record: Record, number: int) -> list[Any]:
    follower = Follower(f"{record.path} kyoku {number + 1}")
    deal, *rest = record.log[number]
    follower.take(deal)
    assert isinstance(deal, events.KyokuStart), "the follower has held that"
    writer = HandWriter(deal)
    for fact in rest:
        follower.take(fact)
        writer.take(fact)
    return writer.array()


def _rule(record: Record) -> Json:
    if record.rules is None:
        return {"disp": "", "aka": 1}
    rules = record.rules
    reds = rules.tiles
    three = rules.game.players == THREE
    disp = "三" * three + _LENGTHS.get(rules.game.length, "") + "喰" * rules.score.open_tanyao
    disp += "赤" * (reds.red_m + reds.red_p + reds.red_s > 0)
    return {"disp": disp, "aka51": reds.red_p if three else reds.red_m, "aka52": reds.red_p, "aka53": reds.red_s}


def _number(points: float) -> float | int:
    return int(points) if points.is_integer() else points
