"""Where jantaku is installed, and how imports are protected from other people's files.

A user's folder may contain files with the names of libraries (`random.py`): they must never be imported instead. So the
working folder comes last on `sys.path`, and our child processes are started with `-P` and this path (`search_path`).
"""

import contextlib
import functools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parents[2]
HOME = str(_HERE.parent)
"""The folder in which Python finds jantaku: src/ of a clone, or site-packages."""
CLONE = str(_HERE.parents[1]) if _HERE.joinpath("table").is_symlink() else None
"""The clone that runs, in which src/jantaku has links to table/ and players/; None if a wheel is installed."""
PACKAGES = (str(_HERE), *(os.path.realpath(_HERE / name) for name in ("table", "players")))
"""The folders of jantaku's code."""
SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable that is equivalent to the option `-P`."""
STAMP = ".git_archival.txt"
"""The file that names the commit of a tree without git: `git archive` fills it in."""
EXTRAS = {
    "learn": ("observations for nets need", "numpy", "pettingzoo", "gymnasium", "safetensors"),
    "onnx": ("ONNX models need", "onnxruntime"),
    "folders": ("a bot's folder needs", "packaging"),
    "parquet": ("Parquet needs", "pyarrow"),
    "sandbox": ("the sandbox needs", "pyseccomp"),
    "serve": ("rooms, clients and seats for people need", "websockets", "segno"),
}
"""For each extra, what needs it, and the modules of the packages that it installs, each of one extra. These modules are
imported on first use; `lacking` reports a missing one."""
_homes: list[str] = []
_settled = ""


def search_path(*folders: str) -> list[str]:
    """Return `sys.path` for another process: with these folders at its end, and without folders in which bots were
    found."""
    ours = {"", working_folder(), *_homes, *folders}
    return [*(place for place in sys.path if place not in ours), *dict.fromkeys((HOME, *folders))]


def command_of(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of jantaku in another process, in `environment`."""
    return [sys.executable, "-P", "-m", module, *words]


def environment() -> dict[str, str]:
    """Return this process's environment, with its search path."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(search_path())}


def see(folder: str) -> None:
    """Add a bot's folder to `sys.path`: before other bots' folders, after everything installed."""
    if folder in sys.path and folder not in _homes:  # foreign code has put it there already
        return
    _homes[:] = [folder, *(home for home in _homes if home != folder and home in sys.path)]
    sys.path[:] = [place for place in sys.path if place not in _homes]
    sys.path.extend([*([] if HOME in sys.path else [HOME]), *_homes])


def homes() -> list[str]:
    """The folders in which bots were found, the last one first."""
    return list(_homes)


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """Within this context, `working_folder` keeps its present value: bots share the process and may change its
    folder."""
    global _settled
    before, _settled = _settled, working_folder()
    try:
        yield
    finally:
        _settled = before


def working_folder() -> str:
    """The path of the working folder; empty if it has been removed."""
    try:
        return _settled or os.getcwd()
    except FileNotFoundError:
        return ""


def here(path: Path) -> Path:
    """Make a path given by a person absolute, so that it stays valid when the process changes its folder."""
    return Path(working_folder(), path)


def told(path: Path | str) -> str:
    """The path as a person in the working folder would write it: relative if it is below that folder."""
    base = os.path.join(working_folder(), "")
    return str(path).removeprefix(base) or str(path)


def typed(words: str) -> str:
    """Return a command of jantaku as a person types it: with the path of the script that runs, if the PATH has none."""
    script = sys.argv[0]
    named = os.path.basename(script) != "jantaku" or shutil.which("jantaku")
    return f"{'jantaku' if named else shlex.quote(told(script))} {words}"


def pip_install(extra: str = "", package: str = "") -> str:
    """The command with which a person installs the packages of an extra, other packages, or jantaku itself, for the
    Python that runs here, even if the shell would find another pip, or this Python has none. It never installs jantaku
    by its name, which is not ours on any package index."""
    python = shlex.quote(told(sys.executable or "python3"))
    pip = f"{python} -m pip install" if find_spec("pip") is not None else f"uv pip install --python {python}"
    wanted = package.split() if package else packages_of(extra) if extra else []
    if wanted:
        return f"{pip} {shlex.join(wanted)}"
    if CLONE is None:
        return f"{pip} FILE, with the wheel or the clone that jantaku came from,"
    clone = "." if working_folder() == CLONE else CLONE
    return f"{pip} -e {shlex.quote(f'{clone}[{extra}]' if extra else clone)}"


def second_copy() -> str:
    """Hint for a person whose `sys.path` has another jantaku than the one that runs; empty where there is none."""
    for place in sys.path:
        other = os.path.join(place, "jantaku")
        if os.path.isfile(os.path.join(other, "__init__.py")) and not os.path.samefile(other, PACKAGES[0]):
            away = f"take one of them off PYTHONPATH, or {shlex.quote(sys.executable)} -m pip uninstall jantaku"
            return f"another jantaku is in {place or '.'}; the one that runs is in {HOME}: {away}"
    return ""


def packages_of(extra: str) -> list[str]:
    """The packages that an extra needs, from jantaku's installed metadata; empty if jantaku is not installed."""
    from importlib import metadata  # importing it takes longer than everything needed at every start

    try:
        needs = [text.partition(";") for text in metadata.requires("jantaku") or ()]
    except metadata.PackageNotFoundError:
        return []
    return [need.strip() for need, _, when in needs if when.replace("'", '"').strip() == f'extra == "{extra}"']


