"""Attacks by the requirements of a bot's folder or zip: ways to have a stranger's code run outside the sandbox, or
inside pip.

Each folder is seated with `--sandbox` beside three honest bots. The package that it requires writes a file outside
while it is built: that file must not exist.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
from scripts.attacks.kit.command import Ran, jantaku
from scripts.attacks.kit.packages import LUCKY, NAME, own_pip, sdist, serving, source, wheel
from scripts.attacks.kit.tables import HONEST

URL = "https://index.example/simple"
LONG = "9" * 5001
_BOT = "import sys\nfor line in sys.stdin:\n    print('{}', flush=True)\n"
LINES: Mapping[str, str] = {
    "an option and -e": "--pre -e {path}",
    "an index and -e": f"--index-url {URL} -e {{path}}",
    "an index with = and -e": f"--extra-index-url={URL} -e {{path}}",
    "an option and -e with an address": "--pre -e file://{path}",
    "an option and -r": "--pre -r {other}",
    "an option and -c": "--pre -c {other}",
    "an option and -e in the line that goes on": "--pre \\\n-e {path}",
    "an option and -e in the line that goes on, as Windows writes it": "--pre \\\r\n-e {path}",
    "an option, --no-binary and --find-links": f"--pre --no-binary :all: --find-links {{links}}\n{NAME}",
    "an option and -e with a variable": "--pre -e ${{PWD}}/payload",
    "an index with a variable": "--index-url https://index.example/${{HOME}}",
    "a marker with -e": '{lucky}; os_name == "x -e payload" or os_name == "y"',
    "a marker with -e and a variable": '{lucky}; os_name == "x -e ${{PWD}}" or os_name == "y"',
    "a version that is a variable": "{lucky}===${{HOME}}",
    "a hash and -e": "{lucky}==1 --hash=sha256:" + "0" * 64 + " -e {path}",
    "-e": "-e {path}",
    "a path": "{path}",
    "a path from here": "./payload",
    "a package by its address": f"{NAME} @ file://{{path}}",
    "a package and -e": "{lucky} -e {path}",
    "-e after a carriage return": "{lucky}\r-e {path}",
    "-e after a vertical tab": "{lucky}\x0b-e {path}",
    "-e after a line separator": "{lucky}\u2028-e {path}",
    "a marker of 5,000 brackets": "{lucky}; " + "(" * 5000,
}
PROJECTS: Mapping[str, str] = {
    "an index with -e in a line of its own": '[[tool.uv.index]]\nurl = "{url}\\n-e {path}"\n{needed}',
    "an index with -e after a blank": '[[tool.uv.index]]\nurl = "{url} -e {path}"\n{needed}',
    "an index that is a folder": '[[tool.uv.index]]\nurl = "file://{links}"\n{needed}',
    "a dependency that is an option and -e": '[project]\ndependencies = ["--pre -e {path}"]',
    "a dependency with a second line": '[project]\ndependencies = ["{lucky}\\n-e {path}"]',
    "a dependency that is an option": '[project]\ndependencies = ["--pre"]',
    "a Python of 5,001 digits": f'[project]\nrequires-python = ">={LONG}"',
    "a number of 5,001 digits": f"[project]\nx = {LONG}",
}
QUICK = {"an option and -e"}
Files = Callable[[Path], Mapping[str, str]]


def attacks() -> Iterator[Attack]:
    for what, text in LINES.items():
        yield attack(f"requirements.txt: {what}", refused, "requirements.txt", text, False).but(quick=what in QUICK)
    for what, text in PROJECTS.items():
        yield attack(f"pyproject.toml: {what}", refused, "pyproject.toml", text, False)
    for what in ("an option and -e with a variable", "an option and -r"):
        yield attack(f"requirements.txt in a zip: {what}", refused, "requirements.txt", LINES[what], True)
    yield attack("manifest.toml: a number of 5,001 digits", refused, "manifest.toml", f"x = {LONG}", False)
    yield Attack("pyproject.toml: the folder itself is a package to be built", itself, seconds=90)
    yield Attack("a wheel of an index asks for a package to be built", by_address, seconds=150)
    yield Attack("an index has a package that must be built", to_be_built, seconds=150)


def refused(folder: Path, name: str, text: str, packed: bool) -> None:
    """The folder is refused in one line, before anything is made."""
    bot = _bot(folder)
    needed = f'[project]\ndependencies = ["{LUCKY}"]'
    links, other = folder / "links", bot / "other.txt"
    words = {"path": bot / "payload", "links": links, "other": other, "lucky": LUCKY, "url": URL, "needed": needed}
    source(bot / "payload", [folder / "outside"])
    links.mkdir()
    sdist(links, bot / "payload")
    other.write_text(f"-e {bot / 'payload'}\n")
    (bot / name).write_bytes(text.format(**words).encode())
    if packed:
        bot = Path(shutil.make_archive(str(bot), "zip", bot))
    ran = _seated(folder, bot)
    _nothing_outside(folder)
    ran.refused()
    if (folder / "cache" / "jantaku" / "environments").exists():
        raise Failed("an environment was begun")


def itself(folder: Path) -> None:
    """The build-system of its own pyproject.toml is ignored: it plays, or plays badly."""
    bot = _bot(folder)
    for file in source(folder / "payload", [folder / "outside"]).iterdir():
        shutil.copy(file, bot)
    _seated(folder, bot).with_code(0, 2)
    _nothing_outside(folder)


def by_address(folder: Path) -> str:
    """pip builds the package in the sandbox, where it finds nothing of the user's."""
    (files := folder / "files").mkdir()
    with serving(files) as (address, reports):
        wrote = folder / "outside"
        (index := files / "simple" / LUCKY).mkdir(parents=True)
        evil = sdist(files, source(folder / "payload", [wrote], [folder], f"{address}/said"))
        wheel(index, f"{NAME} @ {address}/{evil.name}")
        bot = _bot(folder)
        (bot / "requirements.txt").write_text(f"--index-url {address}/simple\n{LUCKY}\n")
        _seated(folder, bot).with_code(2)
    _nothing_outside(folder)
    for said in reports:
        if {"files", "payload", "theirs"} & set(said["seen"][str(folder)]):
            raise Failed(f"it has reached {said}")
    return "built in the sandbox" if reports else "not built"


