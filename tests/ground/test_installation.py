"""How what is missing is installed: for the Python that runs, by the names of the packages, never by jantaku's own."""

import itertools
import os
import re
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import jantaku
from jantaku.table.ground import installation
from jantaku.table.ground.installation import CLONE, pip_install, typed
from tests.kit.cases import cases

ROOT = str(Path(__file__).parents[2])
RUNS = sys.executable
PYTHON = "/opt/my python/bin/python3"
NEEDS = ["click>=8.2", 'segno<2,>=1.6; extra == "serve"', 'websockets>=15; extra == "serve"']


def test_the_library_shows_its_version_and_no_names_that_are_not_its_own() -> None:
    shown = {name for name in dir(jantaku) if not name.startswith("_")}
    assert shown == set(jantaku.__all__) and jantaku.__version__ == installation.version()


@pytest.fixture(autouse=True)
def _python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", PYTHON)
    monkeypatch.setattr(metadata, "requires", lambda name: NEEDS)


@pytest.mark.parametrize("clone", [CLONE, None])
def test_an_extra_is_installed_by_the_packages_it_needs(monkeypatch: pytest.MonkeyPatch, clone: str | None) -> None:
    monkeypatch.setattr(installation, "CLONE", clone)
    assert pip_install("serve") == f"'{PYTHON}' -m pip install 'segno<2,>=1.6' 'websockets>=15'"
    assert pip_install(package="pytest") == f"'{PYTHON}' -m pip install pytest"


def test_a_checkout_that_is_not_installed_is_installed_with_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def unknown(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", unknown)
    monkeypatch.chdir(ROOT)
    assert pip_install("parquet") == f"'{PYTHON}' -m pip install -e '.[parquet]'"
    assert pip_install() == f"'{PYTHON}' -m pip install -e ."
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert pip_install("parquet") == f"'{PYTHON}' -m pip install -e {shlex.quote(f'{ROOT}[parquet]')}"


def test_the_python_of_a_folder_is_named_as_one_types_it_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "executable", f"{ROOT}/.venv/bin/python")
    assert pip_install(package="pytest") == ".venv/bin/python -m pip install pytest"


def test_a_command_is_printed_as_one_types_it_here(monkeypatch: pytest.MonkeyPatch, cwd: Path) -> None:
    """In a clone nothing but `.venv/bin/jantaku` has the name."""
    monkeypatch.setattr(sys, "argv", [str(cwd / ".venv" / "bin" / "jantaku"), "play"])
    monkeypatch.setenv("PATH", str(cwd))
    assert typed("bots") == ".venv/bin/jantaku bots"
    (cwd / "jantaku").write_text("#!/bin/sh\n")
    (cwd / "jantaku").chmod(0o755)
    assert typed("bots") == "jantaku bots"
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setenv("PATH", "")
    assert typed("bots") == "jantaku bots"


def test_a_python_without_pip_is_filled_by_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the environments of `uv tool install`."""
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    wanted = "'segno<2,>=1.6' 'websockets>=15'"
    assert pip_install("serve") == f"uv pip install --python '{PYTHON}' {wanted}"


def test_a_second_jantaku_on_the_path_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert installation.second_copy() == ""
    other = tmp_path / "other" / "jantaku"
    other.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(other.parent))
    assert installation.second_copy() == "", "a folder of that name that is no package"
    (other / "__init__.py").touch()
    told = installation.second_copy()
    assert told.startswith(
        f"another jantaku is in {other.parent}; the one that runs is in {installation.HOME}: take one"
    )
    assert told.endswith(f" off PYTHONPATH, or '{PYTHON}' -m pip uninstall jantaku")


@pytest.mark.long
@pytest.mark.parametrize("words", [("jantaku", "--version"), ("pytest", "--collect-only", "-p", "no:cacheprovider")])
def test_a_second_jantaku_is_told_where_a_person_looks(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "other" / "jantaku").mkdir(parents=True)
    (tmp_path / "other" / "jantaku" / "__init__.py").touch()
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n", "utf-8")
    behind = os.pathsep.join((installation.HOME, "other"))
    command = [RUNS, "-P", "-m", *words]
    ran = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": behind}, capture_output=True, text=True
    )
    assert ran.returncode == 0 and (ran.stdout + ran.stderr).count("jantaku: another jantaku is in ") == 1, ran


FETCHING = re.compile(
    r"\b(?:pip3? install|pipx (?:run|install|inject)|uvx|uv (?:tool|pip) \w+|uv (?:add|run))\b([^\n`]*)"
)
BY_NAME = re.compile(r"jantaku(\[.*\])?([=<>~!@].*)?")


def fetched_by_name(text: str) -> list[str]:
    """The commands of a text that would have jantaku fetched from a package index."""
    found = []
    for command in FETCHING.finditer(text):
        words = [word.strip("'\"(),;:.") for word in command[1].split()]
        sources = [then for word, then in itertools.pairwise(words) if word in ("--from", "--spec", "--with")]
        if any(BY_NAME.fullmatch(word) for word in sources or words):
            found.append(command[0])
    return found


@cases(
    "command",
    *(
        "pip install jantaku",
        "python -m pip install 'jantaku[parquet]'",
        "uvx jantaku play",
        "pipx run jantaku play",
    ),
    *("uv tool install jantaku", "pip install -U jantaku==1.0", "uvx --from 'jantaku[parquet]' jantaku match"),
    *("uv add jantaku", "pipx run --spec 'jantaku[parquet]' jantaku", "uvx jantaku@1.0.0 play"),
    *("uv pip install --python p jantaku", "pipx install jantaku", "python -m pip install --quiet pytest jantaku"),
)
def test_a_command_that_fetches_jantaku_from_an_index_is_found(command: str) -> None:
    assert len(fetched_by_name(f"Type `{command}`, then `jantaku play`.")) == 1


@cases(
    "command",
    *("pip install .", "pip install './jantaku[parquet]'", "uvx --from . jantaku play", "pip install -e '.[docs]'"),
    *("uvx --from dist/jantaku-1.0.0-py3-none-any.whl jantaku play", "pip install dist/jantaku-1.0.0.tar.gz"),
    *("pipx run --spec '.[parquet]' jantaku match", "uv tool install '../jantaku[parquet]'"),
)
def test_a_command_that_installs_a_clone_or_a_file_is_not(command: str) -> None:
    assert fetched_by_name(f"Type `{command}`, then `jantaku play`.") == []


def test_nothing_that_is_written_here_fetches_jantaku_from_an_index() -> None:
    """On no index is a package of that name ours: whoever registers it would run code where a page is followed."""
    folders = ("docs", "table", "players", "src", "scripts", "tests", ".ci")
    files = [path for path in Path(ROOT).iterdir() if path.is_file()]
    files += [path for folder in folders for path in Path(ROOT, folder).rglob("*") if path.is_file()]
    kinds = {"", ".py", ".md", ".yml", ".toml", ".cfg", ".js", ".mjs", ".html", ".json", ".in", ".sh"}
    unwritten = {"node_modules", "__pycache__", "data"}
    found = {
        str(path.relative_to(ROOT)): commands
        for path in files
        if path.suffix in kinds and not unwritten & set(path.parts) and path != Path(__file__)
        if (commands := fetched_by_name(path.read_text("utf-8", "replace")))
    }
    assert found == {}
