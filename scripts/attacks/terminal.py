"""Attacks on a user's terminal and files: foreign words with terminal commands, and leaks of secrets."""

import contextlib
import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.serving import Serving
from scripts.environments import PYTHON

ESCAPES = {
    "a title": "\x1b]0;pwned\x07",
    "a cleared screen": "\x1b[2J\x1b[H",
    "a link": "\x1b]8;;http://e.example\x1b\\x\x1b]8;;\x1b\\",
    "the clipboard": "\x1b]52;c;cHduZWQ=\x07",
    "C1 controls": "\x9b2J\x9d0;pwned\x9c",
    "a question to the terminal": "\x1b[6n\x1b[c",
    "backspaces": "safe\b\b\b\bpwnd",
    "a bell": "\x07",
    "a carriage return": "real\rfake",
}
_HEARS = "class Bot:\n def hear(self, e): pass\n"
BOTS: dict[str, str] = {
    "a module that fails": "raise ValueError({text!r})",
    "a module whose error has such a name": "raise type({text!r}, (Exception,), {{}})('x')",
    "a constructor that fails": f"{_HEARS} answer = 7\n def __init__(self): raise ValueError({{text!r}})",
    "a bot that raises": f"{_HEARS} def answer(self, q): raise ValueError({{text!r}})",
    "a bot that answers it": f"{_HEARS} def answer(self, q): return {{text!r}}",
    "a bot that exits with it": f"{_HEARS} __doc__ = {{text!r}}\n def answer(self, q): raise SystemExit({{text!r}})",
}
INLINE = ("play", "--length", "one", "--threads", "inline")
SECRET = "OPERATOR-SECRET-8d1f"


def attacks() -> Iterator[Attack]:
    for what, text in ESCAPES.items():
        for source, bot in BOTS.items():
            yield attack(f"{source} with {what}", of_a_bot, bot, text)
        yield attack(f"the last words of a program with {what}", of_a_program, text)
        yield attack(f"names of a record with {what}", of_a_record, text)
        yield attack(f"the name of a file with {what}", of_a_file, text)
        yield attack(f"the name of a file that holds {what}", of_a_module, text)
    for what, run in SECRETS.items():
        yield attack(what, run)


def _play(folder: Path, player: str, *words: str) -> None:
    players = f"{player},tsumogiri,tsumogiri,tsumogiri"
    jantaku("play", "--length", "one", "--limit", "5", "--out", "out", "--players", players, *words, cwd=folder).sound()


def of_a_bot(folder: Path, bot: str, text: str) -> None:
    """Try it in play, and in an exam, which shows the bot's answer."""
    (folder / "mine.py").write_text(bot.format(text=text))
    _play(folder, "mine:Bot")
    jantaku("exam", "mine:Bot", "--hanchan", "1", "--item", "kan", cwd=folder).sound()


def of_a_program(folder: Path, text: str) -> None:
    """The program does not become ready, and says why."""
    (folder / "last.py").write_text(f"import sys; sys.stderr.write({text!r} * 3); sys.exit({text!r})")
    _play(folder, f"exec:{PYTHON} last.py")


def of_a_record(folder: Path, text: str) -> None:
    """Try names, title and reasons of a stranger's file."""
    jantaku(
        "play", "--length", "one", "--threads", "inline", "--seed", "1", "--quiet", "--out", "out", cwd=folder
    ).fine()
    for name in ("game-0000.jsonl", "game-0000.json"):
        lines = [json.loads(line) for line in (folder / "out" / name).read_text("utf-8").splitlines()]
        lines[0]["player"] = [text, f"{text}b", "c", "d"]
        lines[0]["title"] = text
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        for words in (("show", name), ("verify", name), ("convert", name, "-", "--write-as", "mjai"), ("stats", ".")):
            ran = jantaku(*words, cwd=folder)
            if words[0] != "convert":  # convert writes data to its output, not messages
                ran.sound()


def of_a_file(folder: Path, text: str) -> None:
    """Try names of files, which may contain anything but NUL and a slash."""
    name = text.replace("/", "_")
    (folder / name).write_text("{}")
    for words in (
        ("verify", name),
        ("show", name),
        ("rules", "--check", name),
        ("play", "--config", name),
        ("match", name),
    ):
        jantaku(*words, cwd=folder).sound().refused()


def of_a_module(folder: Path, text: str) -> None:
    """Try words of the command line that name no player."""
    for player in (text, f"{text}:Bot", f"mine:{text}", f"exec:{text}", f"dice?{text}=1", f"dice?name={text}"):
        _play(folder, player)
        for left in folder.glob("out/*"):
            left.unlink()


# --- secrets


ENVIRON = "import os, sys; open('seen.txt', 'w').write(repr(dict(os.environ)) + repr(sys.argv)); sys.exit(1)"


def _seen_by(folder: Path, player: Callable[[str], str], *words: str, **env: str) -> str:
    """Return what a seated program finds in its environment and words."""
    (folder / "look.py").write_text(ENVIRON)
    players = f"{player(f'{PYTHON} look.py')},tsumogiri,tsumogiri,tsumogiri"
    jantaku("play", "--length", "one", "--limit", "3", "--players", players, *words, cwd=folder, env=env)
    return (folder / "seen.txt").read_text()


