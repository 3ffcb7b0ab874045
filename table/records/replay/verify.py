"""Verifies a record: drives the engine by it and compares every event, the final points and the ranks."""

from collections.abc import Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, Fact
from jantaku.table.languages.majiang.items import Encoder, final_of, items_of, writes_decimals
from jantaku.table.languages.majiang.order import by_kyoku, in_paifu
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.digest import Edited
from jantaku.table.records.journal.killed import REFILLED
from jantaku.table.records.journal.read import Record
from jantaku.table.records.journal.sealed import commitment
from jantaku.table.records.journal.verified import Verified
from jantaku.table.records.replay.drive import Difference, Drive, show
from jantaku.table.records.replay.retelling import CONVERTED, Retelling
from jantaku.table.records.replay.walls import rebuilt
from jantaku.table.riichi.events import KyokuStart, PerSeat
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, Walls, walls_from
from jantaku.table.riichi.pieces.seats import by_player, player_of
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules


class RecordedWalls:
    """The walls of a record, kyoku by kyoku; after its end, walls made from a seed."""

    def __init__(self, record: Record, rules: Rules, seed: str) -> None:
        self._record, self._rules, self._seed = record, rules, seed
        self._after = walls_from(seed, record.number, rules, record.school)
        self._dealt = 0

    def __call__(self, at: Standing) -> Wall:
        record, index = self._record, self._dealt
        self._dealt += 1
        if index < len(record.walls):
            told = record.walls[index]
            # a copy: tiles leave a wall, and a record may be played several times
            return type(told).from_tiles(told.tiles, told.dice)
        if index < len(record.log):
            try:
                return rebuilt(record.log[index], self._rules, f"{self._seed}|{index}")
            except BadInput as error:
                raise BadInput(f"{record.path} kyoku {index + 1}: {error}") from None
        return self._after(at)


def opening_of(record: Record, rules: Rules) -> Standing:
    """The standing at the beginning of the record's game: East 1 as the rules say, or in the middle of a game. A driven
    one may begin in East 1 with any points, as a position does."""
    standing, start = standing_of(record, 0), opening(rules)
    if not (standing.number or standing.honba or standing.sticks or record.driven):
        return start
    return msgspec.structs.replace(standing, last=max(start.last, standing.number))


def standing_of(record: Record, kyoku: int) -> Standing:
    """The standing when kyoku number `kyoku`, from 0, is dealt; that kyoku counts as the planned last one."""
    deal = record.log[kyoku][0]
    assert isinstance(deal, KyokuStart), "a kyoku begins with its deal"
    number = deal.round_wind * len(deal.scores) + deal.kyoku
    scores = tuple(by_player(deal.scores, deal.dealer))
    before = record.log[:kyoku]
    again = sum(_place(earlier[0]) == _place(deal) for earlier in before)
    return Standing(number, deal.honba, deal.sticks, scores, number, again, chombos(before, len(scores)))


def _place(deal: Fact) -> tuple[int, int, int]:
    assert isinstance(deal, KyokuStart), "a kyoku begins with its deal"
    return deal.round_wind, deal.kyoku, deal.honba


def chombos(log: Sequence[Sequence[Fact]], players: int) -> PerSeat:
    """By player, how many of these kyoku its chombo ended."""
    counts = [0] * players
    for deal, *facts in log:
        for fact in facts[-1:]:
            if isinstance(fact, DrawFact) and fact.offender is not None and isinstance(deal, KyokuStart):
                counts[player_of(fact.offender, deal.dealer, players)] += 1
    return tuple(counts)


def check_players(record: Record, rules: Rules) -> None:
    """Raise BadInput if the record has another number of players than the rules."""
    told, needed = len(record.names), rules.game.players
    if told != needed:
        raise BadInput(f"{record.path}: {told} play in this record, {needed} by these rules; --rules names others")


def game_of(record: Record, rules: Rules, seed: str) -> RiichiGame:
    """Return the game of a record, not yet played; `seed` deals the walls that the record does not contain. Raises
    BadInput if the number of players does not fit the rules."""
    check_players(record, rules)
    walls: Walls = RecordedWalls(record, rules, seed)
    if record.seed is not None and not record.driven:
        walls = walls_from(record.seed, record.number, rules, record.school)
    return RiichiGame(rules, walls, record.names, record.first_dealer, opening_of(record, rules))


