"""`jantaku conform`: does this program, or this server, speak its dialect?"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from jantaku.table.check.conform import card as cards
from jantaku.table.check.conform.called import Called, called_on
from jantaku.table.check.conform.client import ITEMS, Check, SpokenTo, TranscriptLine, examined, kept
from jantaku.table.check.conform.guest import Door, door_of
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
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.roster import enlist
from jantaku.table.play.spec import confined
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku conform --card mjai
  jantaku conform "exec:node bot.js?dialect=majiang"
  jantaku conform folder:mybot --out checked
  jantaku conform mjsonp://127.0.0.1:11600/default
  jantaku conform ws://127.0.0.1:8766/play/club --dialect mjai
"""

Transcript = Callable[[], Iterable[TranscriptLine]]
"""Returns the whole transcript when the checks are done."""


class ConformOptions(CommandOptions):
    """The command's options."""

    target: str = argument("TARGET", default="")
    card: str | None = option("Print the card of a dialect, net play or 大富豪.", "DIALECT", type=OneOf(MANNERS))
    items: tuple[str, ...] = option(
        f"Only this item, of: {', '.join(ITEMS)}.", "NAME", flag="--item", type=OneOf(ITEMS)
    )
    hanchan: int = option("Random hanchan.", type=WholeNumber(0), default=5)
    dialect: str | None = option("What a room of a server is spoken to in.  [default: majiang]", type=OneOf(DIALECTS))
    seats: int | None = option("How many of ours join a server.  [default: all]", "N", type=WholeNumber(1, 4))
    tries: bool = option("At a server also what it answers to broken replies, each in another game.", flag="--try")
    token_file: Path | None = option("A server's token, if it wants one, in a file.", "FILE")
    run: RunOptions = RunOptions.group(without=("threads",))
    ruling: RuleOptions = rules(f"Rules.  [default: {ruleset.DEFAULT}]")
    out: Path | None = option("Keep report and transcript in this folder.", "DIR")
    json: bool = option("One JSON object a check, nothing else.")


@ConformOptions.command(epilog=EPILOG)
def command(options: ConformOptions) -> int:
    """Hold TARGET against the card of its dialect: all that is said both ways.

    TARGET is a program as in `jantaku play --players`: it plays the situations of `jantaku exam`, hears fields and
    messages that it cannot know, and every line of it is compared. Or TARGET is a server, ws://… or mjsonp://…: ours
    join it and hold all that it says against the card and our own engine. Exit code 1 if a check fails.
    """
    if bool(options.target) == (options.card is not None):
        raise BadInput("give either a program, a server or --card DIALECT")
    if options.card is not None:
        say(*cards.written(cards.card_of(options.card)).decode().splitlines())
        return OK
    with own_output(options.json) as output:
        checks: list[Check] = []
        door = door_of(options.target, options.dialect)
        found, transcript = _client(options) if door is None else _server(options, door)
        for check in found:
            checks.append(check)
            if output is None:
                _print(check)
            else:
                say(msgspec.json.encode(check), to=output)
        if options.out is not None:
            kept(options.out, checks, transcript())
        failed = sum(check.status == "failed" for check in checks)
        if output is None:
            reached = [check for check in checks if check.status in ("passed", "failed")]
            say(f"{len(reached) - failed} of {len(reached)} passed, {len(checks) - len(reached)} not reached or noted")
    return FAILED if failed else OK


def _client(options: ConformOptions) -> tuple[Iterator[Check], Transcript]:
    (entrant,) = enlist(confined([options.target]) if options.run.sandbox else [options.target])
    limit = options.run.limit or LIMIT
    candidate = SpokenTo(entrant, Clock(turn=limit, reaction=limit))
    law = options.ruling.over(ruleset.FOR_FOUR, ruleset.preset(ruleset.DEFAULT))
    items = [item for item in ITEMS if not options.items or item in options.items]
    return examined(candidate, law, options.hanchan, items), candidate.entries


def _server(options: ConformOptions, door: Door) -> tuple[Iterator[Check], Transcript]:
    law = options.ruling.named(ruleset.FOR_FOUR)
    server = Called(
        door, options.seats or door.seats, law, "" if options.token_file is None else _token(options.token_file)
    )
    return called_on(server, tries=options.tries), lambda: server.transcript


def _token(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None


def _print(check: Check) -> None:
    console = Screen()
    console.say(f"{check.name:20}  {check.status:11}  {check.about}")
    for line in check.evidence:
        console.say(f"    {line}")
