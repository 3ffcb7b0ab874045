"""Reads records: our journal, and 牌譜 of majiang-core 1.x and of 2015."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
from msgspec import UNSET, Struct, UnsetType

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import EndFact, Fact
from jantaku.table.languages.majiang.forms import FORM_1, PaifuForm, form_of
from jantaku.table.languages.majiang.order import by_kyoku, play_order
from jantaku.table.languages.majiang.reader import Count, Seat, end_of, fact_of
from jantaku.table.languages.majiang.rule import DECISIVE, Item
from jantaku.table.records.journal.answers import refuse_misshapen_answers
from jantaku.table.records.journal.digest import Guard, guard_of
from jantaku.table.records.journal.header import GAME, Header, Players
from jantaku.table.records.journal.items import AtSeat
from jantaku.table.records.journal.killed import SeedsOf, no_seeds, unsealed
from jantaku.table.records.journal.lines import Line, content_of, from_json, is_ours, read_lines, refuse_other
from jantaku.table.records.journal.sealed import growing
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import walls_from
from jantaku.table.riichi.pieces.board import LIVE_TILES
from jantaku.table.riichi.pieces.notation import hand_text, parse_tile
from jantaku.table.riichi.pieces.schools import WALLS, School
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.pieces.wall import RINSHAN, SIZES, Wall
from jantaku.table.riichi.rules import Rules


class Record(msgspec.Struct):
    """One game as read from a file. `log` has the facts of each kyoku in the order of play, the deal first."""

    path: Path
    names: tuple[str, ...]
    first_dealer: int
    log: list[list[Fact]]
    final: EndFact | None = None
    """None if the game did not end."""
    rules: Rules | None = None
    seed: str | None = None
    number: int = 0
    driven: bool = False
    school: School = "shared"
    """The wall school: a key of `WALLS`."""
    walls: list[Wall] = []
    """One wall per kyoku; empty if the record does not contain them."""
    title: str = ""
    form: PaifuForm = FORM_1
    """The form of this 牌譜. For any other record, `log` contains all that 1.x does."""
    answers: dict[tuple[int, int], Item] = {}
    """The `turn` lines of a journal, by kyoku (from 1) and the number of its decisive items before the turn."""
    lines: list[Item] = []
    """All lines of a journal, the header first; empty for any other record."""
    unread: tuple[str, ...] = ()
    """Keys of a 牌譜 that are ignored."""
    guard: Guard = Guard()
    """The result of checking a journal's digests."""
    hidden: str = ""
    """Why only the public part of a game could be read, in words; empty for a whole record."""
    items: list[list[Item]] = []
    """The log of a 牌譜, verbatim, to be compared with what is written for the same game; `end` likewise has its final
    points and ranks."""
    end: Item | None = None

    def _repr_html_(self) -> str:
        """The rows of kyoku that a notebook shows."""
        return self.outlined()

    def outlined(self, notes: Iterable[str] = ()) -> str:
        """The rows of kyoku as HTML, with `notes` below."""
        from jantaku.table.records.journal.outline import outline  # only notebooks need it

        return outline(self.title or self.path.name, self.names, self.log, self.final, notes)


def load(path: Path, seeds: SeedsOf = no_seeds) -> Record:
    """Read a record. Raises BadInput, with file and place, for anything else. `seeds` open the journal of a killed game
    if its complete journal is not found: see `sealed.py`."""
    content = content_of(path)
    if not is_ours(content):
        return _paifu(path, content)
    refuse_other(path, content, GAME)
    content, hidden = unsealed(path, content, seeds, _redealt)
    record = journal_from(path, content)
    record.hidden = hidden
    return record


def log_from(path: Path, log: Sequence[Sequence[Item]], first_dealer: int, seats: int) -> list[list[Fact]]:
    """Read the log of a 牌譜 with `seats` as facts in the order of play. Raises BadInput with kyoku and event."""
    if not log:
        raise BadInput(f"{path}: it has no kyoku")
    return [_kyoku(f"{path} kyoku {number}", items, first_dealer, seats) for number, items in enumerate(log, 1)]


