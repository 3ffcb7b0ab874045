"""The structural rules that no type checker knows: sizes, names, imports (one interface to games, no cycles)."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from scripts import laws, machines

ROOT = Path(__file__).parents[1]
CODE = ("src", "table", "players", "scripts", "tests")
LONGEST_FILE = 500
LONGEST_FUNCTION = 40
LARGEST_ROOM = 15
LARGER: dict[str, str] = {}
"""Files and folders that are larger than their measure, with the reason for which nobody would cut them."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
WRITTEN = {".py", ".md", ".toml", ".cfg", ".json", ".js", ".sh", ""}
MISTAKES = {"Exception", "BaseException", "AttributeError", "TypeError", "IndexError", "LookupError"}
MISTAKES |= {"NameError", "AssertionError"}
"""What a mistake in our own code raises."""
BROAD_EXCEPTS = {
    "players/adapters/isolated.py": (2, "a bot may raise anything, and it is written to the table"),
    "table/serve/joining.py": (2, "a bot may raise anything, and it is told to its author"),
    "players/sandbox/start.py": (1, "raised again in the thread that asked"),
    "table/cli/main.py": (1, "the last resort of every command: a defect gets exit code 70"),
    "table/cli/commands/bots.py": (1, "importing a bot may raise anything"),
    "table/testing/exchange.py": (1, "writing out an answer of a bot may raise anything"),
    "table/judge/judge.py": (2, "raised again as a TableFault; raised again in the thread that joins"),
    "table/judge/seat.py": (1, "handed to the judge, which raises it as a TableFault"),
    "table/judge/turn/settling.py": (1, "handed to the judge, which raises it as a TableFault"),
    "table/arena/match/processes.py": (1, "sent to the parent as a defect of ours"),
    "table/play/seating/making.py": (2, "making and closing a bot may raise anything"),
    "table/play/playouts.py": (1, "a bot may raise anything, and it is named and counted"),
    "table/play/runner.py": (1, "Ctrl-C goes on whatever the judge raises"),
    "table/play/seating/loader.py": (5, "importing, inspecting, making and printing a bot may raise anything"),
    "table/serve/net/admission.py": (1, "MultipleValuesError, which websockets raises for repeated headers"),
    "table/serve/net/line.py": (1, "logged as a defect of ours, and costs that connection only"),
    "table/serve/net/web.py": (2, "logged as a defect of ours; the server ends, or goes on without that task"),
    "table/riichi/game.py": (1, "a bot may have spoilt its board; if a fresh one cannot be shown either, that raises"),
    "table/serve/room.py": (1, "logged as a defect of ours, and costs that game only"),
    "table/learn/nets.py": (2, "ONNX Runtime's errors have no base of their own, and numpy has no bfloat16"),
    "table/play/supervisor.py": (1, "ctypes raises AttributeError where the C library has no prctl"),
}
"""By file: how many handlers that catch everything it has, and why a defect of ours does not get lost in them."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*folders: str) -> list[Path]:
    return sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts
    )


@cache
def nodes(source: str) -> list[ast.AST]:
    """All nodes of a file, which is parsed once for all laws."""
    return list(ast.walk(ast.parse(source)))


def long_functions(source: str) -> Iterator[str]:
    for node in nodes(source):
        if isinstance(node, Function) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name} has {lines} lines"


def imported(source: str) -> set[str]:
    """The top names of all modules that a file imports, wherever in the file it does."""
    found = set()
    for node in nodes(source):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_what_is_larger_than_its_measure_has_a_reason() -> None:
    """Files by lines, folders by files: cut what holds two purposes; what holds one may stand in `LARGER`."""
    lengths = {named(path): path.read_text("utf-8").count("\n") for path in sources(*CODE)}
    rooms = Counter(named(path.parent) for path in sources("table", "players") if path.name != "__init__.py")
    assert lengths and rooms
    files = {name for name, length in lengths.items() if length > LONGEST_FILE}
    assert files | {room for room, count in rooms.items() if count > LARGEST_ROOM} == LARGER.keys()


def test_no_function_is_longer_than_its_budget() -> None:
    paths = sources("table", "players", "scripts")
    assert {named(path): found for path in paths if (found := list(long_functions(path.read_text("utf-8"))))} == {}


def test_the_measure_finds_a_function_that_is_too_long() -> None:
    body = "    pass\n" * LONGEST_FUNCTION
    assert list(long_functions(f"class A:\n  def f(self):\n{body}")) == ["f has 41 lines"]
    assert list(long_functions("def f():\n" + "    pass\n" * (LONGEST_FUNCTION - 1))) == []


def headings(source: str) -> list[str]:
    """Sentences that stand alone over a part of a file, as a module's docstring does: it is two files then. The parts
    of one purpose are marked `# --- part`."""
    return re.findall(r"^(?<!#)(# (?!---).*)\n(?:#.*\n)*\n", source, re.MULTILINE)


def test_a_file_has_one_purpose_and_one_head() -> None:
    found = {named(path): headings(path.read_text("utf-8")) for path in sources("table", "players")}
    assert {name: heads for name, heads in found.items() if heads} == {}
    assert headings("import a\n\n# Reads.\n# Twice.\n\nB = 1\n# why\nC = 2\n\n# --- parts\n\nD = 3\n") == ["# Reads."]


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [named(path) for path in sources(*CODE) if path.stem in VAGUE_NAMES] == []


def class_names(paths: list[Path]) -> dict[str, list[str]]:
    """In which files each top-level class name stands; a leading underscore keeps a name to its file."""
    found: dict[str, list[str]] = {}
    for path in paths:
        tree = nodes(path.read_text("utf-8"))[0]
        assert isinstance(tree, ast.Module)
        for node in tree.body:
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
        assert {name: places for name, places in class_names(paths).items() if len(places) > 1} == {}


def test_the_measure_finds_a_class_name_that_stands_twice(tmp_path: Path) -> None:
    paths = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in paths:
        path.write_text("class Line:\n    pass\n\nclass _Own:\n    pass\n")
    assert class_names(paths) == {"Line": list(map(str, paths))}


def broad_excepts(source: str) -> Iterator[int]:
    """Lines of handlers that would take a defect of ours for something else: they catch what mistakes raise, and do not
    end with a bare `raise`."""
    for node in nodes(source):
        if isinstance(node, ast.ExceptHandler):
            last = node.body[-1]
            raises_again = isinstance(last, ast.Raise) and last.exc is None
            caught = [] if raises_again else [node.type]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            caught = [*node.args]
        else:
            continue
        if None in caught or MISTAKES & {
            name.id for kind in caught if kind for name in ast.walk(kind) if isinstance(name, ast.Name)
        }:
            yield node.lineno


def test_no_handler_takes_a_defect_of_ours_for_something_else() -> None:
    """Foreign data is held against shapes instead (`table/ground/foreign/shapes.py`)."""
    paths = sources("table", "players")
    found = {named(path): len(lines) for path in paths if (lines := list(broad_excepts(path.read_text("utf-8"))))}
    assert found == {file: count for file, (count, _reason) in BROAD_EXCEPTS.items()}


def test_the_measure_finds_a_broad_handler() -> None:
    tried = "try:\n  f()\nexcept {}:\n  {}\n"
    assert list(broad_excepts(tried.format("(OSError, TypeError)", "pass"))) == [3]
    assert list(broad_excepts("try:\n  f()\nexcept:\n  pass\n")) == [3]
    assert list(broad_excepts("with contextlib.suppress(Exception):\n  f()\n")) == [1]
    assert list(broad_excepts(tried.format("BaseException", "g()\n  raise"))) == []
    assert list(broad_excepts(tried.format("(OSError, msgspec.ValidationError)", "pass"))) == []


def test_the_folders_of_the_tests_are_those_of_what_they_test() -> None:
    """Beside them: attacks, broken players, builders, whole games, simulated machines, and programs of others."""
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    tested = {path.parent.name for path in (ROOT / "table").glob("*/__init__.py")} | {"players"}
    assert folders and folders - tested == {"broken", "hostile", "kit", "peer", "simulation", "walks"}


def test_the_map_has_every_room_of_the_tree_and_no_other() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn = page.partition("## Map")[2].split("```")[1]
    named = {*re.findall(r"(?<![.\w])(\w+)/", drawn)}
    rooms = {path.parent.name for kind in ("table", "players") for path in (ROOT / kind).glob("*/__init__.py")}
    assert rooms - named == set()
    kinds = ("table", "players", "tests", "docs", "src", "scripts")
    folders = {*kinds, *(path.name for kind in kinds for path in (ROOT / kind).rglob("*") if path.is_dir())}
    assert named - folders == set()


def clock_reads(source: str) -> Iterator[int]:
    """Lines that may read a clock: whatever is taken from `time` or `datetime`, but for `time.sleep`."""
    for node in nodes(source):
        match node:
            case ast.Attribute(value=ast.Name(id="time"), attr=name) if name != "sleep":
                yield node.lineno
            case ast.Import(names=names):
                yield from (
                    node.lineno for one in names if one.name == "datetime" or (one.name == "time" and one.asname)
                )
            case ast.ImportFrom(module="time" | "datetime", names=names):
                yield from (node.lineno for one in names if one.name != "sleep")


def test_only_the_clock_reads_the_time() -> None:
    clock = ROOT / "table" / "ground" / "clock.py"
    found = {named(path): list(clock_reads(path.read_text("utf-8"))) for path in sources("table", "players")}
    assert found.pop(named(clock))
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_the_measure_finds_whoever_reads_a_clock() -> None:
    tried = (
        "import time\ntime.monotonic()",
        "\nimport time as t",
        "\nfrom time import perf_counter",
        "\nimport datetime",
    )
    assert [list(clock_reads(source)) for source in tried] == [[2]] * 4
    assert list(clock_reads("import time\ntime.sleep(1)")) == []


def test_the_import_laws_hold() -> None:
    """The laws are the contracts in .importlinter; import-linter prints which import breaks which."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_picture_of_the_laws_shows_the_laws() -> None:
    page = laws.PAGE.read_text("utf-8")
    assert laws.page_with(page, laws.drawn(laws.LAWS.read_text("utf-8"))) == page, "run python -m scripts.laws"