def to_be_built(folder: Path) -> None:
    """Only wheels are installed."""
    (files := folder / "files").mkdir()
    with serving(files) as (address, reports):
        (index := files / "simple" / NAME).mkdir(parents=True)
        sdist(index, source(folder / "payload", [folder / "outside"], report=f"{address}/said"))
        bot = _bot(folder)
        (bot / "requirements.txt").write_text(f"--index-url {address}/simple\n{NAME}\n")
        _seated(folder, bot).with_code(2)
    _nothing_outside(folder)
    if reports:
        raise Failed("it was built")


def _bot(folder: Path) -> Path:
    if shutil.which("bwrap") is None:
        raise Skipped("bubblewrap is not installed")
    folder.chmod(0o755)
    (bot := folder / "theirs").mkdir()
    (bot / "bot.py").write_text(_BOT)
    return bot


def _seated(folder: Path, bot: Path) -> Ran:
    players = ",".join((f"folder:{bot}?name=a&clock.max_faults=1", *HONEST))
    words = ("play", "--sandbox", "--length", "one", "--limit", "1", "--players", players, "--out", "out")
    env = {**own_pip(), "XDG_CACHE_HOME": str(folder / "cache"), "PWD": str(folder / "theirs")}
    return jantaku(*words, cwd=folder, seconds=140, env=env)


def _nothing_outside(folder: Path) -> None:
    if os.path.lexists(folder / "outside"):
        raise Failed("a stranger's code ran outside the sandbox")
