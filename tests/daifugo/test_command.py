"""`jantaku play --game daifugo`, `jantaku daifugo`, and `jantaku verify` and `stats` of its records."""

import json
import re
import signal
from itertools import combinations
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from jantaku.table.daifugo.rules import FILES
from scripts.serving import Serving
from tests.daifugo.rooms.guests import PATIENCE, Client, Guest
from tests.kit.cases import cases
from tests.kit.command import Jantaku

THREE = ("--game", "daifugo", "--players", "daifugo-greedy,daifugo-weakest,dice", "--set", "series.rounds=2")


def test_play_keeps_records_that_verify(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *THREE, "--set", "game.letter=B", "--seed", "5", "--games", "2", "--out", str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    games = ran.out.splitlines()[:2]
    assert all(name in game for game in games for name in ("daifugo-greedy", "daifugo-weakest", "dice"))
    records = sorted(map(str, tmp_path.iterdir()))
    assert [Path(record).name for record in records] == ["game-0000.jsonl", "game-0001.jsonl"]
    ran = jantaku("verify", *records)
    assert ran.code == 0 and ran.out.count(": 2 rounds, ") == ran.out.count(": identical; not checked by replay") == 2


@pytest.mark.parametrize("threads", ["per-turn", "resident"])
def test_every_way_to_run_players_gives_the_same_series(jantaku: Jantaku, tmp_path: Path, threads: str) -> None:
    ran = [
        json.loads(jantaku("play", *THREE, "--seed", "5", "--json", "--threads", way, "--out", str(tmp_path / way)).out)
        for way in ("inline", threads)
    ]
    assert ran[0]["scores"] == ran[1]["scores"] and ran[0]["ranks"] == ran[1]["ranks"]
    plays = [
        [
            line
            for line in (tmp_path / way / "game-0000.jsonl").read_text().splitlines()
            if not line.startswith(('{"turn"', '{"digest"'))
        ]
        for way in ("inline", threads)
    ]
    assert plays[0] == plays[1]


def test_a_player_that_breaks_is_blamed_and_the_others_play_on(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ["--game", "daifugo", "--players", "crash,daifugo-weakest", "--set", "series.rounds=1"]
    ran = jantaku("play", *words, "--seed", "5", "--json", "--out", str(tmp_path))
    outcome = json.loads(ran.out)
    assert outcome["ending"] == "over"
    assert list(outcome["faults"][0]) == ["gone"] and outcome["faults"][1] == {}


def test_verify_finds_a_changed_record(jantaku: Jantaku, tmp_path: Path) -> None:
    jantaku("play", *THREE, "--seed", "5", "--threads", "inline", "--out", str(tmp_path))
    path = tmp_path / "game-0000.jsonl"
    path.write_text(re.sub(r'"leader":(\d)', '"leader":9', path.read_text(), count=1))
    ran = jantaku("verify", str(path))
    assert ran.code == 1 and "DIFFERENT at line 4: the record has" in ran.out


SERVER = ("daifugo", "--seed", "7")


@pytest.mark.long
def test_the_server_command_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    with Serving(*SERVER, "--out", "out", "--set", "series.rounds=1", cwd=tmp_path) as server:
        assert f"; people go to {server.at('/', 'http')}; Ctrl-C ends it" in server.so_far().out
        client = Client(server.at("/test/practice/P0001?name=me"), FILES.preset("strict")).started()
        assert client.finished.acquire(timeout=PATIENCE)
        ran = server.stop(signal.SIGTERM, 143)
        client.thread.join(PATIENCE)
    assert ran.err.strip() == "jantaku: stopped by SIGTERM"


@pytest.mark.long
def test_the_tournaments_client_with_its_placeholder_plays_and_a_page_of_another_site_is_refused_and_logged(
    tmp_path: Path,
) -> None:
    """§12.1: it sends `Origin: http://origin`, which no page has."""
    words = ("--set", "series.rounds=1", "--set", "game.seats=2", "--players", "ws,daifugo-greedy", "--out", "out")
    with Serving(*SERVER, *words, cwd=tmp_path) as server:
        url = server.at("/play/A/R-01?name=x")
        with connect(url, compression=None, origin=Origin("http://origin"), user_agent_header=None) as connection:
            assert Guest(connection).play_on()["Kind"] == "Finish"
        with pytest.raises(InvalidStatus) as refusal:
            connect(url, compression=None, origin=Origin("http://other.example"))
        assert refusal.value.response.status_code == 403
        line = server.line("refused", PATIENCE)
        assert "admit='--origin http://other.example'" in line and "path=/play/A/R-01" in line


def test_rules_shows_checks_and_compares_the_presets_of_daifugo(jantaku: Jantaku, tmp_path: Path) -> None:
    shown = jantaku("rules", "--game", "daifugo", "neof5")
    assert shown == (0, FILES.to_toml(FILES.preset("neof5"), "neof5"), "")
    (tmp_path / "mine.toml").write_text('preset = "neof5"\n[game]\nseats = 3\n')
    ran = jantaku("rules", "--game", "daifugo", "--check", str(tmp_path / "mine.toml"))
    assert ran.out.endswith("mine.toml, preset neof5, 1 key changed: game.seats\n")
    ran = jantaku("rules", "--game", "daifugo", "--diff", "strict", "neof5")
    assert 'series.points: "place" -> "rank"\n' in ran.out
    assert "strict" in jantaku("rules", "--game", "daifugo").out


def test_the_server_command_says_what_it_cannot_do(jantaku: Jantaku) -> None:
    ran = jantaku("daifugo", "--com", "nobody")
    assert ran.code == 2 and "player nobody" in ran.err


@cases(
    "players, said",
    ("ws", "--players: 1 given; daifugo seats 2 to 6"),
    ("daifugo-greedy,dice", "--players: there is no seat for a client; at least one has to be ws"),
    ("ws,nobody", "player nobody"),
    ("ws,shanten", "player shanten: it plays riichi, but this is a table of daifugo"),
)
def test_who_cannot_play_is_said_before_anybody_comes(jantaku: Jantaku, players: str, said: str) -> None:
    ran = jantaku("daifugo", "--players", players)
    assert (ran.code, ran.out) == (2, "") and said in ran.err


PLAYERS = "daifugo-greedy,dice,daifugo-weakest,dice"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run") / "out"


@pytest.fixture
def outcomes(jantaku: Jantaku, folder: Path) -> list[dict[str, list[int]]]:
    words = ("--set", "game.letter=B", "--threads", "inline", "--seed", "5", "--games", "5", "--json")
    if not folder.exists():
        told = jantaku("play", "--game", "daifugo", "--players", PLAYERS, *words, "--out", str(folder)).out
        folder.with_suffix(".told").write_text(told)
    return [json.loads(line) for line in folder.with_suffix(".told").read_text().splitlines()]


@pytest.mark.long
def test_places_and_points_are_the_means_of_what_the_series_came_to(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]]
) -> None:
    told = json.loads(jantaku("stats", str(folder), "--json").out)["figures"]
    assert (told["series"], told["void"], told["rounds"]) == (5, 0, 50)
    assert {player["name"] for player in told["players"]} == set(outcomes[0]["names"])
    for player in told["players"]:
        at = [outcome["names"].index(player["name"]) for outcome in outcomes]
        points = [outcome["scores"][place] for outcome, place in zip(outcomes, at, strict=True)]
        places = [outcome["ranks"][place] for outcome, place in zip(outcomes, at, strict=True)]
        assert player["points"]["mean"] == pytest.approx(sum(points) / 5)
        assert player["place"]["mean"] == pytest.approx(sum(places) / 5)
        assert player["won"] == pytest.approx(places.count(1) / 5)
        assert sum(player["ranks"].values()) == pytest.approx(1)


