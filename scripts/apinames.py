"""Lists every name of the reference with what it is in a line: `python -m scripts.apinames` brings docs/api/index.md up
to date.

The pages of docs/api/ name modules, of whose docstrings the site is made; in the repository there would be nothing to
read. The list is made of the same docstrings, without importing anything.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.laws import bring_up_to_date

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api" / "index.md"
COMMAND = "scripts.apinames"

_MODULE = re.compile(r"automodule:: (\S+)\n(?: +:members: (.*)\n)?")


def drawn() -> str:
    """The pages in the order of the table of contents, their modules, and the names of each."""
    contents = re.search(r"```{toctree}\n(?::.*\n)*\n((?:\w+\n)+)```", PAGE.read_text("utf-8"))
    assert contents is not None
    return "\n\n".join(_page(PAGE.with_name(f"{name}.md")) for name in contents[1].split())


def _page(page: Path) -> str:
    text = page.read_text("utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    parts = [_module(module, members.split(", ") if members else []) for module, members in _MODULE.findall(text)]
    return "\n\n".join([f"## {title}", f"On the site: [{page.stem}]({page.name}).", *parts])


def _module(module: str, members: list[str]) -> str:
    path = f"{module.replace('.', '/')}.py"
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    head = f"`{path}`: {_sentence(ast.get_docstring(tree) or '')}"
    rows = [row for name, row in _rows(tree.body) if not name.startswith("_") and (not members or name in members)]
    return "\n".join([head, "", *rows])


def _rows(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Of each name that has a text: the name and its line; for a class with its methods."""
    for at, one in enumerate(body):
        if isinstance(one, ast.ClassDef | ast.FunctionDef):
            name, text = one.name, ast.get_docstring(one) or ""
        elif (name := _assigned(one)) and at + 1 < len(body):
            text = _text(body[at + 1])
        else:
            continue
        if text:
            methods = _methods(one) if isinstance(one, ast.ClassDef) else ""
            yield name, f"- `{name}`: {_sentence(text)}{methods}"


def _assigned(one: ast.stmt) -> str:
    """The name of a constant; empty for everything else."""
    target = one.targets[0] if isinstance(one, ast.Assign) else one.target if isinstance(one, ast.AnnAssign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _text(one: ast.stmt) -> str:
    value = one.value if isinstance(one, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _methods(kind: ast.ClassDef) -> str:
    names = [one.name for one in kind.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    return f" Has {', '.join(f'`{name}`' for name in dict.fromkeys(names))}." if names else ""


def _sentence(text: str) -> str:
    """The first sentence of a docstring, on one line."""
    first = " ".join(text.partition("\n\n")[0].split())
    found = re.match(r".*?[.:](?= [A-Z`])", first)
    return (found[0] if found else first).rstrip(".:") + "."


def main() -> int:
    """Bring the page up to date; 1 if it was not."""
    return bring_up_to_date(PAGE, drawn(), COMMAND)


if __name__ == "__main__":
    sys.exit(main())