def _kyoku(place: str, items: Sequence[Item], first_dealer: int, seats: int) -> list[Fact]:
    if not items or "qipai" not in items[0]:
        raise BadInput("it does not begin with “qipai”", place)
    facts: list[Fact] = []
    for event, item in enumerate(items, 1):
        try:
            facts.append(fact_of(item, first_dealer, seats))
        except BadInput as error:
            raise error.within(f"{place} event {event}") from None
        if isinstance(facts[-1], events.KyokuStart) and event > 1:
            raise BadInput("a kyoku has one “qipai”", f"{place} event {event}")
    return play_order(facts)


def _end(path: Path, end: object) -> EndFact:
    try:
        return end_of(end)
    except BadInput as error:
        raise error.within(f"{path}: the end of the game") from None


def journal_from(path: Path, content: bytes) -> Record:
    """Parse a journal of ours. An incomplete last line is ignored."""
    items = read_lines(path, content)
    header = shaped(items[0], Header, f"{path} line 1")
    record = Record(path, header.player, header.qijia, [])
    record.rules = shaped(header.rules, Rules, f"{path} line 1: rules")
    record.seed, record.number, record.driven = header.seed or None, header.number, header.driven
    record.school, record.title = header.walls, header.title or ""
    record.walls = [_wall(item, path, WALLS[header.walls]) for item in items if "wall" in item]
    told = by_kyoku(item for item in items[1:] if not item.keys() & {"wall", "turn", "digest"})
    record.log = log_from(path, told, header.qijia, len(header.player))
    record.answers = _answers(items)
    refuse_misshapen_answers(path, record.answers)
    if (end := next((item["jieju"] for item in items if "jieju" in item), None)) is not None:
        record.final = _end(path, end)
    record.lines, record.guard = items, guard_of(content)
    return record


def kyoku_with(path: Path, turn: int) -> Record | None:
    """Return the kyoku of a journal that contains the `turn` line of that number, as far as it is written, as a record
    of its own. None if there is no such line. It reads only this kyoku, so that it may be called while the game is
    played."""
    content = growing(path)
    at = content.find(b'\n{"turn":%d,' % turn)
    begin = content.rfind(_DEAL, 0, at)
    if at < 0 or begin < 0:
        return None
    end = content.find(_DEAL, at)
    header = content[: content.find(b"\n")]
    record = journal_from(path, header + (content[begin:] if end < 0 else content[begin : end + 1]))
    record.driven = True  # the seed deals the walls of a game from its start, not from this kyoku
    return record


_DEAL = b'\n{"wall":'
"""The beginning of every kyoku in a journal."""


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
    try:
        paifu = from_json(content)
    except ValueError as error:
        raise BadInput(f"{path}: not JSON ({error}); a truncated or foreign file") from None
    return paifu_from(path, paifu)


def paifu_from(path: Path, paifu: Any) -> Record:
    """Read a 牌譜 from parsed JSON. One of ours contains its rules and seed. Raises BadInput for anything else."""
    missing = [key for key in ("player", "qijia", "log") if not isinstance(paifu, dict) or key not in paifu]
    if missing:
        raise BadInput(f"{path}: not a 牌譜: {', '.join(missing)} missing")
    names = shaped(paifu["player"], Players, f"{path} player")
    first_dealer = shaped(paifu["qijia"], int, f"{path} qijia") % len(names)
    log = shaped(paifu["log"], list[list[Item]], f"{path} log")
    record = Record(path, names, first_dealer, log_from(path, log, first_dealer, len(names)), items=log)
    if paifu.get("rank"):
        record.end = {key: paifu.get(key) for key in ("defen", "rank", "point")}
        record.final = _end(path, record.end)
    record.form = form_of(paifu.get("point"), record.log)
    record.log = [[record.form.told(fact) for fact in kyoku] for kyoku in record.log]
    record.title = str(paifu.get("title") or "")
    record.unread = tuple(sorted(str(key) for key in paifu.keys() - _KEYS))
    take_extra(record, paifu.get("jantaku"))
    return record


