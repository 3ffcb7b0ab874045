"""Writes into the pages of docs/ what they show of the code: `python -m scripts.shown` updates them.

- Below a comment `<!-- examples/FILE -->` stands that example, without the text at its head.
- Below a heading `## MODULE` of docs/api/ stand that module's docstrings: of all its public names, or of those that a
  comment `<!-- NAME, NAME -->` below the heading lists; `-NAME` leaves an attribute or method out.
- In docs/first-bot.md stand the fields of every action.

So a page is complete wherever its Markdown is read. Nothing is imported for it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.laws import page_with, written

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
INDEX = DOCS / "api" / "index.md"
ACTIONS = DOCS / "first-bot.md"
COMMAND = "scripts.shown"
WIDTH = 88
"""Most characters of a signature on one line."""
OURS = "jantaku."
ENUMERATIONS = {"StrEnum", "IntEnum"}

_EXAMPLE = re.compile(r"(?<=<!-- examples/)([\w.]+)( -->\n```\w+\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_MODULE = re.compile(r"(?<=^## `)([\w.]+)`\n(?:\n<!-- ([\w, -]+) -->\n)?.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def pages() -> list[Path]:
    shows = re.compile(rf"<!-- (examples/|drawn by {re.escape(COMMAND)})")
    return [
        page
        for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
        if page.parent == INDEX.parent or shows.search(page.read_text("utf-8"))
    ]


def drawn(page: Path) -> str:
    text = _EXAMPLE.sub(
        lambda found: f"{found[1]}{found[2]}{example(DOCS / 'examples' / found[1])}", page.read_text("utf-8")
    )
    if page == ACTIONS:
        return page_with(text, actions(), COMMAND)
    if page.parent == INDEX.parent:
        text = _MODULE.sub(lambda found: f"{found[1]}`\n\n{reference(found[1], found[2] or '')}\n\n", text)
    return f"{text.rstrip()}\n"


# --- examples


def example(file: Path) -> str:
    """Return an example without the text at its head."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        return re.sub(r"\A(//.*\n)+", "", text)
    after = ast.parse(text).body[1]
    return "".join(text.splitlines(keepends=True)[after.lineno - 1 :])


# --- the reference


def reference(module: str, only: str = "") -> str:
    """Return the reference of a module: its docstring, its constants, then its classes and functions. `only`: the names
    that are shown, separated by commas, and after a hyphen members that are not; empty for all."""
    tree = _tree(module)
    wanted = [name for name in only.split(", ") if name and not name.startswith("-")]
    left_out = {name.removeprefix("-") for name in only.split(", ")} - {*wanted}
    public = [found for found in _public(tree.body) if not wanted or found[0] in wanted]
    assert not wanted or len(public) == len(wanted), f"{module} has not all of: {only}"
    constants = [
        _listed(_value(one), text) for _, (one, text) in public if not isinstance(one, ast.ClassDef | Function)
    ]
    parts = [f"<!-- {only} -->" if only else "", ast.get_docstring(tree) or "", "\n".join(constants)]
    for name, (one, text) in public:
        if isinstance(one, ast.ClassDef | Function):
            parts += [f"### `{name}`", _head(one, tree), text]
        if isinstance(one, ast.ClassDef):
            in_head = set() if _made(one, tree) else {field.partition(":")[0] for field in _fields(one, tree)}
            parts.append("\n".join(_members(one, left_out, in_head)))
    return "\n\n".join(part for part in parts if part)


def _tree(module: str) -> ast.Module:
    place = module.removeprefix("jantaku.").replace(".", "/")
    return ast.parse((ROOT / f"{place}.py").read_text("utf-8"))


def _public(body: list[ast.stmt]) -> Iterator[tuple[str, tuple[ast.stmt, str]]]:
    """Yield each public name that has a text: the name, its statement and the text."""
    for at, one in enumerate(body):
        if isinstance(one, ast.ClassDef | Function):
            name, text = one.name, ast.get_docstring(one) or ""
        else:
            name, text = _assigned(one), _text(body[at + 1]) if at + 1 < len(body) else ""
        if text and (not name.startswith("_") or name == "__call__"):
            yield name, (one, text)


def _assigned(one: ast.stmt) -> str:
    """Return the name of a constant or attribute; a private name for any other statement."""
    target = one.targets[0] if isinstance(one, ast.Assign) else one.target if isinstance(one, ast.AnnAssign) else None
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else "_"


def _text(one: ast.stmt) -> str:
    value = one.value if isinstance(one, ast.Expr) else None
    return " ".join(value.value.split()) if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _value(one: ast.stmt) -> str:
    """Return a constant, with its value if that is short."""
    name, value = (
        _assigned(one),
        ast.unparse(one.value) if isinstance(one, ast.Assign | ast.AnnAssign) and one.value else "",
    )
    return f"{name} = {value}" if 0 < len(value) <= WIDTH // 2 else name


def _head(one: ast.ClassDef | Function, tree: ast.Module) -> str:
    """Return the signature of a function or a class as a block of code; empty for a class that users do not make."""
    if isinstance(one, Function):
        return _block(one.name, _parameters(one), _returned(one))
    if made := _made(one, tree):
        return _block(one.name, _parameters(made), "")
    return "" if _bases(one) & {"Protocol", *ENUMERATIONS} else _block(one.name, _fields(one, tree), "")


def _made(kind: ast.ClassDef, tree: ast.Module) -> ast.FunctionDef | None:
    """Return the constructor of a class: its own, or a base's from another module of the project."""
    for one in kind.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            return one
    for one in tree.body:
        if isinstance(one, ast.ImportFrom) and one.module and one.module.startswith(OURS):
            for base in _bases(kind) & {alias.name for alias in one.names}:
                there = _tree(one.module)
                found = next(at for at in there.body if isinstance(at, ast.ClassDef) and at.name == base)
                if made := _made(found, there):
                    return made
    return None


def _bases(kind: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).rpartition(".")[2] for base in kind.bases}


