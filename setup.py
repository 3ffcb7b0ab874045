"""Compiles the core with mypyc. Without a C compiler, or with JANTAKU_PURE=1, jantaku is plain Python, only slower.

Everything else about the package is in setup.cfg; only the list of compiled modules cannot be, and the commit in the
version. A module belongs in the list if matches spend their time in it and it defines no msgspec struct (mypyc
would drop `frozen`). What is not compiled may build upon a class of the core only where `mypyc_attr` says so.
"""

import json
import os
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

CORE = [
    "table/chance.py",
    "table/choice.py",
    "table/game.py",
    *(f"table/judge/{name}.py" for name in ("judge", "verdicts")),
    *(f"table/judge/seats/{name}.py" for name in ("account", "place", "player", "seat")),
    *(
        f"table/judge/turn/{name}.py"
        for name in ("bells", "inline", "played", "responses", "settling", "threaded", "threads", "turnstile", "way")
    ),
    *(
        f"table/riichi/pieces/{name}.py"
        for name in ("seats", "tiles", "tehai", "river", "wall", "seat_wall", "changes", "board")
    ),
    "table/riichi/pieces/notation.py",
    "table/riichi/points/shapes.py",
    *(f"table/riichi/law/{name}.py" for name in ("calls", "draws", "readiness", "kans", "legal", "ruling", "winning")),
    *(f"table/riichi/flow/{name}.py" for name in ("settle", "hanchan", "kyoku")),
    *(f"table/riichi/{name}.py" for name in ("masking", "game")),
    "table/formats/majiang/items.py",
    "table/formats/mjai/speaker.py",
    *(f"table/wire/{name}.py" for name in ("dialect", "mjai")),
    *(f"table/record/{name}.py" for name in ("writing", "journal")),
    "players/finding.py",
    *(f"players/bots/{name}.py" for name in ("danger", "worth", "thought")),
]
HERE = Path(__file__).parent
NO_COMPILER = (CompileError, LinkError, ExecError, PlatformError, OSError)
COMMANDS = {"build_ext", "build", "bdist_wheel", "editable_wheel", "develop", "install"}


class Core(build_ext):
    """Builds the core and writes the manifest of its sources, so that a changed source is never run in its old form."""

    def run(self) -> None:
        if not self.extensions:
            return
        try:
            super().run()
        except NO_COMPILER as problem:
            print(f"jantaku: not compiled, plain Python instead: {problem}", file=sys.stderr)
            self.extensions = []
            return
        note = runpy.run_path(str(HERE / "table" / "compiled.py"))
        root = HERE if self.inplace or self.editable_mode else Path(self.build_lib)
        wanted = {Path(self.get_ext_filename(extension.name)) for extension in self.extensions}
        for package in ("table", "players"):
            for built in (root / package).rglob(f"*{self.get_ext_filename('')}"):
                if built.relative_to(root) not in wanted:  # of a module that is not compiled any more
                    built.unlink()
        (root / "table" / note["NOTE"]).write_text(json.dumps({"sources": note["digest"](HERE, CORE), "core": CORE}))


def extensions() -> list:
    """The extension modules to build: none where that is not wanted or mypy is missing."""
    if os.environ.get("JANTAKU_PURE", "0") != "0" or not COMMANDS & set(sys.argv):
        return []
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # mypyc's output is not safe without the interpreter's lock
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    os.chdir(HERE)
    options = ["--config-file=", "--ignore-missing-imports", f"--python-version=3.{sys.version_info.minor}"]
    try:
        return mypycify([*options, *CORE], opt_level="3", debug_level="0", group_name="table.core")
    except SystemExit:  # mypy has printed the type errors
        print("jantaku: not compiled, plain Python instead", file=sys.stderr)
        return []


VERSION = runpy.run_path(str(HERE / "table" / "installation.py"))["version_of"](str(HERE))
setup(version=VERSION, ext_modules=extensions(), cmdclass={"build_ext": Core})
