"""With JANTAKU_COMPILE=1 compiles the core with mypyc, as scripts/compile does, or fails; else all is plain Python.

Everything else about the package is in setup.cfg; only the list of compiled modules cannot be, and the commit in the
version. A module belongs in the list if matches spend their time in it and it defines no msgspec struct (mypyc
would drop `frozen`). What is not compiled may build upon a class of the core only where `mypyc_attr` says so.
"""

import ast
import json
import os
import re
import runpy
import shutil
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  pip looks at python_requires only after it has run this file
    sys.exit("jantaku needs Python 3.11 or newer, and this is " + sys.version.split()[0] + ": use the pip of one")

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

CORE = [
    "table/ground/chance.py",
    "table/ground/choice.py",
    "table/ground/game.py",
    *(f"table/judge/{name}.py" for name in ("account", "judge", "player", "responses", "seat", "verdicts")),
    *(f"table/judge/turn/{name}.py" for name in ("bells", "settling", "threaded", "threads", "turnstile", "way")),
    *(f"table/riichi/pieces/{name}.py" for name in ("seats", "tiles", "tehai", "wall", "schools")),
    *(f"table/riichi/pieces/{name}.py" for name in ("board", "notation")),
    "table/riichi/points/shapes.py",
    *(
        f"table/riichi/law/{name}.py"
        for name in ("liability", "readiness", "calls", "kans", "draws", "legal", "ruling", "wins")
    ),
    *(f"table/riichi/flow/{name}.py" for name in ("hanchan", "kyoku")),
    "table/riichi/line/likely.py",
    *(f"table/riichi/{name}.py" for name in ("game", "mask", "option_numbers", "own_numbers")),
    "table/languages/majiang/items.py",
    "table/languages/mjai/speaker.py",
    *(f"table/languages/wire/{name}.py" for name in ("dialect", "mjai")),
    "table/records/journal/writer.py",
    "players/options.py",
    *(f"players/bots/{name}.py" for name in ("danger", "prospects", "thought", "weighing", "worth")),
]
HERE = Path(__file__).parent
SOURCES = HERE / "src" / "jantaku"
NO_COMPILER = (CompileError, LinkError, ExecError, PlatformError, OSError)
NOT_COMPILED = "jantaku: the core could not be compiled: {} (without JANTAKU_COMPILE all is plain Python, and slower)"
TYPES = """
[mypy]
ignore_missing_imports = True
follow_imports = skip
[mypy-jantaku.table.*,jantaku.players.*,msgspec.*]
follow_imports = silent
"""
"""Settings of mypy: it reads the types of our rooms and of msgspec alone, so that the same C comes out whatever is
installed."""
COMPILES = os.environ.get("JANTAKU_COMPILE", "0") != "0"
COMMANDS = {"build_ext", "build", "bdist_wheel", "editable_wheel", "develop", "install"}


class Sources(build_py):
    """Copies the sources into an empty folder: a module that a former build left there would be installed as well."""

    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(Path(self.build_lib, "jantaku"), ignore_errors=True)
        super().run()


