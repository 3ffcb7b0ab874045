"""Looking at records after a kill."""

from collections.abc import Iterable
from pathlib import Path

from table.errors import BadInput
from table.record import daifugo
from table.record.lines import from_json
from table.record.read import load
from table.record.sealed import growing
from table.replay.verify import verify
from table.riichi import ruleset


class Lost(Exception):
    """Something that was promised is not there. The text says what."""


def whole_up_to_the_last_line(journal: Path) -> bool:
    """Whether there is a whole line at all; Lost if one of them cannot be read."""
    *lines, _half = journal.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            from_json(line)
        except ValueError as error:
            raise Lost(f"{journal.name} line {number} of {len(lines)} cannot be read: {error}") from None
    return bool(lines)


def verifies(journal: Path, complete: bool) -> None:
    """Lost unless it plays again as far as it goes; to the end of its game if it was told to be over."""
    try:
        if daifugo.is_daifugo(journal):
            record = daifugo.load(journal)
            done: daifugo.Verified | object = daifugo.verify(record, record.rules)
        else:
            read = load(journal)
            done = verify(read, read.rules or ruleset.preset(ruleset.DEFAULT))
    except BadInput as error:
        raise Lost(f"{journal.name} cannot be verified: {error}") from error
    difference = getattr(done, "difference", None)
    if difference is not None:
        raise Lost(f"{journal.name} does not verify: {difference}")
    if complete and not getattr(done, "complete", False):
        raise Lost(f"{journal.name} was told to be over and is not complete")


def look(folder: Path, over: Iterable[str]) -> int:
    """Lost if any journal of the folder is not as it has to be; `over` are the files of games that were told to be
    over. How many journals there are."""
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
    """Whether anything was dealt before the kill; before that there is nothing to verify."""
    content = growing(journal)
    return b'{"qipai"' in content.rpartition(b"\n")[0] or daifugo.is_daifugo(journal)
