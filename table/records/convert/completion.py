"""Fills in what a foreign log omits from the engine, if the engine agrees with everything that the log contains.

Each kyoku is driven by itself, so that one that does not fit the rules does not prevent the others' completion.
"""

from collections.abc import Mapping, Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.log import announcer
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, Follower, WinFact, agrees, log_of
from jantaku.table.languages.mjai.words import PLAIN
from jantaku.table.records.convert.following import ASSUMED, MANY, Imported
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference, Drive, decisive, show, show_fact
from jantaku.table.records.replay.verify import RecordedWalls, chombos, standing_of
from jantaku.table.riichi import events, ruleset
from jantaku.table.riichi.flow.hanchan import by_rank, final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import THREE, after, by_player
from jantaku.table.riichi.rules import Rules


def assumed(players: int, base: str = ASSUMED) -> str:
    """The preset assumed for a log of `players` that does not name its rules."""
    return f"{base}-3p" if players == THREE else base


def rules_for(imported: Imported) -> Rules:
    """The rules that a log's header suggests."""
    none = {} if imported.reds else {"tiles.red_m": "0", "tiles.red_p": "0", "tiles.red_s": "0"}
    changes = {**none, **imported.changes}
    if imported.tonpu:
        changes["game.length"] = "tonpu"
    rules = ruleset.preset(assumed(len(imported.record.names), imported.base))
    deal = imported.record.log[0][0] if imported.record.log else None
    begins = isinstance(deal, events.KyokuStart) and not (deal.round_wind or deal.kyoku or deal.honba)
    start = {*deal.scores} if isinstance(deal, events.KyokuStart) and begins else set()
    if len(start) == 1 and start != {rules.game.start_points}:
        changes["game.start_points"] = str(*start)
    return ruleset.with_settings(rules, changes) if changes else rules


class Whole(msgspec.Struct, frozen=True):
    """The engine agrees with everything in a kyoku; `kyoku` has all facts, complete."""

    kyoku: list[Fact]


class Differs(msgspec.Struct, frozen=True):
    why: str


class Unfinished(msgspec.Struct, frozen=True):
    """The engine agrees with a kyoku that has no result; `kyoku` has its facts in the engine's order: logs have an
    indicator at other places."""

    kyoku: list[Fact]


Completion = Whole | Differs | Unfinished


def completed(
    record: Record, rules: Rules, draws: Mapping[int, Sequence[DrawFact]] | None = None
) -> tuple[Record, list[str], dict[int, str]]:
    """Return the record with complete results, and with indicators where these rules open them; notes on every kyoku
    that differs or was inferred; and the kyoku that are kept unchanged, each with the reason. `draws` is as in
    `Imported`; the first draw that fits the rules is taken. Raises BadInput for a win whose payments neither the log
    nor these rules determine."""
    notes: list[str] = []
    kept: dict[int, str] = {}
    log = []
    for number, kyoku in enumerate(record.log, 1):
        if number % MANY == 0:
            announcer("records")(f"{record.path}: {number} of {len(record.log)} kyoku are read")
        told = msgspec.structs.replace(record, log=[kyoku], seed=None, walls=record.walls[number - 1 : number])
        done = _completion(told, rules, (draws or {}).get(number, ()))
        if any(isinstance(fact, WinFact) and fact.deltas is None for fact in kyoku):
            if not isinstance(done, Whole):
                why = done.why if isinstance(done, Differs) else "it is unfinished"
                problem = f"the log does not tell what its win pays, and it cannot be worked out: {why}"
                raise BadInput(problem, f"{record.path} kyoku {number}")
            notes.append(f"kyoku {number}: the log does not tell what its win pays; worked out by the rules")
        elif isinstance(done, Differs):
            kept[number] = done.why
            notes.append(f"kyoku {number}: kept as it is: {done.why}")
        log.append(kyoku if isinstance(done, Differs) else done.kyoku)
    return msgspec.structs.replace(record, log=log, items=[], end=None), notes, kept


