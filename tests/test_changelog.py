"""The changelog: what it names as new can be typed."""

import re
from pathlib import Path

import click

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