def tokens_are_not_told(folder: Path) -> None:
    """Neither token is given to programs."""
    seen = _seen_by(
        folder, lambda command: f"exec:{command}", JANTAKU_OPERATOR_TOKEN=SECRET, JANTAKU_TOKEN=SECRET + "2"
    )
    if SECRET in seen:
        raise Failed("a token of the table is in the environment of a seated program")


def the_seed_is_not_told(folder: Path) -> None:
    """The seed of the walls is in nothing that a program gets."""
    seen = _seen_by(folder, lambda command: f"exec:{command}", "--seed", "314159265358979")
    if "314159265358979" in seen:
        raise Failed("the seed of the walls is in the environment or the words of a seated program")


READER = """
import pathlib
class Bot:
    games = -1
    def hear(self, event):
        Bot.games += type(event).__name__ == "HanchanStart"
    def answer(self, question):
        for path in pathlib.Path("out").rglob("*"):
            number = path.name[5:9]
            coming = path.parent.name == "records" and number.isdigit() and int(number) // 4 >= Bot.games // 4
            if coming or path.parent.name != "records" and path.is_file() and b"SECRET" in path.read_bytes():
                pathlib.Path("found").write_text(f"{path} in game {Bot.games}")
        return question.default
"""


def the_folder_of_a_match_tells_no_wall(folder: Path) -> None:
    """All seatings of a set have the same walls: neither the seed nor a record of an open set may be in the folder."""
    (folder / "reader.py").write_text(READER.replace("SECRET", SECRET))
    words = ("--format", "1v3", "--sets", "3", "--length", "one", "--seed", SECRET, "--workers", "1", "--quiet")
    jantaku("match", "--players", "reader:Bot,tsumogiri", *words, "--out", "out", cwd=folder).fine()
    if (folder / "found").exists():
        raise Failed(f"a seated bot reads {(folder / 'found').read_text()}")


def credentials_are_not_told(folder: Path) -> None:
    """Variables that look like credentials are not passed on."""
    names = ("AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "DATABASE_URL", "MY_PASSWORD")
    seen = _seen_by(folder, lambda command: f"exec:{command}", **dict.fromkeys(names, SECRET))
    if found := [name for name in names if name in seen]:
        raise Failed(f"a seated program sees {', '.join(found)}")


def the_table_has_no_seed_in_its_words(folder: Path) -> None:
    """A generated seed is in no folder's name and no command line."""
    jantaku("play", "--length", "one", "--threads", "inline", "--quiet", cwd=folder).fine()
    (records,) = (folder / "records").iterdir()
    head = json.loads((records / "game-0000.jsonl").read_text("utf-8").splitlines()[0])
    seed = str(head.get("seed") or json.loads((records / "game-0000.json").read_text("utf-8"))["jantaku"]["seed"])
    if seed in records.name:
        raise Failed(f"the seed {seed} stands in the folder's name {records.name}")
    if seed.isdigit() and int(seed) < 1 << 64:
        raise Failed(f"a seed of its own has {int(seed).bit_length()} bits: {seed}")


def the_log_has_no_secrets(folder: Path) -> None:
    """With all logging on, neither token is written."""
    words = ("--log", "debug", "serve", "--room", "club", "--players", "ws,dice,dice,dice", "--out", "out")
    env = {"JANTAKU_OPERATOR_TOKEN": SECRET, "JANTAKU_TOKEN": SECRET}
    with Serving(*words, cwd=folder, env=env) as served:
        for asked in ("/watch/club?token=", "/play/club?name=a&token=", "/play/club?name=a&key="):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(served.at(asked + SECRET, "http"), timeout=2).close()
        seen = served.so_far()
    if SECRET in seen.out + seen.err:
        raise Failed("a token is in the log")
    for path in folder.rglob("*"):
        if path.is_file() and SECRET.encode() in path.read_bytes():
            raise Failed(f"a token is in {path.name}")


def records_are_for_their_owner(folder: Path) -> None:
    """Other users of the machine may read of a running game only what the file mask allows."""
    jantaku("play", "--length", "one", "--threads", "inline", "--quiet", "--out", "out", cwd=folder).fine()
    for path in (folder / "out").iterdir():
        if path.stat().st_mode & 0o022:
            raise Failed(f"{path.name} may be written by others")


SECRETS: dict[str, Callable[[Path], None]] = {
    "a seated program looks for tokens in its environment": tokens_are_not_told,
    "a seated program looks for the seed of the walls": the_seed_is_not_told,
    "a seated bot reads the folder of its match": the_folder_of_a_match_tells_no_wall,
    "a seated program looks for somebody's credentials": credentials_are_not_told,
    "a seed that nobody gave is looked for in names": the_table_has_no_seed_in_its_words,
    "tokens are looked for in the log and the records of a server": the_log_has_no_secrets,
    "records may be written by others": records_are_for_their_owner,
}
