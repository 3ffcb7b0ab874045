"""`jantaku stats` of series of 大富豪: the figures are those that the series came to."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.kit.command import Jantaku

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


def test_the_tables_name_players_ranks_and_times(
    jantaku: Jantaku, folder: Path, outcomes: list[dict[str, list[int]]]
) -> None:
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
