"""`jantaku show --facts`: what can be worked out of a decision, for people and for programs that explain."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Column, Table

from jantaku.table.cli.options import CommandOptions, WholeNumber, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.drawing.columns import counted
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import Reading, game_of_record
from jantaku.table.play.playouts import OptionWorth, Playouts
from jantaku.table.play.seating.roster import adviser
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.assessment import Assessment, WinOutlook, assess
from jantaku.table.records.replay.decisions import Decision, decisions_seen
from jantaku.table.records.replay.past import past_of
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import NAMES as OPTION_NAMES
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.points.hand import Hand
from jantaku.table.riichi.ruleset import FILES

NOBODY = "{file} kyoku {kyoku}{turn}: no seat had more than one option there; another --turn may have one"
"""The error for a place without a question."""


class OptionsWorth(msgspec.Struct, frozen=True):
    """The options of a question, the best first: the bot `by` has played all seats in each of `worlds` worlds."""

    by: str
    worlds: int
    options: tuple[OptionWorth, ...]


class FactsOptions(CommandOptions):
    """Which facts of which decisions are worked out."""

    facts: bool = option(
        "Print facts about the questions of that turn, or of all turns: shanten, accepted tiles, waits, "
        "safety, worth of wins."
    )
    player: str | None = option("With --facts: only the questions to this player, by name or number from 0.", "NAME")
    worth: int | None = option(
        "With --facts: also play every option out N times, with the hidden tiles drawn at random, and say what it is "
        "worth.",
        "N",
        type=WholeNumber(5, 10_000),
    )
    by: str | None = option("With --worth: the bot that plays all seats.  [default: shanten]", "BOT")
    json: bool = option("JSON: what each seat sees, or with --facts one object a question.")

    def check(self) -> None:
        """BadInput if one of these options lacks another that it needs."""
        given = {"--player": self.player, "--worth": self.worth, "--by": self.by}
        if lost := [flag for flag, value in given.items() if value is not None and not self.facts]:
            raise BadInput(f"{', '.join(lost)}: only with --facts")
        if self.by is not None and self.worth is None:
            raise BadInput("--by needs --worth, for example --worth 100")


def print_hand(hand: Hand) -> None:
    """Print the shanten of a hand, and what it accepts, or may best discard."""
    say(f"{hand}: {_shanten(hand.shanten)}")
    if hand.accepted:
        say(f"  accepts {_copies(hand.accepted)}")
    for tile, accepted in hand.discards.items():
        say(f"  {tile} leaves {_copies(accepted)}")


def print_of_line(options: FactsOptions, line: str) -> None:
    position = read_line(line)
    facts = assess(position.board, position.seat)
    told = {"line": position.line, "view": facts}
    _print(facts, _with_worth(options, position.line, told), WINDS[facts.seat], as_json=options.json)


def print_of_record(options: FactsOptions, file: Path, reading: Reading, kyoku: int, turn: int | None) -> None:
    """Print the facts of the decisions of a turn of a record, or of a whole kyoku."""
    game = game_of_record(file)
    if game.name != "riichi":
        raise BadInput(f"{file} is a record of {game.title}, which has no --facts; riichi has them")
    read = read_any(file, reading.ruled.foreign(FILES), reading.form, reading.seeds)
    record = read.record
    say(*(f"{file}: {note}" for note in read.notes), err=True)
    if kyoku > len(record.log):
        raise BadInput(f"{file} has no kyoku {kyoku}; it has {len(record.log)}")
    player = None if options.player is None else _player(options.player, record.names)
    found = 0
    lined = options.worth is not None
    for decision in _asked(decisions_seen(record, assess, lined=lined), kyoku, turn):
        if player is None or decision.player == player:
            found += 1
            facts, answer = decision.view, msgspec.json.encode(decision.answer).decode()
            head = f"turn {decision.turn}, {WINDS[facts.seat]} {record.names[decision.player]}"
            told = {**msgspec.structs.asdict(decision), "view": facts}
            _print(facts, _with_worth(options, decision.line, told), head, f"; answered {answer}", as_json=options.json)
    if not found:
        raise BadInput(NOBODY.format(file=file, kyoku=kyoku, turn="" if turn is None else f" turn {turn}"))


def _with_worth(options: FactsOptions, line: str, told: dict[str, Any]) -> dict[str, Any]:
    """Add what the options are worth, if that is wanted."""
    if options.worth is None:
        return told
    bot = adviser(options.by or "shanten")
    position, screen = read_line(line), Screen()
    past_of(position, "1")  # refuses what no kyoku leads to
    playouts = Playouts(position, bot.make)
    with bar(screen, shown=screen.is_terminal and not options.json) as drawn:
        task = drawn.add_task("worlds", total=options.worth)
        for worlds in range(1, options.worth + 1):
            playouts.play(worlds, decide=False)
            drawn.advance(task)
    faults = playouts.faults + playouts.slow
    say(*(f"{fault}, {counted(times, 'time')}" for fault, times in faults.items()), err=True)
    return {**told, "worth": OptionsWorth(bot.name, options.worth, playouts.options)}


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


def _print_worth(worth: OptionsWorth) -> None:
    say(f"  worth in final points, if {worth.by} plays all seats in {counted(worth.worlds, 'world')}:")
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
