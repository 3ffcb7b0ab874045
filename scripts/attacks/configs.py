"""Attacks by malformed and extreme TOML for rules, tables and matches, and by names and numbers in a report."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import forked, jantaku
from scripts.attacks.kit.tables import nothing_beside

COMMANDS: dict[str, tuple[str, ...]] = {
    "rules": ("rules", "--check", "FILE"),
    "play": ("play", "--config", "FILE", "--length", "one", "--threads", "inline", "--quiet", "--out", "out"),
    "match": ("match", "FILE", "--length", "one", "--threads", "inline", "--workers", "0", "--sets", "1", "--quiet",
              "--out", "out"),
}  # fmt: skip
ESCAPE = "\\u001b]0;pwned\\u0007\\u001b[2J"
DEEP = 50_000
TEXTS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "NUL": lambda: b"\0",
    "noise": lambda: bytes(range(256)) * 64,
    "UTF-16": lambda: "[ron]\nmax_winners = 1\n".encode("utf-16"),
    "a byte order mark and a mistake": lambda: b"\xef\xbb\xbf[",
    "deep arrays": lambda: b"x = " + b"[" * DEEP + b"]" * DEEP,
    "deep tables": lambda: b"x = " + b"{a=" * DEEP + b"1" + b"}" * DEEP,
    "a key of 50,000 parts": lambda: b".".join([b"a"] * DEEP) + b" = 1",
    "a table of 50,000 parts": lambda: b"[" + b".".join([b"a"] * DEEP) + b"]",
    "100,000 keys": lambda: b"".join(b"k%d = 1\n" % n for n in range(100_000)),
    "100,000 tables": lambda: b"".join(b"[t%d]\n" % n for n in range(100_000)),
    "100,000 tables of one name": lambda: b"[[player]]\n" * 100_000,
    "a number of 5000 digits": lambda: b"[ron]\nmax_winners = " + b"9" * 5000,
    "a number in hexadecimal of 5000 digits": lambda: b"[ron]\nmax_winners = 0x" + b"f" * 5000,
    "infinity": lambda: b"[ron]\nmax_winners = inf\n[clock]\nturn = inf",
    "not a number": lambda: b"[clock]\nturn = nan\n[ron]\nmax_winners = nan",
    "times that no clock can keep": lambda: b"[clock]\nturn = 1e300\nbank = 1e308",
    "arguments of 5001 digits": lambda: b'[[player]]\nbot = "dice"\nargs = { a = [' + b"9" * 5001 + b"] }",
    "minus zero": lambda: b"[clock]\nturn = -0.0\n[ron]\nmax_winners = -0",
    "a date": lambda: b"[ron]\nmax_winners = 1979-05-27T07:32:00Z",
    "a date that is none": lambda: b"[ron]\nmax_winners = 1979-02-31",
    "a text of a megabyte": lambda: b'preset = "' + b"x" * (1 << 20) + b'"',
    "a text without end": lambda: b'preset = """' + b"x" * 1000,
    "a key of a megabyte": lambda: b'"' + b"k" * (1 << 20) + b'" = 1',
    "a key with a terminal's commands": lambda: f'"{ESCAPE}" = 1\n[ron]\n"{ESCAPE}" = 1'.encode(),
    "a value with a terminal's commands": lambda: f'preset = "{ESCAPE}"'.encode(),
    "a key of markup": lambda: b'"[/x][bold]" = 1\n[ron]\n"[/x]" = 1',
    "a value of markup": lambda: b'preset = "[/x]"',
    "an empty key": lambda: b'"" = 1\n[ron]\n"" = 1',
    "a table that is a number": lambda: b"ron = 7\ntable = 7\nmatch = 7\nclock = 7\nstop = 7",
    "a table that is a list": lambda: b"ron = []\ntable = []\nmatch = []\nclock = []",
    "a list of tables": lambda: b"[[ron]]\n[[table]]\n[[match]]\n[[clock]]",
    "a value twice": lambda: b"[ron]\nmax_winners = 1\nmax_winners = 2",
    "a table twice": lambda: b"[ron]\n[ron]",
    "a preset above": lambda: b'preset = "../../x"',
    "a preset that is this file": lambda: b'preset = "hostile.toml"',
    "rules that are this file": lambda: b'[table]\nrules = "hostile.toml"\n[match]\nrules = "hostile.toml"',
    "rules that are a device": lambda: b'[table]\nrules = "/dev/zero"\n[match]\nrules = "/dev/zero"',
    "rules of a wrong kind": lambda: b"[table]\nrules = 7\n[match]\nrules = 7",
    "players of a wrong kind": lambda: b'[table]\nplayers = 7\n[match]\nplayers = "x"',
    "players without end": lambda: b"[table]\nplayers = [" + b'"dice",' * 100_000 + b"]",
    "a player without a bot": lambda: b'[[player]]\nname = "x"',
    "a player with a list for a bot": lambda: b'[[player]]\nbot = ["x"]',
    "a player with a negative clock": lambda: b'[[player]]\nbot = "dice"\nclock.turn = -1' * 1,
    "a player with an environment of numbers": lambda: b'[[player]]\nbot = "dice"\nenv = { A = 1 }',
    "a player with NUL in its environment": lambda: b'[[player]]\nbot = "exec:cat"\nenv = { A = "\\u0000" }',
    "a player with NUL in its command": lambda: b'[[player]]\nbot = "exec:c\\u0000at"',
    "a player with NUL in its folder": lambda: b'[[player]]\nbot = "exec:cat"\ncwd = "a\\u0000b"',
    "a player with an equals sign in its environment": lambda: b'[[player]]\nbot = "exec:cat"\nenv = { "A=B" = "x" }',
    "a player named with NUL": lambda: b'[[player]]\nbot = "dice"\nname = "a\\u0000b"',
    "a player in no folder": lambda: b'[[player]]\nbot = "exec:cat"\ncwd = "no/such"',
    "an import of nothing": lambda: b'[[player]]\nbot = ":"',
    "an import above": lambda: b'[[player]]\nbot = "..x:Y"',
    "an import of dots": lambda: b'[[player]]\nbot = "a..b:Y"',
    "an import of a private": lambda: b'[[player]]\nbot = "os:__builtins__"',
    "games without end": lambda: b"[table]\ngames = 99999999999999\n[match]\nsets = 99999999999999",
    "a seed of 5000 digits": lambda: b"[table]\nseed = " + b"9" * 5000 + b"\n[match]\nseed = " + b"9" * 5000,
    "a folder above": lambda: b'[match]\nplayers = ["dice", "dice", "dice", "dice"]\nout = "../pwned"',
    "a stop that contradicts itself": lambda: b"[stop]\nsprt = true\nrank0 = 2.5\nrank1 = 2.5",
    "needs of nobody": lambda: b"[resources]\nnobody = { cpus = -1 }",
}
SETS = (
    "", "=", "x", "ron", "ron=", "ron.max_winners", "ron.max_winners=", "ron.max_winners=[",
    "ron.max_winners=" + "9" * 5000,
    "ron.max_winners=1=2", "ron.max_winners=\x1b[2J", "ron.max_winners=[/x]", "ron.max_winners=nan",
    "ron.max_winners=true",
    "ron.max_winners=[1]", "ron.max_winners={a=1}", "RON.MAX_WINNERS=1", " ron.max_winners = 1 x", "ron..max_winners=1",
    "__class__.x=1", "ron.__class__=1", "\x1b[2J=1", "[/x]=1", "game.uma=[1,2,3]", "game.uma=" + "[" * 5000,
    "game.start_points=-1", "game.start_points=1e9", "score.double_yakuman=[\"x\"]", "a" * 100_000 + "=1", "\udcff=1",
)  # fmt: skip
REPORTED = (
    "$\\foo$",
    "$\\frac{$",
    "$",
    "\\",
    "%",
    "&",
    "<script>alert(1)</script>",
    "\u96c0\u5353",
    "\U0001f004",
    "_" * 300,
    "a_b^c",
)


