"""Where jantaku is installed, and how it keeps clear of other people's files.

A user's folder may hold files with the names of libraries (`random.py`): they must never be imported instead. So the
working folder comes last on `sys.path`, and our child processes are started with `-P` and this path (`search_path`).
"""

import contextlib
import functools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

_ABOVE = Path(__file__).parents[1]
CLONE = str(_ABOVE) if _ABOVE.joinpath("src", "jantaku").is_dir() else None
"""The clone that runs; None where a wheel is installed."""
HOME = os.path.join(CLONE, "src") if CLONE else str(_ABOVE.parent)
"""The folder in which Python finds jantaku: src/ of a clone, or site-packages."""
PACKAGES = (os.path.join(HOME, "jantaku"), str(_ABOVE / "table"), str(_ABOVE / "players"))
"""The folders of its code."""
SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable that is equivalent to the option `-P`."""
STAMP = ".git_archival.txt"
"""The file of a tree without git that names its commit: `git archive` fills it in."""
WINGS = {
    "arena": ("leagues and fair play need", "numpy"),
    "folders": ("a bot's folder needs", "packaging"),
    "mcp": ("a seat for a language model needs", "mcp", "anyio", "websockets"),
    "netplay": ("net play needs", "aiohttp", "socketio", "segno", "websockets"),
    "parquet": ("Parquet needs", "pyarrow"),
    "ray": ("--on ray needs", "ray"),
    "report": ("a report needs", "matplotlib"),
    "sandbox": ("the sandbox needs", "pyseccomp"),
    "serve": ("rooms, clients and seats for people need", "websockets", "segno"),
}
"""By extra, what needs it and the packages that it brings, by the names of their modules; what several bring belongs to
the last. They are imported when they are first used: `lacking` says in a line what is missing."""
_homes: list[str] = []
_settled = ""
_NAMES = {name: f"jantaku.{name}" for name in ("table", "players")}
"""What used to be imported by names of its own."""


def search_path(*folders: str) -> list[str]:
    """`sys.path` for another process, with these folders at its end and without those in which bots were found here."""
    ours = {"", working_folder(), *_homes, *folders}
    return [*(place for place in sys.path if place not in ours), *dict.fromkeys((HOME, *folders))]


def see(folder: str) -> None:
    """Let modules in a bot's folder be found: before those in other bots' folders, and after all that are installed."""
    if folder in sys.path and folder not in _homes:  # somebody else's code has put it there already
        return
    _homes[:] = [folder, *(home for home in _homes if home != folder and home in sys.path)]
    sys.path[:] = [place for place in sys.path if place not in _homes]
    sys.path.extend([*([] if HOME in sys.path else [HOME]), *_homes])


def homes() -> list[str]:
    """The folders in which bots were found, the last one first."""
    return list(_homes)


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """While this context is open `working_folder` stays what it is now: bots share the process and may change its
    folder."""
    global _settled
    before, _settled = _settled, working_folder()
    try:
        yield
    finally:
        _settled = before


def working_folder() -> str:
    """Its path; empty if it has been removed."""
    try:
        return _settled or os.getcwd()
    except FileNotFoundError:
        return ""


def here(path: Path) -> Path:
    """A path given by a person, made absolute: it stays valid when the process changes its folder."""
    return Path(working_folder(), path)


def told(path: Path | str) -> str:
    """The path relative to the working folder where that is shorter, as a person there would write it."""
    base = os.path.join(working_folder(), "")
    return str(path).removeprefix(base) or str(path)


def pip_install(extra: str = "", package: str = "") -> str:
    """What a person types to install what an extra of jantaku needs, other packages, or jantaku itself, for the Python
    that runs here: also where the shell would find another pip, or this Python has none.

    It never names jantaku by its name: on no package index is it ours.
    """
    python = shlex.quote(told(sys.executable or "python3"))
    pip = f"{python} -m pip install" if find_spec("pip") is not None else f"uv pip install --python {python}"
    wanted = package.split() if package else packages_of(extra) if extra else []
    if wanted:
        return f"{pip} {shlex.join(wanted)}"
    if CLONE is None:
        return f"{pip} FILE, with the wheel or the clone that jantaku came from,"
    clone = "." if working_folder() == CLONE else CLONE
    return f"{pip} -e {shlex.quote(f'{clone}[{extra}]' if extra else clone)}"


def renamed(error: BaseException) -> str:
    """Hint for code that imports a package of jantaku by the name that it had; empty for every other error."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return f"it is imported as {_NAMES[name]}: from {_NAMES[name]}… import …" if name in _NAMES else ""