def _fields(kind: ast.ClassDef, tree: ast.Module) -> list[str]:
    """Return the annotated fields of a class; fields of its bases in the same module come first."""
    kinds = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    found = [field for base in _bases(kind) if base in kinds for field in _fields(kinds[base], tree)]
    for one in kind.body:
        if isinstance(one, ast.AnnAssign) and not _assigned(one).startswith("_") and "ClassVar" not in ast.unparse(one):
            found.append(ast.unparse(one))
    by_name = any(word.arg == "kw_only" for word in kind.keywords)
    return ["*", *found] if by_name else found


def _parameters(one: Function) -> list[str]:
    given, first = one.args, [*one.args.posonlyargs, *one.args.args]
    alone = [None] * (len(first) - len(given.defaults))
    found = [_parameter(arg, value) for arg, value in zip(first, [*alone, *given.defaults], strict=True)]
    if given.vararg or given.kwonlyargs:
        found.append(f"*{_parameter(given.vararg, None) if given.vararg else ''}")
    found += [_parameter(arg, value) for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    if given.kwarg:
        found.append(f"**{_parameter(given.kwarg, None)}")
    return [one for one in found if one != "self"]


def _parameter(arg: ast.arg, value: ast.expr | None) -> str:
    """Return a parameter as it would be written for a field of a class."""
    kind = f": {_type(arg.annotation)}" if arg.annotation else ""
    return f"{arg.arg}{kind}{f' = {ast.unparse(value)}' if value else ''}"


def _type(annotation: ast.expr) -> str:
    """Return a type as source text, without quotes around the whole."""
    return str(annotation.value) if isinstance(annotation, ast.Constant) else ast.unparse(annotation)


def _returned(one: Function) -> str:
    return f" -> {_type(one.returns)}" if one.returns else ""


def _call(name: str, parameters: list[str], returned: str) -> str:
    return f"{name}({', '.join(parameters)}){returned}"


def _block(name: str, parameters: list[str], returned: str) -> str:
    text = _call(name, parameters, returned)
    if len(text) > WIDTH:
        text = "\n".join([f"{name}(", *(f"    {one}," for one in parameters), f"){returned}"])
    return f"```python\n{text}\n```"


def _members(kind: ast.ClassDef, left_out: set[str], in_head: set[str]) -> Iterator[str]:
    """Yield a line for each word of an enumeration, attribute and method, with its text. The type of an attribute that
    is `in_head` stands there."""
    if _bases(kind) & ENUMERATIONS:
        yield from (f"- `{ast.unparse(one)}`" for one in kind.body if isinstance(one, ast.Assign))
    inside = [_public(one.body) for one in kind.body if isinstance(one, ast.FunctionDef)]
    attributes = [found for body in inside for found in body if isinstance(found[1][0], ast.Assign | ast.AnnAssign)]
    for name, (one, text) in dict([*attributes, *_public(kind.body)]).items():
        if name in left_out:
            continue
        if not isinstance(one, Function):
            yield _listed(name if name in in_head else _declared(name, one), text)
        elif {"property", "cached_property"} & {ast.unparse(way).rpartition(".")[2] for way in one.decorator_list}:
            yield _listed(f"{name}{_returned(one).replace(' ->', ':')}", text)
        else:
            yield _listed(_call(name, _parameters(one), _returned(one)), text)


def _declared(name: str, one: ast.stmt) -> str:
    return f"{name}: {ast.unparse(one.annotation)}" if isinstance(one, ast.AnnAssign) else name


def _listed(code: str, text: str) -> str:
    first, *rest = text.splitlines()
    return "\n".join([f"- `{code}`: {first}", *(f"  {line}".rstrip() for line in rest)])


# --- the fields of actions


def actions() -> str:
    """Return a row for every action that a bot may choose, and for the meld that some of them have."""
    rows = ["| option | its fields | |", "|---|---|---|"]
    for module, wanted in (
        ("riichi.actions", "RiichiAction"),
        ("riichi.pieces.melds", "Meld"),
        ("daifugo.plays", "Put"),
    ):
        tree = _tree(f"table.{module}")
        found = dict(_public(tree.body))
        for name in _alternatives(found[wanted][0]) or [wanted]:
            one, text = found[name]
            assert isinstance(one, ast.ClassDef)
            fields = ", ".join(f"`{field}`" for field in _fields(one, tree)).replace("|", "\\|")
            rows.append(f"| `{name}` | {fields or '—'} | {' '.join(text.split())} |")
    return "\n".join(rows)


def _alternatives(one: ast.stmt) -> list[str]:
    return ast.unparse(one.value).split(" | ") if isinstance(one, ast.Assign) else []


def main() -> int:
    return max([written(page, drawn(page)) for page in pages()])


if __name__ == "__main__":
    sys.exit(main())
