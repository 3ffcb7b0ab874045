"""What a bot's folder asks for: packages, and a version of Python.

A `requirements.txt` says it, or `[project]` of a `pyproject.toml`. Submissions to mjai.app say nothing, because a
fixed image ran them: of its packages such a bot gets those that its files import.
"""

import ast
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from table.errors import BadInput
from table.foreign.files import bytes_of
from table.foreign.shapes import shaped

IMAGE = ("loguru", "mahjong", "mjai", "numpy", "torch")
"""The packages of mjai.app's image that bots import, by the name of the package and of the module alike."""
_OPTIONS = ("-i", "--index-url", "--extra-index-url", "--pre")
_ALLOWED = f"packages by their names and {', '.join(_OPTIONS)}"
_MOST = 1 << 20
_SOURCES = "uv export --no-hashes --format requirements-txt > requirements.txt"


class Requirements(msgspec.Struct, frozen=True):
    """The lines of a requirements file, the versions of Python in which they are wanted, and where that is said."""

    lines: tuple[str, ...] = ()
    python: str = ""
    said: str = ""


class _Index(msgspec.Struct):
    url: str


class _Uv(msgspec.Struct):
    sources: dict[str, Any] = {}
    index: list[_Index] = []


class _Tool(msgspec.Struct):
    uv: _Uv = msgspec.field(default_factory=_Uv)


class _Declared(msgspec.Struct, rename="kebab"):
    dependencies: Annotated[list[str], msgspec.Meta(max_length=1000)] = []
    requires_python: str = ""


class _PyProject(msgspec.Struct):
    project: _Declared = msgspec.field(default_factory=_Declared)
    tool: _Tool = msgspec.field(default_factory=_Tool)


def needs_of(folder: Path) -> Requirements:
    """What a bot's folder asks for; nothing is executed. BadInput for what cannot be read or is not allowed."""
    written, project = folder / "requirements.txt", folder / "pyproject.toml"
    declared = _project_of(project) if project.is_file() else _PyProject()
    python = declared.project.requires_python
    try:
        SpecifierSet(python)
    except InvalidSpecifier:
        raise BadInput(f"{python!r} is no version of Python", str(project), "requires-python") from None
    if written.is_file():
        lines = _lines_of(written)
        return Requirements(_checked(lines, written), python, written.name)
    if declared.project.dependencies:
        if declared.tool.uv.sources:
            raise BadInput(f"tool.uv.sources is for uv alone; write them down for pip: {_SOURCES}", str(project))
        lines = [f"--extra-index-url {index.url}" for index in declared.tool.uv.index]
        return Requirements(_checked([*lines, *declared.project.dependencies], project), python, project.name)
    used = () if project.is_file() else _imported(folder)
    return Requirements(used, python, "its imports" if used else "")


def toml_of(file: Path) -> dict[str, Any]:
    """A TOML file of a stranger's. BadInput if it cannot be read."""
    try:
        return tomllib.loads(bytes_of(file, _MOST).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"is not TOML: {error}", str(file)) from None


def _project_of(file: Path) -> _PyProject:
    found: _PyProject = shaped(toml_of(file), _PyProject, str(file))
    return found


def _lines_of(file: Path) -> list[str]:
    try:
        text = bytes_of(file, _MOST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"is not UTF-8: {error}", str(file)) from None
    return text.replace("\\\n", " ").splitlines()


def _checked(lines: list[str], file: Path) -> tuple[str, ...]:
    """The lines that say something. Paths and addresses are refused: what a key is made of has to be all that counts,
    and a package that is built runs a stranger's code."""
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition(" #")[0].strip()
        if not text or text.startswith("#"):
            continue
        if text.split()[0].partition("=")[0] not in _OPTIONS and not _is_package(text.partition(" --")[0]):
            raise BadInput(f"{text[:80]!r} is not supported; allowed are {_ALLOWED}", str(file), f"line {number}")
        found.append(text)
    return tuple(found)


def _is_package(text: str) -> bool:
    try:
        return Requirement(text).url is None
    except InvalidRequirement:
        return False


def _imported(folder: Path) -> tuple[str, ...]:
    """Those packages of mjai.app's image that files here import and that are not here themselves."""
    names: set[str] = set()
    for file in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(bytes_of(file, _MOST))
        except (BadInput, SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # whoever starts the bot will hear of it
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    here = {path.stem if path.suffix == ".py" else path.name for path in folder.iterdir()}
    return tuple(name for name in IMAGE if name in names - here)
