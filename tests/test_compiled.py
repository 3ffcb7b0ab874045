"""What runs is what the sources say, compiled or not; and both come to the same game."""

import ast
import inspect
import json
import os
import pydoc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku import table
from jantaku.table import compiled
from jantaku.table.ground.installation import WINGS

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tree with two sources that count as compiled."""
    monkeypatch.delenv("JANTAKU_PURE", raising=False)
    monkeypatch.setattr(compiled, "HERE", tmp_path / "table")
    monkeypatch.setattr(sys, "meta_path", sys.meta_path[:])
    (tmp_path / "table").mkdir()
    core = ["table/one.py", "table/two.py"]
    for name in core:
        (tmp_path / name).write_text("ANSWER = 42\n")
    note = {"core": core, "sources": compiled.digest(tmp_path, core)}
    (tmp_path / "table" / compiled.NOTE).write_text(json.dumps(note))
    return tmp_path


def test_compiled_sources_are_used_as_long_as_they_are_the_same(tree: Path) -> None:
    finders = sys.meta_path[:]
    assert compiled.choose() == "compiled" and sys.meta_path == finders


def test_a_changed_source_is_run_as_it_stands(tree: Path) -> None:
    (tree / "table" / "two.py").write_text("ANSWER = 43\n")
    assert compiled.choose() == "plain Python: sources have changed since they were compiled"
    spec = sys.meta_path[0].find_spec("jantaku.table.two", None)
    assert spec is not None and spec.origin == str(tree / "table" / "two.py")
    assert sys.meta_path[0].find_spec("jantaku.table.three", None) is None


def test_a_source_that_is_not_there_any_more_is_a_change(tree: Path) -> None:
    (tree / "table" / "two.py").unlink()
    assert compiled.choose() == "plain Python: sources have changed since they were compiled"


def test_plain_python_can_be_asked_for(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JANTAKU_PURE", "1")
    assert compiled.choose() == "plain Python: JANTAKU_PURE is set"


def test_what_is_run_is_decided_before_any_module_is_imported_whichever_is_the_first() -> None:
    """A compiled module that gets in first brings others in compiled, and those mix with none that are not."""
    show = "import sys; print(all(m.__file__.endswith('.py') for n, m in sys.modules.items() if n.startswith(SEEN)))"
    for first in ("jantaku.players.options", "jantaku.players.bots.thought", "jantaku.table.ground.game"):
        code = show.replace("SEEN", "('jantaku.table.', 'jantaku.players.')").replace(";", f", {first};", 1)
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"JANTAKU_PURE": "1"}, capture_output=True, text=True)
        assert done.stdout == "True\n", done.stderr


def test_a_note_that_is_not_there_or_not_readable_means_that_nothing_was_compiled(tree: Path) -> None:
    for text in ("", "{}", "[1]"):
        (tree / "table" / compiled.NOTE).write_text(text)
        assert compiled.choose() == "plain Python"
    (tree / "table" / compiled.NOTE).unlink()
    assert compiled.choose() == "plain Python"


def core_of_setup() -> list[str]:
    for node in ast.parse((ROOT / "setup.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CORE":
            return list(eval(ast.unparse(node.value)))
    raise LookupError("setup.py has no CORE")


def test_the_core_that_is_compiled_has_no_file_of_a_wing() -> None:
    core = core_of_setup()
    assert core and [file for file in core if not (ROOT / file).is_file()] == []
    assert [file for file in core if file.split("/")[1] in WINGS] == []


MADE_BY_PYTHON = {"StrEnum", "NamedTuple"}
"""Bases of classes that mypyc has Python make, without a text of their own."""


def documented() -> Iterator[tuple[str, str]]:
    """The classes, functions and methods of the core by their names, with what the sources say of them."""
    note = json.loads((ROOT / "table" / compiled.NOTE).read_bytes())
    for file in note["core"]:
        module = f"jantaku.{file.removesuffix('.py').replace('/', '.')}"
        for node in ast.parse((ROOT / file).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and MADE_BY_PYTHON & {getattr(base, "id", "") for base in node.bases}:
                continue
            inside = node.body if isinstance(node, ast.ClassDef) else []
            for place, one in [(module, node), *((f"{module}.{node.name}", one) for one in inside)]:
                public = isinstance(one, ast.ClassDef | ast.FunctionDef) and not one.name.startswith("_")
                if public and (text := ast.get_docstring(one)):
                    yield f"{place}.{one.name}", text


@pytest.mark.skipif(table.core != "compiled", reason="the core is plain Python")
def test_what_is_compiled_says_of_itself_what_its_source_says() -> None:
    """`help` shows it. mypyc keeps signatures alone."""
    told = {name: (inspect.getdoc(pydoc.locate(name)), text) for name, text in documented()}
    assert len(told) > 300
    assert {name: said for name, (said, text) in told.items() if said != text} == {}