def second_copy() -> str:
    """Hint for a person whose `sys.path` has another jantaku than the one that runs; empty where there is none."""
    for place in sys.path:
        other = os.path.join(place, "jantaku")
        if os.path.isfile(os.path.join(other, "__init__.py")) and not os.path.samefile(other, PACKAGES[0]):
            away = f"take one of them off PYTHONPATH, or {shlex.quote(sys.executable)} -m pip uninstall jantaku"
            return f"another jantaku is in {place or '.'}; the one that runs is in {HOME}: {away}"
    return ""


def packages_of(extra: str) -> list[str]:
    """What an extra needs, as jantaku says where it is installed; nothing where it is not."""
    from importlib import metadata  # takes longer to import than all that is needed at every start

    try:
        needs = [text.partition(";") for text in metadata.requires("jantaku") or ()]
    except metadata.PackageNotFoundError:
        return []
    return [need.strip() for need, _, when in needs if when.replace("'", '"').strip() == f'extra == "{extra}"']


def lacking(module: str | None, words: Sequence[str] = ()) -> str:
    """What is said of a module of an extra that cannot be found, with what installs it; empty for any other. Of several
    extras that bring it the words of a command line name the one that is meant."""
    package = (module or "").partition(".")[0]
    named = {word.lstrip("-").partition("=")[0] for word in words}
    bringing = [extra for extra, (_, *packages) in WINGS.items() if package in packages]
    for extra in [extra for extra in bringing if extra in named] or bringing[-1:]:
        return f"{WINGS[extra][0]} {package}, which is not installed: {pip_install(extra)}"
    return ""


@functools.cache
def version() -> str:
    """Which jantaku runs: of a checkout, by its files as they are when this is first asked."""
    if CLONE is not None:
        return version_of(CLONE)
    from importlib import metadata  # see `packages_of`

    return metadata.version("jantaku")


def version_of(tree: str) -> str:
    """The version of a checkout, or of an unpacked sdist: the number in setup.cfg, and the commit behind it, as in
    `1.1.0.dev0+g41868800c0.dirty`. A release is its number alone, as long as nothing is changed.

    Without git, and where nothing else names the commit, it is the number alone.
    """
    told, place = Path(tree, "PKG-INFO"), Path(tree, ".git")
    if told.is_file() and not place.exists():
        return _matched(r"Version: (\S+)", told)
    number = _matched(r"version = (\S+)", Path(tree, "setup.cfg"))
    commit = commit_of(tree)
    is_exact = ".dev" not in number and not commit.endswith(".dirty")
    return number if is_exact or not commit else f"{number}+g{commit}"


def commit_of(tree: str) -> str:
    """Ten digits of the commit of a tree, and `.dirty` where tracked files are not as in it; empty if unknown."""
    if not Path(tree, ".git").exists():  # one further up is of another project
        return "".join(_matched(line, Path(tree, STAMP)) for line in (r"node: ([0-9a-f]{10}).*", r"node: .*(\.dirty)"))
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # a hook's repository
    env |= {"GIT_CEILING_DIRECTORIES": os.path.dirname(tree), "GIT_OPTIONAL_LOCKS": "0"}
    # The code of the tree runs here already, whoever owns it.
    git = ("git", "-c", "safe.directory=*", "-C", tree)
    describe = ("describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=.dirty")
    try:
        ran = subprocess.run((*git, *describe), env=env, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _matched(line: str, file: Path) -> str:
    """What the first line of that form says; empty if there is none."""
    try:
        found = re.search(f"^{line}$", file.read_text("utf-8"), re.MULTILINE)
    except FileNotFoundError:
        return ""
    return found[1] if found else ""


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """While this context is open, Python processes that `multiprocessing` starts get `search_path` and import nothing
    from the working folder while they start: a `random.py` there would break them. The child should unset `SAFE_PATH`
    for processes of its own."""
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