def test_the_pictures_of_the_judges_state_machines_show_its_tables() -> None:
    page = machines.PAGE.read_text("utf-8")
    assert laws.page_with(page, machines.drawn(), machines.COMMAND) == page, "run python -m scripts.machines"


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


def test_a_command_that_is_written_as_a_text_quotes_its_python() -> None:
    """Or tests pass in a folder without a space alone: `environments.PYTHON` is quoted."""
    unquoted = "{sys." + "executable"
    assert [named(path) for path in sources(*CODE) if unquoted in path.read_text("utf-8")] == []


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


def test_what_docstrings_name_of_another_file_is_there() -> None:
    """`file.Name` in backticks: a file of ours with that word in it, or a library, installed here or not."""
    needed = re.findall(r"^    ([a-z-]+)(?:[<>=]|$)", (ROOT / "setup.cfg").read_text("utf-8"), re.MULTILINE)
    libraries = {name.replace("-", "_") for name in needed} | sys.stdlib_module_names
    words: dict[str, set[str]] = {}
    for path in sources("src", "table", "players", "scripts", "tests"):
        words.setdefault(path.stem, set()).update(re.findall(r"\w+", path.read_text("utf-8")))
    named = {
        (path.name, *found)
        for path in sources("table", "players", "scripts")
        for found in re.findall(r"`(?:\w+\.)*(\w+)\.([A-Z][a-z]\w*)`", path.read_text("utf-8"))
    }
    gone = [
        one for one in named if one[2] not in words.get(one[1], ()) and (one[1] in words or one[1] not in libraries)
    ]
    assert len(named) > 20 and gone == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/recipes.md", "docs/threads.md"])
def test_a_file_that_a_page_for_developers_names_is_there(page: str) -> None:
    there = ["/setup.py", *(f"/{path.relative_to(ROOT)}" for path in sources(*CODE))]
    named = set(re.findall(r"`([\w/]+\.py)`", (ROOT / page).read_text("utf-8"))) - {"commands/NAME.py"}
    assert named and [one for one in named if not any(path.endswith(f"/{one}") for path in there)] == []
