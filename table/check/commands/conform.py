"""`jantaku conform`: does this program speak its dialect?"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from jantaku.table.check.conform import card as cards
from jantaku.table.check.conform.client import ITEMS, Check, SpokenTo, examined, kept
from jantaku.table.check.conform.words import MANNERS
from jantaku.table.cli.main import FAILED, OK
from jantaku.table.cli.options import (
    CommandOptions,
    OneOf,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
)
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.timing import LIMIT, Clock
from jantaku.table.play.roster import enlist
from jantaku.table.play.spec import confined
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku conform --card mjai
  jantaku conform "exec:node bot.js?dialect=majiang"
  jantaku conform folder:mybot --out checked
"""


class ConformOptions(CommandOptions):
    """The command's options."""

    target: str = argument("TARGET", default="")
    card: str | None = option("Print the card of a dialect, net play or 大富豪.", "DIALECT", type=OneOf(MANNERS))
    items: tuple[str, ...] = option(
        f"Only this item, of: {', '.join(ITEMS)}.", "NAME", flag="--item", type=OneOf(ITEMS)
    )
    hanchan: int = option("Random hanchan.", type=WholeNumber(0), default=5)
    run: RunOptions = RunOptions.group(without=("threads",))
    ruling: RuleOptions = rules(f"Rules.  [default: {ruleset.DEFAULT}]")
    out: Path | None = option("Keep report and transcript in this folder.", "DIR")
    json: bool = option("One JSON object a check, nothing else.")


@ConformOptions.command(epilog=EPILOG)
def command(options: ConformOptions) -> int:
    """Hold TARGET against the card of its dialect: all that is said both ways.

    TARGET is a program as in `jantaku play --players`: it plays the situations of `jantaku exam`, hears fields and
    messages that it cannot know, and every line of it is compared. Exit code 1 if a check fails.
    """
    if bool(options.target) == (options.card is not None):
        raise BadInput("give either a program or --card DIALECT")
    if options.card is not None:
        say(*cards.written(cards.card_of(options.card)).decode().splitlines())
        return OK
    with own_output(options.json) as output:
        checks: list[Check] = []
        candidate, found = _examined(options)
        for check in found:
            checks.append(check)
            if output is None:
                _print(check)
            else:
                say(msgspec.json.encode(check), to=output)
        if options.out is not None:
            kept(options.out, checks, candidate.entries())
        failed = sum(check.status == "failed" for check in checks)
        if output is None:
            reached = [check for check in checks if check.status in ("passed", "failed")]
            say(f"{len(reached) - failed} of {len(reached)} passed, {len(checks) - len(reached)} not reached or noted")
    return FAILED if failed else OK


def _examined(options: ConformOptions) -> tuple[SpokenTo, Iterator[Check]]:
    """Return the program, and its checks as they are made. BadInput for a server's address."""
    if "://" in options.target.partition(" ")[0] and not options.target.startswith("exec:"):
        raise BadInput(f"{options.target}: conform examines programs; jantaku join plays at a server")
    (entrant,) = enlist(confined([options.target]) if options.run.sandbox else [options.target])
    limit = options.run.limit or LIMIT
    candidate = SpokenTo(entrant, Clock(turn=limit, reaction=limit))
    law = options.ruling.over(ruleset.FOR_FOUR, ruleset.preset(ruleset.DEFAULT))
    items = [item for item in ITEMS if not options.items or item in options.items]
    return candidate, examined(candidate, law, options.hanchan, items)


def _print(check: Check) -> None:
    console = Screen()
    console.say(f"{check.name:20}  {check.status:11}  {check.about}")
    for line in check.evidence:
        console.say(f"    {line}")
