"""What the S-numbers stand for, and which tests cite them: `python -m tests.requirements` prints both.

A test cites a requirement by its number in its docstring, its comments or its module's docstring.
"""

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import msgspec

TESTS = Path(__file__).parent
FILE = TESTS / "data" / "requirements.toml"
NOT_OURS = {"U": "viewer", "T": "open in the text"}
"""Tags of requirements that no test has to cite, with what the table says of them."""
MOST = 10
"""A range of more numbers than these speaks of the whole text and holds no single requirement."""
_NUMBERS = re.compile(r"S-(\d+)(?: to S-(\d+))?")


class Requirement(msgspec.Struct, frozen=True):
    """One requirement: number like S-36, tag and subject."""

    number: str
    tag: str
    subject: str


def requirements() -> list[Requirement]:
    table = tomllib.loads(FILE.read_text("utf-8"))["requirements"]
    return [Requirement(number, tag, subject) for number, (tag, subject) in table.items()]


def numbers_in(text: str) -> set[str]:
    """The numbers that a text cites; `S-40 to S-43` cites four."""
    found = set()
    for first, last in _NUMBERS.findall(text):
        numbers = range(int(first), int(last or first) + 1)
        if len(numbers) <= MOST:
            found |= {f"S-{number:02d}" for number in numbers}
    return found


@cache
def citations() -> dict[str, list[str]]:
    """Number → the tests that cite it, as file::test, sorted."""
    cited: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if "node_modules" in path.parts or path.name == "test_requirements.py":
            continue  # not ours; and this one speaks of numbers without testing what they say
        for number, test in _citations_of(path):
            cited.setdefault(number, []).append(test)
    return cited


def _citations_of(path: Path) -> list[tuple[str, str]]:
    source = path.read_text("utf-8")
    name = str(path.relative_to(TESTS))
    tree = ast.parse(source)
    lines = source.splitlines()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and node.end_lineno:
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found += [(number, f"{name}::{node.name}") for number in sorted(numbers_in(text))]
    found += [(number, name) for number in sorted(numbers_in(ast.get_docstring(tree) or ""))]
    return found


def main() -> int:
    cited = citations()
    for one in requirements():
        tests = cited.get(one.number, [])
        print(f"{one.number:<6} {one.tag}  {one.subject}")
        for test in tests or [NOT_OURS.get(one.tag, "NO TEST")]:
            print(f"          {test}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
