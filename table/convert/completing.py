"""What a foreign log does not tell is taken from the engine, where the engine agrees with all that it does tell.

Each kyoku is driven by itself, so that one that the rules do not fit leaves the others complete.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from table.convert.building import Imported
from table.errors import BadInput
from table.formats.follow import Follower
from table.formats.majiang.items import Encoder, writes_decimals
from table.formats.majiang.order import by_kyoku, facts_of
from table.formats.majiang.words import Item
from table.formats.mjai.words import PLAIN
from table.record.drive import Drive
from table.record.read import Record
from table.record.verify import RecordedWalls, standing_of
from table.riichi import ruleset
from table.riichi.events import KyokuStart, four
from table.riichi.flow.hanchan import Standing, final
from table.riichi.game import RiichiGame
from table.riichi.pieces.seats import after, by_player
from table.riichi.rules import Rules

ASSUMED = "tenhou"
"""Rules of a foreign log that does not say by which it was played."""


def rules_for(imported: Imported) -> Rules:
    """The rules that a log's head suggests."""
    changes = {} if imported.reds else {"tiles.red_m": "0", "tiles.red_p": "0", "tiles.red_s": "0"}
    if imported.tonpu:
        changes["game.length"] = "tonpu"
    rules = ruleset.preset(ASSUMED)
    return ruleset.with_settings(rules, changes) if changes else rules


class Whole(msgspec.Struct, frozen=True):
    """The engine agrees with all that a kyoku tells: its items, nothing left out."""

    kyoku: list[Item]


class Differs(msgspec.Struct, frozen=True):
    """The rules do not fit a kyoku, and where."""

    why: str


class Unfinished(msgspec.Struct, frozen=True):
    """A kyoku that the engine follows as far as it goes; it has no result."""


Completion = Whole | Differs | Unfinished


def completed(
    record: Record,
    rules: Rules,
    draws: Mapping[int, Sequence[Item]] | None = None,
    unpaid: Collection[int] = (),
) -> tuple[Record, list[str], dict[int, str]]:
    """The record with whole results and indicators where these rules open them; notes on every kyoku that differs or
    was worked out; and those that are kept as they are, with the reason.

    `draws` and `unpaid`: as in `Imported`. The first draw that fits the rules is taken. Raises BadInput for a win
    whose payments the log does not tell and these rules cannot.
    """
    notes: list[str] = []
    kept: dict[int, str] = {}
    log = []
    for number, kyoku in enumerate(record.log, 1):
        told = msgspec.structs.replace(record, log=[kyoku], seed=None, walls=record.walls[number - 1 : number])
        done = _completion(told, rules, (draws or {}).get(number, ()), paid=number not in unpaid)
        if number in unpaid:
            if not isinstance(done, Whole):
                why = done.why if isinstance(done, Differs) else "it is unfinished"
                problem = f"the log does not tell what its win pays, and it cannot be worked out: {why}"
                raise BadInput(problem, f"{record.path} kyoku {number}")
            notes.append(f"kyoku {number}: the log does not tell what its win pays; worked out by the rules")
        elif isinstance(done, Differs):
            kept[number] = done.why
            notes.append(f"kyoku {number}: kept as it is: {done.why}")
        log.append(done.kyoku if isinstance(done, Whole) else kyoku)
    return msgspec.structs.replace(record, log=log), notes, kept


def _completion(one: Record, rules: Rules, draws: Sequence[Item], *, paid: bool) -> Completion:
    """What becomes of a record of one kyoku."""
    try:
        return _fitting(one, rules, draws, paid=paid)
    except BadInput as error:  # no such wall can be under these rules
        return Differs(str(error))


def _fitting(one: Record, rules: Rules, draws: Sequence[Item], *, paid: bool) -> Completion:
    """`_driven` for the first reading of a record of one kyoku that the rules allow."""
    told = one.log[0]
    first = _driven(one, rules, paid=paid)
    if not isinstance(first, Differs):
        return first
    for draw in draws:
        reading = [{"pingju": draw["pingju"]} if "pingju" in item else item for item in told]
        whole = _driven(msgspec.structs.replace(one, log=[reading]), rules, paid=paid)
        if isinstance(whole, Whole):
            return whole
    return first


