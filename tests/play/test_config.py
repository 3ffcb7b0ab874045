"""The config file of a table: players, rules, clock, and what is refused."""

from pathlib import Path

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play import config
from jantaku.table.riichi import ruleset
from tests.kit.cases import cases


def load(folder: Path, text: str) -> config.Settings:
    path = folder / "table.toml"
    path.write_text(text, "utf-8")
    return config.load(path)


def test_an_empty_file_is_a_table_of_its_own(tmp_path: Path) -> None:
    assert load(tmp_path, "") == config.Settings()
    assert config.Settings().rules.preset == ruleset.DEFAULT


def test_every_key_of_a_file_arrives(tmp_path: Path) -> None:
    found = load(
        tmp_path,
        """
        [table]
        players = ["dice", "dice", "shanten", "mybots:Clever"]
        threads = "resident"
        on_fault = "forfeit"
        games = 3
        seed = 7
        rules = "mleague"
        [clock]
        turn = 5
        reaction = 2.5
        bank = 10
        margin = 0
        """,
    )
    four = ("dice", "dice", "shanten", "mybots:Clever")
    assert found.table == config.Table(players=four, threads=Mode.RESIDENT, on_fault=OnFault.FORFEIT, games=3, seed=7)
    assert found.clock == Clock(turn=5.0, reaction=2.5, bank=10.0, margin=0.0)
    assert found.rules == ruleset.resolve("mleague")


def test_rules_may_stand_in_the_config_file_itself(tmp_path: Path) -> None:
    found = load(tmp_path, '[rules]\npreset = "showa"\n[rules.ron]\nmax_winners = 3\n')
    assert found.rules.preset == "showa"
    assert found.rules.rules == ruleset.with_settings(ruleset.preset("showa"), {"ron.max_winners": "3"})


def test_a_rule_file_is_found_beside_the_config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours.toml").write_text("[tiles]\nred_m = 0\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert load(tmp_path, '[table]\nrules = "ours.toml"').rules.rules.tiles.red_m == 0


@cases("text, said")
def test_what_is_wrong_in_a_config_file_is_said_with_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'table.toml'}: {said}")