_KEYS = {"title", "player", "qijia", "log", "defen", "point", "rank", "jantaku"}
"""Keys of a 牌譜 that are read."""


def take_extra(record: Record, extra: object) -> None:
    """Read what a log of ours has beside its format's own keys."""
    if not extra:
        return
    told = shaped(extra, _Extra, f"{record.path} jantaku")
    if told.walls not in WALLS:
        raise BadInput(f"{record.path} jantaku.walls is {told.walls!r}; allowed are {', '.join(WALLS)}")
    record.rules, record.school, record.seed = told.rules, cast(School, told.walls), told.seed
    record.number = told.number
    record.driven = told.driven
    record.first_dealer = record.first_dealer if told.qijia is None else told.qijia
    record.title = record.title if told.title is None else told.title


class _Extra(msgspec.Struct):
    """The value of the key `jantaku` in our logs."""

    rules: Rules | None = None
    walls: str = "shared"
    seed: str | None = None
    number: int = 0
    driven: bool = False
    qijia: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    title: str | None = None


class _Wall(msgspec.Struct):
    wall: str
    dice: tuple[int, int] | None = None


def _wall(item: Item, path: Path, kind: type[Wall]) -> Wall:
    told = shaped(item, _Wall, f"{path} a wall")
    tiles = [parse_tile(told.wall[at : at + 2]) for at in range(0, len(told.wall), 2)]
    if len(tiles) not in SIZES:
        raise BadInput(f"{path}: a wall of {len(tiles)} tiles; allowed are {' and '.join(map(str, SIZES))}")
    return kind.from_tiles(tiles, told.dice)


# --- deals the tiles of a killed game again, from its seed


class _DealtHead(Struct):
    seed: str
    number: int
    rules: Rules
    walls: School = "shared"


class _DealtQipai(Struct):
    zhuangfeng: Count
    jushu: Seat
    changbang: Count
    lizhibang: Count


class _DealtLine(Struct):
    qipai: _DealtQipai | UnsetType = UNSET
    zimo: AtSeat | UnsetType = UNSET
    gangzimo: AtSeat | UnsetType = UNSET


def _redealt(header: Line, where: str, lines: Iterable[tuple[str, Line]]) -> Iterator[Line]:
    """Yield the lines with the tiles that the seed deals; see `killed.Dealt`."""
    head = shaped(header, _DealtHead, where)
    deal, seats = walls_from(head.seed, head.number, head.rules, head.walls), head.rules.game.players
    wall: Wall | None = None
    before: tuple[int, int] | None = None
    again = 0
    for place, line in lines:
        told = shaped(line, _DealtLine, place)
        if told.qipai is not UNSET:
            qipai = told.qipai
            number = qipai.zhuangfeng * seats + qipai.jushu
            again = again + 1 if before == (number, qipai.changbang) else 0
            before = number, qipai.changbang
            wall = deal(Standing(number, qipai.changbang, qipai.lizhibang, (0,) * seats, number, again))
            yield {"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice}
            yield {"qipai": {**line["qipai"], "shoupai": [hand_text(hand) for hand in wall.hands]}}
        elif told.zimo is not UNSET:
            if wall is None or wall.drawn == LIVE_TILES[wall.seats]:
                raise BadInput("a draw for which the wall has no tile", place)
            yield {"zimo": {**line["zimo"], "p": NAMES[wall.draw(told.zimo.l)]}}
        elif told.gangzimo is not UNSET:
            if wall is None or wall.kans == RINSHAN[seats]:
                raise BadInput("a rinshan draw for which the wall has no tile", place)
            yield {"gangzimo": {**line["gangzimo"], "p": NAMES[wall.draw_rinshan()]}}
        else:
            yield line
