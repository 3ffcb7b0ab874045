"""Finds the rules that fit a record, and the keys of other rules that do not."""

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import build, difference, flat, toml
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules


def rules_of(record: Record) -> Rules:
    """The rules that a record names, or the rules of the program whose form it has."""
    return record.rules or ruleset.preset(record.form.preset)


def unfit(record: Record, rules: Rules) -> str:
    """If the rules of `rules_of` fit a record and `rules` do not, return the differences that show in it, as text.
    Empty if neither fits, or if no single key makes the difference."""
    fitting = rules_of(record)
    if rules == fitting or not _fits(record, fitting):
        return ""
    theirs = flat(fitting)
    keys = [
        f"{name} = {toml(given)} does not fit, {toml(fits)} does"
        for name, given, fits in difference(rules, fitting)
        if not _fits(record, build(Rules, theirs | {name: given}, ""))
    ]
    whose = "its own rules" if record.rules else f"preset {record.form.preset}"
    return f"it was played by {whose}: {'; '.join(keys)}" if keys else ""


def _fits(record: Record, rules: Rules) -> bool:
    try:
        return verify(record, rules).difference is None
    except BadInput:  # no such wall can exist
        return False
