"""Attacks by files beside the command with the names of its own modules, of libraries or of Python's, and by files that
are no bots."""

from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, attack
from scripts.attacks.kit.command import jantaku

NAMES = (
    "table.py", "table/__init__.py", "players.py", "players/__init__.py", "players/adapters/isolated.py", "scripts.py",
    "tests/__init__.py", "jantaku.py", "websockets.py", "msgspec/__init__.py", "click.py", "random.py",
    "json.py", "pickle.py", "queue.py", "types.py", "multiprocessing/__init__.py", "sitecustomize.py",
)  # fmt: skip
TRAP = "import pathlib, sys\npathlib.Path(__file__).with_name('sprung').touch()\nsys.exit('a trap was imported')\n"
BOT = (
    "from jantaku.players.bots.tsumogiri import Tsumogiri\nimport helper\n"
    "class Own(Tsumogiri):\n    word = helper.WORD\n"
)
GAME = ("--length", "one", "--seed", "1", "--out", "out")
FOUR = "bots/mybot.py:Own,shanten,dice,tsumogiri"
COMMANDS: dict[str, tuple[str, ...]] = {
    "play": ("play", "--players", FOUR, *GAME),
    "isolated bots": ("play", "--players", "bots/mybot.py?isolate=process,dice?isolate=process,dice,shanten", *GAME),
    "workers": ("match", "--players", FOUR, "--sets", "1", "--workers", "2", *GAME),
    "the watched page": ("play", "--watch", *GAME),
    "exam": ("exam", "bots/mybot.py", "--item", "kan"),
}
NO_BOTS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda file: file.touch(),
    "noise": lambda file: file.write_bytes(bytes(range(256)) * 64),
    "NUL": lambda file: file.write_bytes(b"\0" * 100),
    "brackets": lambda file: file.write_text("x = " + "(" * 10_000, "utf-8"),
    "a terminal's commands": lambda file: file.write_text("raise OSError('\\x1b]0;pwned\\x07\\x1b[2J')", "utf-8"),
    "lines in its last words": lambda file: file.write_text("raise OSError('a\\nb\\rc')", "utf-8"),
    "a class that is none": lambda file: file.write_text("Own = 7", "utf-8"),
    "its own end": lambda file: file.write_text("raise SystemExit(0)", "utf-8"),
    "itself": lambda file: file.write_text("import bot\nfrom bot import Own", "utf-8"),
    "a folder": lambda file: file.mkdir(),
    "a link to nothing": lambda file: file.symlink_to("nowhere"),
    "a link to itself": lambda file: file.symlink_to(file.name),
}


def attacks() -> Iterator[Attack]:
    for name in NAMES:
        for what in COMMANDS:
            yield attack(f"{what} beside {name}", beside, name, what)
    for what, make in NO_BOTS.items():
        yield attack(f"a bot's file holds {what}", no_bot, make)
    for spec in (
        ".py",
        ":.py",
        "/.py:",
        "a.py:",
        "a.py::b",
        "../../a.py:X",
        "x" * 5000 + ".py",
        "\x1b[2J.py",
        "a\nb.py",
    ):
        yield attack(f"a bot's file is called {spec[:20]!a}", called, spec)
    yield Attack("two bots of one file's name with modules of one name", twins, seconds=60, quick=True)


def beside(folder: Path, name: str, what: str) -> None:
    """The command plays as if the file were not there, and does not import it."""
    trap = folder / name
    trap.parent.mkdir(parents=True, exist_ok=True)
    trap.write_text(TRAP, "utf-8")
    _bot(folder / "bots", "a")
    ran = jantaku(*COMMANDS[what], cwd=folder, python=("-P",)).fine()
    assert not list(folder.rglob("sprung")), ran.failed("the file was imported")


def no_bot(folder: Path, make: Callable[[Path], object]) -> None:
    """The file is refused in one line, here and in a process of its own."""
    make(folder / "bot.py")
    for spec in ("bot.py", "bot.py:Own", "bot.py:Own?isolate=process"):
        jantaku("play", "--players", f"{spec},dice,dice,dice", *GAME, cwd=folder, python=("-P",)).refused()


def called(folder: Path, spec: str) -> None:
    """The specification is refused in one line."""
    jantaku("play", "--players", f"{spec},dice,dice,dice", *GAME, cwd=folder, python=("-P",)).refused()


def twins(folder: Path) -> None:
    """Two bots from files of the same name each use their own file, in one process and in two workers."""
    for name in ("a", "b"):
        _bot(folder / name, name)
        with (folder / name / "mybot.py").open("a") as file:
            file.write(f"assert Own.word == {name!r}\n")
    players = "a/mybot.py,b/mybot.py,b/mybot.py?isolate=process,a/mybot.py?isolate=process"
    jantaku("play", "--players", players, *GAME, cwd=folder, python=("-P",)).fine()
    words = ("--sets", "1", "--workers", "2", *GAME[:-1], "match")
    jantaku("match", "--players", players, *words, cwd=folder, python=("-P",)).fine()


def _bot(folder: Path, word: str) -> None:
    folder.mkdir()
    (folder / "mybot.py").write_text(BOT, "utf-8")
    (folder / "helper.py").write_text(f"WORD = {word!r}\n", "utf-8")
