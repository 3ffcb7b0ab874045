"""docs/my-games.md: what it tells to type is run on games of each kind, and prints what the page shows."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from jantaku.table.records.convert.readers import read_any
from tests.kit.command import Jantaku
from tests.kit.games import MAJIANG, TENHOU, lines
from tests.records.convert.test_exporters import exported

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "my-games.md"
LOGS = ROOT / "tests" / "data" / "logs"
STEP = re.compile(r"^```sh\n((?:jantaku .*\n)+)```\n\n```\n((?:.*\n)*?)```$", re.MULTILINE)
NAMES = "Hanako", "Taro", "Jiro", "Saburo"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game of each site, under the names of the page; Hanako is player 0 of Tenhou's."""
    monkeypatch.chdir(tmp_path)
    xml = next(line["xml"] for line in lines(TENHOU) if line["id"] == "2022010120gm-00a9-0000-d7831e29")
    players = " ".join(f'n{player}="{name}"' for player, name in enumerate(NAMES))
    log = tmp_path / "2022010120gm-00a9-0000-d7831e29.mjlog"
    log.write_text(xml.replace("<UN/>", f"<UN {players}/>", 1), "utf-8")
    soul = exported(read_any(log).record) | {"name": list(NAMES)}
    (tmp_path / "soul.json").write_text(json.dumps(soul, ensure_ascii=False), "utf-8")
    shutil.copy(LOGS / "complex_nakis_0.tenhou6.json", tmp_path / "editor.json")
    game = next(line for line in lines(MAJIANG) if line["id"] == "default-300000")
    (tmp_path / "paipu.json").write_text(json.dumps(game["paipu"], ensure_ascii=False), "utf-8")
    shutil.copy(LOGS / "mortal_two_kyoku.mjson", tmp_path / "mortal.mjai.jsonl")
    return tmp_path


def test_every_command_prints_what_the_page_shows(saved: Path, jantaku: Jantaku) -> None:
    page = PAGE.read_text("utf-8")
    steps = STEP.findall(page)
    assert len(steps) == page.count("```sh\njantaku ")
    assert sum(typed.count("\n") for typed, _ in steps) == 12
    for typed, shown in steps:
        said: list[str] = []
        for line in typed.splitlines():
            ran = jantaku(*shlex.split(line)[1:])
            assert ran.code == 0, (line, ran)
            said += (ran.err + ran.out).splitlines()
        printed = iter(said)
        wanted = [line.rstrip() for line in shown.splitlines() if line != "…"]
        missing = [line for line in wanted if not any(line == one.rstrip() for one in printed)]
        assert missing == [], (typed, said)


def test_a_link_is_answered_with_what_to_save(saved: Path, jantaku: Jantaku) -> None:
    page = PAGE.read_text("utf-8")
    (line, answer), *_ = re.findall(r"^```\n(jantaku verify 'http.*)\n```\n\n```\n((?:.*\n)*?)```$", page, re.MULTILINE)
    ran = jantaku(*shlex.split(line)[1:])
    assert (ran.code, ran.err) == (2, answer)


def test_the_program_that_saves_a_game_of_riichienv_is_python() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    compile(program, str(PAGE), "exec")
    assert "env.mjai_log" in program
