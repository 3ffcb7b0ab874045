"""`jantaku verify`: play records again through the rules and compare every event."""

from pathlib import Path

import click

from table.cli.convert import rules_given
from table.cli.say import say
from table.convert.reading import form_of, read_any
from table.daifugo import rules as daifugo_rules
from table.record import daifugo
from table.record.read import Record, load
from table.record.verify import Verified, verify
from table.riichi import ruleset
from table.riichi.rules import Rules
from table.settings import split_texts

FOREIGN = "majiang"
"""Rules of a 牌譜 that does not say by which it was played: majiang-core's own."""


@click.command(epilog="Records of ours say by which rules they were played. For others give --rules.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--rules", "rule_source", metavar="PRESET|FILE", help=f"Rules of foreign records.  [default: {FOREIGN}]")
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule, e.g. game.length=tonpu.")
def command(files: tuple[Path, ...], rule_source: str | None, texts: tuple[str, ...]) -> int:
    """Drive the engine by each record and report the first event in which they differ.

    Exit code 0 if all agree, 1 if one differs, 2 if one cannot be read.
    """
    differing = 0
    for path in files:
        done: Verified | daifugo.Verified
        if daifugo.is_daifugo(path):
            done = _verify_daifugo(path, rule_source, texts)
            what = f"{path}: {done.rounds} rounds, {done.events} events"
        else:
            record = _load(path, rule_source, texts)
            done = verify(record, _rules(record, rule_source, texts))
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
            say(f"{what}: identical{end}; only told, guarded by nothing: {', '.join(done.told)}")
    if len(files) > 1:
        say(f"{len(files)} records, {differing} different")
    return 1 if differing else 0


def _load(path: Path, source: str | None, texts: tuple[str, ...]) -> Record:
    """A record; what a foreign log does not tell is completed by the rules."""
    if form_of(path) in ("mjai", "tenhou6"):
        return read_any(path, rules_given(source, texts)).record
    return load(path)


def _rules(record: Record, source: str | None, texts: tuple[str, ...]) -> Rules:
    rules = ruleset.resolve(source).rules if source else record.rules or ruleset.preset(FOREIGN)
    changes = split_texts(texts, "--set")
    return ruleset.with_settings(rules, changes) if changes else rules


def _verify_daifugo(path: Path, source: str | None, texts: tuple[str, ...]) -> daifugo.Verified:
    record = daifugo.load(path)
    rules = daifugo_rules.FILES.resolve(source).rules if source else record.rules
    return daifugo.verify(record, daifugo_rules.FILES.with_settings(rules, split_texts(texts, "--set")))
