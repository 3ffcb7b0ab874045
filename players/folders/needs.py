"""The packages and the Python version that a bot's folder asks for.

They are in a `requirements.txt`, or in `[project]` of a `pyproject.toml`. Submissions to mjai.app have neither,
because a fixed image ran them: such a bot gets those packages of the image that its files import.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from jantaku.players.folders.requirements import index, lines_in, package
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.settings import read_toml

IMAGE = ("loguru", "mahjong", "mjai", "numpy", "torch")
"""The packages of mjai.app's image that bots import; the package and the module have the same name."""
_MOST = 1 << 20
_SHOWN = 80
_LONGEST = 200
"""The most characters of a version specification: Python refuses numbers with thousands of digits."""
_SOURCES = "uv export --no-hashes --format requirements-txt > requirements.txt"


class Requirements(msgspec.Struct, frozen=True):
    """Lines of requirements, parsed and written anew: options and packages. `python` are the wanted versions of Python,
    `said` is the file that asks for all this."""

    options: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    python: str = ""
    said: str = ""


class _Index(msgspec.Struct):
    url: str


class _Uv(msgspec.Struct):
    sources: dict[str, Any] = {}
    index: list[_Index] = []


class _Tool(msgspec.Struct):
    uv: _Uv = msgspec.field(default_factory=_Uv)


class _Project(msgspec.Struct, rename="kebab"):
    dependencies: Annotated[list[str], msgspec.Meta(max_length=1000)] = []
    requires_python: str = ""


class _PyProject(msgspec.Struct):
    project: _Project = msgspec.field(default_factory=_Project)
    tool: _Tool = msgspec.field(default_factory=_Tool)


def needs_of(folder: Path) -> Requirements:
    """Return what a bot's folder asks for; nothing is executed. Raises BadInput if it cannot be read or is not
    allowed."""
    written, project = folder / "requirements.txt", folder / "pyproject.toml"
    declared = shaped(read_toml(project), _PyProject, str(project)) if is_its_own(project) else _PyProject()
    python = _versions(declared.project.requires_python, project)
    if is_its_own(written):
        return Requirements(*lines_in(_text_of(written), written), python, written.name)
    if declared.project.dependencies:
        return Requirements(*_declared(declared, str(project)), python, project.name)
    used = () if project.is_file() else _imported(folder)
    return Requirements((), used, python, "its imports" if used else "")


def is_its_own(file: Path) -> bool:
    """Whether a bot's folder has this file. Raises BadInput for a link that leads out of the folder: a stranger's bot
    must not use the contents of the user's own files."""
    if not file.is_file():
        return False
    if not file.resolve().is_relative_to(file.parent.resolve()):
        raise BadInput("is a link to outside the bot's folder; put the file itself there", str(file))
    return True


def _declared(said: _PyProject, file: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if said.tool.uv.sources:
        raise BadInput(f"only uv reads tool.uv.sources; list them for pip: {_SOURCES}", file)
    indexes = [index("--extra-index-url", one.url, file, "tool.uv.index.url") for one in said.tool.uv.index]
    packages = [package(one, file, "project.dependencies") for one in said.project.dependencies]
    return tuple(indexes), tuple(packages)


def _versions(python: str, file: Path) -> str:
    try:
        SpecifierSet(python)
    except InvalidSpecifier:
        known = False
    else:
        known = len(python) <= _LONGEST
    if not known:
        raise BadInput(f"{python[:_SHOWN]!r} is not a version of Python", str(file), "requires-python")
    return python


def _text_of(file: Path) -> str:
    try:
        return bytes_of(file, _MOST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"is not UTF-8: {error}", str(file)) from None


def _imported(folder: Path) -> tuple[str, ...]:
    """The packages of mjai.app's image that files in the folder import and that the folder does not contain."""
    names: set[str] = set()
    for file in _modules(folder):
        try:
            tree = ast.parse(bytes_of(file, _MOST))
        except (BadInput, SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # starting the bot reports it
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    here = {path.stem if path.suffix == ".py" else path.name for path in folder.iterdir()}
    return tuple(name for name in IMAGE if name in names - here)


def _modules(folder: Path) -> Iterator[Path]:
    """Yield the Python files in a folder at any depth; without recursion, whose depth Python limits."""
    waiting = [folder]
    while waiting:
        for path in waiting.pop().iterdir():
            if path.suffix == ".py":
                yield path
            elif path.is_dir() and not path.is_symlink():
                waiting.append(path)
