"""What is printed is text, whoever wrote it: no markup, no terminal escapes, no words in another order."""

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from rich.table import Column, Table
from rich.text import Text

from jantaku.table.cli import say as door
from jantaku.table.cli.main import main
from jantaku.table.cli.say import broken, say, visible
from jantaku.table.cli.screen import Screen
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku

ROOT = Path(door.__file__).parents[1]
FAST = ("--threads", "inline", "--length", "one", "--seed")
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b1m\u202egnp.exe\r"
PRINTING = ("print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write")
DRAWING = ("Console", "TextColumn", "from_markup", "render_markup", "print_exception")
SHOWN = r"\u001b]0;owned\u0007\u001b[2J\u009b1m\u202egnp.exe\u000d"


def test_control_characters_and_bidirectional_overrides_are_shown_as_escapes() -> None:
    assert visible(EVIL) == SHOWN
    assert visible("a\nb\tc 東\u3000[/x] :smile:") == r"a\u000ab" + "\tc 東\u3000[/x] :smile:"
    assert visible("\U000e0041\udcff") == r"\udb40\udc41\udcff"


def test_a_line_of_json_means_the_same_when_it_was_printed(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"name": EVIL + "\x7f\n\U000e0041"}
    say(json.dumps(value, ensure_ascii=False))
    out = capsys.readouterr().out
    assert json.loads(out) == value and out.count("\n") == 1 and "\x7f" not in out


@kept_cases("columns, line, said")
def test_a_line_that_is_wider_than_the_terminal_is_broken_between_words_and_commands_stay_whole(
    columns: int, line: str, said: str
) -> None:
    assert broken(line, columns) == said


def test_a_terminal_alone_breaks_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    line = "none of the words is broken here"
    say(line, line.encode())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    say(line, line.encode())
    told = capsys.readouterr().out
    assert told == f"{line}\n{line}\nnone of the words is\n  broken here\n{line}\n"


def test_a_screen_draws_foreign_text_as_text() -> None:
    screen, file = Screen(width=200), io.StringIO()
    screen.file = file
    grid = Table("[red]", Column(Text("b")), title="[/bold]")
    grid.add_row("[link=https://x]v2[/link] :smile:", EVIL)
    screen.print(grid)
    screen.say("a\nb [/x]")
    drawn = file.getvalue()
    assert all(text in drawn for text in ("[red]", "[/bold]", "[link=https://x]v2[/link] :smile:", r"\u001b]0;ow"))
    assert r"a\u000ab [/x]" in drawn and not set(drawn) & set("\x1b\x07\r\x9b\u202e")


@pytest.mark.long
def test_the_command_prints_through_its_two_doors_only() -> None:
    """`say` and `Screen`; what draws for the terminal elsewhere is handed a screen and reads nothing as markup."""
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                on = any(word.arg == "markup" and ast.unparse(word.value) != "False" for word in node.keywords)
                if on or name in PRINTING or name.split(".")[-1] in DRAWING:
                    found.add((path.name, name))
    assert sorted(found) == [("say.py", "click.echo"), ("screen.py", "TextColumn")]


@pytest.mark.parametrize("text", ["[/x]", "[red]", "[/INST]", ":smile:"])
def test_names_and_seeds_that_look_like_markup_are_printed_as_is(jantaku: Jantaku, tmp_path: Path, text: str) -> None:
    out = str(tmp_path / f"a{text.replace('/', '')}")
    players = f"dice?name={text},tsumogiri,dice,dice"
    ran = jantaku("play", "--players", players, *FAST, text, "--out", out)
    assert (ran.code, ran.err) == (0, "")
    assert f"{text} " in ran.out.splitlines()[0] and f"seed {text}, records in {out}" in ran.out


def test_a_match_keeps_the_brackets_of_its_players_folders_and_reasons(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = tmp_path / "[bold]m[x]"
    config = tmp_path / "m.toml"
    config.write_text(
        '[match]\nsets = 1\nseed = 1\nworkers = 0\nthreads = "inline"\non_fault = "void"\n[[player]]\nbot = "crash"\n'
        'name = "[v2]"\n[[player]]\nbot = "dice"\n[[player]]\nbot = "dice"\n[[player]]\nbot = "dice"\n',
        "utf-8",
    )
    ran = jantaku("match", str(config), "--length", "one", "--out", str(folder))
    assert ran.code == 0 and ran.err.startswith("[v2], question 4, gone:\n"), ran
    assert f"everything: {folder}, " in ran.out
    ran = jantaku("match", "--players", "dice?name=[v2],dice,dice,dice", "--sets", "1", "--workers", "0", *FAST, "1")
    assert ran.code == 0 and "[v2]" in ran.out


def test_last_words_of_a_bot_are_shown_not_obeyed(jantaku: Jantaku, cwd: Path) -> None:
    (cwd / "escaping.py").write_text(f"raise OSError({EVIL!r})\n", "utf-8")
    ran = jantaku("exam", "escaping:Bot")
    assert ran.code == 2 and r"\u001b]0;owned\u0007" in ran.err and "\x1b" not in ran.err


def test_a_file_name_is_shown_not_obeyed(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / f"{EVIL}\nx.toml: fine.toml"
    path.write_text("[ron]\nmax_winners = 3\nsanchahou = false\n", "utf-8")
    ran = jantaku("rules", "--check", str(path))
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    assert ran.out.startswith(f"ok: {tmp_path / SHOWN}\\u000ax.toml: fine.toml, preset tenhou, 4 keys changed: ")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_a_terminal_without_japanese_shows_letters_for_tiles_and_winds(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    folder = tmp_path / "games"
    words = ("--players", "dice,caller,dice,caller", "--length", "one", "--threads", "inline", "--seed", "3")
    assert jantaku("play", *words, "--out", str(folder)).code == 0
    screen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(screen, encoding=encoding, errors="strict"))
    with pytest.raises(SystemExit):
        main(("show", str(folder / "game-0000.jsonl"), "--turn", "40"))
    told = screen.getvalue().decode(encoding)
    assert told.startswith("E 1  0 honba  sticks 0  left ") and "?" not in told
    assert [line[1:4] for line in told.splitlines()[1:5]] == ["E *", "S  ", "W  ", "N  "]
