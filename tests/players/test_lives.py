"""Programs and isolated bots live from game to game, and nothing of one game reaches the next."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters import process
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi import ruleset
from scripts.environments import PYTHON
from tests.kit.pace import SOON
from tests.players.driving import nothing_is_left as nothing_is_left

LIVING = [dialect for dialect in DIALECTS if dialect != "mjsonp"]
"""A connection of mjsonp is one game's."""
ONE = ruleset.with_settings(ruleset.resolve("majiang").rules, {"game.length": "one"})
PATIENT = Clock(turn=SOON, reaction=SOON, start=SOON)
LOADED = """from pathlib import Path
from jantaku.players.bots.dice import Dice
with Path({file!r}).open("a") as loads:
    loads.write("x")
class Loaded(Dice): pass
"""
SCRIPT = """import json, os, sys, time
def say(**words): print(json.dumps(words), flush=True)
with open({file!r}, "a") as loads: loads.write("x")
games = 0
for line in sys.stdin:
    told = json.loads(line)
    games += "kaiju" in told
    mine = told.get("zimo", {{}}).get("p")
{body}
"""
PLAYS = "    if told.get('seq'): say(seq=told['seq'], **({'dapai': mine + '_'} if mine else {}))"
"""It discards what it draws, and says nothing else."""


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def games(folder: Path, spec: str, count: int = 3, clock: Clock = PATIENT) -> tuple[list[Outcome], list[bytes]]:
    """So many games of one kyoku with three of our bots: the outcomes and the records."""
    entrants = tuple(enlist([spec, "tsumogiri", "tsumogiri", "tsumogiri"]))
    folder.mkdir(exist_ok=True)
    table = RiichiTable(ONE, [one.name for one in entrants], "8", Keeping(folder, "test"))
    outcomes = list(play(Plan(entrants, count, "8", Mode.RESIDENT, clock, OnFault.DEFAULT), table))
    return outcomes, [Path(outcome.records[-1]).read_bytes() for outcome in outcomes]


def script(folder: Path, body: str, options: str = "") -> str:
    """A program that is this little script; `body` is what it does with each message."""
    path = folder / "bot.py"
    path.write_text(SCRIPT.format(file=str(folder / "loads"), body=body))
    return f"exec:{PYTHON} {path}{options}"


def loads(folder: Path) -> int:
    return len((folder / "loads").read_text())


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["", *LIVING])
def test_a_bot_is_loaded_once_and_plays_the_same_games_as_if_loaded_for_each(tmp_path: Path, dialect: str) -> None:
    """A bot that rolls dice: its seed of each game reaches it in every dialect, and in a process of its own."""
    bot = tmp_path / "loaded.py"
    bot.write_text(LOADED.format(file=str(tmp_path / "loads")))
    client = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot {bot} --dialect {dialect}?dialect={dialect}&"
    spec = client if dialect else f"{bot}?isolate=process&"
    outcomes, kept = games(tmp_path / "kept", f"{spec}name=loaded")
    assert loads(tmp_path) == 1 and all(outcome.faults == ({}, {}, {}, {}) for outcome in outcomes)
    _, anew = games(tmp_path / "anew", f"{spec}name=loaded&restart=always")
    assert loads(tmp_path) == 1 + 3
    assert kept == anew and len(set(kept)) == 3


def test_a_program_with_its_number_on_the_command_line_is_loaded_once_for_each(tmp_path: Path) -> None:
    outcomes, _ = games(tmp_path / "out", script(tmp_path, PLAYS).replace("bot.py", "bot.py {id}"), 9)
    assert all(outcome.faults == ({}, {}, {}, {}) for outcome in outcomes)
    assert 2 <= loads(tmp_path) <= 4


