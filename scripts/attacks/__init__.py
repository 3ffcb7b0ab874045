"""A standing hostile suite: `python -m scripts.attacks` tries everything that an attacker might do to the table.

An attack is a sentence that says what is tried, a function that tries it, and a bound in seconds. The table has
survived it if the function returns. `Failed` (or a failed `assert`) is a hole, with its evidence; `Skipped` says what
the host lacks. Every attack runs in a process and a folder of its own. It is killed when its time is up, which counts
as a failure, and it fails as well if a process that it started is still there at its end.

To add attacks: write `scripts/attacks/GROUP.py` with a function `attacks()` that yields them, and name the group below.

    from collections.abc import Iterator
    from pathlib import Path
    from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
    from scripts.attacks.kit.command import jantaku

    def attacks() -> Iterator[Attack]:
        yield Attack("a record that is empty is shown", empty_record, seconds=10, quick=True)
        for count in (1, 100):                       # rows from parameters: what follows the function goes to it
            yield attack(f"a record of {count} brackets", brackets, count)

    def empty_record(folder: Path) -> str | None:    # a folder of its own, removed afterwards; a remark or None
        (folder / "empty.jsonl").touch()
        jantaku("show", "empty.jsonl", cwd=folder).refused()     # one line, exit code 2, no traceback

    def brackets(folder: Path, count: int) -> None: ...

`kit` has the tools: `command` runs jantaku with a bound and checks what a user sees, `serving` starts and stops a
server, `left` finds processes. An attack that measures time says `alone=True`: nothing else runs beside it.
`quick=True` marks the few that are tried with every change (a second or two each, a minute in all).
"""

GROUPS = {
    "programs": "programs at the table: what they write, what they do to their process, what they start",
    "stalls": "bots that keep the interpreter or change their question, and processes that stand still",
    "bots": "bots in the table's process: what they raise, return, change and leave behind",
    "commands": "words of the command line that no person would type, names that are markup or paths",
    "hosts": "the same bytes whatever the host: hash seed, locale, flags of Python, limits",
    "records": "files that are no records, or hardly, for every command that reads",
    "endings": "signals at every moment of every command: over in time, and nothing is left",
    "crews": "matches whose players and workers break",
    "viewing": "the page of `jantaku view`: requests that no browser would send",
    "configs": "TOML that nobody would write, and names that a report has to bear",
    "shadows": "files beside the command with names of ours, of libraries and of Python's, and files that are no bots",
    "leagues": "files of leagues that strangers have changed, bots in them that do not start, results changed by hand",
    "terminal": "what reaches a person's terminal, and secrets that must reach nobody",
    "readers": "every reader of foreign bytes, spoiled at random",
    "folders": "disks that are full, folders that are none, links, two at once",
    "pages": "script in everything that strangers write, on every page, in a real browser",
    "servers": "open ports: slots, seats, hostile HTTP, only of this machine",
    "doors": "every wire of a riichi room, every kind of bad message: what is answered, who is blamed",
    "away": "a player of ours at a server that garbles what it says",
    "packages": "folders and zips that are no bots, and what programs by folder say wrongly",
    "needs": "what folders and zips say that they need: ways to have a stranger's package built outside the sandbox",
    "lobbies": "the port of net play: packets and logins that no client sends, alone and in floods, and its memory",
    "floods": "floods of connections at every port that is opened, also while a game is played",
    "escapes": "bots in the sandbox: ways out of it, to what is not theirs, and to more than they may have",
    "guesses": "bots that look for walls and tokens wherever their user may look",
    "tampering": "records that somebody has changed, and what `jantaku verify` says of them",
}
"""Every group by the name of its module, with what it attacks. Other groups are not run."""
