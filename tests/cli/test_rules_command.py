"""`jantaku rules`, and what the command as a whole does with failures."""

import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from jantaku.table.cli import main as cli
from jantaku.table.riichi import ruleset
from tests.kit.cases import cases, kept_cases, text_of
from tests.kit.command import Jantaku, Ran


@pytest.mark.parametrize("name", ruleset.PRESETS)
def test_rules_prints_a_preset_as_a_complete_file(jantaku: Jantaku, name: str) -> None:
    assert jantaku("rules", name) == Ran(0, ruleset.to_toml(ruleset.preset(name), name), "")


def test_what_rules_prints_is_a_rule_file_that_it_accepts(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(jantaku("rules", "showa", "--set", "ron.max_winners=3").out, "utf-8")
    told = f"ok: {path}, preset showa, 2 keys changed: ron.max_winners, ron.chankan_max_winners"
    assert jantaku("rules", "--check", str(path)).out.splitlines()[0] == told
    assert "# Changed: ron.max_winners, ron.chankan_max_winners." in path.read_text("utf-8")


def test_check_says_what_a_file_is(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('preset = "mleague"\n')
    assert jantaku("rules", "--check", str(path)).out == f"ok: {path}, preset mleague, no keys changed\n"
    path.write_text("[game]\ntobi = false\n")
    assert jantaku("rules", "--check", str(path)).out == f"ok: {path}, preset tenhou, 1 key changed: game.tobi\n"


def test_check_refuses_a_bad_file_in_one_line_without_a_traceback(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[ron]\nmax_winer = 1\n")
    said = f"jantaku: {path}: there is no key ron.max_winer; did you mean ron.max_winners?\n"
    assert jantaku("rules", "--check", str(path)) == Ran(2, "", said)


@kept_cases("text, told")
def test_check_says_what_any_file_with_rules_decides_and_starts_nobody(
    jantaku: Jantaku, tmp_path: Path, text: str, told: tuple[str, ...]
) -> None:
    path = tmp_path / "any.toml"
    path.write_text(text)
    ran = jantaku("rules", "--check", str(path))
    assert (ran.code, ran.err) == (0, "")
    first, *lines = ran.out.splitlines()
    assert first == f"ok: {path}, {told[0]}"
    assert set(told[1:]) <= set(lines)


@cases(
    "text, said",
    ('[table]\nplayers = ["dice", "dice", "dice"]', "table.players: 3 given; a riichi table seats 4"),
    ('[match]\nplayers = ["dice", "dice"]', "players: format seats needs 4; given are 2: dice, dice"),
    ('[match]\nsets = 1\ngames = 4\nplayers = ["a", "a", "a", "a"]', "give either sets or games, not both"),
    ("[rule]\nron.max_winners = 1", "there is no key rule; did you mean [rules]?"),
    ('[tournament]\nplayers = ["dice"]', "players: a tournament needs 4 or more"),
)
def test_check_refuses_a_file_nothing_can_be_played_by(jantaku: Jantaku, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "any.toml"
    path.write_text(text)
    ran = jantaku("rules", "--check", str(path))
    assert (ran.code, ran.out) == (2, "") and ran.err.startswith(f"jantaku: {path}: {said}")


WRONG_TABLE = text_of("cases/cli/rules_wrong_table.toml")
ITS_MISTAKES = text_of("cases/cli/rules_its_mistakes.txt").splitlines()


@pytest.mark.parametrize("command", ["play --config", "serve --config", "rules --check", "match"])
def test_all_mistakes_of_a_file_are_told_at_once_a_line_each(jantaku: Jantaku, tmp_path: Path, command: str) -> None:
    path = tmp_path / "any.toml"
    path.write_text(WRONG_TABLE.replace("table", "match") if command == "match" else WRONG_TABLE)
    ran = jantaku(*command.split(), str(path))
    assert (ran.code, ran.out) == (2, "")
    wanted = [told.replace("table.", "match.") for told in ITS_MISTAKES] if command == "match" else ITS_MISTAKES
    wanted = [told for told in wanted if command != "match" or '["a", "b"]' not in told]  # a match may be of two
    for line, told in zip(ran.err.splitlines(), wanted, strict=True):
        assert line.startswith(f"jantaku: {path}: {told}")


def test_rules_that_exclude_each_other_are_told_at_once(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[dora]\nura = false\nkan_ura = true\n[draw]\nnoten_penalty = 1000\n")
    ran = jantaku("rules", "--check", str(path))
    assert ran.err.splitlines() == [
        f"jantaku: {path}: draw.noten_penalty = 1000: 4 players share it in steps of 600",
        f"jantaku: {path}: dora.kan_ura = true needs dora.ura = true",
    ]


@pytest.mark.parametrize("text", ["[ron]\nmax_winners = 3\n", "[rules]\nron.max_winners = 3\n"])
def test_check_notes_that_three_winners_never_win_where_three_claims_abort(
    jantaku: Jantaku, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    note = "note: three claims abort (ron.sanchahou = true), so three never win a discard: set ron.sanchahou = false"
    assert note in jantaku("rules", "--check", str(path)).out.splitlines()
    path.write_text(f"{text}{'ron.' * text.startswith('[rules]')}sanchahou = false\n")
    assert "note: " not in jantaku("rules", "--check", str(path)).out


def test_list_names_every_preset(jantaku: Jantaku) -> None:
    ran = jantaku("rules", "--list")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines() if not line.startswith(" ")] == list(ruleset.PRESETS)
    assert jantaku("rules") == ran


def test_diff_prints_plain_lines_where_nobody_looks_at_a_terminal(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[game]\nlength = "tonpu"\n[call]\npao = []\n')
    ran = jantaku("rules", "--diff", "tenhou", str(path))
    assert ran == Ran(0, 'game.length: "hanchan" -> "tonpu"\ncall.pao: ["daisangen", "daisuushi"] -> []\n', "")
    assert jantaku("rules", "--diff", "tenhou", "tenhou").out == "tenhou and tenhou are the same rules\n"


def test_diff_on_a_terminal_is_a_table(jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = jantaku("rules", "--diff", "tenhou", "majiang")
    assert "score.double_yakuman" in ran.out and "->" not in ran.out


def _command_that(body: Callable[[], object]) -> click.Command:
    return click.Command("rules", callback=body)


def _raise(error: BaseException) -> object:
    raise error


def _wrapped(error: BaseException) -> RuntimeError:
    """As Python before 3.12 has it where a signal comes while a class is made, in an import for example."""
    problem = RuntimeError("Error calling __set_name__")
    problem.__cause__ = error
    return problem


@cases(
    "body, code, said",
    (lambda: None, 0, ""),
    (lambda: 1, 1, ""),
    (lambda: click.get_current_context().exit(1), 1, ""),
    (lambda: _raise(KeyboardInterrupt()), 130, "\njantaku: interrupted\n"),  # first the line with ^C ends
    (lambda: _raise(_wrapped(KeyboardInterrupt())), 130, "\njantaku: interrupted\n"),
    (
        lambda: _raise(ZeroDivisionError("by zero")),
        70,
        "jantaku: sorry, this is a defect of jantaku itself: ZeroDivisionError: by zero (--debug shows where)\n",
    ),
)
def test_the_exit_code_says_how_a_command_ended(
    jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch, body: Callable[[], object], code: int, said: str
) -> None:
    monkeypatch.setattr("jantaku.table.cli.commands.rules.command", _command_that(body))
    assert jantaku("rules") == Ran(code, "", said)


def test_debug_shows_the_traceback_of_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.table.cli.commands.rules.command", _command_that(lambda: _raise(ZeroDivisionError())))
    with pytest.raises(ZeroDivisionError):
        cli.main(["rules", "--debug"])


def test_help_lists_the_commands_without_importing_them(jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in cli.COMMANDS:
        monkeypatch.setitem(sys.modules, f"jantaku.table.cli.{name}", None)  # importing it would now fail
    ran = jantaku("--help")
    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in cli.COMMANDS)
    assert jantaku() == ran


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_its_file(name: str) -> None:
    assert isinstance(cli.command_of(name), click.Command)
