"""`jantaku tournament`: many players at tables of three or four, round by round."""

import os
from collections.abc import Sequence
from functools import partial
from glob import glob
from pathlib import Path

import msgspec

from jantaku.table.arena.collecting import part_folder
from jantaku.table.arena.commands import runs
from jantaku.table.arena.match.conduct import Ended, RunPlace, run
from jantaku.table.arena.match.records import plan_in
from jantaku.table.arena.match.report.tables import luck_tables, unit_tables
from jantaku.table.arena.match.report.verdict import hanchan_compared, remarks, verdict
from jantaku.table.arena.match.store import refuse_other
from jantaku.table.arena.tournament.plan import Tournament, TournamentFile, TournamentPlan, file_of, plan_of, read
from jantaku.table.arena.tournament.report import write_report
from jantaku.table.arena.tournament.rounds import Rounds, TournamentResults
from jantaku.table.arena.tournament.tables import round_lines, standings_table
from jantaku.table.cli.options import CommandOptions, Folder, WholeNumber, argument, option, words_of
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.parts import part_in
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku tournament bots/*.py --hanchan 40
  jantaku tournament --format round-robin --players shanten,caller,dice,tsumogiri,mybot.py:Bot
  jantaku tournament --format knock-out bots/*.py --hanchan 32 --out tournaments/june
  jantaku tournament june.toml --workers 4
  jantaku tournament --resume tournaments/june
"""


class TournamentOptions(CommandOptions):
    words: tuple[str, ...] = argument("[FILE.toml|BOT…]", default=())
    format: str | None = option("Who meets whom.  [default: swiss]", type=words_of(Tournament, "format"))
    hanchan: int | None = option(
        "Hanchan of each player, or the nearest even number; gauntlet: of the first player; knock-out: of each table.",
        "N",
        type=WholeNumber(1, 1_000_000),
    )
    rounds: int | None = option(
        "Rounds; round-robin and gauntlet: how often the whole schedule is played.", "N", type=WholeNumber(1, 1000)
    )
    plan: bool = option("Print what would be played, and play nothing.")
    after: Path | None = option("With --part: the rounds before, from `collect`.", "DIR", type=Folder())
    match: runs.MatchOptions = runs.MatchOptions.group(
        without=("file", "format", "seatings", "sets", "games", "until", "sprt"),
        out={"help": "Folder for the tournament, new or empty."},
        resume={"help": "Continue the tournament in this folder."},
    )


@TournamentOptions.command(epilog=EPILOG)
def command(options: TournamentOptions) -> None:
    """Play a tournament of four or more bots, and say how they stand.

    swiss: all play every round, at tables of equal standing. round-robin: every two meet equally often.
    gauntlet: the first bot against all others. knock-out: two of each table go on.

    A bot is written as in `jantaku play --players`; bots/*.py is every file in a folder. Every hanchan is kept as soon
    as it is over; --resume plays exactly what is missing and ends with the same files.
    """
    given = options.match
    console = Screen(quiet=given.quiet or given.json)
    file = asked(options)
    plan = plan_of(file)
    wanted = file.tournament.hanchan
    if wanted is not None and wanted != plan.each and given.resume is None:
        say(f"{wanted} {plan.unit} were asked for; the nearest that can be planned evenly is {plan.each}", err=True)
    if options.plan:
        say(plan.described)
        return
    console.say(plan.described)
    with own_output(given.json) as output:
        where, rounds = _begun(options, plan, file)
        ended = run(plan, where, partial(runs.watched, given, console), rounds, write_report)
        if output is not None:
            say(ended.encoded(), to=output)
    runs.tell_faults(given, ended.store, ended.faults)
    runs.tell_part(console, ended, where.part) if where.part else show(console, ended)
    runs.refuse_defects(ended.done.tally, ended.store)


def asked(options: TournamentOptions) -> TournamentFile:
    """Return the tournament asked for: from the file or the resumed folder, with the flags over it."""
    given = options.match
    files = [word for word in options.words if word.endswith(".toml")]
    if len(files) > 1:
        raise BadInput(f"{files[1]}: a tournament has one file; {files[0]} is given already")
    flags = runs.pool_flags("tournament", given)
    for key in ("format", "hanchan", "rounds"):
        flags[f"tournament.{key}"] = getattr(options, key)
    bots = [*flags.get("tournament.players", ()), *(word for word in options.words if word not in files)]
    if bots:
        flags["tournament.players"] = [bot for word in bots for bot in _found(word)]
    base = None
    if given.resume is not None:
        base = file_of(plan_in(given.resume, *runs.seeds_of(given), kind=TournamentPlan))
    file = read(files[0] if files else None, flags, base)
    return msgspec.structs.replace(file, rules=given.ruling.over(ruleset.FILES, file.rules))


def _begun(options: TournamentOptions, plan: TournamentPlan, file: TournamentFile) -> tuple[RunPlace, Rounds]:
    """Return the folder to play in, and the rounds. A part is told the hanchan of earlier rounds and does not play
    them. BadInput where a part cannot know its rounds."""
    resumed, after = options.match.resume, options.after
    where, rounds = runs.where_of(options.match, plan, file), Rounds(plan)
    if resumed is not None and part_in(resumed) is not None:
        raise BadInput(f"{resumed} holds a part; give the command that began it again")
    if after is None:
        return where, rounds
    if options.match.part is None:
        raise BadInput(f"--after is for --part; go on with the whole: jantaku tournament --resume {after}")
    refuse_other(after, plan)
    earlier = part_folder(after, TournamentPlan)
    for game in earlier.at:
        rounds.add(earlier.line(game))
    return where._replace(done=earlier.at.keys()), rounds


def _found(word: str) -> Sequence[str]:
    """Return the bots that a word names: all files of a pattern such as bots/*.py, else one bot."""
    path, colon, kind = word.partition(".py:")
    if "*" not in path:
        return [word]
    if found := sorted(glob(f"{path}.py" if colon else path)):
        return [f"{file}:{kind}" if colon else file for file in found]
    raise BadInput(f"{word}: there is no such file in {os.path.dirname(word) or 'the working folder'}")


def show(console: Screen, ended: Ended[TournamentPlan, TournamentResults]) -> None:
    store, results, unit = ended.store, ended.done.results, ended.store.plan.unit
    tables = standings_table(results.standings, results.figures, unit, console.width)
    if results.figures is not None and store.plan.pt:
        tables += unit_tables(results.figures, console.width)
    if results.figures is not None:
        tables += luck_tables(results.figures.luck, console.width)
    for table in tables:
        console.print(table)
        console.print()
    if results.format == "knock-out":
        for number, played in enumerate(results.rounds, 1):
            for line in round_lines(number, played):
                console.say(line)
    if (found := results.figures) is None:
        console.say(f"no {unit} has a result")
    else:
        console.tell(verdict(hanchan_compared(found, unit)))
        for remark in remarks(found, unit):
            console.tell(remark)
        runs.tell_figures(console, found, store.plan)
    runs.tell_place(console, ended)
