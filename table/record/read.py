"""Reading records: our journal, and 牌譜 of majiang-core 1.x and of 2015."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec

from table.errors import BadInput
from table.formats.majiang.order import by_kyoku
from table.formats.majiang.words import DECISIVE, Item
from table.record.digest import Guard, guard_of
from table.record.journal import Header
from table.record.lines import content_of, from_json, is_ours, read_lines
from table.record.sealed import growing
from table.record.shapes import refuse_misshapen_log
from table.record.unsealed import SeedsOf, no_seeds, unsealed
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
    lines: list[Item] = []
    """All lines of a journal, the header first."""
    unread: tuple[str, ...] = ()
    """Keys of a 牌譜 that nothing is made of."""
    guard: Guard = Guard()
    """What the digests of a journal say."""
    hidden: str = ""
    """Why this is only what the public saw of a game, in words; empty for a whole record."""


def load(path: Path, seeds: SeedsOf = no_seeds) -> Record:
    """Read a record. Raises BadInput with file and place for whatever is not one. `seeds` open the journal of a game
    that was killed, where the whole one is not found: see `unsealed.py`."""
    content = content_of(path)
    try:
        if not is_ours(content):
            return _checked(_paifu(path, content))
        content, hidden = unsealed(path, content, seeds)
        record = _checked(journal_from(path, content))
        record.hidden = hidden
        return record
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise BadInput(f"{path}: not a record of ours or Majiang's: {type(error).__name__}: {error}") from error


def _checked(record: Record) -> Record:
    """A record as it is, if every kyoku begins with its deal and all values have their kind. Raises BadInput."""
    if not record.log:
        raise BadInput(f"{record.path}: it holds no kyoku")
    for number, kyoku in enumerate(record.log, 1):
        if not kyoku or "qipai" not in kyoku[0]:
            raise BadInput(f"{record.path} kyoku {number}: it does not begin with “qipai”")
    refuse_misshapen_log(record.path, record.log, record.final, record.answers)
    return record


def journal_from(path: Path, content: bytes) -> Record:
    """Our own journal. Half a line at its end is as good as none."""
    items = read_lines(path, content)
    header = _converted(items[0], Header, path, "line 1")
    record = Record(path, "journal", header.player, header.qijia, [])
    record.rules = _converted(header.rules, Rules, path, "line 1: rules")
    record.seed, record.number, record.driven = header.seed or None, header.number, header.driven
    record.school = header.walls
    record.walls = [_wall(item, path, WALLS[header.walls]) for item in items if "wall" in item]
    record.log = by_kyoku(item for item in items[1:] if not item.keys() & {"wall", "turn", "digest"})
    record.answers = _answers(items)
    record.final = next((item["jieju"] for item in items if "jieju" in item), None)
    record.lines, record.guard = items, guard_of(content)
    return record


def kyoku_with(path: Path, turn: int) -> Record | None:
    """The kyoku of a journal in which that `turn` line stands, as a record of its own, as far as it is written. None
    if there is no such line. Only this kyoku is read, so that it may be done while the game is played."""
    content = growing(path)
    at = content.find(b'\n{"turn":%d,' % turn)
    begin = content.rfind(_DEAL, 0, at)
    if at < 0 or begin < 0:
        return None
    end = content.find(_DEAL, at)
    header = content[: content.find(b"\n")]
    record = journal_from(path, header + (content[begin:] if end < 0 else content[begin : end + 1]))
    record.driven = True  # the walls of the seed are those of a game from its start
    return _checked(record)


_DEAL = b'\n{"wall":'
"""What every kyoku of a journal begins with."""


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
        paifu = from_json(content)
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
    record.unread = tuple(sorted(str(key) for key in paifu.keys() - _KEYS))
    take_extra(record, paifu.get("jantaku"))
    return record


_KEYS = {"title", "player", "qijia", "log", "defen", "point", "rank", "jantaku"}
"""Keys of a 牌譜 that are read."""


def _lacks_mark(item: Item) -> bool:
    """Whether a hand won with ura, and so with riichi, is not marked: 1.x does that. Tells the forms of unfinished
    games apart."""
    hule = item.get("hule") or {}
    return bool(hule.get("fubaopai")) and "*" not in hule["shoupai"]


def take_extra(record: Record, extra: object) -> None:
    """Take what a log of ours carries beside its format's own keys: what a re-drive needs."""
    if not extra:
        return
    told = _converted(extra, _Extra, record.path, "jantaku")
    if told.walls not in WALLS:
        raise BadInput(f"{record.path} jantaku.walls is {told.walls!r}; allowed are {', '.join(WALLS)}")
    record.rules, record.school, record.seed = told.rules, cast(School, told.walls), told.seed
    record.number = told.number
    record.driven = told.driven
    record.first_dealer = record.first_dealer if told.qijia is None else told.qijia
    record.title = record.title if told.title is None else told.title


class _Extra(msgspec.Struct):
    """What our logs carry under the key `jantaku`."""

    rules: Rules | None = None
    walls: str = "shared"
    seed: str | None = None
    number: int = 0
    driven: bool = False
    qijia: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    title: str | None = None


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