def lacking(module: str | None) -> str:
    """The message for a missing module of an extra, with the command that installs it; empty for any other module."""
    package = (module or "").partition(".")[0]
    for extra, (needs, *packages) in EXTRAS.items():
        if package in packages:
            return f"{needs} {package}, which is not installed: {pip_install(extra)}"
    return ""


@functools.cache
def version() -> str:
    """The version of jantaku that runs; in a clone it describes the files at the time of the first call."""
    if CLONE is not None:
        return version_of(CLONE)
    from importlib import metadata  # see `packages_of`

    return metadata.version("jantaku")


def version_of(tree: str) -> str:
    """The version of a clone or an unpacked sdist: the number in setup.cfg and the commit after it, as in
    `1.0.0.dev0+g41868800c0.dirty`. An unchanged release has its number alone. Without git, and if nothing else names
    the commit, it is the number alone."""
    told, place = Path(tree, "PKG-INFO"), Path(tree, ".git")
    if told.is_file() and not place.exists():
        return _matched(r"Version: (\S+)", told)
    number = _matched(r"version = (\S+)", Path(tree, "setup.cfg"))
    commit = commit_of(tree)
    is_exact = ".dev" not in number and not commit.endswith(".dirty")
    return number if is_exact or not commit else f"{number}+g{commit}"


def commit_of(tree: str) -> str:
    """Ten digits of the commit of a tree, and `.dirty` if tracked files have changed; empty if unknown."""
    if not Path(tree, ".git").exists():  # a repository further up belongs to another project
        return "".join(_matched(line, Path(tree, STAMP)) for line in (r"node: ([0-9a-f]{10}).*", r"node: .*(\.dirty)"))
    # a git hook sets these for its own repository
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CEILING_DIRECTORIES": os.path.dirname(tree), "GIT_OPTIONAL_LOCKS": "0"}
    import subprocess  # see `packages_of`

    # `safe.directory`: git may trust the tree, whoever owns it, as its code already runs here
    git = ("git", "-c", "safe.directory=*", "-C", tree)
    describe = ("describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=.dirty")
    try:
        ran = subprocess.run((*git, *describe), env=env, capture_output=True, encoding="utf-8", timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _matched(line: str, file: Path) -> str:
    """The text matched in the first line of that form; empty if there is none."""
    try:
        found = re.search(f"^{line}$", file.read_text("utf-8"), re.MULTILINE)
    except FileNotFoundError:
        return ""
    return found[1] if found else ""


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Within this context, Python processes that `multiprocessing` starts get `search_path` and import nothing from the
    working folder while they start: a `random.py` there would break them. The child should unset `SAFE_PATH` for its
    own child processes."""
    path, sys.path[:] = sys.path[:], search_path()
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        sys.path[:] = path
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


WINGS = {
    "arena": "matches, comparisons and tournaments",
    "check": "the exam",
    "daifugo": "大富豪",
    "learn": "observations for nets",
    "serve": "rooms and seats for people",
}
"""Each wing by its folder, and what it brings."""


def part(room: str, module: str) -> Any:
    """Import a module of a room, for example `part("serve", "person")`. BadInput if a wing is not installed."""
    try:
        return import_module(f"jantaku.table.{room}.{module}")
    except ModuleNotFoundError as error:
        wing = _wing_of(error.name or "")
        if not wing:
            raise
        from jantaku.table.ground.errors import BadInput  # setup.py runs this file before jantaku is there

        raise BadInput(f"jantaku is installed without {WINGS[wing]} (table/{wing}): {pip_install()}") from None


def _wing_of(module: str) -> str:
    return next((wing for wing in WINGS if f"{module}.".startswith(f"jantaku.table.{wing}.")), "")
