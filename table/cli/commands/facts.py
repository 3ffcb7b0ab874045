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
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import part
from jantaku.table.play.roster import adviser
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.replay.assessment import Assessment, WinOutlook, assess
from jantaku.table.records.replay.decisions import Decision, decisions_seen
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import NAMES as OPTION_NAMES
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.ruleset import FILES


class FactsOptions(CommandOptions):
    """The command's options."""

    source: Path | str = argument("FILE|'LINE'", type=RecordOrLine())
    kyoku: int | None = option("The kyoku, from 1.  [default: 1]", type=WholeNumber(1))
    turn: int | None = option("The turn in it, from 1.  [default: every turn]", type=WholeNumber(1))
    player: str | None = option("Only the decisions of this player, by name or by its number from 0.", "NAME")
    ruling: RuleOptions = rules("Rules of a record that does not tell its own.", changes=False)
    worth: int | None = option(
        "Play every option out from N made-up pasts of the decision: what each is worth.",
        "N",
        type=WholeNumber(5, 10_000),
    )
    by: str | None = option("With --worth: the bot that plays all seats.  [default: shanten]", "BOT")
    json: bool = option("One JSON object a decision.")
    opened_by: SeedsOf = opened_by()


@FactsOptions.command(
    epilog="""Copies are those that the seat does not see; points are without honba, sticks and ura dora. In Python:
decisions_seen(record, assess).

With --worth the hidden tiles are drawn at random, each order as likely as any other, and a bot plays every option out.

\b
  jantaku facts games/game-0000.jsonl --kyoku 2 --turn 12
  jantaku facts games/game-0000.jsonl --kyoku 2 --turn 12 --worth 100 --by shanten
  jantaku facts 'jtk1 tenhou E1 … ask=S/draw' --worth 100 --json
"""
)
def command(options: FactsOptions) -> None:
    """Say of the decisions of a record, or of a position line, what can be worked out: shanten, accepted tiles, waits,
    safety, worth of wins."""
    if isinstance(options.source, str):
        if (options.kyoku, options.turn, options.player) != (None, None, None):
            raise BadInput("--kyoku, --turn and --player are for a record; a position line is one question")
        position = read_line(options.source)
        facts = assess(position.board, position.seat)
        told = {"line": position.line, "view": facts}
        _print(facts, _with_worth(options, position.line, told), WINDS[facts.seat], as_json=options.json)
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
    lined = options.worth is not None
    for decision in _asked(decisions_seen(record, assess, lined=lined), kyoku, options.turn):
        if player is None or decision.player == player:
            found += 1
            facts, answer = decision.view, msgspec.json.encode(decision.answer).decode()
            head = f"turn {decision.turn}, {WINDS[facts.seat]} {record.names[decision.player]}"
            told = {**msgspec.structs.asdict(decision), "view": facts}
            _print(facts, _with_worth(options, decision.line, told), head, f"; answered {answer}", as_json=options.json)
    if not found:
        turn = "" if options.turn is None else f" turn {options.turn}"
        raise BadInput(f"{file} kyoku {kyoku}{turn}: nobody asked for here had more than one option")


def _with_worth(options: FactsOptions, line: str, told: dict[str, Any]) -> dict[str, Any]:
    """Add what the options are worth, if that is wanted."""
    if options.worth is None:
        if options.by is not None:
            raise BadInput("--by: nothing is played out; add --worth 100, for example")
        return told
    bot = adviser(options.by or "shanten")
    screen = Screen()
    with bar(screen, shown=screen.is_terminal and not options.json) as drawn:
        task = drawn.add_task("pasts", total=options.worth)
        worth = part("arena", "forks.review").options_worth(
            read_line(line), bot, pasts=options.worth, played=lambda: drawn.advance(task)
        )
    return {**told, "worth": worth}


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
    if (worth := told.get("worth")) is not None:
        _print_worth(worth)


def _print_worth(worth: Any) -> None:
    say(f"  worth in final points, if {worth.by} plays all seats from {worth.pasts} made-up pasts:")
    grid = Table.grid(Column("option"), Column("points", justify="right"), Column("behind"), padding=(0, 2))
    for one in worth.options:
        margin = "–" if one.margin is None else f"{one.margin:.2f}"
        behind = f"{one.behind:.2f} ± {margin} behind" if one.behind else ""
        grid.add_row(f"  {OPTION_NAMES[one.number]}", f"{one.points:+.2f}", behind)
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