def _completion(one: Record, rules: Rules, draws: Sequence[DrawFact]) -> Completion:
    """Complete a record of one kyoku, by the first alternative of its draw that the rules allow."""
    told = one.log[0]
    try:
        first = _driven(one, rules)
        for draw in draws if isinstance(first, Differs) else ():
            reading = [draw if isinstance(fact, DrawFact) else fact for fact in told]
            whole = _driven(msgspec.structs.replace(one, log=[reading]), rules)
            if isinstance(whole, Whole):
                return whole
    except BadInput as error:  # no wall can produce this kyoku under these rules
        return Differs(str(error))
    return first


def _driven(one: Record, rules: Rules) -> Completion:
    """Drive a record of one kyoku, and return what the engine made, with the discards as the log has them."""
    kyoku = one.log[0]
    walls = RecordedWalls(one, rules, "convert")
    game = RiichiGame(rules, walls, one.names, one.first_dealer, standing_of(one, 0))
    drive = Drive(game, one.log, _agrees_roughly)
    for _ in drive.steps():
        pass
    if drive.difference is not None:
        return Differs(f"these rules differ at {drive.difference.in_kyoku}")
    if not isinstance(kyoku[-1], WinFact | DrawFact):
        made = log_of(drive.game.events)[0]
        ahead = [fact for fact in kyoku if fact not in made]  # an indicator that the engine opens at the next discard
        if not all(isinstance(fact, events.Dora) for fact in ahead):
            return Unfinished(kyoku)
        behind = [fact for fact in made if fact in kyoku]  # without what the engine has opened and the log not yet
        return Unfinished([*behind[: len(kyoku) - len(ahead)], *ahead])
    discards = iter([fact for fact in kyoku if isinstance(fact, events.TileDiscard)])
    made = log_of(drive.game.events)[0]
    results = [one for one in decisive(kyoku) if isinstance(one[1], WinFact | DrawFact)]
    count = sum(isinstance(fact, WinFact | DrawFact) for fact in made)
    for place, fact in results[count:]:  # more winners than these rules allow
        return Differs(f"these rules differ at {Difference(1, place, show_fact(fact), show(None)).in_kyoku}")
    return Whole([next(discards) if isinstance(fact, events.TileDiscard) else fact for fact in made])


def _agrees_roughly(told: Fact, made: Fact) -> bool:
    """Whether `made` agrees with everything known. Yaku are compared without what some logs cannot express; of a draw
    only reason and payments are compared."""
    if isinstance(told, DrawFact) and isinstance(made, DrawFact):
        return (told.reason, told.deltas) == (made.reason, made.deltas)
    if not isinstance(told, WinFact) or not isinstance(made, WinFact) or told.yaku is None:
        return agrees(told, made)
    return _coarse(told) == _coarse(made) and agrees(msgspec.structs.replace(told, yaku=None), made)


def _coarse(win: WinFact) -> list[tuple[str, int]]:
    """The yaku without the better forms of a yakuman and its units, sorted."""
    return sorted((PLAIN.get(name, name), 1 if win.yakuman else worth) for name, worth in win.yaku or ())


def with_final(record: Record, rules: Rules, told: EndFact | None = None) -> Record:
    """Return the record of a finished game with final points and ranks: as `told`, or by these rules."""
    if told is not None:
        order = by_rank(told.scores, record.first_dealer)
        ranks = tuple(order.index(player) + 1 for player in range(len(order)))
        return msgspec.structs.replace(record, final=msgspec.structs.replace(told, ranks=ranks))
    follower = Follower(f"{record.path} kyoku {len(record.log)}")
    for fact in record.log[-1]:
        follower.take(fact)
    board = follower.board
    scores = tuple(by_player(board.scores, after(record.first_dealer, board.kyoku, board.seats)))
    number = board.round * board.seats + board.kyoku
    standing = Standing(number, 0, board.sticks, scores, number, chombos=chombos(record.log, len(record.names)))
    end = final(standing, rules, record.first_dealer)
    return msgspec.structs.replace(record, final=EndFact(end.scores, end.ranks, end.tenths))
