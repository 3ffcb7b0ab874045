"""The benchmark: what it measures is what it says, and what it prints can be read. Speeds are never looked at."""

import ast
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.broken.cheat import Cheat
from jantaku.table import core
from jantaku.table.ground.errors import TableFault
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Call, Discard, Kan, Ron, Tsumo
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.ruleset import preset
from jantaku.table.riichi.words import word_of
from scripts.bench import __main__ as bench
from scripts.bench import commands, games, identical, pages
from scripts.bench.measuring import Burst, Measured
from tests.kit.cases import cases

FOLDER = Path(bench.__file__).parent
QUICK = ("--quick", "--json", "--unpinned")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert bench.main(words) == 0, capsys.readouterr()
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def named(lines: list[dict[str, Any]]) -> list[str]:
    return [line["row"] for line in lines if "row" in line]


@pytest.mark.parametrize("policy", ["T", "W", "R"])
def test_the_bare_engine_asks_as_often_as_the_judge(policy: str) -> None:
    judged, bare = games.judged(policy, "inline")(0), games.bare_engine(policy)(0)
    if policy == "R":  # one roll of dice for the table there, one for each bot here
        assert judged.hanchan == bare.hanchan == 1
    else:
        assert judged == bare


def test_whoever_always_discards_the_drawn_tile_plays_twelve_kyoku() -> None:
    """Nobody gets past the points that end a game, so that it goes on through West."""
    game = games.game_of(0, preset("tenhou"))
    games.run(game, games.bots("T", 0), "inline")
    assert game.rounds == 12
    assert all(event.tsumogiri for event in game.events if isinstance(event, events.TileDiscard))


def test_who_discards_by_shanten_wins_never_calls_and_leaves_the_least() -> None:
    game = games.game_of(1, preset("tenhou"))
    watching = [Watching(bot, game) for bot in games.bots("W", 1)]
    games.run(game, [*watching], "inline")
    kinds = {type(event) for event in game.events}
    assert events.Win in kinds and events.Riichi in kinds
    assert not kinds & {events.MeldCall, events.OwnKan}
    assert sum(player.discards for player in watching) > 100


class Watching:
    """Holds every answer of W against the hand that the engine knows."""

    listens = True

    def __init__(self, player: Any, game: Any) -> None:
        self.hear = player.hear
        self._player, self._game = player, game
        self.discards = 0

    def answer(self, question: Any) -> Any:
        said = self._player.answer(question)
        assert not isinstance(said, Call | Kan)
        if any(isinstance(option, Tsumo | Ron) for option in question.options):
            assert isinstance(said, Tsumo | Ron), word_of(said)
        elif any(isinstance(option, Discard) for option in question.options):
            self._check(said, question.options)
        return said

    def _check(self, said: Discard, options: Any) -> None:
        self.discards += 1
        kyoku = self._game.kyoku
        counts = kyoku.board.hands[kyoku.seat].counts[:]
        left = {}
        for option in options:
            if isinstance(option, Discard):
                counts[KIND[option.tile]] -= 1
                left[option] = shapes.shanten(counts)
                counts[KIND[option.tile]] += 1
        assert left[said] == min(left.values())
        assert said.riichi or not any(option.riichi for option in left)


def test_a_bot_at_fault_spoils_the_measurement() -> None:
    players = [*games.bots("T", 0)[:3], Cheat()]
    with pytest.raises(RuntimeError, match="illegal"):
        games.run(games.game_of(0, preset("tenhou")), players, "inline")


def test_a_row_says_how_much_was_played_and_what_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = printed(capsys, *QUICK, "--only", "inline,T")
    assert line["row"] == "inline" and line["policy"] == "T" and line["core"] is None
    assert line["turns_per_hanchan"] > 800 and line["questions_per_hanchan"] > 900
    least, most = line["hanchan_per_cpu_s_range"]
    assert 0 < least <= line["hanchan_per_cpu_s"] <= most
    assert min(line[key] for key in ("hanchan", "cpu_s", "wall_s", "rounds")) > 0


@pytest.mark.long
@pytest.mark.slow
def test_all_rows_are_measured_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, *QUICK, "--only", "W," + ",".join(games.ROWS))
    assert named(lines) == [*games.ROWS]
    ratios = [line for line in lines if "ratio" in line]
    assert [line["ratio"] for line in ratios][:2] == [
        "share of the judge in a hanchan of inline",
        "share of the journal of `play` in a hanchan of board-play",
    ]
    assert len(ratios) == 3 and all(isinstance(line["value"], float) for line in ratios)


