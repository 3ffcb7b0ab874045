"""`python -m scripts.bench`: how fast the table plays, compared with other engines.

Without options every row is measured, pinned to one core. Compare rows of the same run only: between runs the machine's
other load differs.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from jantaku.table import core
from jantaku.table.ground.errors import BadInput, TableFault
from scripts.bench import pages
from scripts.bench.commands import UNITS, CommandsPlan, of_commands
from scripts.bench.games import ROWS
from scripts.bench.identical import compared
from scripts.bench.measuring import Child, chosen_core, measure, ours
from scripts.bench.peers import RIVALS, environment, theirs
from scripts.bench.policies import POLICIES
from scripts.bench.showing import Output, Part, part_of
from scripts.core import compile_first

QUICK = {"rounds": 1, "seconds": 0.02, "warm_up": 1}
ABOVE_ZERO = ("rounds", "seconds", "warm_up", "commands", "bytes")


def main(arguments: Sequence[str] | None = None) -> int:
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
    """Measure, and put what was measured on the pages with --pages. BadInput for an invalid word or number."""
    for name in ABOVE_ZERO:
        value = getattr(options, name)
        if value is not None and value <= 0:
            raise BadInput(f"--{name.replace('_', '-')}: {value} given; allowed is what is above 0")
    if options.pages and (options.quick or options.length != "hanchan" or options.commands not in (None, 40)):
        raise BadInput("--pages: the pages have --commands 40 --peers, or rows, --peers, of hanchan and not --quick")
    if options.pages and core != "compiled":
        raise BadInput(f"--pages: the pages have the compiled core, and this is {core}: scripts/compile")
    different = 0
    if options.commands:
        peer = environment(output.note) if options.peers else None
        length = "one" if options.quick else options.length
        output.show(of_commands(CommandsPlan(options.commands, length, options.rounds or 1, peer), output.note))
    if options.bytes:
        part, different = compared(options.bytes, output.note, options.players)
        output.show(part)
    if not options.commands and not options.bytes:
        for part in _rows(options, output):
            output.show(part)
    if options.pages:
        pages.write(output.lines)
    return 1 if different else 0


def _rows(options: argparse.Namespace, output: Output) -> Iterator[Part]:
    """Measure the rows of --only, policy by policy; all rows if none is named, all policies if none is."""
    words = [word.strip() for word in (options.only or "").split(",") if word.strip()]
    for word in words:
        if word not in (allowed := [*ROWS, *POLICIES]):
            raise BadInput(f"--only: {word!r} is not known; allowed are {', '.join(allowed)}")
    terms = {"rounds": 5, "seconds": 1.0, "warm_up": 3} | (QUICK if options.quick else {})
    terms |= {name: value for name in terms if (value := getattr(options, name)) is not None}
    core, warm_up = chosen_core(not options.unpinned), int(terms["warm_up"])
    python = environment(output.note) if options.peers else None
    rows = [row for row in ROWS if row in words] or [*ROWS]
    for policy in [policy for policy in POLICIES if policy in words] or POLICIES:
        commands = {row: ours(row, policy, warm_up) for row in rows}
        if python is not None:
            rivals = [rival for row in rows for rival in RIVALS.get(row, ())]
            commands |= {rival: theirs(python, rival, policy, warm_up) for rival in rivals}
        children = [Child(row, policy, command, core) for row, command in commands.items()]
        yield part_of(measure(children, int(terms["rounds"]), terms["seconds"]))


def _parser() -> argparse.ArgumentParser:
    rows = "\n".join(f"  {row:13} {meaning}" for row, (meaning, _) in ROWS.items())
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"rows:\n{rows}\npolicies:\n"
        "  T  always discards the drawn tile\n"
        "  W  wins and declares riichi when it can, never calls, discards by least shanten\n"
        "  R  any legal option, each with the same chance\n",
    )
    parser.add_argument("--only", metavar="WORDS", help="rows and policies with commas between: inline,T")
    parser.add_argument("--peers", action="store_true", help="measure riichienv and mjai as well (kept in your cache)")
    parser.add_argument("--rounds", type=int, metavar="N", help="bursts of each row, in turn (5; of --commands: 1)")
    parser.add_argument("--seconds", type=float, metavar="S", help="CPU seconds of a burst (1)")
    parser.add_argument("--warm-up", type=int, metavar="N", help="hanchan before the first burst (3)")
    parser.add_argument("--unpinned", action="store_true", help="let all processes use every core")
    apart = parser.add_argument_group("instead of rows")
    apart.add_argument("--commands", type=int, metavar="N", help="N games of what people type, as a whole")
    apart.add_argument("--length", choices=[*UNITS], default="hanchan", help="of the games of --commands (hanchan)")
    apart.add_argument("--bytes", type=int, metavar="N", help="records of N seeds, alike in all modes, pure or not")
    apart.add_argument("--players", type=int, choices=(4, 3), default=4, help="of the games of --bytes (4)")
    parser.add_argument("--quick", action="store_true", help="as little as possible, to see that everything works")
    parser.add_argument("--pages", action="store_true", help="put the figures into docs/speed.json and on the pages")
    parser.add_argument("--json", action="store_true", help="one JSON line a row")
    return parser


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
