"""The laws of the house that no type checker knows: sizes, names, who imports whom (design: one seam, no cycles)."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from scripts import laws

ROOT = Path(__file__).parents[1]
CODE = ("table", "players", "scripts", "tests")
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
LARGEST_ROOM = 12
ASKED_AND_HAPPENED = {"Call", "Discard", "Kan"}
"""A seat asks for it (`riichi/actions.py`) and it happens (`riichi/events.py`): bots know both under these names."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
WRITTEN = {".py", ".md", ".toml", ".cfg", ".json", ".js", ".sh", ""}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*folders: str) -> list[Path]:
    return sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts
    )


def long_functions(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name} has {lines} lines"


def imported(source: str) -> set[str]:
    """The top names of all modules that a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_is_longer_than_its_budget() -> None:
    lengths = {named(path): path.read_text("utf-8").count("\n") for path in sources(*CODE)}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_longer_than_its_budget() -> None:
    paths = sources("table", "players", "scripts")
    assert {named(path): found for path in paths if (found := list(long_functions(path.read_text("utf-8"))))} == {}


def test_the_measure_finds_a_function_that_is_too_long() -> None:
    body = "    pass\n" * LONGEST_FUNCTION
    assert list(long_functions(f"class A:\n  def f(self):\n{body}")) == ["f has 41 lines"]
    assert list(long_functions("def f():\n" + "    pass\n" * (LONGEST_FUNCTION - 1))) == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [named(path) for path in sources(*CODE) if path.stem in VAGUE_NAMES] == []


def class_names(paths: list[Path]) -> dict[str, list[str]]:
    """In which files each top-level class name stands; a leading underscore keeps a name to its file."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path))
    return found


def test_a_class_name_means_one_thing() -> None:
    """The two games never meet, so each has its own Board, Event and the like."""
    everything = sources("table", "players")
    riichi = [path for path in everything if "daifugo" not in str(path.relative_to(ROOT))]
    daifugo = [path for path in everything if "daifugo" in str(path.relative_to(ROOT))]
    assert riichi and daifugo
    for paths in (riichi, daifugo):
        twice = {name: places for name, places in class_names(paths).items() if len(places) > 1}
        assert {name: places for name, places in twice.items() if name not in ASKED_AND_HAPPENED} == {}


def test_the_measure_finds_a_class_name_that_stands_twice(tmp_path: Path) -> None:
    paths = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in paths:
        path.write_text("class Line:\n    pass\n\nclass _Own:\n    pass\n")
    assert class_names(paths) == {"Line": list(map(str, paths))}


def test_no_room_has_more_than_a_dozen_files() -> None:
    rooms = Counter(path.parent for path in sources("table", "players") if path.name != "__init__.py")
    assert {named(room): files for room, files in rooms.items() if files > LARGEST_ROOM} == {}


def test_only_the_clock_reads_the_time() -> None:
    clock = ROOT / "table" / "clock.py"
    others = [path for path in sources("table") if path != clock]
    assert [named(path) for path in others if imported(path.read_text("utf-8")) & {"time", "datetime"}] == []
    assert "time" in imported(clock.read_text("utf-8"))


def test_the_import_laws_hold(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws are the contracts in setup.cfg; import-linter prints which import breaks which."""
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename="setup.cfg", no_cache=True)
    assert broken == 0, capsys.readouterr().out


def test_the_picture_of_the_laws_shows_the_laws() -> None:
    page = laws.PAGE.read_text("utf-8")
    assert laws.page_with(page, laws.drawn((ROOT / "setup.cfg").read_text("utf-8"))) == page, (
        "run python -m scripts.laws"
    )


def test_an_import_law_that_is_broken_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in {"lawful_a": "", "lawful_b": "import lawful_a\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
    (tmp_path / "laws.cfg").write_text(
        "[importlinter]\nroot_packages =\n  lawful_a\n  lawful_b\n"
        "[importlinter:contract:one]\nname = one\ntype = forbidden\n"
        "source_modules = lawful_b\nforbidden_modules = lawful_a\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert lint_imports(config_filename=str(tmp_path / "laws.cfg"), no_cache=True) == 1
    assert "lawful_b -> lawful_a" in capsys.readouterr().out


def test_nothing_names_a_place_on_one_developers_machine() -> None:
    """Paths of a home or of this very checkout, paths that leave the project, and where packages are fetched from."""
    elsewhere = re.compile(
        rf"{re.escape(str(ROOT))}\b|/(?:home|root|Users)/\w|(?:pypi|npmjs|pythonhosted)\.(?:org|com)"
    )
    upwards = re.compile(r"(?:\.\./)+\.?[a-z]+/")
    found = []
    for path in written():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            ways = [(path.parent / way).resolve() for way in upwards.findall(line)]
            if elsewhere.search(line) or not all(way.is_dir() and way.is_relative_to(ROOT) for way in ways):
                found.append(f"{named(path)}:{number}: {line.strip()}")
    assert found == []


def written() -> Iterator[Path]:
    """Everything that people wrote: code, docs, settings, scripts."""
    yield from (
        path for path in ROOT.iterdir() if path.is_file() and path.suffix in WRITTEN and path.name != ".gitignore"
    )
    for folder in (*CODE, "docs", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            unwritten = {"node_modules", "__pycache__", "data"} & set(path.parts)
            if path.is_file() and path.suffix in WRITTEN and not unwritten:
                yield path