def test_rows_are_measured_on_one_core(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--quick", "--json", "--only", "engine,resident,T")
    assert named(lines) == ["engine", "resident"]
    assert [line["core"] is None for line in lines] == [False, False] or sys.platform != "linux"


def test_a_ratio_is_taken_round_by_round() -> None:
    def row(*hanchan: int) -> Measured:
        return Measured("row", "T", None, bursts=[Burst(cpu=1.0, wall=1.0, hanchan=number) for number in hanchan])

    assert row(2, 40, 600).ratio(row(1, 10, 100)) == 4


@cases(
    "words, wrong",
    (("--only", "inlin"), "--only: 'inlin' is not known; allowed are engine,"),
    (("--rounds", "0"), "--rounds: 0 given; allowed is what is above 0"),
    (("--bytes", "-3"), "--bytes: -3 given"),
)
def test_what_cannot_be_is_said_in_one_line(
    words: tuple[str, ...], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(words) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"bench: {wrong}") and said.err.count("\n") == 1 and not said.out


@pytest.mark.long
def test_commands_are_run_as_typed_and_told_with_what_all_their_processes_took(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "COMMANDS", ("play --threads inline", "verify games/*.json", "pytest"))
    lines = printed(capsys, *QUICK, "--commands", "2")
    kinds = ["compiled", "plain"] if core == "compiled" else ["plain"]
    pairs = [(typed, kind) for typed in commands.COMMANDS for kind in kinds]
    assert [(line["typed"], line["core"]) for line in lines] == pairs
    assert all(line["cpu_s"] > 0 and line["wall_s"] > 0 and line["games"] == 2 for line in lines)


def test_who_fails_spoils_the_measurement(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "COMMANDS", ("play --fly",))
    assert bench.main((*QUICK, "--commands", "4")) == 70
    assert "bench: play --fly: it ended with exit code 2, see above" in capsys.readouterr().err


@pytest.mark.parametrize(("typed", "fails"), [("pytest", True), ("verify games/*.json", True), ("gate a b", False)])
def test_exit_code_1_is_a_failure_but_where_it_says_nothing_is_decided(tmp_path: Path, typed: str, fails: bool) -> None:
    ran = commands.Ran(typed, "plain", "exit 1", 1)
    with pytest.raises(TableFault, match="exit code 1") if fails else nullcontext():
        ran.run(tmp_path)
    assert len(ran.cpu) == (not fails)


def test_what_is_missing_is_said_before_the_first_row_and_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "COMMANDS", ("play --threads inline", "convert games decisions.parquet", "pytest"))
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    assert bench.main((*QUICK, "--commands", "1")) == 0
    said = capsys.readouterr()
    assert {json.loads(line)["typed"] for line in said.out.splitlines()} == {"play --threads inline"}
    assert [line.partition(" games")[0].partition(",")[0] for line in said.err.splitlines()[:2]] == [
        "bench: left out: convert",
        "bench: left out: pytest",
    ]


@pytest.mark.parametrize("page", pages.pages_with_figures(), ids=lambda page: page.name)
def test_each_figure_of_speed_on_a_page_is_the_one_that_was_measured(page: Path) -> None:
    text = page.read_text("utf-8")
    run = "run python -m scripts.bench --commands 40 --peers --pages"
    assert pages.page_with(page, text, pages.kept()) == text, run
    other = {name: value + 1 for name, value in pages.kept().items()}
    changed = pages.page_with(page, text, other)
    assert changed != text and pages.page_with(page, changed, pages.kept()) == text


def test_a_run_names_its_figures_by_what_was_measured() -> None:
    rows = [{"row": "inline", "policy": "T", "hanchan_per_cpu_s": 680.4}]
    ratios = [
        {"ratio": f"inline : {rival}, hanchan per CPU s", "policy": "T", "value": value}
        for rival, value in (("riichienv", 15.8), ("mjai", 5.6))
    ]
    typed = [{"typed": "match", "core": "plain", "cpu_s": 2.6}, {"typed": "riichienv's loop", "core": "", "cpu_s": 1.2}]
    found = {"inline T": 680.4, "inline beside the fastest other T": 5.6, "match, plain": 2.6, "riichienv's loop": 1.2}
    assert pages.figures_of([*rows, *ratios, *typed, {"seeds": 1}]) == found


@pytest.mark.parametrize("words", [("--quick",), ("--commands", "4"), ("--commands", "40", "--length", "one")])
def test_no_other_run_than_that_of_the_pages_gets_on_them(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert bench.main((*words, "--pages")) == 2
    assert capsys.readouterr().err.startswith("bench: --pages: the pages have --commands 40 --peers, or rows")


def test_commands_are_compared_with_another_engine_round_by_round() -> None:
    ours = commands.Ran("play", "plain", "", 20, cpu=[1.0, 10.0, 100.0], wall=[1.0] * 3)
    theirs = commands.Ran("loop", "", "", 40, cpu=[2.0, 40.0, 600.0], wall=[1.0] * 3)
    plan = commands.CommandsPlan(40, rounds=3)
    assert [line.get("ratio") for line in commands.part_of(plan, [ours, theirs]).lines] == [2, 1], "by the game"
    assert [line.get("ratio") for line in commands.part_of(plan, [ours]).lines] == [None]


def test_records_are_alike_in_every_mode(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = printed(capsys, "--json", "--bytes", "1")
    assert (line["seeds"], line["different"]) == (1, 0)


def test_records_that_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(seeds: int, mode: str, seats: int, *, pure: bool) -> "subprocess.Popen[str]":
        lines = [f"{seed} {'x' if seed == 1 and pure else 'y'}" for seed in range(seeds)]
        told = "\n".join(["plain Python", *lines])
        return subprocess.Popen([sys.executable, "-c", f"print({told!r})"], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(identical, "_started", started)
    said: list[str] = []
    part, different = identical.compared(3, said.append)
    assert different == part.lines[0]["different"] == 1
    assert any(text.startswith("seed 1: ") for text in said)


def test_times_are_no_part_of_what_is_compared() -> None:
    first, second = (
        b'{"turn":1,"answers":[{"seat":0,"used":0.%d}]}\n{"zimo":{"l":0,"p":"m1"}}\n' % used for used in (12, 3)
    )
    assert identical._without_times(first) == identical._without_times(second)
    assert identical._without_times(first) != identical._without_times(first.replace(b"m1", b"m2"))


@pytest.mark.parametrize("driver", ["peer_riichienv.py", "peer_mjai.py"])
def test_drivers_of_other_engines_import_nothing_of_ours_but_the_bursts(driver: str) -> None:
    for name in (driver, "bursts.py"):
        tree = ast.parse((FOLDER / name).read_text("utf-8"))
        modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        ours = {module for module in modules if module.partition(".")[0] in ("jantaku", "table", "players", "scripts")}
        assert ours <= {"scripts.bench.bursts"}
