"""Attacks by files of leagues that strangers have made or changed, bots in them that do not start, and results changed
by hand."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import forked, jantaku

EDITS = {
    "UPDATE units SET lineup = 'x' WHERE unit = 0": "table units, unit 0: lineup: JSON is malformed: ",
    "UPDATE units SET lineup = '[0,1,2,77]' WHERE unit = 0": "table units, unit 0: there is no bot 77",
    "UPDATE units SET lineup = '[0,1]' WHERE unit = 1": "table units, unit 1: the lineup is not of 4 different bots",
    "UPDATE bots SET player = 'x' WHERE id = 0": "table bots, id 0: player: JSON is malformed: ",
    """UPDATE bots SET player = '{"bot":5}' WHERE id = 0""": "table bots, id 0: Expected `str`, got `int` ",
    "DELETE FROM league": "table league: has 0 rows; one is wanted",
    "DELETE FROM bots": "table units, unit 0: there is no bot ",
    "UPDATE seats SET rank = 'x' WHERE game = 3 AND place = 0": "table seats, game 3, place 0: Expected `int ",
    "UPDATE seats SET faults = 'x' WHERE game = 3": "table seats, game 3, place 0: faults: JSON is malformed: ",
    """UPDATE seats SET faults = '{"x":1}' WHERE game = 3""": "table seats, game 3, place 0: a word of its",
    "UPDATE seats SET counts = 'x' WHERE game = 3": "table seats, game 3, place 0: counts: JSON is malformed: ",
    "UPDATE bots SET anchor = 'nan' WHERE id = 1": "table bots, id 1: Expected `float | null`, got `str` - at ",
    "UPDATE bots SET anchor = 9e999 WHERE id = 1": "table bots, id 1: Expected `float` <= ",
    "UPDATE bots SET id = 9 WHERE id = 3": "table bots, id 9: ids go up by one from 0, and there is no bot 3",
    "UPDATE league SET terms = 'x'": "table league: terms: JSON is malformed: ",
    """UPDATE league SET terms = json_set(terms, '$.clock.turn', 1e300)""": "table league: clock.turn: 1e+300 ",
    "UPDATE seats SET rank = 1 WHERE game = 3": "table games, game 3: its ranks in the table seats are not 1 to 4",
    "UPDATE seats SET points = NULL WHERE game = 3": "table seats, game 3, place 0: score and points are missing",
    "UPDATE seats SET bot = 4 WHERE game = 3": "table seats, game 3, place 0: there is no bot 4",
    "DELETE FROM seats WHERE game = 3": "table games, game 3: none of its seats is in the table seats",
    "DELETE FROM seats WHERE game = 7": "table games, game 7: none of its seats is in the table seats",
    "DELETE FROM seats WHERE game = 3 AND place = 2": "table games, game 3: its places in the table seats are not 0 ",
    "DELETE FROM units WHERE unit = 0": "table games, game 0: is not a hanchan of table 0",
    "UPDATE units SET unit = 1 << 62 WHERE unit = 0": "table units, unit 4611686018427387904: Expected `int` <= ",
    "UPDATE units SET batch = 1000000 WHERE unit = 0": "table units, unit 0: batch 1000000 of 2 tables; they go up",
}
"""SQL changes of the file, and the message that each leads to."""
COMMANDS = (
    ("table", "a.league"),
    ("play", "a.league", "--hanchan", "1", "--workers", "0"),
    ("site", "a.league", "site"),
    ("add", "a.league", "shanten"),
    ("promote", "a.league", "dice"),
)
BOTS = ("dice", "tsumogiri", "dice?name=second", "tsumogiri?name=fourth")
STARTS = {
    "raises in its constructor": "evil.py:Evil?name=evil",
    "is a program that ends at once": "exec:false?name=evil",
    "is a program that is not there": "exec:nowhere-at-all?name=evil",
    "is a program that says nothing": "exec:sleep 60?name=evil&clock.start=1",
}
LIMITS = ("1e300", "inf", "nan", "-1", "9" * 5001)
LIMITED = {
    "play": ("play",),
    "match": ("match", "--players", "dice,dice,dice,dice"),
    "tournament": ("tournament", "--players", "dice,dice,dice,dice"),
    "league new": ("league", "new", "new.league"),
    "serve": ("serve",),
}


def attacks() -> Iterator[Attack]:
    for query in EDITS:
        yield attack(f"the file of a league after {query}", edited, query).but(
            seconds=90.0, quick="id = 0" in query and "'x'" in query
        )
    for what, bot in STARTS.items():
        yield attack(f"a bot of a league that {what}", does_not_start, bot).but(seconds=60.0)
    for command, words in LIMITED.items():
        for limit in LIMITS:
            yield attack(f"{command} --limit {limit[:20]}", limited, words, limit)
    yield Attack("a pipe in the place of a league", pipe, seconds=60)
    yield Attack("a record of a league that is a link to somebody's file, copied", link, seconds=60)
    yield Attack("a league is merged into another one", merged)
    yield Attack("ranks and points of a tournament's journal are exchanged", exchanged)


@cache
def _played(folder: Path) -> Path:
    """Make a league of four bots with eight hanchan."""
    new = ("--length", "one", "--threads", "inline", "--seed", "5", "--batch", "2")
    jantaku("league", "new", "whole.league", *new, cwd=folder).fine()
    jantaku("league", "add", "whole.league", *BOTS, cwd=folder).fine()
    jantaku("league", "play", "whole.league", "--hanchan", "8", "--workers", "0", cwd=folder).fine()
    return folder / "whole.league"


def edited(folder: Path, query: str) -> None:
    """Every command names the table and the row, and nothing is written."""
    league = folder / "a.league"
    shutil.copyfile(_played(folder), league)
    with closing(sqlite3.connect(league)) as base, base:
        base.execute(query)
    for words in COMMANDS:
        ran = forked("league", *words, cwd=folder, seconds=20).refused()
        if f"a.league: {EDITS[query]}" not in ran.err:
            raise ran.failed("the table and the row are not named")
    if (folder / "site").exists() or (folder / "seats.csv").exists():
        raise Failed("something was written")


def does_not_start(folder: Path, bot: str) -> str:
    """The bot is skipped with a line that names it; the others play on."""
    (folder / "evil.py").write_text("class Evil:\n def __init__(self, seed): raise OSError('no')\n answer = print\n")
    league = _played(folder).name
    added = jantaku("league", "add", league, bot, cwd=folder).with_code(0, 2)
    if added.code == 2:
        return "refused when it is added"
    ran = jantaku("league", "play", league, "--hanchan", "4", "--workers", "1", cwd=folder).fine()
    if "4 hanchan played, 12 in all" not in ran.out or ran.err.count("evil@1 is skipped: ") != 1:
        raise ran.failed("the others did not play, or the bot is not named")
    return "skipped"


def limited(folder: Path, words: tuple[str, ...], limit: str) -> None:
    """The limit is refused in a line that names the option."""
    ran = forked(*words, "--limit", limit, cwd=folder, seconds=20, interrupt_at=b"serving ").refused()
    if "--limit" not in ran.err:
        raise ran.failed("the option is not named")


def pipe(folder: Path) -> None:
    """No command waits for a writer of the pipe."""
    os.mkfifo(folder / "a.league")
    for words in COMMANDS:
        forked("league", *words, cwd=folder, seconds=10).refused()


def link(folder: Path) -> None:
    """The target of a link gets into no copy and on no page."""
    (folder / "secret").write_text("a secret of the host")
    league = _played(folder)
    record = folder / "whole.league.records" / "game-0003.jsonl"
    record.unlink()
    record.symlink_to(folder / "secret")
    jantaku("league", "backup", league.name, "copy.league", cwd=folder).fine()
    jantaku("league", "site", league.name, "site", cwd=folder).sound()
    for path in (*(folder / "copy.league.records").iterdir(), *(folder / "site").glob("*")):
        if not path.is_symlink() and b"a secret of the host" in path.read_bytes():
            raise Failed(f"{path.name} holds what the link leads to")


def merged(folder: Path) -> None:
    """Programs of a stranger's file are never taken over."""
    ran = jantaku("league", "merge", _played(folder).name, "theirs.league", cwd=folder).refused()
    if "no command any more" not in ran.err:
        raise ran.failed("it is not said what to do instead")


def exchanged(folder: Path) -> None:
    """The changed line is named, without its content."""
    words = ("--length", "one", "--threads", "inline", "--workers", "0", "--seed", "5", "--rounds", "1", "--out", "t")
    jantaku("tournament", "--players", "dice,dice,tsumogiri,shanten", *words, cwd=folder).fine()
    journal = folder / "t" / "journal.jsonl"
    lines = journal.read_text().splitlines()
    line = json.loads(lines[1])
    lines[1] = json.dumps(line | {"ranks": line["ranks"][::-1], "points": line["points"][::-1]})
    journal.write_text("\n".join([*lines, ""]))
    (folder / "t" / "results.json").unlink()
    ran = jantaku("tournament", "--resume", "t", "--workers", "0", cwd=folder).refused()
    if "t/journal.jsonl line 2: ranks, points differ from " not in ran.err:
        raise ran.failed("the line is not named")