class Core(build_ext):
    """Builds the core and writes the manifest of its sources, so that a changed source is never run in its old form."""

    def run(self) -> None:
        if not self.extensions:
            return
        try:
            super().run()
        except NO_COMPILER as problem:
            sys.exit(NOT_COMPILED.format(f"{problem}; is there a C compiler, such as gcc with Python's headers?"))
        note = runpy.run_path(str(SOURCES / "table" / "compiled.py"))
        root = SOURCES if self.inplace or self.editable_mode else Path(self.build_lib, "jantaku")
        wanted = {Path(*Path(self.get_ext_filename(one.name)).parts[1:]) for one in self.extensions}
        for package in ("table", "players"):
            for built in (root / package).rglob(f"*{self.get_ext_filename('')}"):
                if built.relative_to(root) not in wanted:  # of a module that is not compiled any more
                    built.unlink()
        (root / "table" / note["NOTE"]).write_text(json.dumps({"sources": note["digest"](SOURCES, CORE), "core": CORE}))

    def build_extensions(self) -> None:
        """Compile as many files at a time as there are cores."""
        one_by_one = self.compiler.compile

        def compiled(sources: Iterable[str], **terms: object) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as cores:
                built = cores.map(lambda source: one_by_one([source], **terms), sources)
                return [file for files in built for file in files]

        self.compiler.compile = compiled
        super().build_extensions()

    def copy_extensions_to_source(self) -> None:
        """Ctrl-C comes too late from here on: half a core would not run."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().copy_extensions_to_source()


def docstrings() -> dict[str, str]:
    """The docstrings of the core by module, class (if in one) and name, as mypyc joins them."""
    found = {}
    for name in CORE:
        module = ["jantaku", *Path(name).with_suffix("").parts]
        for node in ast.parse((SOURCES / name).read_text("utf-8")).body:
            inside = node.body if isinstance(node, ast.ClassDef) else ()
            for owner, one in [([], node), *(([node.name], one) for one in inside)]:
                if isinstance(one, ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(one)):
                    found["___".join([*module, *owner, one.name])] = text
    return found


TEXT = r'(NULL|"(?:[^"\\]|\\.)*")'
FUNCTION = re.compile(rf"CPyPy_(\w+),[\w |\s]+,\s*PyDoc_STR\({TEXT}")
CLASS = re.compile(rf"CPyType_(\w+)_template_ = {{[^{{}}]*?\.tp_doc = PyDoc_STR\({TEXT}")
PROPERTY = re.compile(rf"\(getter\)(\w+___\w+?_get_\w+),\s*(?:NULL|\(setter\)\w+),\s*{TEXT}")
"""Where mypyc's C says how a function or class is called, and that a property has no text. It keeps no docstrings,
which `help` needs as well."""


def with_docstrings(source: str, named: dict[str, str]) -> str:
    """C as mypyc writes it, with the docstring behind each signature (C joins literals that stand side by side)."""

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
    """The extension modules to build: none where that is not wanted."""
    if not COMPILES or not COMMANDS & set(sys.argv):
        return []
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit(NOT_COMPILED.format("mypyc needs the interpreter's lock, and this Python has none"))
    target = HERE / "build"
    os.chdir(SOURCES.parent)  # there the modules have their names
    try:
        from mypyc.build import mypycify

        with tempfile.TemporaryDirectory() as place:
            types = Path(place, "types.cfg")
            types.write_text(TYPES, "utf-8")
            read = (f"--config-file={types}", f"--cache-dir={place}", f"--python-version=3.{sys.version_info.minor}")
            core = (f"jantaku/{name}" for name in CORE)
            # A file of C for each module, so that all cores compile. -O1 compiles six seconds faster and
            # plays a bare game 3 to 5 % slower.
            terms = {"group_name": "jantaku.table.core", "multi_file": True, "opt_level": "2", "debug_level": "0"}
            built = mypycify([*read, *core], target_dir=str(target), **terms)
    except ImportError as problem:
        sys.exit(NOT_COMPILED.format(problem))
    except SystemExit:
        sys.exit(NOT_COMPILED.format("mypy says above why"))
    finally:
        os.chdir(HERE)
    texts = docstrings()
    for file in {Path(name) for extension in built for name in extension.sources}:
        file.write_text(with_docstrings(file.read_text("utf-8"), texts), "utf-8")
    for extension in built:
        extension.include_dirs.append(str(target / "jantaku" / "table"))  # where mypyc has put the group's headers
    return built


if not (SOURCES / "table").is_dir():  # in an sdist the links are folders
    sys.exit("jantaku: src/jantaku/table is no link to table/: git config core.symlinks true, then git checkout src")
setup(
    version=runpy.run_path(str(SOURCES / "table" / "ground" / "installation.py"))["version_of"](str(HERE)),
    setup_requires=["mypy[mypyc]>=1.15", "msgspec>=0.21"] if COMPILES else [],
    ext_modules=extensions(),
    cmdclass={"build_ext": Core, "build_py": Sources},
)
