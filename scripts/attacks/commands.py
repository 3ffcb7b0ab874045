"""Odd words on the command line, and names that contain markup or paths."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from jantaku.table.cli.main import COMMANDS, command_of
from scripts.attacks.kit.attack import Attack, attack
from scripts.attacks.kit.command import forked, jantaku
from scripts.attacks.kit.tables import nothing_beside

PLAY = ("play", "--length", "one", "--threads", "inline", "--out", "out")
PLAYERS = ("tsumogiri", "tsumogiri", "tsumogiri")

NUMBERS = {
    "nothing": "",
    "minus one": "-1",
    "not a number": "nan",
    "infinity": "inf",
    "more than a float": "1e400",
    "more than a clock": "1e300",
    "5000 digits": "9" * 5000,
    "a terminal's commands": "\x1b]0;pwned\x07\x1b[2J",
    "markup": "[/x][bold]",
    "a shell's words": "$(touch pwned);`touch pwned`",
    "bytes that are no text": "\udcff\udcfe",
    "an override of direction": "\u202e7",
}
"""Values for options that want a number; none would keep a command busy for long."""
TEXTS = {
    "nothing": "",
    "a folder above": "../" * 4 + "etc/passwd",
    "a device without end": "/dev/zero",
    "a terminal's commands": "\x1b]0;pwned\x07\x1b[2J",
    "markup": "[/x][link=http://e]",
    "bytes that are no text": "\udcff",
    "4000 characters": "x" * 4000,
    "lines": "a\nb\rc",
    "an option": "--help=1",
}
NO_TEXT = (click.types.IntParamType, click.types.FloatParamType)
"""Options of these types and their subclasses want a number; all others except flags want a text."""
NUMBERS_IN_TEXTS = {("match", "--until"), ("match", "--sprt")}
ARGUMENTS = {
    "exam": ["tsumogiri", "--hanchan", "1", "--item", "furiten"],
    "view": ["none.jsonl"],
    "show": ["none.jsonl"],
    "verify": ["none.jsonl"],
    "stats": ["none"],
    "convert": ["none.jsonl", "out.json"],
    "rules": ["tenhou"],
}
SERVERS = {"serve", "daifugo"}
"""These commands serve if a value is valid; then they are interrupted."""
QUICK = {("play", "--games", "5000 digits"), ("match", "--format", "markup")}

NAMES = {
    "a tag that closes nothing": "[/x]",
    "a tag": "[bold red]v2",
    "an empty tag": "[]",
    "a link": "[link=http://e.example]x",
    "an escaped tag": "\\[bold]",
    "a half tag": "[bold",
    "an emoji's name": ":boom:",
    "a style that is none": "[#zzz]",
    "mathematics": "$\\frac{$",
    "a tag of HTML": "<img src=x onerror=alert(1)>",
    "an attribute of HTML": '"><b onmouseover="x',
    "a formula": "=cmd|'/c'!A1",
    "a format": "%s%d{0}{x}",
    "Japanese": "\u96c0\u5353",
    "an emoji of several": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a hundred marks": "a" + "\u0301" * 100,
    "2000 characters": "n" * 2000,
}
BAD_NAMES = {
    "a terminal's commands": "\x1b[2J",
    "NUL": "a\0b",
    "lines": "a\nb",
    "half a character": "\udc80",
    "an override of direction": "\u202eabc",
    "an invisible mark": "a\u200bb",
}
PATHS = {
    "a folder above": "../../../pwned",
    "an absolute path": "/tmp/jantaku-pwned/a",
    "this folder": ".",
    "the folder above": "..",
    "a device": "/dev/null",
    "a backslash": "..\\..\\pwned",
    "a file that hides": ".hidden",
    "300 characters": "n" * 300,
    "a tilde": "~root/x",
}
"""Names of players that are programs: their stderr goes to a file of that name."""


def attacks() -> Iterator[Attack]:
    for command, option, values in options():
        for what, value in values.items():
            yield attack(f"{command} {option} with {what}", option_with, command, option, value).but(
                seconds=20.0, quick=(command, option, what) in QUICK
            )
    for what, name in NAMES.items():
        yield attack(f"a player is named {what}", named, name)
        told = f"players of a match are named {what}, and counted again"
        yield attack(told, named_in_a_match, name).but(seconds=150.0)  # three commands, one of which draws a report
    for what, name in BAD_NAMES.items():
        yield attack(f"a player is named with {what}", badly_named, name)
    for what, name in PATHS.items():
        yield attack(f"a program's name is {what}", named_as_a_path, name)
    for what, seed in {**NAMES, "a folder above": "../../x", "a folder": "..", "a device": "/dev/null"}.items():
        yield attack(f"a seed is {what}", seeded, seed)
    yield Attack("there is no such command", no_such_command, seconds=10, quick=True)
    yield Attack("100,000 words", many_words, seconds=30)
    yield Attack("two players have one name when they are counted", counted_twice, seconds=30)


def options() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield every option of every command that takes a value, as click knows them, and the values to try."""
    for command in COMMANDS:
        for option in command_of(command).params:
            if isinstance(option, click.Option) and not option.is_flag:
                name = max(option.opts, key=len)
                is_number = isinstance(option.type, NO_TEXT) or (command, name) in NUMBERS_IN_TEXTS
                yield command, name, NUMBERS if is_number else TEXTS