@pytest.mark.long
def test_a_program_that_fell_silent_is_started_anew_and_its_late_answer_counts_for_nothing(tmp_path: Path) -> None:
    """In its first game it keeps an answer back, and gives it when it is told of the second."""
    late = (
        "    if mine and not os.path.exists('{0}'): open('{0}', 'w').close(); kept = told['seq']; time.sleep(3)\n"
        "    if told.get('seq') and told['seq'] != globals().get('kept'):\n        "
    ).format(tmp_path / "silent")
    clock = Clock(turn=2.0, reaction=SOON, start=SOON)
    (first, second), _ = games(tmp_path / "out", script(tmp_path, late + PLAYS.strip()), 2, clock)
    assert set(first.faults[0]) & {"silent", "late"} and second.faults[0] == {}
    assert loads(tmp_path) == 2


def test_a_program_that_crashed_is_started_anew(tmp_path: Path) -> None:
    crash = f"    if mine and not os.path.exists('{tmp_path}/x'): open('{tmp_path}/x', 'w').close(); sys.exit(1)\n"
    (first, *others), _ = games(tmp_path / "out", script(tmp_path, crash + PLAYS))
    assert first.faults[0].keys() == {"gone"} and [one.faults[0] for one in others] == [{}, {}]
    assert loads(tmp_path) == 2


def test_a_program_that_ends_with_its_game_has_not_failed(tmp_path: Path) -> None:
    """Its end is no failure, which `restarts` would count."""
    leaves = PLAYS + "\n    if 'jieju' in told: sys.exit(0)"
    outcomes, _ = games(tmp_path / "out", script(tmp_path, leaves, "?restarts=0"))
    assert [one.faults[0] for one in outcomes] == [{}, {}, {}] and loads(tmp_path) == 3


@pytest.mark.parametrize("does", ["continue", "sys.exit(1)", "print('nonsense', flush=True); continue"])
def test_a_program_of_one_game_is_started_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    monkeypatch.setattr(process, "AGAIN", 0.5)
    outcomes, _ = games(tmp_path / "out", script(tmp_path, f"    if games > 1: {does}\n{PLAYS}"))
    assert [one.faults[0] for one in outcomes] == [{}, {}, {}] and loads(tmp_path) == 3


def test_a_program_that_is_silent_at_the_end_is_started_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where replies are counted, one to the end of a game could be taken for one to the next."""
    monkeypatch.setattr("jantaku.players.adapters.lives.REST", 0.2)
    outcomes, _ = games(tmp_path / "out", script(tmp_path, "    if 'jieju' in told: continue\n" + PLAYS))
    assert [one.faults[0] for one in outcomes] == [{}, {}, {}] and loads(tmp_path) == 3


@pytest.mark.parametrize("option", ["restart=always", "restart=never", "restart=next-kyoku"])
def test_only_always_starts_one_for_every_game(tmp_path: Path, option: str) -> None:
    games(tmp_path / "out", script(tmp_path, PLAYS, f"?{option}"))
    assert loads(tmp_path) == (3 if option == "restart=always" else 1)


def test_numbers_go_on_from_game_to_game_and_each_game_says_its_seed(tmp_path: Path) -> None:
    note = "    if 'kaiju' in told: print(told['seq'], told['kaiju']['jantaku']['seed'], file=open({0!r}, 'a'))\n"
    games(tmp_path / "out", script(tmp_path, note.format(str(tmp_path / "s")) + PLAYS), 2)
    (one, a), (two, b) = (line.split() for line in (tmp_path / "s").read_text().splitlines())
    assert one == "1" and int(two) > 5 and a != b


@pytest.mark.long
@pytest.mark.parametrize("workers", [0, 2])
def test_every_worker_of_a_match_loads_a_bot_once(tmp_path: Path, jantaku: Any, workers: int) -> None:
    bot = tmp_path / "loaded.py"
    bot.write_text(LOADED.format(file=str(tmp_path / "loads")))
    words = ["--format", "seats", "--sets", "2", "--seed", "5", "--length", "one", "--out", str(tmp_path / "match")]
    players = f"{bot}?isolate=process,tsumogiri,tsumogiri,tsumogiri"
    ran = jantaku("match", "--players", players, "--workers", str(workers), *words)
    assert ran.code == 0, ran.err
    assert loads(tmp_path) == max(workers, 1)
