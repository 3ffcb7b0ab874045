"""Checks records after a kill."""

from collections.abc import Iterable
from pathlib import Path

from jantaku.table.cli.options import RuleOptions
from jantaku.table.daifugo import record as daifugo
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import game_of_record
from jantaku.table.records.journal.lines import from_json, game_in
from jantaku.table.records.journal.sealed import growing, no_seeds


class Lost(Exception):
    """Something that was promised is missing. The text says what."""


def whole_up_to_the_last_line(journal: Path) -> bool:
    """Return whether there is a whole line; Lost if one of them cannot be read."""
    *lines, _half = journal.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            from_json(line)
        except ValueError as error:
            raise Lost(f"{journal.name} line {number} of {len(lines)} cannot be read: {error}") from None
    return bool(lines)


def verifies(journal: Path, complete: bool) -> None:
    """Raise Lost unless it verifies as far as it goes; to the end of its game if that was reported as over."""
    try:
        done = game_of_record(journal).compared(journal, RuleOptions(rules=None), no_seeds)
    except BadInput as error:
        raise Lost(f"{journal.name} cannot be verified: {error}") from error
    if done.difference is not None:
        raise Lost(f"{journal.name} does not verify: {done.difference}")
    if complete and not done.complete:
        raise Lost(f"{journal.name} was told to be over and is not complete")


def look(folder: Path, over: Iterable[str]) -> int:
    """Raise Lost if any journal of the folder is damaged; `over` are the files of games reported as over. Return the
    number of journals."""
    told = set(over)
    if missing := [name for name in told if not (folder / name).is_file()]:
        raise Lost(f"told to be kept and not there: {', '.join(missing)}")
    journals = sorted(folder.rglob("*.jsonl"))
    for journal in journals:
        if not whole_up_to_the_last_line(journal):
            continue
        if has_begun(journal):
            verifies(journal, complete=journal.name in {Path(name).name for name in told})
    return len(journals)


def has_begun(journal: Path) -> bool:
    """Return whether anything was dealt before the kill; before that there is nothing to verify."""
    content = growing(journal)
    return b'{"qipai"' in content.rpartition(b"\n")[0] or game_in(content) == daifugo.GAME
