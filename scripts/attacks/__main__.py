"""`python -m scripts.attacks [--only GROUP,…] [--list] [--jobs N] [--quick] [--json]`: exit code 1 if an attack
succeeds."""

import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import click
import msgspec

from scripts.attacks import GROUPS
from scripts.attacks.kit.attack import Attack, Row, Verdict
from scripts.attacks.kit.running import Chosen, run


def attacks_of(group: str) -> Iterator[Attack]:
    """Return all attacks of a group. ValueError if two of them have the same name."""
    names = set()
    for attack in importlib.import_module(f"scripts.attacks.{group}").attacks():
        if attack.name in names:
            raise ValueError(f"{group}: two attacks are named {attack.name!r}")
        names.add(attack.name)
        yield attack


def chosen_of(groups: Sequence[str], word: str, quick: bool) -> list[Chosen]:
    """Return the attacks of these groups with that word in their name."""
    return [
        (group, attack)
        for group in groups
        for attack in attacks_of(group)
        if word in attack.name and (attack.quick or not quick)
    ]


def _groups(ctx: click.Context, param: click.Parameter, given: str) -> list[str]:
    groups = [group for group in given.split(",") if group] or list(GROUPS)
    if unknown := [group for group in groups if group not in GROUPS]:
        raise click.BadParameter(f"there is no group {', '.join(unknown)}; the groups are {', '.join(GROUPS)}")
    return groups


@click.command()
@click.option("--only", "groups", default="", metavar="GROUP,…", callback=_groups, help="These groups.  [default: all]")
@click.option("--named", "word", default="", metavar="WORDS", help="Those with these words in their name.")
@click.option("--list", "listed", is_flag=True, help="Print their names and try none.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="At a time.")
@click.option("--quick", is_flag=True, help="The few that are tried with every change, in a minute.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an attack, nothing else.")
@click.option("--brief", is_flag=True, help="Print no line for what was survived.")
def main(groups: list[str], word: str, listed: bool, jobs: int, quick: bool, as_json: bool, brief: bool) -> None:
    """Attack the table, and print what it has survived."""
    chosen = chosen_of(groups, word, quick)
    if listed:
        for group, attack in chosen:
            click.echo(f"{group:12}  {attack.name}")
        return
    rows = []
    for number, row in enumerate(run(chosen, jobs), 1):
        rows.append(row)
        if as_json:
            click.echo(msgspec.json.encode(row))
        elif not brief or row.verdict is not Verdict.SURVIVED:
            click.echo(_line(row, number, len(chosen)))
    if not as_json:
        click.echo(_table(rows))
    sys.exit(any(row.verdict is Verdict.FAILED for row in rows))


def _line(row: Row, number: int, total: int) -> str:
    told = "\n".join(f"    {line}" for line in row.told.splitlines())
    head = f"{number:4}/{total}  {row.verdict:8}  {row.seconds:6.1f} s  {row.group:12}  {row.name}"
    return f"{head}\n{told}" if told else head


def _table(rows: Sequence[Row]) -> str:
    """Make a table with a line per group and one for all."""
    lines = [f"{'group':12}  {'tried':>6}  {'survived':>8}  {'failed':>6}  {'skipped':>7}"]
    for group in [*dict.fromkeys(row.group for row in rows), "all"]:
        count = Counter(row.verdict for row in rows if group in (row.group, "all"))
        survived, failed, skipped = (count[verdict] for verdict in Verdict)
        lines.append(f"{group:12}  {survived + failed:6}  {survived:8}  {failed:6}  {skipped:7}")
    return "\n".join(["", *lines])


if __name__ == "__main__":
    main()
