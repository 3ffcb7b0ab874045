"""Reading records: our journal, and 牌譜 of majiang-core 1.x and of 2015."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from table.errors import BadInput
from table.record.items import DECISIVE, Item
from table.record.journal import Header
from table.record.lines import read_lines
from table.record.paifu import by_kyoku
from table.riichi.pieces.seat_wall import WALLS, School
from table.riichi.pieces.tiles import TILE
from table.riichi.pieces.wall import ALL, Wall
from table.riichi.rules import Rules

T = TypeVar("T")
Form = Literal["journal", "1.x", "2015"]


class Record(msgspec.Struct):
    """One game as read from a file. `log` holds the items of each kyoku in the order of a 牌譜."""

    path: Path
    form: Form
    names: tuple[str, str, str, str]
    first_dealer: int
    log: list[list[Item]]
    final: dict[str, Any] | None = None
    """`defen`, `rank` and `point` by player id; None if the game did not end."""
    rules: Rules | None = None
    seed: str | None = None
    number: int = 0
    driven: bool = False
    school: School = "shared"
    """Whose next tile a draw is: a key of `WALLS`."""
    walls: list[Wall] = []
    """One a kyoku, where the record tells them."""
    title: str = ""
    answers: dict[tuple[int, int], Item] = {}
    """The `turn` lines of a journal, by kyoku (from 1) and the number of decisive items of it before the turn."""


def load(path: Path) -> Record:
    """Read a record. Raises BadInput with file and place for whatever is not one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    try:
        first = json.loads(content.split(b"\n", 1)[0] or b"null")
    except ValueError:
        first = None
    try:
        ours = isinstance(first, dict) and "rules" in first and "log" not in first
        return _checked(_journal(path, content) if ours else _paifu(path, content))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise BadInput(f"{path}: not a record of ours or Majiang's: {type(error).__name__}: {error}") from error


def _checked(record: Record) -> Record:
    """Every kyoku begins with its deal. A journal may end before the first one."""
    if not record.log:
        raise BadInput(f"{record.path}: it holds no kyoku")
    for number, kyoku in enumerate(record.log, 1):
        if not kyoku or "qipai" not in kyoku[0]:
            raise BadInput(f"{record.path} kyoku {number}: it does not begin with “qipai”")
    return record


def _journal(path: Path, content: bytes) -> Record:
    """Our own journal. Half a line at its end is as good as none."""
    items = read_lines(path, content)
    header = _converted(items[0], Header, path, "line 1")
    record = Record(path, "journal", header.player, header.qijia, [])
    record.rules = _converted(header.rules, Rules, path, "line 1: rules")
    record.seed, record.number, record.driven = header.seed or None, header.number, header.driven
    record.school = header.walls
    record.walls = [_wall(item, path, WALLS[header.walls]) for item in items if "wall" in item]
    record.log = by_kyoku(item for item in items[1:] if not item.keys() & {"wall", "turn"})
    record.answers = _answers(items)
    record.final = next((item["jieju"] for item in items if "jieju" in item), None)
    return record


def _answers(items: Iterable[Item]) -> dict[tuple[int, int], Item]:
    kyoku, before = 0, 0
    found = {}
    for item in items:
        if "turn" in item:
            found[kyoku, before] = item
        elif "qipai" in item:
            kyoku, before = kyoku + 1, 1
        elif item.keys() & DECISIVE:
            before += 1
    return found


def _paifu(path: Path, content: bytes) -> Record:
    """A 牌譜. One of ours carries its rules and seed."""
    try:
        paifu = json.loads(content)
    except ValueError as error:
        raise BadInput(f"{path}: not JSON ({error}); a truncated or foreign file") from None
    missing = [key for key in ("player", "qijia", "log") if not isinstance(paifu, dict) or key not in paifu]
    if missing:
        raise BadInput(f"{path}: not a 牌譜: {', '.join(missing)} missing")
    names = _converted(paifu["player"], tuple[str, str, str, str], path, "player")
    first_dealer = _converted(paifu["qijia"], int, path, "qijia") % 4
    log = _converted(paifu["log"], list[list[Item]], path, "log")
    point = paifu.get("point") or []
    old = not isinstance(point[0], str) if point else any(_lacks_mark(item) for kyoku in log for item in kyoku)
    record = Record(path, "2015" if old else "1.x", names, first_dealer, log)
    if paifu.get("rank"):
        record.final = {key: paifu[key] for key in ("defen", "rank", "point")}
    record.title = str(paifu.get("title") or "")
    if extra := paifu.get("jantaku"):
        take_extra(record, extra)
    return record


def _lacks_mark(item: Item) -> bool:
    """Whether a hand won with ura, and so with riichi, is not marked: 1.x does that. Tells the forms of unfinished
    games apart."""
    hule = item.get("hule") or {}
    return bool(hule.get("fubaopai")) and "*" not in hule["shoupai"]


def take_extra(record: Record, extra: Item) -> None:
    """Take what a log of ours carries beside its format's own keys: what a re-drive needs."""
    record.rules = _converted(extra["rules"], Rules, record.path, "jantaku.rules") if "rules" in extra else None
    record.school = extra.get("walls", "shared")
    if record.school not in WALLS:
        raise BadInput(f"{record.path} jantaku.walls is {record.school!r}; allowed are {', '.join(WALLS)}")
    record.seed, record.number = extra.get("seed"), extra.get("number", 0)
    record.driven, record.first_dealer = extra.get("driven", False), extra.get("qijia", record.first_dealer)
    record.title = extra.get("title", record.title)


def _wall(item: Item, path: Path, kind: type[Wall]) -> Wall:
    text, dice = item["wall"], item.get("dice")
    tiles = [TILE[text[at : at + 2]] for at in range(0, len(text), 2)]
    if len(tiles) != ALL:
        raise BadInput(f"{path}: a wall of {len(tiles)} tiles; allowed are {ALL}")
    return kind.from_tiles(tiles, (dice[0], dice[1]) if dice else None)


def _converted(value: Any, kind: type[T], path: Path, where: str) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path} {where}: {error}") from None
