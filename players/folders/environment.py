"""Builds an environment with the packages that a bot needs, once, with venv and pip.

For a player in the sandbox both also run in a sandbox: the input to pip was parsed by us and only wheels are allowed,
but the packages are strangers', and so is what pip does with them.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from packaging.specifiers import SpecifierSet

from jantaku.players.folders.cache import Tell, made
from jantaku.players.folders.indexes import indexes_of, passed
from jantaku.players.folders.needs import Requirements
from jantaku.players.folders.requirements import HASHED
from jantaku.players.sandbox import host, visible
from jantaku.players.sandbox.sandboxes import workshop_for
from jantaku.players.sandbox.start import start
from jantaku.table.ground.errors import BadInput, PlayerNotReady

_VENV = "-I -m venv"
_PIP = "-I -m pip install --disable-pip-version-check --no-input --progress-bar off --retries 2"
_ONLY_WHEELS = ("--no-cache-dir", "--only-binary", ":all:")
_ONE_STREAM = ("/bin/sh", "-c", 'exec "$@" 2>&1', "sh")
_TOLD = ("Collecting ", "Downloading ", "Building ", "Installing ")
"""The beginnings of pip's lines that report progress."""
_SHOWN = 300
_NEWEST = 30  # the newest minor version that is looked for
_FAILED = "its environment cannot be made: "


def python_for(needs: Requirements, tell: Tell, *, confined: bool) -> str:
    """Return an interpreter that has the needed packages, building its environment if it does not exist. `confined`: it
    is built in a sandbox, and only from wheels. Raises BadInput if it cannot be built."""
    base, version = _interpreter(needs.python)
    if not needs.packages:
        return base
    lines = (*needs.options, *needs.packages)
    key = hashlib.sha256(f"2|{base}|{version}|{platform.machine()}|{confined}|{lines}".encode()).hexdigest()[:32]

    def make(place: Path) -> None:
        tell(f"makes its environment, only this time: {', '.join(lines)[:_SHOWN]} (from {needs.said})")
        (_make_confined if confined else _make)(base, place, needs, tell)
        tell(f"its environment is in {place}")

    return _python_in(made("environments", key, make, tell))


def _make(base: str, place: Path, needs: Requirements, tell: Tell) -> None:
    pipe, both = subprocess.PIPE, subprocess.STDOUT

    def run(what: str, *command: str) -> None:
        with subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=pipe, stderr=both) as process:
            _follow(process, what, tell)

    run("venv", base, *_VENV.split(), str(place))
    run("pip", _python_in(place), *_PIP.split(), *_words(needs, place))


def _make_confined(base: str, place: Path, needs: Requirements, tell: Tell) -> None:
    """Build in a sandbox. Of the user's files, pip sees only what says where packages are."""
    host.give(str(place))

    def run(what: str, bound: Iterable[str], env: Mapping[str, str], *command: str) -> None:
        sandbox = workshop_for(str(place), command[0], bound)
        try:
            process, _ = start(sandbox, [*_ONE_STREAM, *command], env)
        except PlayerNotReady as problem:
            raise BadInput(f"{_FAILED}{what}: {problem}") from None
        with process:
            assert process.stdin is not None
            process.stdin.close()
            _follow(process, what, tell)

    run("venv", (), passed(), base, *_VENV.split(), str(place))
    python = _python_in(place)
    before, where = _leads_to(python, place), indexes_of(python)
    run("pip", where.shown, where.env, python, *_PIP.split(), *_words(needs, place, *_ONLY_WHEELS))
    if _leads_to(python, place) != before:
        raise BadInput(f"{_FAILED}a package has replaced its Python interpreter")


def _leads_to(python: str, place: Path) -> tuple[object, ...]:
    """The program behind the environment's links, and what its sandbox shows. A link to elsewhere would later be
    followed for the bot."""
    return os.path.realpath(python), visible.of_program(python, str(place), ())


def _words(needs: Requirements, place: Path, *ours: str) -> list[str]:
    """pip's arguments for the requirements. After `--` it reads no options, and later options override earlier ones.
    Hashes are accepted only from a file."""
    options = [word for one in needs.options for word in one.split()]
    if not any(HASHED in one for one in needs.packages):
        return [*options, *ours, "--", *needs.packages]
    (file := place / "requirements.txt").write_text("\n".join(needs.packages), "utf-8")
    return [*options, *ours, "-r", str(file)]


def _python_in(environment: Path) -> str:
    return str(environment / "bin" / "python")


def _interpreter(wanted: str) -> tuple[str, str]:
    """Return an interpreter of one of these versions, and its version: first the table's own base interpreter, since
    the packages of the table's environment must not reach the bot. Raises BadInput if there is none."""
    allowed = SpecifierSet(wanted)
    own = str(getattr(sys, "_base_executable", "") or sys.executable)
    if not wanted or allowed.contains(platform.python_version(), prereleases=True):
        return own, platform.python_version()
    for found in filter(None, (shutil.which(f"python3.{minor}") for minor in range(_NEWEST, 0, -1))):
        python, version = _asked(found)
        if version and allowed.contains(version, prereleases=True):
            return python, version
    raise BadInput(f"it needs Python {wanted}; this is {platform.python_version()}, and no other is on the PATH")


def _asked(python: str) -> tuple[str, str]:
    """Return the path of an interpreter (the command may be a script) and its version; empty if it does not run."""
    asked = [python, "-I", "-c", "import platform, sys; print(sys.executable, platform.python_version(), sep='\\n')"]
    try:
        path, version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError, ValueError):
        return "", ""
    return path, version


def _follow(process: "subprocess.Popen[bytes]", what: str, tell: Tell) -> None:
    """Report the progress of a command until it ends. Raises BadInput, in one line, if it fails. An exception here
    kills it."""
    kept: list[str] = []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            text = line.decode("utf-8", "replace").strip()
            kept = [*kept[-50:], text]
            if text.startswith(_TOLD):
                tell(text.partition(" (from ")[0][:_SHOWN])
        process.wait()
    except BaseException:
        process.kill()
        raise
    if process.returncode:
        raise BadInput(f"{_FAILED}{what}: {_reason(kept)}")


def _reason(lines: Iterable[str]) -> str:
    said = [line for line in lines if line]
    errors = [line for line in said if line.upper().startswith("ERROR")]
    return [*errors, *said[-1:], "it printed nothing"][0][:_SHOWN]
