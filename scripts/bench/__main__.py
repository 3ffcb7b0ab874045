"""`python -m scripts.bench`: how fast the table plays, compared with other engines and with what the machine allows.

Without options every row is measured, pinned to one core, and rows about threads once more on all cores. Compare rows
of the same run only: between runs the machine's other load differs.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from jantaku.table.ground.errors import BadInput, TableFault
from scripts.bench import profiling, sampling
from scripts.bench.commands import CommandsPlan, of_commands
from scripts.bench.conducting import GROUPS, PARTS, BenchPlan, measured, selected
from scripts.bench.identical import compared
from scripts.bench.memory import of_a_match, of_one_process
from scripts.bench.output import Output
from scripts.bench.peers import environment
from scripts.bench.policies import POLICIES
from scripts.bench.rows import ALONE, MEANING, SAMPLED
from scripts.bench.tables import UNITS, TablesPlan, of_tables
from scripts.core import compile_first

QUICK = {"rounds": 1, "seconds": 0.02, "warm_up": 1, "games": 1, "length": "one"}
APART = ("commands", "profile", "bytes", "memory", "match", "tables")
"""Options that replace the measurement of rows."""
SIZES = (
    "rounds",
    "seconds",
    "warm_up",
    "games",
    "hanchan",
    "processes",
    *(name for name in APART if name != "profile"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    options = _parser().parse_args(arguments)
    output = Output(options.json)
    try:
        return _run(options, output)
    except BadInput as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except TableFault as fault:
        print(f"bench: {fault}", file=sys.stderr)
        return 70
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _run(options: argparse.Namespace, output: Output) -> int:
    plan = _plan(options)
    code = 0
    if options.commands:
        output.show(of_commands(_commands(options, output), output.note))
    if options.profile:
        _profile(options, output)
    if options.bytes:
        part, different = compared(options.bytes, output.note, options.players)
        output.show(part)
        code = 1 if different else 0
    if options.memory:
        output.show(of_one_process(options.memory, output.note))
    if options.match:
        output.show(of_a_match(options.match, output.note))
    if options.tables:
        output.show(of_tables(_tables(options), output.note))
    if not any(getattr(options, name) for name in APART):
        for part in measured(plan, output.note):
            output.show(part)
    return code


def _profile(options: argparse.Namespace, output: Output) -> None:
    rows = selected(_words(options)).get("rows", ("inline",))
    refusal = sampling.refusal()
    allowed = SAMPLED if refusal is None else ALONE
    for row in rows:
        if row not in allowed:
            raise BadInput(f"--profile: of {row!r} there is none; allowed are {', '.join(allowed)}")
    if refusal is not None:
        output.note(f"cProfile, which does not see into a compiled core, for {refusal}")
    for row in rows:
        way, usual = (profiling.profiled, profiling.HANCHAN) if refusal else (sampling.sampled, sampling.HANCHAN)
        output.show(way(row, options.profile, options.hanchan or (1 if options.quick else usual)))


def _tables(options: argparse.Namespace) -> TablesPlan:
    given = {name: value for name in ("rounds", "length") if (value := getattr(options, name)) is not None}
    shared = {"pinned": not options.unpinned, "switch": options.switch_interval}
    return TablesPlan(options.tables, options.processes, **given, **shared)


def _commands(options: argparse.Namespace, output: Output) -> CommandsPlan:
    peer = environment(output.note) if options.peers else None
    length = "one" if options.quick else options.length or "hanchan"
    return CommandsPlan(options.commands, length, options.rounds or 1, peer)


def _words(options: argparse.Namespace) -> list[str]:
    return [word.strip() for word in (options.only or "").split(",") if word.strip()]


def _plan(options: argparse.Namespace) -> BenchPlan:
    """Return what to measure. BadInput for an invalid word or number."""
    given = {name: value for name in SIZES if (value := getattr(options, name)) is not None}
    for name, value in given.items():
        if value <= 0:
            raise BadInput(f"--{name.replace('_', '-')}: {value} given; allowed is what is above 0")
    words = _words(options)
    allowed = [*MEANING, *PARTS, *GROUPS, *POLICIES]
    for word in words:
        if word not in allowed:
            raise BadInput(f"--only: {word!r} is not known; allowed are {', '.join(allowed)}")
    terms = {**selected(words), **(QUICK if options.quick else {}), **given}
    terms = {name: value for name, value in terms.items() if name in BenchPlan.__struct_fields__}
    return BenchPlan(**terms, peers=options.peers, pinned=not options.unpinned, switch=options.switch_interval)


def _parser() -> argparse.ArgumentParser:
    rows = "\n".join(f"  {row:11} {meaning}" for row, meaning in MEANING.items())
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"rows (the word threads stands for all about threads):\n{rows}\nparts:\n"
        "  reaction   three seats that need 20 ms each for the same discard\n"
        "  exec       four programs that answer at once, beside a bare pipe\n"
        "policies:\n"
        "  T  always discards the drawn tile\n"
        "  W  wins and declares riichi when it can, never calls, discards by least shanten\n"
        "  R  any legal option, each with the same chance\n",
    )
    parser.add_argument("--only", metavar="WORDS", help="rows, parts and policies with commas between: inline,T")
    parser.add_argument("--peers", action="store_true", help="measure riichienv and mjai as well (kept in your cache)")
    usual = BenchPlan()
    parser.add_argument(
        "--rounds", type=int, metavar="N", help=f"bursts of each row, in turn ({usual.rounds}; tables, commands: 1)"
    )
    parser.add_argument("--seconds", type=float, metavar="S", help=f"CPU seconds of a burst ({usual.seconds})")
    parser.add_argument("--warm-up", type=int, metavar="N", help=f"hanchan before the first burst ({usual.warm_up})")
    parser.add_argument("--games", type=int, metavar="N", help=f"games of each part ({usual.games})")
    parser.add_argument("--unpinned", action="store_true", help="let all processes use every core")
    parser.add_argument("--switch-interval", type=float, metavar="S", help="sys.setswitchinterval in our processes")
    _add_what_is_apart(parser)
    parser.add_argument("--quick", action="store_true", help="as little as possible, to see that everything works")
    parser.add_argument("--json", action="store_true", help="one JSON line a row")
    return parser


def _add_what_is_apart(parser: argparse.ArgumentParser) -> None:
    apart = parser.add_argument_group("instead of rows")
    apart.add_argument("--commands", type=int, metavar="N", help="N games of what people type, as a whole")
    apart.add_argument("--profile", choices=[*POLICIES], help="where the time goes in the rows of --only, or inline")
    usually = f"{sampling.HANCHAN}, or {profiling.HANCHAN} where perf cannot sample them"
    apart.add_argument("--hanchan", type=int, metavar="N", help=f"hanchan of --profile ({usually})")
    apart.add_argument("--bytes", type=int, metavar="N", help="records of N seeds, alike in all modes, pure or not")
    apart.add_argument("--players", type=int, choices=(4, 3), default=4, help="of the games of --bytes (4)")
    apart.add_argument("--memory", type=int, metavar="N", help="memory of one process on the way through N hanchan")
    apart.add_argument("--match", type=int, metavar="N", help="memory of one `jantaku match` of N short games")
    apart.add_argument("--tables", type=int, metavar="N", help="up to N tables at once in one process")
    apart.add_argument(
        "--processes", type=int, metavar="N", default=1, help="of so many tables each, at the same time (1)"
    )
    apart.add_argument(
        "--length", choices=[*UNITS], help="of the games of --tables (one: of one kyoku) and --commands (hanchan)"
    )


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
