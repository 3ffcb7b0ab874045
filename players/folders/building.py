"""An environment with the packages that a bot needs, made once by venv and pip."""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from packaging.specifiers import SpecifierSet

from players.folders.cache import Tell, made
from players.folders.needs import Requirements
from table.errors import BadInput

_PIP = "-I -m pip install --disable-pip-version-check --no-input --progress-bar off --retries 2"
_TOLD = ("Collecting ", "Downloading ", "Building ", "Installing ")
"""The beginnings of pip's lines that are progress."""
_SHOWN = 300
_NEWEST = 30  # minor version


def python_for(needs: Requirements, tell: Tell, *, confined: bool) -> str:
    """An interpreter that has what is needed: that of an environment, made if it is not there yet. `confined`: no
    package is built, which would run its code outside the sandbox. BadInput where it cannot be made."""
    base = _interpreter(needs.python)
    if not needs.lines:
        return base
    text = "\n".join(needs.lines) + "\n"
    version = _version_of(base) or ""
    key = hashlib.sha256(f"1|{base}|{version}|{platform.machine()}|{confined}|{text}".encode()).hexdigest()[:32]

    def make(place: Path) -> None:
        tell(f"its environment is made, once: {', '.join(needs.lines)[:_SHOWN]} (from {needs.said})")
        _run([base, "-I", "-m", "venv", str(place)], place, "venv", tell)
        (wanted := place / "requirements.txt").write_text(text, "utf-8")
        only = ["--only-binary", ":all:"] if confined else []
        _run([_python_in(place), *_PIP.split(), *only, "-r", str(wanted)], place, "pip", tell)
        tell(f"its environment is in {place}")

    return _python_in(made("environments", key, make, tell))


def _python_in(environment: Path) -> str:
    return str(environment / "bin" / "python")


def _interpreter(wanted: str) -> str:
    """An interpreter of one of these versions, the table's own first; not its environment, whose packages are none of
    the bot's. BadInput if there is none."""
    allowed = SpecifierSet(wanted)
    own = str(getattr(sys, "_base_executable", "") or sys.executable)
    if not wanted or allowed.contains(platform.python_version(), prereleases=True):
        return own
    for found in filter(None, (shutil.which(f"python3.{minor}") for minor in range(_NEWEST, 0, -1))):
        version = _version_of(found)
        if version and allowed.contains(version, prereleases=True):
            return os.path.abspath(found)
    raise BadInput(f"it needs Python {wanted}; this is {platform.python_version()}, and no other is on the PATH")


def _version_of(python: str) -> str:
    """The version of an interpreter; empty if it does not run."""
    asked = [python, "-I", "-c", "import platform; print(platform.python_version())"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _run(command: Sequence[str], where: Path, what: str, tell: Tell) -> None:
    """Run a command and tell how far it is. BadInput, in one line, if it fails. It ends with us."""
    kept: list[str] = []
    with subprocess.Popen(
        command, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                text = line.decode("utf-8", "replace").strip()
                kept = [*kept[-50:], text]
                if text.startswith(_TOLD):
                    tell(text.partition(" (from ")[0][:_SHOWN])
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise BadInput(f"its environment cannot be made: {what}: {_reason(kept)}")


def _reason(lines: Iterable[str]) -> str:
    """The line of an output that says what was wrong, as far as one does."""
    said = [line for line in lines if line]
    errors = [line for line in said if line.upper().startswith("ERROR")]
    return [*errors, *said[-1:], "it says nothing"][0][:_SHOWN]
