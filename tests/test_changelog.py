"""The changelog: what it names can be typed, and what stands under a release is what it said when that came out."""

import re
import subprocess
from pathlib import Path

import click
import pytest

from jantaku.table.cli.main import COMMANDS, command_of, jantaku

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


def test_a_release_has_the_entries_that_it_came_out_with() -> None:
    """What is added later belongs under Unreleased."""
    heading, released = re.findall(r"^(## \d\S* - \S+)\n(.*?)(?=^## |\Z)", CHANGELOG, re.MULTILINE | re.DOTALL)[0]
    came = _git("log", "--reverse", "--format=%H", "-S", heading, "--", "CHANGELOG.md").split()
    if not came or _git("rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("the history of the changelog is not here: a shallow clone, or no clone")
    before = _git("show", f"{came[0]}:CHANGELOG.md").partition(heading)[2].partition("\n## ")[0]
    assert released.strip() == before.strip()


def _git(*words: str) -> str:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
