"""`jantaku verify`: play records again through the rules and compare every event."""

from pathlib import Path

import click

from table.cli.looking.records import RecordFile, seed_option
from table.cli.options import RuleOptions, rule_options
from table.cli.say import say
from table.convert.reading import form_of, read_any
from table.daifugo import rules as daifugo_rules
from table.record import daifugo
from table.record.read import Record, load
from table.record.unsealed import SeedsOf
from table.replay.verify import Verified, verify
from table.riichi import ruleset

FOREIGN = "majiang"
"""Rules of a 牌譜 that does not say by which it was played: majiang-core's own."""


@click.command(epilog="Records of ours say by which rules they were played. For others give --rules.")
@click.argument("files", nargs=-1, required=True, type=RecordFile(any_game=True), metavar="FILE…")
@rule_options(f"Rules of foreign records.  [default: {FOREIGN}]", "game.length=tonpu")
@seed_option
def command(files: tuple[Path, ...], rules: str | None, changes: tuple[str, ...], opened_by: SeedsOf) -> int:
    """Drive the engine by each record, and report the first line in which they differ and what is only told in it.

    Exit code 0 if all agree, 1 if one differs, 2 if one cannot be read.
    """
    options, differing = RuleOptions(rules=rules, changes=changes), 0
    for path in files:
        done: Verified | daifugo.Verified
        if daifugo.is_daifugo(path):
            done = _verify_daifugo(path, options, opened_by)
            what = f"{path}: {done.rounds} rounds, {done.events} events"
        else:
            record = _load(path, options, opened_by)
            done = verify(record, options.over(ruleset.FILES, record.rules or ruleset.preset(FOREIGN)))
            what = f"{path}: {done.kyoku} kyoku, {done.events} events"
            if done.marked:
                what += f", {done.marked} of a drawn five marked as from the hand, as majiang-core does"
        if done.answers:
            what += f", {done.answers} answers"
        if done.difference is not None:
            differing += 1
            say(f"{what}: DIFFERENT at {done.difference}")
        else:
            end = "" if done.complete else " as far as it goes (its end is missing)"
            say(f"{what}: identical{end}; only told, {done.guard}: {', '.join(done.told)}")
    if len(files) > 1:
        say(f"{len(files)} records, {differing} different")
    return 1 if differing else 0


def _load(path: Path, options: RuleOptions, opened_by: SeedsOf) -> Record:
    """A record; what a foreign log does not tell is completed by the rules."""
    if form_of(path) in ("mjai", "tenhou6"):
        return read_any(path, options.of_foreign).record
    return load(path, opened_by)


def _verify_daifugo(path: Path, options: RuleOptions, opened_by: SeedsOf) -> daifugo.Verified:
    record = daifugo.load(path, opened_by)
    return daifugo.verify(record, options.over(daifugo_rules.FILES, record.rules))
