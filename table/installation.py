"""Where jantaku is installed, and how it stands beside other people's files.

jantaku's packages are called `table` and `players`. A folder in which somebody works may hold files of the same names,
or of the names of libraries: they must never be imported instead. So the working folder stands last on `sys.path`,
behind the folder that jantaku is in, and processes of our own are started with `-P` and this path (`search_path`).
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = str(Path(__file__).parents[1])
"""The folder that holds our packages: site-packages, or a checkout."""
SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable that is the option `-P`."""
_homes: list[str] = []
_OWN = ("table", "players", *(("scripts", "tests") if Path(ROOT, "setup.cfg").is_file() else ()))


def search_path(*folders: str) -> list[str]:
    """`sys.path` for another process, with these folders at its end and without those in which bots were found here."""
    ours = {"", working_folder(), *_homes, *folders}
    return [*(place for place in sys.path if place not in ours), *dict.fromkeys((ROOT, *folders))]


def see(folder: str) -> None:
    """Let modules in a bot's folder be found: before those in other bots' folders, and after all that are installed."""
    if folder in sys.path and folder not in _homes:  # it stands where somebody else has put it
        return
    _homes[:] = [folder, *(home for home in _homes if home != folder and home in sys.path)]
    sys.path[:] = [place for place in sys.path if place not in _homes]
    sys.path.extend([*([] if ROOT in sys.path else [ROOT]), *_homes])


def homes() -> list[str]:
    """The folders in which bots were found, the last one first."""
    return list(_homes)


def working_folder() -> str:
    """Its path; empty if it has been removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def leave_working_folder() -> None:
    """Undo what `python -m` does: modules in the working folder must not be found before those that are installed."""
    here = working_folder()
    if here != ROOT:
        sys.path[:] = [place for place in sys.path if place not in ("", here)]


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """A Python process that `multiprocessing` starts in here gets `search_path`, and imports nothing from the working
    folder while it begins: a `random.py` there would end it. It should forget `SAFE_PATH` then, for those it starts."""
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


def hidden(folder: str = "") -> list[str]:
    """What stands in `folder` as a Python module or package, but is not found because jantaku's own has that name."""
    if os.path.realpath(folder) == os.path.realpath(ROOT):
        return []
    found = []
    for name in _OWN:
        if os.path.isfile(os.path.join(folder, f"{name}.py")):
            found.append(f"{name}.py")
        elif os.path.isdir(inside := os.path.join(folder, name)) and _holds_python(inside):
            found.append(f"{name}{os.sep}")
    return found


def hint(names: Sequence[str]) -> str:
    """A sentence about `hidden` names; empty without any."""
    if not names:
        return ""
    one = len(names) == 1
    return (
        f"{' and '.join(names)} here {'is' if one else 'are'} hidden by jantaku's own package{'' if one else 's'} of "
        f"{'that name: rename it' if one else 'those names: rename them'} to import anything from there"
    )


def _holds_python(folder: str) -> bool:
    try:
        return any(name.endswith(".py") for name in os.listdir(folder))
    except OSError:
        return False
