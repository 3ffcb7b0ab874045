"""With JANTAKU_COMPILE=1 compiles the core with mypyc, as scripts/compile does; else all of jantaku is plain Python.

Everything else about the package is in setup.cfg; only the list of compiled modules cannot be, and the commit in the
version. A module belongs in the list if matches spend their time in it and it defines no msgspec struct (mypyc
would drop `frozen`). What is not compiled may build upon a class of the core only where `mypyc_attr` says so.
"""

import ast
import json
import os
import re
import runpy
import sys
import sysconfig
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  pip looks at python_requires only after it has run this file
    sys.exit("jantaku needs Python 3.11 or newer, and this is " + sys.version.split()[0] + ": use the pip of one")

from setuptools import find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

CORE = [
    "table/ground/chance.py",
    "table/ground/choice.py",
    "table/ground/game.py",
    *(f"table/judge/{name}.py" for name in ("account", "judge", "player", "seat", "verdicts")),
    *(f"table/judge/turn/{name}.py" for name in ("responses", "threaded", "threads")),
    *(f"table/riichi/pieces/{name}.py" for name in ("seats", "tiles", "tehai", "wall")),
    *(f"table/riichi/pieces/{name}.py" for name in ("board", "notation")),
    "table/riichi/points/shapes.py",
    *(f"table/riichi/law/{name}.py" for name in ("readiness", "legal", "ruling")),
    *(f"table/riichi/flow/{name}.py" for name in ("hanchan", "kyoku")),
    *(f"table/riichi/{name}.py" for name in ("game", "mask", "option_numbers")),
    "table/learn/own_numbers.py",
    "table/learn/mortal/numbers.py",
    "table/languages/majiang/items.py",
    "table/languages/mjai/speaker.py",
    *(f"table/languages/wire/{name}.py" for name in ("dialect", "mjai")),
    "table/records/journal/writer.py",
    "players/options.py",
    "players/bots/thought.py",
]
HERE = Path(__file__).parent
FOLDERS = {"jantaku.table": "table", "jantaku.players": "players"}
"""Where the packages lie that are not in src/."""
NO_COMPILER = (CompileError, LinkError, ExecError, PlatformError, OSError)
# mypyc's output is not safe without the interpreter's lock.
COMPILES = os.environ.get("JANTAKU_COMPILE", "0") != "0" and not sysconfig.get_config_var("Py_GIL_DISABLED")
COMMANDS = {"build_ext", "build", "bdist_wheel", "editable_wheel", "develop", "install"}


class Core(build_ext):
    """Builds the core and writes the manifest of its sources, so that a changed source is never run in its old form."""

    def run(self) -> None:
        if not self.extensions:
            return
        self.get_finalized_command("build_py").package_dir.update(FOLDERS)  # where a module lies that is built in place
        try:
            super().run()
        except NO_COMPILER as problem:
            print(f"jantaku: not compiled, plain Python instead: {problem}", file=sys.stderr)
            self.extensions = []
            return
        note = runpy.run_path(str(HERE / "table" / "compiled.py"))
        root = HERE if self.inplace or self.editable_mode else Path(self.build_lib, "jantaku")
        wanted = {Path(*Path(self.get_ext_filename(one.name)).parts[1:]) for one in self.extensions}
        for package in ("table", "players"):
            for built in (root / package).rglob(f"*{self.get_ext_filename('')}"):
                if built.relative_to(root) not in wanted:  # of a module that is not compiled any more
                    built.unlink()
        (root / "table" / note["NOTE"]).write_text(json.dumps({"sources": note["digest"](HERE, CORE), "core": CORE}))


def docstrings() -> dict:
    """The docstrings of the core by module, class (None outside of any) and name."""
    found = {}
    for name in CORE:
        module = f"jantaku.{name.removesuffix('.py').replace('/', '.')}"
        for node in ast.parse((HERE / name).read_text("utf-8")).body:
            inside = node.body if isinstance(node, ast.ClassDef) else ()
            named = [(None, node), *((node.name, one) for one in inside)]
            for owner, one in named:
                if isinstance(one, ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(one)):
                    found[module, owner, one.name] = text
    return found


TEXT = r'(NULL|"(?:[^"\\]|\\.)*")'
FUNCTION = re.compile(rf"CPyPy_(\w+),[\w |\s]+,\s*PyDoc_STR\({TEXT}")
CLASS = re.compile(rf"CPyType_(\w+)_template_ = {{[^{{}}]*?\.tp_doc = PyDoc_STR\({TEXT}")
PROPERTY = re.compile(rf"\(getter\)(\w+___\w+?_get_\w+),\s*(?:NULL|\(setter\)\w+),\s*{TEXT}")
"""Where mypyc's C says how a function or class is called, and that a property has no text. It keeps no docstrings,
which `help` needs as well."""


def with_docstrings(source: str) -> str:
    """C as mypyc writes it, with the docstring behind each signature (C joins literals that stand side by side)."""
    named = {
        "___".join(filter(None, (*module.split("."), owner, name))): text
        for (module, owner, name), text in docstrings().items()
    }

    def added(found: re.Match[str]) -> str:
        name = found[1].replace("_get_", "___", 1) if found.re is PROPERTY else found[1]
        texts = [text for key, text in named.items() if f"___{key}".endswith(f"___{name}")]
        if len(texts) != 1:
            return found[0]
        signature = "" if found[2] == "NULL" else f"{found[2]} "
        return f"{found[0].removesuffix(found[2])}{signature}{literal(texts[0])}"

    for pattern in (FUNCTION, CLASS, PROPERTY):
        source = pattern.sub(added, source)
    return source


def literal(text: str) -> str:
    """A text as a literal of C."""
    plain = (chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode())
    return f'"{"".join(plain)}"'


def extensions() -> list:
    """The extension modules to build: none where that is not wanted or mypy is missing."""
    if not COMPILES or not COMMANDS & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    os.chdir(runpy.run_path(str(HERE / "scripts" / "tree.py"))["laid"]())  # there the modules have their names
    options = ["--config-file=", "--ignore-missing-imports", f"--python-version=3.{sys.version_info.minor}"]
    try:
        core = [f"jantaku/{name}" for name in CORE]
        target = str(HERE / "build")
        built = mypycify(
            [*options, *core], opt_level="3", debug_level="0", group_name="jantaku.table.core", target_dir=target
        )
        for file in {Path(name) for extension in built for name in extension.sources}:
            file.write_text(with_docstrings(file.read_text("utf-8")), "utf-8")
        return built
    except SystemExit:  # mypy has printed the type errors
        print("jantaku: not compiled, plain Python instead", file=sys.stderr)
        return []
    finally:
        os.chdir(HERE)


# An editable install is a plain path, to src/ alone, where jantaku finds table/ and players/ by itself: a finder, which
# setuptools makes of more folders, would be hidden by a clone called jantaku/ beside an author's script.
EDITABLE = "editable_wheel" in sys.argv
INSIDE = find_packages(str(HERE), include=["table", "table.*", "players", "players.*"])

VERSION = runpy.run_path(str(HERE / "table" / "ground" / "installation.py"))["version_of"](str(HERE))

setup(
    version=VERSION,
    setup_requires=["mypy[mypyc]>=1.15", "msgspec>=0.21"] if COMPILES else [],
    packages=["jantaku", *([] if EDITABLE else [f"jantaku.{name}" for name in INSIDE])],
    package_dir={"": "src"} if EDITABLE else {"": "src", **FOLDERS},
    ext_modules=extensions(),
    cmdclass={"build_ext": Core},
)
