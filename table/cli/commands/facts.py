"""`jantaku facts`: what can be worked out of a decision, for people and for programs that explain."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Column, Table

from jantaku.table.cli.commands.records import opened_by
from jantaku.table.cli.commands.show import RecordOrLine
from jantaku.table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.sealed import SeedsOf
from jantaku.table.records.replay.assessment import Assessment, WinOutlook, assess
from jantaku.table.records.replay.decisions import Decision, decisions_seen
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.ruleset import FILES


class FactsOptions(CommandOptions):
    """The command's options."""

    source: Path | str = argument("FILE|'LINE'", type=RecordOrLine())
    kyoku: int | None = option("The kyoku, from 1.  [default: 1]", type=WholeNumber(1))
    turn: int | None = option("The turn in it, from 1.  [default: every turn]", type=WholeNumber(1))
    player: str | None = option("Only the decisions of this player, by name or by its number from 0.", "NAME")
    ruling: RuleOptions = rules("Rules of a record that does not tell its own.", changes=False)
    json: bool = option("One JSON object a decision.")
    opened_by: SeedsOf = opened_by()


@FactsOptions.command(
    epilog="jantaku facts games/game-0000.jsonl --kyoku 2 --turn 12. Copies are those that the seat does not see; "
    "points are without honba, sticks and ura dora. In Python: decisions_seen(record, assess)."
)
def command(options: FactsOptions) -> None:
    """Say of the decisions of a record, or of a position line, what can be worked out: shanten, accepted tiles, waits,
    safety, worth of wins."""
    if isinstance(options.source, str):
        if (options.kyoku, options.turn, options.player) != (None, None, None):
            raise BadInput("--kyoku, --turn and --player are for a record; a position line is one question")
        position = read_line(options.source)
        facts = assess(position.board, position.seat)
        _print(facts, {"line": position.line, "view": facts}, WINDS[facts.seat], as_json=options.json)
    else:
        _print_record(options, options.source)


def _print_record(options: FactsOptions, file: Path) -> None:
    read = read_any(file, options.ruling.foreign(FILES), seeds=options.opened_by)
    record, kyoku = read.record, options.kyoku or 1
    say(*(f"{file}: {note}" for note in read.notes), err=True)
    if kyoku > len(record.log):
        raise BadInput(f"{file} has no kyoku {kyoku}; it has {len(record.log)}")
    player = None if options.player is None else _player(options.player, record.names)
    found = 0
    for decision in _asked(decisions_seen(record, assess), kyoku, options.turn):
        if player is None or decision.player == player:
            found += 1
            facts, answer = decision.view, msgspec.json.encode(decision.answer).decode()
            head = f"turn {decision.turn}, {WINDS[facts.seat]} {record.names[decision.player]}"
            told = {**msgspec.structs.asdict(decision), "view": facts}
            _print(facts, told, head, f"; answered {answer}", as_json=options.json)
    if not found:
        turn = "" if options.turn is None else f" turn {options.turn}"
        raise BadInput(f"{file} kyoku {kyoku}{turn}: nobody asked for here had more than one option")


def _player(text: str, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text)
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    raise BadInput(f"there is no player {text}; players are {', '.join(names)}, or 0 to {len(names) - 1}", "--player")


def _asked(decisions: Iterator[Decision[Assessment]], kyoku: int, turn: int | None) -> Iterator[Decision[Assessment]]:
    """The decisions of a turn, or of a whole kyoku."""
    for decision in decisions:
        if decision.kyoku > kyoku:
            return
        if decision.kyoku == kyoku and turn in (None, decision.turn):
            yield decision


def _print(facts: Assessment, told: Mapping[str, Any], head: str, answered: str = "", *, as_json: bool) -> None:
    """Print the facts below a head, or `told` as JSON."""
    if as_json:
        say(msgspec.json.encode(told))
        return
    say(f"{head}: {_shanten(facts.shanten)}{', furiten' if facts.furiten else ''}{answered}")
    if facts.accepted:
        say(f"  accepts {_copies(facts.accepted)}")
    for win in facts.wins:
        say(f"  {_win(win)}")
    if facts.discards:
        grid = Table.grid(
            Column("tile"), Column("leaves"), Column("accepts", overflow="fold"), Column("safe"), padding=(0, 2)
        )
        for discard in facts.discards:
            mark = " dora" if discard.dora else ""
            safety = ", ".join(f"{WINDS[seat]} {why}" for seat, why in enumerate(discard.safety) if why)
            left = _shanten(discard.shanten) + (" furiten" if discard.furiten else "")
            grid.add_row(f"  {discard.tile}{mark}", left, f"{discard.width}: {_copies(discard.accepted)}", safety)
        Screen().print(grid)


def _shanten(number: int) -> str:
    return {-1: "complete", 0: "tenpai"}.get(number, f"{number} from tenpai")


def _copies(accepted: dict[str, int]) -> str:
    return " ".join(f"{tile}×{count}" for tile, count in accepted.items())


def _win(win: WinOutlook) -> str:
    how = f"{win.by} of {win.tile}{' after riichi' if win.riichi else ''}"
    if not win.points:
        return f"{how}: no yaku"
    ranks = sorted({rank for rank in win.ranks if rank is not None})
    return f"{how}: {win.points}, then rank {' or '.join(map(str, ranks))}"
