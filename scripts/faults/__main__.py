"""What the table does about broken players: three sections, one row per try.

    python -m scripts.faults [players] [pairs] [kills] [--only WORDS] [--brief] [--kills 50]

players: every broken player × every way to seat it × every moment. A row tells the expected and the actual verdict;
whether only that seat is blamed; the longest turn against limit + bank + margin + 0.25 s; whether the other three heard
and were granted exactly the same as beside a player that plays the defaults; and whether a process, thread, pipe or
socket is left.

pairs: two broken players in the same turn, every pair of kinds of fault.

kills: a bot is killed with SIGKILL in the middle of its decision 1, 2, 3 …, and the match is played to its end.

Exit code 1 if any of it is not as it should be.
"""

import os
import sys
from collections.abc import Iterator

import click

from jantaku.players.adapters.environment import INHERIT
from jantaku.table.ground import log
from scripts.faults import kills, pairs, playing
from scripts.faults.cases import Case, cases
from scripts.faults.pace import CLOCK

SECTIONS = ("players", "pairs", "kills")
_ROW = "{:20}  {:30}  {:8}  {:20}  {:12}  {:6}  {:>5}  {:>16}  {:10}  {:>4}  {}"
_HEAD = ("seated", "vice", "moment", "expected", "verdict", "blamed", "stale", "waited", "others", "left", "")
_GOOD = "as it should"

Rows = Iterator[tuple[str, bool]]
"""A row and whether it is wrong, as each comes."""


def of_players(only: set[str]) -> Rows:
    """Yield one row for each case that has all words of `only`."""
    for case in cases():
        if only <= set(str(case).split()):
            report = playing.run(case)
            wrong = report.wrong(case)
            yield _ROW.format(*_cells(case, report), ", ".join(wrong) or _GOOD), bool(wrong)


def _cells(case: Case, report: playing.Report) -> tuple[str, ...]:
    return (
        case.transport,
        case.vice,
        case.moment,
        " or ".join(case.expected),
        report.verdict,
        ", ".join(map(str, report.blamed)) or "nobody",
        str(report.stale),
        f"{report.longest:.2f} of {report.bound:.2f} s",
        "unaffected" if report.alike else "affected",
        str(report.left),
    )


def of_pairs(only: set[str]) -> Rows:
    """Yield one row for each pair that has all words of `only`."""
    for pair in pairs.pairs():
        if only <= set(str(pair).split()):
            found = pairs.run(pair)
            told = ", ".join(f"{seat} {verdict}" for seat, verdict in sorted(found.items()))
            wrong = not pair.fits(found)
            yield f"{pair!s:90}  blamed: {told:30}  {f'not {pair.expected}' if wrong else _GOOD}", wrong


def of_kills(count: int) -> Rows:
    """Yield one row per match."""
    for decision in range(1, count + 1):
        came = kills.run(decision)
        told = f"{came.over} of {kills.GAMES} games over, faults of others {came.others}, left {came.left}"
        yield f"killed in decision {decision:3}: {told}  {came if came.wrong else _GOOD}", came.wrong


@click.command()
@click.argument("sections", nargs=-1, type=click.Choice(SECTIONS))
@click.option("--only", default="", metavar="WORDS", help="Rows of players and pairs with these words, as “ws turn”.")
@click.option("--brief", is_flag=True, help="Only rows that went wrong.")
@click.option("--kills", "count", default=50, show_default=True, help="In how many decisions a bot is killed.")
def main(sections: tuple[str, ...], only: str, brief: bool, count: int) -> None:
    """Print the table of faults, or SECTIONS of it."""
    log.configure("error")  # stuck players are expected here
    os.environ |= {playing.MARK: str(os.getpid()), INHERIT: playing.MARK}
    words = set(only.split())
    tried = {"players": lambda: of_players(words), "pairs": lambda: of_pairs(words), "kills": lambda: of_kills(count)}
    rows = failed = 0
    for section in sections or (SECTIONS[:2] if words else SECTIONS):
        click.echo(_ROW.format(*_HEAD).rstrip() if section == "players" else section)
        for row, wrong in tried[section]():
            rows, failed = rows + 1, failed + wrong
            if wrong or not brief:
                click.echo(row)
    click.echo(
        f"{rows} rows, {failed} not as they should be; limit {CLOCK.turn:.1f} s, bank {CLOCK.bank:.1f} s, "
        f"margin {CLOCK.margin:.1f} s, tolerance {playing.TOLERANCE} s"
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
