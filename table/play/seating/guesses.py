"""Guesses what was meant by words that do not name a player, so that the error says what to write instead."""

import os
import shutil
from pathlib import Path

from jantaku.table.ground.settings import did_you_mean
from jantaku.table.play.seating.spec import installed

_RUNNERS = {".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".sh": "sh"}
"""For the ending of a script that is not executable itself, the program that runs it."""
ADDRESS = "an address is not a player; write ws:NAME for a client that connects to this table"
_YOURS = "write your own as module:Class or FILE.py:Class"


def name_meant(spec: str) -> str:
    """A hint for a name under which nothing is installed."""
    return _of_characters(spec) or _of_files(spec) or _nearest(spec)


def _of_characters(spec: str) -> str:
    """A hint from the characters of the word alone; empty if there is none."""
    words, known = spec.split(), installed()
    if len(words) > 1 and words[0].rstrip(":") == "exec":
        return f"write exec: before a program: exec:{' '.join(words[1:])}"
    if len(words) > 1 and all(word in known for word in words):
        return f"separate players by commas: {','.join(words)}"
    for sign in "?&":
        if sign in spec and spec.partition(sign)[0] in known:
            return f"write options after a ?, separated by &: {spec.partition(sign)[0]}?name=deep&isolate=process"
    return ""


def _of_files(spec: str) -> str:
    """A hint from existing files; empty if there is none."""
    words, (module, _, name) = spec.split(), spec.rpartition(".")
    if os.path.isfile(spec) and spec.endswith(".zip"):
        return f"write folder: before a zip with a bot: folder:{spec}"
    if os.path.isfile(spec) or (len(words) > 1 and shutil.which(words[0])):
        return f"write exec: before a program: {f'exec:{spec}' if len(words) > 1 else program_meant(spec)}"
    if os.path.isfile(f"{spec}.py"):
        return f"name a bot in your own file by the file: {spec}.py, or {spec}.py:Class"
    if os.path.isdir(spec):
        file = os.path.join(spec, "FILE.py:Class")
        return f"it is a folder; name a bot by its file: {file}, one for Akagi or mjai.app as folder:{spec}"
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
        return f"; name a bot in Python by its file alone: {words[-1]}"
    near = did_you_mean(str(file), [str(file.parent / other) for other in _python_in(file.parent)])
    return near and f"; {near.strip()}"


def module_meant(spec: str, module: str) -> str:
    """A hint for `module:Class` with a module that does not exist: what to write instead; empty if that cannot be
    guessed."""
    name = spec.rpartition(":")[2]
    if not module:
        return f"write the file in front: FILE.py{spec}"
    if spec.count(":") > 1:
        return f"write one colon between file and class: {':'.join(spec.split(':')[:2])}"
    if os.path.isfile(f"{module}.py"):
        return f"name a bot in a file by the file: {module}.py:{name}"
    near = did_you_mean(f"{module}.py", _python_in(Path())).removesuffix("? ")
    return f"{near}:{name}?" if near else ""


def _python_in(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix == ".py")
    except OSError:
        return []
