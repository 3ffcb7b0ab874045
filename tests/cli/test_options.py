"""Options that are declared once: as fields of what a command is given."""

from contextlib import suppress
from pathlib import Path
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from jantaku.table.cli.main import COMMANDS, command_of
from jantaku.table.cli.options import CommandOptions, argument, option
from jantaku.table.ground.errors import BadInput
from tests.kit.cases import cases


class Inner(CommandOptions):
    """Options of several commands."""

    names: tuple[str, ...] = option("Names.", flag="--name", default=())
    port: int = option("A port.", default=1)
    left_away: str | None = option("Nobody sees it.")


class Outer(CommandOptions):
    """Options of one command."""

    files: tuple[Path, ...] = argument("FILE…")
    names: int = option("How many.", flag="--max-names", default=7)
    form: Literal["a", "b"] | None = option("One of two.", flag="--from")
    is_open: bool = option("A flag.")
    inner: Inner = Inner.group(without=("left_away",), port={"default": 8, "help": "Its own port."})


@Outer.command()
def show(options: Outer) -> None:
    """Shows what it is given."""
    print(options)


@cases(
    "words, given",
    (
        "x y --max-names 2 --name q --name r --from b --is-open --port 3",
        Outer(files=(Path("x"), Path("y")), names=2, form="b", is_open=True, inner=Inner(names=("q", "r"), port=3)),
    ),
    ("x", Outer(files=(Path("x"),), names=7, is_open=False, inner=Inner(port=8))),
)
def test_a_command_is_given_its_options_as_one_value_and_no_group_takes_anothers_name(words: str, given: Outer) -> None:
    assert CliRunner().invoke(show, words.split()).output == f"{given}\n"


@pytest.mark.parametrize("words", ["", "x --from c", "x --left-away y", "x --max-names y"])
def test_what_no_field_takes_is_bad_input(words: str) -> None:
    assert CliRunner().invoke(show, words.split()).exit_code == 2


def test_the_help_shows_defaults_and_what_a_command_has_changed() -> None:
    told = " ".join(CliRunner().invoke(show, ["--help"]).output.split())
    assert "Shows what it is given." in told and "show [OPTIONS] FILE…" in told
    assert "--port INTEGER Its own port. [default: 8]" in told
    assert "--max-names INTEGER How many. [default: 7]" in told
    assert "--from [a|b] One of two. --is-open A flag. " in told


ODD = (
    *("", "-1", "nan", "inf", "1e400", "9" * 5000),
    *("\x1b[2J", "[/x]", "\udcff\udcfe", "\u202e7", "../" * 9, "a\nb"),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_of_any_command_fails_at_an_odd_value(name: str) -> None:
    """It takes the value or refuses it by exit code 2; what a command does with it afterwards is tried elsewhere."""
    try:
        command = command_of(name)
    except BadInput:
        pytest.skip("its wing is not installed")
    for one in command.params:
        takes_a_value = isinstance(one, click.Argument) or (isinstance(one, click.Option) and not one.is_flag)
        for value in ODD if takes_a_value else ():
            context = click.Context(command, info_name=name)
            with suppress(click.UsageError, BadInput, OSError):  # each of them ends a command by a line
                one.type_cast_value(context, (value,) if one.multiple or one.nargs != 1 else value)
