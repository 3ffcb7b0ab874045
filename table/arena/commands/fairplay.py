"""`jantaku fairplay`: finds players that collude, signal or do not compete."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.match.fairness import Fairness, fairness
from jantaku.table.arena.match.payments import read_dealings
from jantaku.table.cli.options import CommandOptions, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.columns import fitting
from jantaku.table.ground.errors import BadInput

SHOWN = 5
"""Most pairs without a finding in a table."""


class FairplayOptions(CommandOptions):
    """The command's options."""

    folders: tuple[Path, ...] = argument("DIR…")
    json: bool = option("All of it as one JSON object.")


@FairplayOptions.command(
    epilog="""Example:

\b
  jantaku match --format round-robin --players a.py:A,b.py:B,c.py:C,d.py:D,e.py:E --sets 100 --out pool
  jantaku fairplay pool
"""
)
def command(options: FairplayOptions) -> int:
    """Say who in a pool of bots gives points away to another, may signal by time, or does not compete: in folders of
    matches or games.

    Exit code 0 if nobody stands out, 1 if somebody does. In one of a hundred honest pools a pair does.
    """
    found = fairness(list(read_dealings(options.folders)))
    if not found.hanchan:
        raise BadInput(f"{options.folders[0]}: none of its hanchan has come to its end")
    if options.json:
        say(msgspec.json.encode(found))
    else:
        _show(found)
    return 1 if found.said else 0


def _show(found: Fairness) -> None:
    console = Screen()
    for heads, rows in (_giving(found), _timing(found), _competing(found)):
        for table in fitting(heads, rows, console.width) if rows else ():
            console.print(table)
            console.print()
    for sentence in found.said:
        console.tell(sentence)
    for pair in found.giving:
        for path in pair.worst if pair.named else ():
            console.say(f"  jantaku view {path}")
    for what in found.open:
        console.tell(f"Not told: {what}.")
    if not found.said:
        console.tell("Nobody stands out.")
    console.say(f"{found.hanchan} hanchan of {len(found.competing)} players")


_Table = tuple[Sequence[str], Sequence[Sequence[str]]]


def _giving(found: Fairness) -> _Table:
    heads = ("who paid whom", "hanchan", "rons", "usual", "again", "usual", "stands out", "bound")
    rows = [
        (
            f"{pair.giver} → {pair.taker}",
            *map(str, (pair.hanchan, pair.rons)),
            f"{pair.rons_expected:.0f}",
            str(pair.repeats),
            f"{pair.repeats_expected:.0f}",
            f"{pair.beyond:+.1f}",
            f"{pair.bound:.1f}",
        )
        for number, pair in enumerate(found.giving)
        if pair.named or number < SHOWN
    ]
    return heads, rows


def _timing(found: Fairness) -> _Table:
    heads = ("whose discards who called", "asked", "called", "slow ones more", "bound")
    rows = [
        (
            f"{pair.teller} → {pair.hearer}",
            *map(str, (pair.asked, pair.called)),
            f"{pair.beyond:+.1f}",
            f"{pair.bound:.1f}",
        )
        for number, pair in enumerate(found.timing)
        if pair.named or number < SHOWN
    ]
    return heads, rows


def _competing(found: Fairness) -> _Table:
    heads = ("player", "hanchan", "wins", "of the others", "defaults")
    rows = [
        (
            player.name,
            str(player.hanchan),
            f"{player.win_rate:.1%}",
            f"{player.usual:.1%}",
            f"{player.unplayed:.1%}",
        )
        for player in found.competing
    ]
    return heads, rows
