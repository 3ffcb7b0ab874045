"""What `scripts/setup`, `scripts/compile` and `scripts/play` say where they cannot do what they are for: one line, and
what to do; and that a plain clone can be compiled."""

import os
import pty
import shutil
import subprocess
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.environments import workshop
from tests.kit.cases import cases, text_of

ROOT = Path(__file__).parents[1]
NEEDED = ("bash", "cat", "dirname", "env", "find", "grep", "head", "mkdir", "cp", "ls", "rm", "tail", "touch")
PYTHON = text_of("setup/python.sh")
WORKS = {"TOO_OLD": "0", "VENV": "works", "PIP": "works"}
LATER = "then run this again"


@pytest.fixture
def clone() -> Iterator[Path]:
    """The scripts of a clone, which others may look into, and a Python that does what it is told to by words of the
    environment."""
    with tempfile.TemporaryDirectory(prefix="jantaku-setup-") as name:
        place = Path(name)
        place.chmod(0o755)
        for folder in ("scripts", "bin", "table", "players"):
            (place / folder).mkdir()
        for script in ("setup", "compile", "play"):
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
    assert code == 2 and LATER in line
    assert line.startswith("jantaku: needs Python 3.11 or newer, and none is on the PATH")


def test_without_a_network_the_reason_of_pip_is_told(clone: Path) -> None:
    code, (line,) = ran(clone, "setup", PIP="fails")
    assert code == 1 and "Without a network" in line and LATER in line
    assert line.startswith("jantaku: installing failed: ERROR: No matching distribution (all of it: .venv/")


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


@cases("pip, reason", ("fails", "ERROR: No matching distribution"), ("works", "the core could not be compiled"))
def test_without_a_compiler_that_works_all_goes_on_as_plain_python(clone: Path, pip: str, reason: str) -> None:
    assert ran(clone, "setup") == (0, [])
    code, (line,) = ran(clone, "compile", PIP=pip)
    assert code == 1 and line.startswith(f"jantaku: {reason} (all of it: .venv/compile.log). All else works without")


def shown(clone: Path, script: str, **changed: str) -> tuple[int, list[str]]:
    process, terminal = pty.fork()
    if not process:
        os.execve(clone / "scripts" / script, [script], {"PATH": str(clone / "bin"), **WORKS, **changed})
    said = b""
    try:
        while chunk := os.read(terminal, 4096):
            said += chunk
    except OSError:  # so Linux says that the other end is closed
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said.decode().splitlines()


COMPILING = (
    "jantaku: compiling the core, so that games take less time: once, in less than a minute; Ctrl-C leaves it ..."
)
PLAIN = "jantaku: this is plain Python; once scripts/compile has run, games take less time"


def test_where_a_person_looks_on_the_core_is_compiled_after_the_first_game(clone: Path) -> None:
    assert ran(clone, "setup") == (0, [])
    assert shown(clone, "play", PIP="compiles") == (0, ["played", COMPILING])
    assert shown(clone, "play", PIP="fails") == (0, ["played"])


def test_ctrl_c_leaves_the_core_as_it_was_and_it_is_not_tried_again(clone: Path) -> None:
    assert ran(clone, "setup") == (0, [])
    left = "jantaku: left; scripts/compile does it at any time"
    assert shown(clone, "play", PIP="stopped") == (0, ["played", COMPILING, left])
    assert shown(clone, "play", PIP="compiles") == (0, [PLAIN, "played"])


def test_a_core_that_does_not_compile_costs_no_game(clone: Path) -> None:
    assert ran(clone, "setup") == (0, [])
    code, lines = shown(clone, "play", PIP="fails")
    assert code == 0 and lines[:2] == ["played", COMPILING] and "All else works without" in lines[2]
    assert shown(clone, "play", PIP="fails") == (0, [PLAIN, "played"])


def test_where_nobody_looks_on_scripts_compile_is_named(clone: Path) -> None:
    assert ran(clone, "setup") == (0, [])
    assert ran(clone, "play", PIP="compiles") == (0, [PLAIN])
    assert ran(clone, "play", "--help") == ran(clone, "play", JANTAKU_PURE="1") == (0, [])


@pytest.mark.strangers
@pytest.mark.timeout(600)
def test_a_clone_in_which_nothing_but_the_plain_install_is_there_compiles() -> None:
    """`scripts/compile` as the README has it, and `pip install`, which says so where it cannot."""
    with workshop() as place:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("CI", "JANTAKU", "PYTHON"))}
        for script in ("setup", "compile"):
            subprocess.run([place.sources / "scripts" / script], env=env, check=True)
        jantaku = place.sources / ".venv" / "bin" / "jantaku"
        assert "core: compiled" in subprocess.check_output([jantaku, "--version"], env=env, text=True)
        venv.create(place.folder / "other", with_pip=True)
        pip = [str(place.folder / "other" / "bin" / "python"), "-m", "pip", "install", str(place.sources)]
        env["JANTAKU_COMPILE"] = "1"
        failed = subprocess.run(pip, env={**env, "CC": "/none"}, cwd=place.folder, capture_output=True, text=True)
        assert failed.returncode and "the core could not be compiled" in failed.stdout + failed.stderr
        subprocess.run(pip, env=env, cwd=place.folder, check=True)
        jantaku = place.folder / "other" / "bin" / "jantaku"
        assert "core: compiled" in subprocess.check_output([jantaku, "--version"], env=env, text=True)
