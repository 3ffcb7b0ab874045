"""Guesses what was meant by words that do not name a player, so that the error says what to write instead."""

import os
import shutil
from pathlib import Path

from jantaku.table.ground.settings import did_you_mean
from jantaku.table.play.seating.spec import installed

_RUNNERS = {".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".sh": "sh"}
"""For the ending of a script that is not executable itself, the program that runs it."""
ADDRESS = "an address is no player; a client that comes to this table is ws:NAME"
_YOURS = "your own are module:Class or FILE.py:Class"


def name_meant(spec: str) -> str:
    """A hint for a name under which nothing is installed."""
    return _of_characters(spec) or _of_files(spec) or _nearest(spec)


def _of_characters(spec: str) -> str:
    """A hint from the characters of the word alone; empty if there is none."""
    words, known = spec.split(), installed()
    if len(words) > 1 and words[0].rstrip(":") == "exec":
        return f"a program has exec: in front: exec:{' '.join(words[1:])}"
    if len(words) > 1 and all(word in known for word in words):
        return f"between players stand commas: {','.join(words)}"
    for sign in "?&":
        if sign in spec and spec.partition(sign)[0] in known:
            return f"options stand behind a ?, with & between them: {spec.partition(sign)[0]}?name=deep&isolate=process"
    return ""


def _of_files(spec: str) -> str:
    """A hint from existing files; empty if there is none."""
    words, (module, _, name) = spec.split(), spec.rpartition(".")
    if os.path.isfile(spec) and spec.endswith(".zip"):
        return f"a bot in a zip has folder: in front: folder:{spec}"
    if os.path.isfile(spec) or (len(words) > 1 and shutil.which(words[0])):
        return f"a program has exec: in front: {f'exec:{spec}' if len(words) > 1 else program_meant(spec)}"
    if os.path.isfile(f"{spec}.py"):
        return f"a bot in a file of your own is named by it: {spec}.py, or {spec}.py:Class"
    if os.path.isdir(spec):
        file = os.path.join(spec, "FILE.py:Class")
        return f"it is a folder; a bot is named by its file: {file}, and one that Akagi or mjai.app runs: folder:{spec}"
    if name.isidentifier() and _mentions(file := f"{module.replace('.', os.sep)}.py", name):
        return f"did you mean {file}:{name}?"
    return ""


def _nearest(spec: str) -> str:
    return f"{did_you_mean(spec, installed())}the players are {', '.join(installed())}; {_YOURS}"


def _mentions(file: str, name: str) -> bool:
    try:
        return name in Path(file).read_text("utf-8", "replace")
    except OSError:
        return False


def program_meant(file: str) -> str:
    """How to write a file as a program; empty if there is no such file."""
    if not os.path.isfile(file):
        return ""
    if os.access(file, os.X_OK):
        return f"exec:{file}" if os.sep in file else f"exec:./{file}"
    return f"exec:{_RUNNERS.get(Path(file).suffix, 'PROGRAM')} {file}"


def file_meant(spec: str, file: Path) -> str:
    """A hint for a bot's file that does not exist."""
    words = spec.split()
    if len(words) > 1 and os.path.isfile(words[-1].partition(":")[0]):
        return f"; a bot in Python is named by its file alone: {words[-1]}"
    near = did_you_mean(str(file), [str(file.parent / other) for other in _python_in(file.parent)])
    return near and f"; {near.strip()}"


def module_meant(spec: str, module: str) -> str:
    """A hint for `module:Class` with a module that does not exist: what to write instead; empty if that cannot be
    guessed."""
    name = spec.rpartition(":")[2]
    if not module:
        return f"the file is missing in front: FILE.py{spec}"
    if spec.count(":") > 1:
        return f"one colon stands between file and class: {':'.join(spec.split(':')[:2])}"
    if os.path.isfile(f"{module}.py"):
        return f"a bot in a file is named by it: {module}.py:{name}"
    near = did_you_mean(f"{module}.py", _python_in(Path())).removesuffix("? ")
    return f"{near}:{name}?" if near else ""


def _python_in(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix == ".py")
    except OSError:
        return []