def option_with(folder: Path, command: str, option: str, value: str) -> None:
    """The value is refused in one line with exit code 2, or accepted as valid; nothing else is done with it."""
    words = [command, *ARGUMENTS.get(command, ())]
    if command == "play":
        words = list(PLAY)
    elif command == "match":
        words += ["--players", "tsumogiri,dice,dice,dice", "--sets", "1", "--threads", "inline", "--length", "one"]
        words += ["--workers", "0"]
        words += ["--quiet"] if option in ("--resume", "--out") else ["--quiet", "--out", "out"]
    elif command in SERVERS:
        words += ["--port", "0"]
    ran = forked(*words, option, value, cwd=folder, seconds=20, interrupt_at=b"serving ").clean()
    if ran.code == 2:
        ran.refused()
    elif ran.code not in (0, 1) and not (command in SERVERS and ran.code == 130):
        raise ran.failed(f"exit code {ran.code}")
    if (folder / "pwned").exists():
        raise ran.failed("a shell has read the value")


def no_such_command(folder: Path) -> None:
    """An unknown word with control characters is refused."""
    jantaku("\x1b[2Jplay", cwd=folder).refused()


def many_words(folder: Path) -> None:
    """A command line of 100,000 words is handled."""
    jantaku("verify", *["x"] * 100_000, cwd=folder).sound()


def named(folder: Path, name: str) -> None:
    """The name appears unchanged in every output."""
    players = ",".join((f"tsumogiri?name={name}", *PLAYERS))
    ran = jantaku(*PLAY, "--seed", "1", "--players", players, cwd=folder).sound()
    if ran.code == 2:
        ran.refused()
        return
    if name not in ran.out:
        raise ran.failed(f"the name {name!r} is not in the line of the game as it was given")
    for words in (("show",), ("verify",)):
        jantaku(*words, "out/game-0000.json", cwd=folder).fine()


def named_in_a_match(folder: Path, name: str) -> None:
    """The name appears unchanged in standings, statistics, results and report."""
    players = f"tsumogiri?name={name},dice?name=b,dice?name=c,dice?name=d"
    words = ("--sets", "1", "--threads", "inline", "--workers", "0", "--length", "one", "--seed", "1", "--out", "out")
    ran = jantaku("match", "--players", players, *words, cwd=folder, seconds=60).sound()
    if ran.code == 2:
        ran.refused()
        return
    jantaku("stats", "out", cwd=folder).fine()
    again = jantaku("match", "--resume", "out", "--json", cwd=folder).fine()
    if name not in msgspec.json.decode(again.out)["results"]["figures"]["players"][0]["name"]:
        raise again.failed(f"the name {name!r} has changed")


def badly_named(folder: Path, name: str) -> None:
    """A name that cannot be shown is refused, or shown harmlessly."""
    names = (name.encode(errors="replace").decode(), "b", "c", "d")
    (folder / "table.toml").write_text(
        "".join(f'[[player]]\nbot = "tsumogiri"\nname = {msgspec.json.encode(one).decode()}\n' for one in names)
    )
    jantaku(*PLAY, "--config", "table.toml", cwd=folder).sound()
    if "\0" not in name:
        jantaku(*PLAY[:-1], "out2", "--players", ",".join((f"tsumogiri?name={name}", *PLAYERS)), cwd=folder).sound()


def named_as_a_path(folder: Path, name: str) -> None:
    """Nothing is written outside the folder of records."""
    place = folder / "a" / "b" / "c" / "d"
    place.mkdir(parents=True)
    before = set(Path("/tmp/jantaku-pwned").parent.glob("jantaku-pwned*"))
    words = ("play", "--length", "one", "--limit", "5", "--out", "out")
    ran = jantaku(*words, "--players", ",".join((f"exec:sh -c 'echo x >&2'?name={name}", *PLAYERS)), cwd=place)
    ran.with_code(0, 1, 2)
    nothing_beside(place, "out")
    nothing_beside(place.parent, "d")
    nothing_beside(folder, "a")
    if found := set(Path("/tmp/jantaku-pwned").parent.glob("jantaku-pwned*")) - before:
        raise ran.failed(f"written outside: {found}")


def seeded(folder: Path, seed: str) -> None:
    """A seed appears unchanged in records and lines, and the folder's name is a single path component."""
    ran = jantaku("play", "--length", "one", "--threads", "inline", "--seed", seed, cwd=folder).sound()
    if ran.code == 2:
        ran.refused()
        return
    if seed not in ran.out:
        raise ran.failed("the seed is not told as it was given")
    nothing_beside(folder, "records")
    if len(list((folder / "records").iterdir())) != 1:
        raise ran.failed("the seed has made folders")


def counted_twice(folder: Path) -> None:
    """Two players whose names would collide after numbering still have different names."""
    players = "dice?name=a-1,shanten?name=a,caller?name=a,tsumogiri"
    ran = jantaku(*PLAY, "--json", "--players", players, cwd=folder)
    if ran.code == 2:
        ran.refused()
        return
    names = msgspec.json.decode(ran.fine().out)["names"]
    if len(set(names)) != 4:
        raise ran.failed(f"two players have one name: {names}")