def _marked_as(told: Sequence[Item], whole: Sequence[Item]) -> list[Item]:
    """The engine's items with the discards as they were told."""
    discards = iter([item for item in told if "dapai" in item])
    return [next(discards) if "dapai" in item else item for item in whole]


def _driven(one: Record, rules: Rules, *, paid: bool) -> Completion:
    """A record of one kyoku as the engine makes it, with the discards as they were told."""
    walls = RecordedWalls(one, rules, "convert")
    game = RiichiGame(rules, walls, one.names, one.first_dealer, standing_of(one, 0))
    drive = Drive(game, one.log, _as_told(one.log[0], paid=paid))
    for _ in drive.steps():
        pass
    if drive.difference is not None:
        return Differs("these rules differ at " + str(drive.difference).removeprefix("kyoku 1 "))
    if not any(item.keys() & {"hule", "pingju"} for item in one.log[0][-2:]):
        return Unfinished()
    encoder = Encoder(decimals=writes_decimals(rules))
    items, deals = [], 0
    for event in drive.game.events:
        deals += isinstance(event, KyokuStart)
        item = encoder.encode(event)
        if item is not None and deals == 1:
            items.append(item)
    return Whole(_marked_as(one.log[0], by_kyoku(items)[0]))


def _as_told(kyoku: Sequence[Item], *, paid: bool) -> Callable[[Item], Item]:
    """Gives the record's own item for one of the engine's that agrees with all that the record tells; what wins pay
    is told where they are `paid`."""
    told = {_key(item): item for item in kyoku if item.keys() & {"hule", "pingju"}}

    def form(item: Item) -> Item:
        theirs = told.get(_key(item))
        return theirs if theirs is not None and _agrees(item, theirs, paid=paid) else item

    return form


def _key(item: Item) -> tuple[str, int]:
    ((key, value),) = item.items()
    return key, value.get("l", -1) if key == "hule" else -1


def _agrees(ours: Item, theirs: Item, *, paid: bool) -> bool:
    if "pingju" in theirs:
        return all(ours["pingju"][key] == theirs["pingju"][key] for key in ("name", "fenpei"))
    hule, told = ours["hule"], theirs["hule"]
    untold = {"hupai"} if paid else {"hupai", "fenpei"}
    if any(_told(hule.get(key)) != _told(value) for key, value in told.items() if key not in untold):
        return False
    return "hupai" not in told or _coarse(hule["hupai"]) == _coarse(told["hupai"])


def _told(value: Any) -> Any:
    """A value without the mark of riichi that hands of 2015 lack."""
    return value.replace("*", "") if isinstance(value, str) else value


def _coarse(hupai: Sequence[Item]) -> list[tuple[str, str]]:
    """Yaku as every log tells them: without the better forms of a yakuman, how many it counts as, and order."""
    return sorted((PLAIN.get(str(one["name"]), str(one["name"])), _plain_worth(one["fanshu"])) for one in hupai)


def _plain_worth(fanshu: int | str) -> str:
    return str(fanshu).replace("**", "*")


def with_final(record: Record, rules: Rules) -> Record:
    """The record of a game that is over with final points and ranks by these rules."""
    follower = Follower(f"{record.path} kyoku {len(record.log)}")
    for played in facts_of(record.log[-1]):
        follower.take(played)
    board = follower.board
    scores = four(by_player(board.scores, after(record.first_dealer, board.kyoku)))
    number = board.round * 4 + board.kyoku
    end = final(Standing(number, 0, board.sticks, scores, number), rules, record.first_dealer)
    item = Encoder(decimals=writes_decimals(rules)).encode(end)
    assert item is not None, "the end has its item"
    return msgspec.structs.replace(record, final=item["jieju"])
