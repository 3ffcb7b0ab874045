"""On what terms players sit, and the config file of a table: command lines, `[[player]]` tables, limits of their own,
rules, clock, and what is refused."""

from pathlib import Path

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.heartbeat import SIZE, Heartbeat
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.stalls import STALLS
from jantaku.table.judge.timing import Clock
from jantaku.table.play import config
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play
from jantaku.table.play.seating.roster import enlist, unique
from jantaku.table.play.seating.spec import OWN, OwnClock, Terms, installed, terms_of
from jantaku.table.riichi import ruleset
from scripts.environments import PYTHON
from tests.kit.cases import cases, kept_cases, text_of
from tests.kit.command import Jantaku

FOUR = text_of("cases/play/seating/spec_four.toml")


def loaded(tmp_path: Path, text: str) -> config.Settings:
    path = tmp_path / "table.toml"
    path.write_text(text)
    return config.load(path)


def test_a_word_on_the_command_line_is_a_bot_and_perhaps_its_terms() -> None:
    assert terms_of("shanten") == Terms("shanten")
    assert terms_of("mybots:Clever?isolate=process&clock.turn=2.5&name=me") == Terms(
        "mybots:Clever", name="me", isolate="process", clock=OwnClock(turn=2.5)
    )
    assert terms_of("exec:what is?") == Terms("exec:what is?"), "a question mark alone is part of a command"


def test_a_config_file_may_have_a_table_for_each_player(tmp_path: Path) -> None:
    settings = loaded(tmp_path, FOUR)
    deep, isolated, *_ = settings.player
    assert settings.players == settings.player and len(settings.player) == 4
    assert (deep.name, deep.dialect, deep.restart, deep.env) == ("deep", "mjai", "next-kyoku", {"THREADS": "1"})
    assert isolated.isolate == "process" and settings.clock.bank_per == "round"


def test_a_players_own_limits_go_before_those_of_the_table(tmp_path: Path) -> None:
    settings = loaded(tmp_path, FOUR)
    entrants = enlist([*settings.player[2:], "shanten?clock.reaction=1"])
    assert [entrant.name for entrant in entrants] == ["shanten-1", "dice", "shanten-2"]
    assert entrants[0].clock(settings.clock) == settings.clock
    assert entrants[2].clock(settings.clock) == Clock(turn=5.0, reaction=1.0, bank=30.0, bank_per="round")


@cases(
    "text, words",
    ("[[player]]\nbot = 'a'\nclock.turn = -1\n", "player 1: clock.turn = -1"),
    ("[[player]]\nbot = 'a'\nclock.trun = 1\n", "did you mean clock.turn?"),
    ("player = 'shanten'\n", "written as tables"),
    ("[clock]\nturn = 1\nbank_per = 'kyoku'\n", 'bank_per = "kyoku" is not allowed; allowed: "game" or "round"'),
)
def test_a_wrong_table_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        loaded(tmp_path, text)
    assert words in str(refused.value) and "table.toml" in str(refused.value)


def test_a_match_whose_program_does_not_start_has_no_game(tmp_path: Path) -> None:
    """One line that names the player and what it said, and no record."""
    script = tmp_path / "bot.py"
    script.write_text("raise SystemExit('no weights found')")
    entrants = enlist([f"exec:{PYTHON} {script}", "shanten", "shanten", "shanten"], tmp_path)
    rules = ruleset.resolve("majiang").rules
    table = RiichiTable(rules, [entrant.name for entrant in entrants], "1", Keeping(tmp_path, "0"))
    plan = Plan(tuple(entrants), 1, "1", Mode.PER_TURN, Clock(turn=5.0, reaction=5.0), OnFault.DEFAULT)
    with pytest.raises(BadInput) as refused:
        list(play(plan, table))
    assert str(refused.value) == (
        "player bot.py is not ready: the program has ended with exit code 1; on stderr: no weights found"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.py", "bot.py.stderr.txt"]


@cases(
    "labels, names",
    (("a", "b", "c", "d"), ["a", "b", "c", "d"]),
    (("a", "b", "a", "a"), ["a-1", "b", "a-2", "a-3"]),
    (("a-1", "a", "a", "b"), ["a-1", "a-2", "a-3", "b"]),
    (("a", "a-2", "a", "a-2"), ["a-1", "a-2-1", "a-3", "a-2-2"]),
)
def test_no_two_players_have_one_name_whatever_names_were_given(labels: tuple[str, ...], names: list[str]) -> None:
    assert unique(labels) == names and len(set(names)) == len(names)


def test_who_watches_this_process_sees_it_as_modules_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STALLS, "heartbeat", Heartbeat(memoryview(bytearray(SIZE))))
    (tmp_path / "imported.py").write_text(
        "from jantaku.players.bots.dice import Dice\nfrom jantaku.table.judge.stalls import STALLS\n"
        "class Bot(Dice): bound = STALLS.heartbeat.numbers[1]\n"
    )
    (entrant,) = enlist([str(tmp_path / "imported.py")])
    assert type(entrant.make(0)).bound == 60_000  # type: ignore[attr-defined]
    assert STALLS.heartbeat is not None and STALLS.heartbeat.numbers[1] == 0


def test_the_bots_that_come_along_are_entry_points_as_well() -> None:
    points = {name: one.value for name, one in installed().items() if one.value.startswith("jantaku.players.bots.")}
    assert points == OWN


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


@kept_cases("text, said")
def test_what_is_wrong_in_a_config_file_is_said_with_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'table.toml'}: {said}")


@kept_cases("bot, line")
def test_nul_in_a_players_terms_is_one_line(bot: str, line: str, jantaku: Jantaku, tmp_path: Path) -> None:
    """No process takes it in its command, folder or environment."""
    others = '[[player]]\nbot = "dice"\n' * 3
    (tmp_path / "t.toml").write_text(f'[[player]]\nbot = "{bot}"\n{line}\n{others}')
    ran = jantaku(
        "play", "--config", str(tmp_path / "t.toml"), "--length", "one", "--limit", "1", "--out", str(tmp_path / "out")
    )
    assert ran.code == 2 and ran.err.startswith("jantaku: ") and ran.err.count("\n") == 1, ran