def attacks() -> Iterator[Attack]:
    for command in COMMANDS:
        for what, text in TEXTS.items():
            yield attack(f"{command} reads TOML with {what}", read, command, text)
    for number, setting in enumerate(SETS, 1):
        yield attack(f"--set number {number}: {setting[:40]!a}", set_to, setting)
    for name in REPORTED:
        yield attack(f"a report of a player named {name[:30]!a}", reported, name)


def read(folder: Path, command: str, text: Callable[[], bytes]) -> None:
    """The file is refused in one line, or accepted; nothing is written outside the folder."""
    place = folder / "a"
    place.mkdir()
    (place / "hostile.toml").write_bytes(text())
    words = ["hostile.toml" if word == "FILE" else word for word in COMMANDS[command]]
    ran = forked(*words, cwd=place, seconds=25).sound()
    if ran.code == 2:
        ran.refused()
    nothing_beside(folder, "a")
    nothing_beside(place, "hostile.toml", "out")


def set_to(folder: Path, setting: str) -> None:
    """The setting is refused or accepted, for the rules of a preset and for a game."""
    for words in (("rules", "tenhou"), ("play", "--length", "one", "--threads", "inline", "--quiet", "--out", "out")):
        ran = forked(*words, "--set", setting, cwd=folder, seconds=25).sound()
        if ran.code == 2:
            ran.refused()
    nothing_beside(folder, "out")


def reported(folder: Path, name: str) -> None:
    """The report is written without a message, and holds the name as text."""
    names = (msgspec.json.encode(one).decode() for one in (name, "b", "c", "d"))
    players = "".join(f'[[player]]\nbot = "dice"\nname = {one}\n' for one in names)
    (folder / "match.toml").write_text(players, "utf-8")
    words = ("--length", "one", "--threads", "inline", "--workers", "0", "--sets", "2", "--seed", "1", "--out", "out")
    ran = jantaku("match", "match.toml", *words, cwd=folder, seconds=60).sound()
    if ran.code == 2:
        ran.refused()
        return
    if ran.err.strip():
        raise ran.failed("words on standard error")
    text = (folder / "out" / "report.html").read_text("utf-8")
    if "<script>alert" in text:
        raise Failed("the report runs what a name says")
