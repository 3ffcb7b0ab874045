"""`jantaku review`: a bot reviews a record."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from jantaku.table.arena.forks.between import Beside
from jantaku.table.arena.forks.review import PLAYS_ON, Considered, reviewed, whole_review
from jantaku.table.cli.commands.records import RecordFile, opened_by, view_command
from jantaku.table.cli.options import (
    BOTS,
    CommandOptions,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
)
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.drawing.columns import counted, fitting
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import typed
from jantaku.table.judge.mode import Mode
from jantaku.table.play.outcome import often, why_lines
from jantaku.table.play.seating.roster import Entrant, adviser
from jantaku.table.records.convert.readers import Readable, read_any
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.lines import write_whole
from jantaku.table.records.journal.places import REVIEWS
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decision_table import DecisionTable
from jantaku.table.records.replay.option_values import option_values
from jantaku.table.records.replay.reviewed import Agreement, WholeReview, agreements, review_text
from jantaku.table.riichi.option_numbers import NAMES
from jantaku.table.riichi.ruleset import FILES

EPILOG = """GAME is a record of any format: a journal, a 牌譜, mjai, tenhou.net/6. The bot hears what each player heard
and is asked what each was asked; the game goes on as it was played.

\b
  jantaku review games/game-0000.jsonl --by shanten
  jantaku review game.mjson --by mybot.py:Clever --player alice --out game.review.jsonl
  jantaku view game.review.jsonl
  jantaku review log.json --by 'exec:python mortal.py {id}?dialect=mjai-lines' --seat 0 --limit 30

