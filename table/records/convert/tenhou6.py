"""JSON of tenhou.net/6 is read, whole games or the single hands that its editor shares, and records are written so.

Players count from the first dealer. What the format has no place for (rules, seed, first dealer, title beyond two
lines) is written under `jantaku`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jantaku.table.ground.clock import date_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import saving
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import Follower
from jantaku.table.languages.mjai.speaker import DIALECTS as DIALECTS
from jantaku.table.languages.mjai.words import NUMBERS
from jantaku.table.languages.tenhou6.reader import Log, kyoku_of
from jantaku.table.languages.tenhou6.words import CIRCLE
from jantaku.table.languages.tenhou6.writer import HandWriter
from jantaku.table.records.convert.following import ASSUMED, Builder, Imported, rotated
from jantaku.table.records.journal.lines import from_json
from jantaku.table.records.journal.read import Record, take_extra
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.seats import THREE, by_seat

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
            raise BadInput(f"{path}: a link, not a log, and links are not followed; {saving(text)}")
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
