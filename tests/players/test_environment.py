"""What a program that plays finds in its environment, and where its own words are kept."""

import json
from pathlib import Path

import pytest

from jantaku.table.play.seating.spec import terms_of
from scripts.environments import PYTHON
from tests.players.driving import program_of

TELL = "import json, os; print(json.dumps(dict(os.environ)), file=open({path!r}, 'w')); import sys; sys.stdin.read()"


def environment_of(tmp_path: Path, options: str = "") -> dict[str, str]:
    """What a program that is seated with these options finds."""
    script, found = tmp_path / "tell.py", tmp_path / "found.json"
    script.write_text(TELL.format(path=str(found)))
    player, program = program_of(f"exec:{PYTHON} {script}?name=tell{options}", tmp_path, seed=5)
    player.close()
    assert program.join(10)
    told: dict[str, str] = json.loads(found.read_text())
    return told


def test_a_program_finds_nothing_of_the_tables_environment_but_what_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JANTAKU_OPERATOR_TOKEN", "JANTAKU_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "DISPLAY"):
        monkeypatch.setenv(name, "SECRET")
    monkeypatch.setenv("LC_TIME", "C")
    found = environment_of(tmp_path)
    assert "SECRET" not in found.values()
    assert found["JANTAKU_SEED"] == "5" and found["LC_TIME"] == "C" and found["PATH"]
    assert {name for name in found if name.startswith("JANTAKU_")} <= {"JANTAKU_SEED", "JANTAKU_PURE"}


def test_more_is_given_by_the_players_terms_and_the_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MODEL_KEY", "WEIGHTS", "OTHER"):
        monkeypatch.setenv(name, name.lower())
    monkeypatch.setenv("JANTAKU_INHERIT", "WEIGHTS, NOT_SET")
    found = environment_of(tmp_path, "&inherit=MODEL_KEY&env.THREADS=4&env.PATH_TO=/x=y")
    assert (found["MODEL_KEY"], found["WEIGHTS"]) == ("model_key", "weights") and "OTHER" not in found
    assert (found["THREADS"], found["PATH_TO"]) == ("4", "/x=y")


def test_variables_on_a_command_line_are_those_of_a_table() -> None:
    terms = terms_of("exec:bot?env.A=1&env.B=x,y&inherit=C,D")
    assert terms.env == {"A": "1", "B": "x,y"} and terms.inherit == ("C", "D")


@pytest.mark.parametrize("name", ["../../../pwn", "{tmp}/deep/pwn", "a/b"])
def test_a_players_name_leads_no_file_out_of_the_folder(tmp_path: Path, name: str) -> None:
    logs = tmp_path / "inner" / "logs"
    logs.mkdir(parents=True)
    script = tmp_path / "bot.py"
    script.write_text("import sys; print('words', file=sys.stderr); sys.stdin.read()")
    before = set(tmp_path.rglob("*"))
    player, program = program_of(f"exec:{PYTHON} {script}?name={name.format(tmp=tmp_path)}", logs)
    player.close()
    assert program.join(10)
    (made,) = set(tmp_path.rglob("*")) - before
    assert made.parent == logs and made.read_bytes() == b"words\n"