A discard of the same tile counts as the same, just drawn or from the hand. An answer that another's call overruled
is counted only if the record holds it.
"""
_SAID = 60
"""Characters shown of what a bot says about its choice."""


class ReviewOptions(CommandOptions):
    game: Path = argument("GAME", type=RecordFile())
    by: str | None = option(f"The bot: {BOTS}.", "BOT")
    seat: int | None = option("Review only the player with this number in the record.", type=WholeNumber(0, 3))
    player: str | None = option("Review only the player with this name.", "NAME")
    out: Path | None = option(f"Write the review beside the record, for jantaku view: FILE{REVIEWS}.", "FILE")
    worth: int | None = option(
        "Play the kyoku of each difference out in N worlds, to see what it wins.", "N", type=WholeNumber(1, 10_000)
    )
    sort: Literal["turn", "worth"] = option(
        "Order of the differences: by turn, or the most costly first (needs --worth).", default="turn"
    )
    parquet: Path | None = option("Write it as a table of decisions in numbers.", "FILE.parquet")
    ruling: RuleOptions = rules("Rules of a record that does not name its own.")
    run: RunOptions = RunOptions.group(without=("flag",))
    form: Readable | None = option("Format of the file.  [default: detected]", flag="--read-as")
    json: bool = option("Print one JSON object, nothing else.")
    opened_by: SeedsOf = opened_by()


@ReviewOptions.command(epilog=EPILOG)
def command(options: ReviewOptions) -> None:
    """Show what a bot would have done at every decision of a record."""
    if options.out is not None and not options.out.name.endswith(REVIEWS):
        raise BadInput(f"--out {options.out}: end its name with {REVIEWS}, or it is taken for a record of a game")
    if options.parquet is not None and options.parquet.suffix != ".parquet":
        raise BadInput(f"--parquet {options.parquet}: end its name with .parquet")
    if options.sort == "worth" and options.worth is None:
        raise BadInput("--sort worth needs --worth, for example --worth 100")
    read = read_any(options.game, options.ruling.foreign(FILES), options.form, options.opened_by)
    say(*(f"{options.game}: {note}" for note in read.notes), err=True)
    record = read.record
    if record.rules is None:
        raise BadInput(f"{options.game}: it does not say by which rules it was played; name them with --rules")
    entrant = _entrant(options)
    seats = dict.fromkeys(_players(options, record), entrant)
    mode, clock = options.run.timed(Mode.PER_TURN)
    asked = _asked(record, reviewed(record, record.rules, seats, Beside(clock, mode), options.worth or 0))
    review = whole_review(record, record.rules, seats, asked, options.game, options.out or options.game)
    if options.out is not None:
        write_whole(options.out, review_text(review))
    if options.parquet is not None:
        with DecisionTable(options.parquet, review) as table:
            table.add(record)
    if options.json:
        say(msgspec.json.encode(_summary(review)))
    else:
        _show(options, record, review, asked)
    _tell_faults(entrant, asked)
    if options.out is not None:
        say(f"next: {typed(f'view {options.out}')}", err=options.json)


def _asked(record: Record, found: Iterable[Considered]) -> list[Considered]:
    """Collect the decisions, and show on a terminal how far the review is."""
    screen, asked = Screen(err=True), list[Considered]()
    with bar(screen, shown=screen.is_terminal) as progress:
        task = progress.add_task("kyoku", total=len(record.log))
        for one in found:
            progress.update(task, completed=one.line.kyoku - 1)
            asked.append(one)
    return asked


def _entrant(options: ReviewOptions) -> Entrant:
    if options.by is None:
        raise BadInput("--by is missing: name the bot that reviews, --by shanten for example")
    return adviser(options.by, sandbox=options.run.sandbox)


def _players(options: ReviewOptions, record: Record) -> list[int]:
    if options.seat is not None and options.player is not None:
        raise BadInput("--seat and --player both name the player to review; give one of them")
    if options.player is None:
        players = range(len(record.names))
        if options.seat is not None and options.seat not in players:
            raise BadInput(f"--seat {options.seat}: {record.path} has the players 0 to {players[-1]}")
        return [*players] if options.seat is None else [options.seat]
    found = [player for player, name in enumerate(record.names) if name == options.player]
    if not found:
        raise BadInput(f"--player {options.player}: no player has this name; the players are {', '.join(record.names)}")
    return found


def _summary(review: WholeReview) -> dict[str, Any]:
    """Return the review as one object: the agreement with all players and with each, and every decision."""
    head, lines = review.head, review.decisions
    players = {seat: [one for one in lines if one.player == seat] for seat in head.seats}
    return {
        "by": head.by,
        "record": head.record,
        "agreement": _shares(lines),
        "players": [
            {"player": seat, "name": head.player[seat], "agreement": _shares(own)} for seat, own in players.items()
        ],
        "faults": Counter(one.verdict for one in lines if one.choice is None),
        "decisions": lines,
    }


def _shares(lines: Sequence[Any]) -> dict[str, Any]:
    return {
        kind: {
            "decisions": one.decisions,
            "agreed": one.agreed,
            "share": round(one.share, 4),
            **({} if one.worth is None else {"worth": one.worth}),
        }
        for kind, one in agreements(lines).items()
    }


# --- for a person


def _name(names: Sequence[str], player: int) -> str:
    return names[player] or f"player {player}"


def _show(options: ReviewOptions, record: Record, review: WholeReview, asked: Sequence[Considered]) -> None:
    differing = [one for one in asked if one.line.agrees is False]
    if options.sort == "worth":
        differing.sort(key=lambda one: -(one.line.worth or 0.0))
    for line in _listed(record, differing, options.out or options.game):
        say(line)
    console = Screen()
    for table in _tables(review, console.width):
        console.print(table)
    every = agreements(review.decisions)["all"]
    share = f" ({every.share:.1%})" if every.decisions else ""
    not_counted = len(review.decisions) - every.decisions
    more = f", {not_counted} not counted" if not_counted else ""
    agreed = f"{every.agreed} of {every.decisions} decisions{share}"
    differ = every.decisions - every.agreed
    say(f"{review.head.by} would have played the same in {agreed}, {differ} differ{more}")
    if every.worth is not None:
        worlds = counted(options.worth or 0, "world")
        say(f"its choices win {every.worth:+.1f} points in all, played out in {worlds} each by {PLAYS_ON}")


def _listed(record: Record, differing: Sequence[Considered], shown: Path) -> Iterator[str]:
    """Yield the differences, grouped by kyoku."""
    kyoku = 0
    for one in differing:
        line, seen = one.line, one.seen
        if line.kyoku != kyoku:
            kyoku = line.kyoku
            place = f"{'東南西北'[seen.view.round_wind]}{'一二三四'[seen.view.kyoku]}局 {seen.view.honba}本場"
            yield f"kyoku {kyoku}: {place}"
        name = _name(record.names, line.player)
        choice = seen.numbers[seen.options.index(line.choice)] if line.choice in seen.options else None
        wish = "" if choice is None else NAMES[choice]
        yield f"  turn {line.turn} {name} {line.hand}: {NAMES[seen.number]} | {wish}{_said(one)}"
        if line.worth is not None:
            half = "" if line.margin is None else f" ± {line.margin:.1f}"
            yield f"    {line.worth:+.1f}{half} points, played out: {view_command(shown, line.kyoku, line.event)}"


def _said(one: Considered) -> str:
    """Return what the bot says about its choice: the values of both choices, or the beginning of its text."""
    line, seen = one.line, one.seen
    if line.meta is None:
        return ""
    values = option_values(line.meta, seen.options)
    if values is None:
        text = msgspec.json.encode(line.meta).decode()
        return f"  {text if len(text) <= _SAID else text[: _SAID - 1] + '…'}"
    worth = [
        values[seen.options.index(reply)] if reply in seen.options else None for reply in (line.played, line.choice)
    ]
    return "  " + " | ".join("-" if value is None else f"{value:.3g}" for value in worth)


def _tables(review: WholeReview, width: int) -> list[Any]:
    """Make the table of the bot's agreement, by player and kind of decision."""
    kinds = list(agreements(review.decisions))
    rows = []
    for seat in review.head.seats:
        own = agreements(one for one in review.decisions if one.player == seat)
        cells = [_cell(own[kind]) if kind in own else "-" for kind in kinds]
        rows.append((_name(review.head.player, seat), *cells))
    return fitting(("agrees with", *kinds), rows, width)


def _cell(one: Agreement) -> str:
    worth = "" if one.worth is None else f", {one.worth:+.1f}"
    return f"{one.share:.1%} of {one.decisions}{worth}"


def _tell_faults(entrant: Entrant, asked: Sequence[Considered]) -> None:
    """Print the bot's faults: how often, where first, why, and the evidence."""
    faults = [one for one in asked if one.line.choice is None]
    counts = Counter(one.line.verdict for one in faults)
    for verdict, count in counts.items():
        first = next(one for one in faults if one.line.verdict == verdict)
        say(f"{entrant.name}: {verdict} {often(count)} in kyoku {first.line.kyoku}, turn {first.line.turn}", err=True)
        say(*why_lines(first.answer, entrant.at), err=True)