def verify(record: Record, rules: Rules) -> Verified:
    """Drive the engine by a record under `rules`, and compare. Raises BadInput for a record that is invalid."""
    if record.hidden:
        raise BadInput(f"{record.path}: {record.hidden}; nothing was compared")
    game, edited = game_of(record, rules, "verify"), record.guard.edited
    if record.lines:
        done = Retelling(record, game).compared()
        complete = record.final is not None
        difference = done.difference or _foreign_seed(record) or (edited and Edited(*edited))
        return Verified(
            rounds=done.kyoku,
            events=done.events,
            complete=complete,
            difference=difference,
            answers=done.answers,
            told=told_by(record),
            guard=record.guard,
            unit="kyoku",
        )
    drive = Drive(game, record.log)
    for _ in drive.steps():
        pass
    log = record.items or [items_of(in_paifu(kyoku)) for kyoku in record.log]
    difference = drive.difference or _later_difference(record, log, rules, drive.game)
    events = sum(map(len, log))
    complete = record.final is not None
    return Verified(
        rounds=len(record.log),
        events=events,
        complete=complete,
        difference=difference,
        told=told_by(record),
        unit="kyoku",
        marked=drive.marked,
    )


def _foreign_seed(record: Record) -> Difference | None:
    """The difference if the seed of a journal is not the one that it was committed to before the game."""
    header = record.lines[0]
    told, made = header.get("commit"), commitment(record.seed or "", record.number)
    if told is None or told == made or header["version"] in (CONVERTED, REFILLED):
        return None
    return Difference(1, 1, f"the commitment {told}", f"{made} for this seed", 1)


def told_by(record: Record) -> tuple[str, ...]:
    """The statements of a record that do not follow from the rest of it."""
    told = ["names"]
    if record.title:
        told.append("the title")
    if record.driven and record.seed:
        told.append("the seed")
    if record.driven and record.walls:
        told.append("tiles that nobody drew")
    if record.answers:
        told += ["times", "reasons", "verdicts of the same play"]
    if any("meta" in answer for turn in record.answers.values() for answer in turn["answers"]):
        told.append("what players said besides")
    return (*told, *record.unread)


def _unmarked(item: Item | None) -> Item | None:
    if item is None or "dapai" not in item:
        return item
    return {"dapai": {**item["dapai"], "p": item["dapai"]["p"].replace("_", "")}}


def _later_difference(
    record: Record, log: Sequence[Sequence[Item]], rules: Rules, game: RiichiGame
) -> Difference | None:
    """Compare what a drive does not: the text of every item, the places of indicators, and the end of the game."""
    encoder = Encoder(decimals=writes_decimals(rules))
    items = [item for event in game.events if (item := encoder.encode(event)) is not None]
    made = by_kyoku(items)
    for kyoku, theirs in enumerate(log, 1):
        ours = made[kyoku - 1] if kyoku <= len(made) else []
        is_last = kyoku == len(record.log)
        for event in range(1, max(len(theirs), 0 if is_last else len(ours)) + 1):
            item = theirs[event - 1] if event <= len(theirs) else None
            wanted = ours[event - 1] if event <= len(ours) else None
            wanted = wanted and record.form.item(wanted)
            if _unmarked(wanted) != _unmarked(item):  # the drive has compared discards
                return Difference(kyoku, event, show(item), show(wanted))
    return _other_end(record, game, items)


def _other_end(record: Record, game: RiichiGame, items: list[Item]) -> Difference | None:
    """The difference in how the game ended; None if there is none. A complete record of ours states its end."""
    made = items[-1].get("jieju") if game.over else None
    if record.final is None:
        whole = not record.lines and record.seed is not None
        return Difference(0, 0, show(None), show(made)) if made is not None and whole else None
    made = made and record.form.end(made)
    told = record.end or final_of(record.final, decimals=writes_decimals(game.rules))
    return None if made == told else Difference(0, 0, show(told), show(made))
