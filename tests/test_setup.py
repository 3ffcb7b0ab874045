"""What `scripts/setup` and `scripts/compile` say where they cannot do what they are for: one line, and what to do."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ("bash", "cat", "dirname", "env", "grep", "mkdir", "cp", "ls", "tail")
PYTHON = """#!/usr/bin/env bash
case "$*" in
    "-c import sys; "*) exit $TOO_OLD ;;
    "-c "*) [ "${2#*core}" = "$2" ] || echo plain Python ;;
    --version) echo Python 3.11.99 ;;
    "-m venv "*)
        [ $VENV = works ] || { printf 'It was not created.\\nFailing command: ensurepip\\n'; exit 1; }
        mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip "*)
        [ $PIP = works ] || { printf '  ERROR: No matching distribution\\nnote: from a subprocess\\n'; exit 1; } ;;
esac
"""
WORKS = {"TOO_OLD": "0", "VENV": "works", "PIP": "works"}
LATER = "then run this again"


@pytest.fixture
def clone() -> Iterator[Path]:
    """The scripts of a clone, which others may look into, and a Python that does what it is told to by words of the
    environment."""
    with tempfile.TemporaryDirectory(prefix="jantaku-setup-") as name:
        place = Path(name)
        place.chmod(0o755)
        for folder in ("scripts", "bin"):
            (place / folder).mkdir()
        for script in ("setup", "compile"):
            shutil.copy(ROOT / "scripts" / script, place / "scripts")
        for command in NEEDED:
            (place / "bin" / command).symlink_to(shutil.which(command) or "")
        (place / "bin" / "python3").write_text(PYTHON, "utf-8")
        (place / "bin" / "python3").chmod(0o755)
        for file in ("setup.cfg", "setup.py", "pyproject.toml"):
            (place / file).touch()
        yield place


def ran(clone: Path, script: str, *words: str, user: int | None = None, **changed: str) -> tuple[int, list[str]]:
    """The exit code, and the lines but those that say what it does now."""
    env = {"PATH": str(clone / "bin"), **WORKS, **changed}
    done = subprocess.run(
        [clone / "scripts" / script, *words], env=env, user=user, capture_output=True, text=True, timeout=50
    )
    return done.returncode, [line for line in done.stderr.splitlines() if not line.endswith(" ...")]


def test_what_cannot_be_set_up_is_refused_before_anything_is_made(clone: Path) -> None:
    said = "jantaku: scripts/setup takes serve, test or docs, or nothing, and not '--help'"
    assert ran(clone, "setup", "--help") == (2, [said])
    assert not (clone / ".venv").exists()


def test_an_environment_is_made_once(clone: Path) -> None:
    assert ran(clone, "setup") == (0, [])
    assert ran(clone, "setup", PIP="fails") == (0, [])


def test_an_old_python_is_not_taken(clone: Path) -> None:
    code, (line,) = ran(clone, "setup", TOO_OLD="1")
    assert (
        code == 2 and line.startswith("jantaku: needs Python 3.11 or newer, and none is on the PATH") and LATER in line
    )


def test_without_a_network_the_reason_of_pip_is_told(clone: Path) -> None:
    code, (line,) = ran(clone, "setup", PIP="fails")
    assert code == 1 and line.startswith(
        "jantaku: installing failed: ERROR: No matching distribution (all of it: .venv/"
    )
    assert "Without a network" in line and LATER in line


def test_a_python_without_venv_is_told(clone: Path) -> None:
    code, (line,) = ran(clone, "setup", VENV="fails")
    assert code == 1 and "could not make .venv with python3: Failing command: ensurepip (on Debian" in line


def test_a_folder_that_cannot_be_written_is_told_by_both(clone: Path) -> None:
    nobody = 65534 if os.geteuid() == 0 else None  # nothing is forbidden to root
    clone.chmod(0o555)
    for script in ("setup", "compile"):
        code, (line,) = ran(clone, script, user=nobody)
        assert code == 2 and line.startswith(f"jantaku: {clone} cannot be written") and "copy or clone it" in line
    clone.chmod(0o755)


def test_an_environment_that_cannot_be_written_is_not_compiled_in(clone: Path) -> None:
    nobody = 65534 if os.geteuid() == 0 else None
    assert ran(clone, "setup") == (0, [])
    (clone / ".venv").chmod(0o555)
    code, (line,) = ran(clone, "compile", user=nobody)
    assert code == 2 and line.startswith(f"jantaku: {clone}/.venv cannot be written") and "copy or clone" in line
    (clone / ".venv").chmod(0o755)


@pytest.mark.parametrize("pip", ["fails", "works"])
def test_without_a_compiler_that_works_all_goes_on_as_plain_python(clone: Path, pip: str) -> None:
    """Where it fails setup.py says so, and pip has installed plain Python."""
    assert ran(clone, "setup") == (0, [])
    code, (line,) = ran(clone, "compile", PIP=pip)
    assert code == 1 and "is there a C compiler" in line and ".venv/compile.log" in line and "All else works" in line