def test_passes_revolutions_and_fouls_are_counted_from_the_journals(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]]
) -> None:
    lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    told = json.loads(jantaku("stats", str(folder), "--json").out)
    players = told["figures"]["players"]
    assert sum(player["revolutions"] for player in players) == sum("revolution" in line for line in lines) > 0
    assert sum(player["fouls"] for player in players) == sum(bool(line.get("agari", {}).get("foul")) for line in lines)
    questions = {timing["name"]: timing["questions"] for timing in told["times"]}
    assert sum(questions.values()) == sum("turn" in line for line in lines)
    passes = sum(round(player["passes"] * questions[player["name"]]) for player in players)
    assert passes == sum(line.get("play", {}).get("cards") == "" for line in lines)


def test_tables_name_players_ranks_times(jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]]) -> None:
    ran = jantaku("stats", str(folder))
    assert (ran.code, ran.err) == (0, "")
    assert all(word in ran.out for word in ("大富豪", "大貧民", "革命", "反則", "mean place", "median"))
    assert "5 series of 50 rounds in all" in ran.out.splitlines()


def test_differences_are_those_of_points_and_places_in_the_same_series(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]]
) -> None:
    pairs = json.loads(jantaku("stats", str(folder), "--json").out)["figures"]["pairs"]
    names = outcomes[0]["names"]
    assert {frozenset((pair["a"], pair["b"])) for pair in pairs} == set(map(frozenset, combinations(names, 2)))
    for pair in pairs:
        for told, values in (("points", "scores"), ("rank", "ranks")):
            at = [(one[values], one["names"].index(pair["a"]), one["names"].index(pair["b"])) for one in outcomes]
            assert pair[told]["mean"] == pytest.approx(sum(value[a] - value[b] for value, a, b in at) / 5)


def test_the_report_of_series_has_their_ranks_and_links_to_their_records(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]], tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    ran = jantaku("stats", str(folder), "--report", str(path))
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"report {path}")
    text = path.read_text("utf-8")
    assert all(f">{word}<" in text for word in ("大富豪", "大貧民", "革命", "反則", "Who against whom"))
    records = re.findall('<a href="(.*?)">', text)
    assert len(records) == 5 and all((tmp_path / record).is_file() for record in records)


def test_a_series_without_an_end_is_void(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]], tmp_path: Path
) -> None:
    whole = (folder / "game-0000.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "game-0000.jsonl").write_text("".join(whole[:200]), "utf-8")
    ran = jantaku("stats", str(tmp_path))
    assert (ran.code, ran.err) == (2, f"jantaku: {tmp_path}: none of 1 series has come to its end\n")
    (tmp_path / "game-0001.jsonl").write_text("".join(whole), "utf-8")
    assert "1 series of 10 rounds in all, 1 without an end" in jantaku("stats", str(tmp_path)).out.splitlines()
