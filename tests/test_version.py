"""The version names the commit that runs, in a checkout and in all that is made of one; releases are numbers alone,
and the changelog's news can be typed."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
import yaml
from packaging.version import Version

from jantaku.table.cli.main import COMMANDS, command_of, jantaku
from jantaku.table.ground import installation
from jantaku.table.ground.installation import HOME, version_of

HERE = Path(__file__).parents[1]
ENV = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org"),
}


def git(tree: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(tree), *words], env=ENV, check=True, capture_output=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with what a version comes from, of two commits."""
    place = tmp_path / "tree"
    place.mkdir()
    shutil.copy(HERE / ".gitattributes", place)
    (place / installation.STAMP).write_text("node: $Format:%H$\n", "utf-8")  # what is tried may itself be an archive
    (place / "setup.cfg").write_text("[metadata]\nname = jantaku\nversion = 1.1.0.dev0\n", "utf-8")
    git(place, "init", "-q", ".")
    git(place, "add", ".")
    for subject in ("Begin", "Go on"):
        git(place, "commit", "-q", "--allow-empty", "-m", subject)
    return place


def head(tree: Path) -> str:
    return f"1.1.0.dev0+g{git(tree, 'rev-parse', 'HEAD').decode()[:10]}"


def test_a_commit_has_a_version_of_its_own_and_a_changed_tree_says_so(tree: Path) -> None:
    before = version_of(str(tree))
    assert before == head(tree) and str(Version(before)) == before
    (tree / "mybot.py").touch()  # somebody's own file
    assert version_of(str(tree)) == before
    (tree / "setup.cfg").write_text((tree / "setup.cfg").read_text("utf-8") + "\n", "utf-8")
    assert version_of(str(tree)) == f"{before}.dirty"
    git(tree, "commit", "-q", "-a", "-m", "Change")
    assert version_of(str(tree)) == head(tree) != before


SAFE: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Pythons of before 3.11.4 know no filter."""


def test_shallow_clones_worktrees_archives_and_sdists_name_the_same_commit(tree: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", tree.as_uri(), "shallow")
    git(tree, "worktree", "add", "-q", "--detach", str(tmp_path / "worktree"))
    with tarfile.open(fileobj=BytesIO(git(tree, "archive", "HEAD"))) as archive:
        archive.extractall(tmp_path / "archive", **SAFE)
    shutil.copytree(tree, tmp_path / "sdist", ignore=shutil.ignore_patterns(".git"))
    (tmp_path / "sdist" / "PKG-INFO").write_text(f"Name: jantaku\nVersion: {head(tree)}\n", "utf-8")
    for name in ("shallow", "worktree", "archive", "sdist"):
        assert (name, version_of(str(tmp_path / name))) == (name, head(tree))


def test_a_copy_in_the_repository_of_another_project_does_not_take_that_ones_commit(tree: Path) -> None:
    copy = tree / "vendored"
    copy.mkdir()
    for name in ("setup.cfg", installation.STAMP):
        shutil.copy(tree / name, copy)
    assert version_of(str(copy)) == "1.1.0.dev0"


def test_the_repository_of_a_hook_is_not_taken_for_the_own_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tree / "nowhere"))
    assert version_of(str(tree)) == head(tree)


def test_without_git_the_version_is_the_number(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert version_of(str(tree)) == "1.1.0.dev0"


def test_a_release_is_its_number_as_long_as_nothing_is_changed(tree: Path) -> None:
    file = tree / "setup.cfg"
    file.write_text("[metadata]\nversion = 1.1.0\n", "utf-8")
    git(tree, "commit", "-q", "-a", "-m", "Release 1.1.0")
    assert version_of(str(tree)) == "1.1.0"
    file.write_text("[metadata]\nversion = 1.1.0\n\n", "utf-8")
    assert re.fullmatch(r"1\.1\.0\+g[0-9a-f]{10}\.dirty", version_of(str(tree)))


def test_the_command_and_the_journals_name_the_version(tmp_path: Path) -> None:
    table = [sys.executable, "-m", "jantaku"]
    play = [*table, "play", "--players", "dice,dice,dice,dice", "--length", "one", "--out", "out"]
    env = {**os.environ, "PYTHONPATH": HOME}
    told = subprocess.run([*table, "--version"], cwd=tmp_path, env=env, check=True, capture_output=True, text=True)
    assert told.stdout.startswith(f"jantaku {installation.version()} (core: ")
    subprocess.run(play, cwd=tmp_path, env=env, check=True, capture_output=True)
    with (tmp_path / "out" / "game-0000.jsonl").open("rb") as journal:
        assert msgspec.json.decode(journal.readline())["version"] == installation.version()


def test_changelog_citation_and_setup_cfg_tell_of_the_same_releases() -> None:
    """After a release the number is the next one's, with `.dev0`, before anything is changed; there may be none yet."""
    setup = configparser.ConfigParser()
    setup.read(HERE / "setup.cfg", "utf-8")
    changelog = (HERE / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## (\d\S*) - (\S+)$", changelog, re.MULTILINE)[:1]
    cited = yaml.safe_load((HERE / "CITATION.cff").read_text("utf-8"))
    named = [(cited["version"], str(cited["date-released"]))] if "version" in cited else []
    assert named == released
    assert setup["metadata"]["license"] == cited["license"]
    number = setup["metadata"]["version"]
    unreleased = re.search(r"^- ", changelog.partition("## Unreleased")[2].partition("\n## ")[0], re.MULTILINE)
    assert number.endswith(".dev0") or not unreleased
    assert not released or Version(number) >= Version(released[0][0])


ROOT = Path(__file__).parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
ADDED = CHANGELOG.partition("## Unreleased")[2].partition("### Added")[2].partition("\n##")[0]
CODE = [" ".join(one.split()) for one in re.findall(r"`([^`]+)`", ADDED)]
PROGRAMS = re.compile(r"(python -m|pip|uvx|scripts/)")
"""Code that has options of its own."""


def _options(command: click.Command) -> set[str]:
    found = {word for one in command.params for word in (*one.opts, *one.secondary_opts)}
    subcommands = command.commands.values() if isinstance(command, click.Group) else ()
    return found.union(*map(_options, subcommands))


def test_commands_that_are_named_as_new_exist() -> None:
    named = {words[1] for one in CODE if len(words := one.split()) > 1 and words[0] == "jantaku"}
    assert named and named - set(COMMANDS) - {"--version"} == set()


def test_options_that_are_named_as_new_exist() -> None:
    known = _options(jantaku).union(*(_options(command_of(name)) for name in COMMANDS))
    named = {word for one in CODE if not PROGRAMS.match(one) for word in re.findall(r"(?<!\S)--[a-z][a-z-]*", one)}
    assert named and named - known == set()
