"""Slips and hostile input on the command line: one line that says what to do, exit code 2, nothing written."""

import json
from pathlib import Path

import pytest

from tests.kit.command import Jantaku

MONSTERS = {"deep": "[game]\numa = " + "[" * 20_000, "long": "[game]\numa = " + "9" * 5000}
GAME = ("--length", "one", "--threads", "inline", "--seed", "1")


@pytest.mark.parametrize("monster", MONSTERS)
@pytest.mark.parametrize("words", [("rules", "--check"), ("play", "--config"), ("match",), ("play", "--rules")])
def test_a_file_that_nests_or_counts_without_end_is_bad_input(
    jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], monster: str
) -> None:
    path = tmp_path / "monster.toml"
    path.write_text(MONSTERS[monster], "utf-8")
    ran = jantaku(*words, str(path))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"jantaku: {path}: is not valid TOML: ")


@pytest.mark.parametrize("command", ["play", "match", "serve", "daifugo"])
@pytest.mark.parametrize(("folder", "said"), [("", "names no folder"), ("a" * 4000, "File name too long")])
def test_a_folder_that_cannot_be_made_is_bad_input(jantaku: Jantaku, command: str, folder: str, said: str) -> None:
    ran = jantaku(command, *(("--players", "dice,dice,dice,dice") if command == "match" else ()), "--out", folder)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err


def test_a_path_that_is_too_long_only_for_its_records_is_bad_input(jantaku: Jantaku, tmp_path: Path) -> None:
    room = 4096 - len(str(tmp_path)) - 10  # the folder fits, what stands in it does not
    folder = str(tmp_path / "/".join(["a" * 200] * (room // 201))) + "/" + "b" * (room % 201)
    ran = jantaku("play", *GAME, "--out", folder.rstrip("/"))
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert "File name too long" in ran.err


def test_players_under_given_and_made_names_keep_figures_of_their_own(jantaku: Jantaku, tmp_path: Path) -> None:
    players = "dice?name=a-1,shanten?name=a,caller?name=a,tsumogiri"
    words = ("--players", players, "--sets", "1", "--workers", "0", *GAME)
    results = json.loads(jantaku("match", *words, "--json", "--out", str(tmp_path / "m")).out)["results"]
    assert {one["name"]: one["seats"] for one in results["figures"]["players"]} == dict.fromkeys(
        ("a-1", "a-2", "a-3", "tsumogiri"), 4
    )
