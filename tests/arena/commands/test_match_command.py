"""`jantaku match` and `stats` as a person uses them."""

import json
import re
import shutil
import threading
from pathlib import Path

import pytest

from jantaku.table.arena.commands import runs
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import plan_of
from jantaku.table.cli.main import main
from tests.kit.cases import kept_cases, text_of
from tests.kit.command import Jantaku, Ran

SMALL = ("--format", "1v3", "--players", "dice,tsumogiri", "--length", "one", "--threads", "inline", "--workers", "0")

WITH_TABLES = text_of("cases/arena/commands/match_with_tables.toml")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small match that was played once for all tests."""
    folder = tmp_path_factory.mktemp("original") / "match"
    with pytest.raises(SystemExit) as left:
        main(["match", *SMALL, "--sets", "3", "--seed", "5", "--quiet", "--out", str(folder)])
    assert left.value.code == 0
    return folder


@pytest.fixture
def played(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "match"))


def test_a_match_prints_its_tables_and_where_everything_is(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("match", *SMALL, "--sets", "3", "--seed", "5", "--out", str(tmp_path / "match"))
    assert (ran.code, ran.err) == (0, "")
    first = "threads inline (--threads per-turn: a DiscardEvent and new threads every turn)"
    assert ran.out.splitlines()[0] == first
    assert "12 of 12 kyoku" in ran.out and "12 kyoku in 3 sets, format 1v3, walls shared, seed 5" in ran.out
    assert f"everything: {tmp_path / 'match'}, report report.html" in ran.out
    assert max(map(len, ran.out.splitlines()[:-2])) <= 80
    assert re.search(r" median +99% *$", ran.out, re.MULTILINE), "nothing is cut off"
    report = (tmp_path / "match" / "report.html").read_text("utf-8")
    assert report.count('role="img"') == 3 and report.count("<polyline") >= 4, "the plots are drawn"


@pytest.mark.parametrize(("length", "unit"), [("one", "kyoku"), ("until-win", "kyoku"), ("tonpu", "tonpu")])
def test_a_match_calls_its_games_what_they_are(jantaku: Jantaku, tmp_path: Path, length: str, unit: str) -> None:
    words = ("--players", "shanten,caller", "--sets", "2", "--seed", "5", "--length", length)  # who win soon
    ran = jantaku("match", *SMALL, *words, "--out", str(tmp_path / "m"))
    assert f"8 of 8 {unit}" in ran.out and f"8 {unit} in 2 sets" in ran.out
    assert f"8 {unit} in 2 sets" in jantaku("stats", str(tmp_path / "m")).out
    report = (tmp_path / "m" / "report.html").read_text("utf-8")
    assert f"8 {unit} in 2 wall sets" in report and f"Points over {unit}" in report
    assert "hanchan" not in ran.out + report.lower()


@pytest.mark.parametrize(("core", "told"), [("plain Python", 1), ("compiled", 0)])
def test_a_long_match_in_plain_python_says_once_what_makes_it_faster(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, core: str, told: int
) -> None:
    monkeypatch.setattr(runs, "core", core)
    monkeypatch.setattr(runs, "LONG", 4)
    ran = jantaku("match", *SMALL, "--sets", "1", "--seed", "5", "--out", str(tmp_path / "match"))
    assert ran.code == 0 and ran.err.count("scripts/compile makes a match of this length faster") == told
    assert ran.err.count("\n") == told


def test_a_match_may_start_four_threads_in_every_turn_and_comes_to_the_same(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    start = threading.Thread.start

    def starting(thread: threading.Thread) -> None:
        started.append(thread.name)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", starting)
    results = []
    for threads in ("per-turn", "resident"):
        started.clear()
        out = tmp_path / threads
        words = ("--threads", threads, "--sets", "1", "--seed", "5", "--quiet", "--out", str(out))
        assert jantaku("match", *SMALL[:6], "--workers", "0", *words).code == 0
        assert ({f"T1-s{seat}-t7" for seat in range(4)} <= set(started)) is (threads == "per-turn")
        results.append(json.loads((out / "results.json").read_text())["figures"])
    assert results[0] == results[1]


def test_stats_says_what_the_match_said_from_the_records_alone(jantaku: Jantaku, played: Path) -> None:
    results = json.loads((played / "results.json").read_text())
    times = json.loads((played / "timing.json").read_text())
    for name in ("results.json", "timing.json", "journal.jsonl", "times.jsonl", "games.sqlite", "match.json"):
        (played / name).unlink()
    ran = jantaku("stats", str(played), "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    by_name = {player["name"]: player for player in found["figures"]["players"]}
    assert by_name == {player["name"]: player for player in results["figures"]["players"]}
    assert sorted(found["times"], key=str) == sorted(times, key=str)


def test_who_goes_on_is_told_which_hanchan_are_played_again_for_lost_records(jantaku: Jantaku, played: Path) -> None:
    results = (played / "results.json").read_bytes()
    for number in (2, 7):
        (played / "records" / f"game-{number:04d}.json").unlink()
    ran = jantaku("match", "--resume", str(played), "--workers", "0", "--quiet")
    told = "records of 2 finished kyoku are missing or not whole (2, 7); these kyoku are played again"
    assert (ran.code, ran.out, ran.err) == (0, "", f"{played}: {told}\n")
    assert (played / "results.json").read_bytes() == results
    assert len(list((played / "records").iterdir())) == 24


def test_stats_takes_hanchan_on_the_same_walls_for_one_set(jantaku: Jantaku, played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    words = [*SMALL[:2], "--players", "caller,tsumogiri", *SMALL[4:]]
    assert jantaku("match", *words, "--sets", "3", "--seed", "5", "--out", str(folder)).code == 0
    assert "24 kyoku in 3 sets" in jantaku("stats", str(played), str(folder)).out


def test_stats_reads_folders_of_play(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ("--players", "dice,dice,tsumogiri,caller", "--length", "one", "--threads", "inline", "--quiet")
    assert jantaku("play", *words, "--games", "3", "--seed", "1", "--out", str(folder)).code == 0
    assert "3 kyoku in 3 sets" in jantaku("stats", str(folder)).out


@pytest.mark.parametrize("form", ["journal", "paifu", "mjai", "tenhou6"])
def test_stats_takes_records_of_all_formats_and_trees(
    jantaku: Jantaku, played: Path, tmp_path: Path, form: str
) -> None:
    tree = tmp_path / "logs"
    assert jantaku("convert", str(played), str(tree / "of mine"), "--write-as", form).code == 0
    (tree / "settings.json").write_text("{}")
    ours, theirs = (jantaku("stats", str(place), "--json") for place in (played, tree))
    assert (theirs.code, theirs.err.count("\n")) == (0, 1), theirs
    assert f"left out: {tree / 'settings.json'}: not a record" in theirs.err
    wanted, found = (json.loads(ran.out)["figures"] for ran in (ours, theirs))
    assert {**found, "players": []} == {**wanted, "players": []}
    for one, other in zip(found["players"], wanted["players"], strict=True):
        assert {**one, "faults": {}, "faulty": 0} == {**other, "faults": {}, "faulty": 0}
    (path,) = (tree / "of mine").rglob("game-0003.*")
    renamed = path.rename(path.with_name(path.name.replace("game-0003", "mine")))
    assert "1 kyoku in 1 set" in jantaku("stats", str(renamed)).out


def test_a_log_that_does_not_tell_its_walls_is_a_set_of_its_own(jantaku: Jantaku, played: Path, tmp_path: Path) -> None:
    for number in range(3):
        items = (played / "records" / f"game-{number:04d}.jsonl").read_text("utf-8")
        words = ("convert", str(played / "records" / f"game-{number:04d}.jsonl"), str(tmp_path / f"{number}.mjson"))
        assert items and jantaku(*words).code == 0
        path = tmp_path / f"{number}.mjson"
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        lines[0] = {key: value for key, value in lines[0].items() if key in ("type", "names")}
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    ran = jantaku("stats", str(tmp_path / "0.mjson"), str(tmp_path / "1.mjson"), str(tmp_path / "2.mjson"))
    assert ran.code == 0 and "3 hanchan in 3 sets" in ran.out, ran


def test_stats_names_the_broken_line_of_a_record(jantaku: Jantaku, played: Path) -> None:
    path = played / "records" / "game-0004.jsonl"
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:7], lines[7][:9], *lines[8:]]))
    ran = jantaku("stats", str(played))
    assert ran.code == 2 and f"{path} line 8: broken" in ran.err


def test_a_report_that_is_there_is_not_overwritten(jantaku: Jantaku, played: Path) -> None:
    before = (played / "report.html").read_bytes()
    ran = jantaku("stats", str(played), "--report", str(played / "report.html"))
    assert ran.code == 2 and "exists already; nothing was overwritten" in ran.err
    assert (played / "report.html").read_bytes() == before


def test_a_file_says_what_is_played_and_flags_win_over_it(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_text(
        '[match]\nformat = "seats"\nplayers = ["dice", "caller", "tsumogiri", "dice"]\nthreads = "inline"\n'
        'seatings = "all"\ngames = 48\nseed = 3\nworkers = 0\nwalls = "per-seat"\n[rules.game]\nlength = "one"\n'
    )
    ran = jantaku("match", str(path), "--sets", "1", "--json", "--out", str(tmp_path / "match"))
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["results"]
    assert (found["walls"], found["seed"], found["figures"]["games"]) == ("per-seat", 3, 24)
    names = [player["name"] for player in found["figures"]["players"]]
    assert names == ["dice-1", "caller", "tsumogiri", "dice-2"]


@pytest.mark.long
def test_players_may_have_tables_of_their_own(jantaku: Jantaku, tmp_path: Path) -> None:
    path, folder = tmp_path / "match.toml", tmp_path / "match"
    path.write_text(WITH_TABLES)
    assert jantaku("match", str(path), "--workers", "0", "--out", str(folder)).code == 0
    plan = json.loads((folder / "match.json").read_text())
    assert plan["names"] == ["careful", "dice"]
    assert (plan["players"][0]["isolate"], plan["players"][0]["clock"]["turn"]) == ("process", 30.0)
    assert jantaku("match", "--resume", str(folder)).code == 0
    assert jantaku("match", str(path), "--resume", str(folder)).code == 0
    path.write_text(WITH_TABLES.replace("30.0", "20.0"))
    ran = jantaku("match", str(path), "--resume", str(folder))
    assert ran.code == 2 and "another match: player 1: clock.turn: 30.0 there, 20.0 here" in ran.err
    ran = jantaku("match", str(path), "--players", "dice,caller", "--resume", str(folder))
    assert 'players: ["tsumogiri", "dice"] there, ["dice", "caller"] here' in ran.err


@kept_cases("old, new, told")
def test_what_is_wrong_in_a_match_file_is_told(jantaku: Jantaku, tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "match.toml"
    path.write_text(WITH_TABLES.replace(old, new, 1))
    ran = jantaku("match", str(path), "--out", str(tmp_path / "match"))
    assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "match").exists()


def test_the_match_file_of_the_documentation_is_one(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "matches.md").read_text("utf-8")
    path = tmp_path / "match.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    plan = plan_of(read(str(path), {}))
    assert (plan.format, plan.sets, plan.clock.reaction, plan.stop.sprt) == ("1v3", 250, 2.0, True)


def test_an_sprt_ends_the_match_and_says_what_it_accepts(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--sprt", "rank0=3.4,rank1=2.4,least=5", "--sets", "400", "--seed", "1", "--out", str(tmp_path / "match"))
    ran = jantaku("match", *SMALL, *words)
    assert ran.code == 0 and "SPRT, mean rank 3.4 (H0) against 2.4 (H1): accepted H" in ran.out
    assert "ended early: SPRT accepts H" in ran.out


def test_quiet_is_quiet(jantaku: Jantaku, tmp_path: Path) -> None:
    assert jantaku("match", *SMALL, "--sets", "1", "--quiet", "--out", str(tmp_path / "m")) == Ran(0, "", "")


def test_a_match_is_only_resumed_as_what_it_is(jantaku: Jantaku, played: Path) -> None:
    before = {path: path.read_bytes() for path in played.rglob("*") if path.is_file()}
    ran = jantaku("match", "--resume", str(played), "--seed", "6")
    assert ran.code == 2 and "holds another match: seed: 5 there, 6 here" in ran.err
    assert {path: path.read_bytes() for path in played.rglob("*") if path.is_file()} == before
    again = jantaku("match", "--resume", str(played), "--workers", "0")
    assert again.code == 0 and "12 kyoku in 3 sets" in again.out
