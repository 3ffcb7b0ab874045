"""Slips and hostile input on the command line: one line that says what to do, exit code 2, nothing written."""

import json
from pathlib import Path

import pytest

from table.cli.main import main
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plya", "No such command 'plya'; did you mean play? the commands are play, match, "),
        ("frobnicate", "No such command 'frobnicate'; the commands are play, match, "),
        ("view g", "g is a folder; name its files: g/game-0000.json g/game-0000.jsonl (all of them: g/*.jsonl)"),
        ("show g", "g is a folder; name its files: "),
        ("convert g out.json", "g is a folder; name its files: "),
        ("verify .", ". is a folder; there is no record in it"),
        ("play --from g", "g is a folder; name its files: "),
        ("view d/game-0000.jsonl", "d/game-0000.jsonl is a record of 大富豪, which only jantaku verify reads"),
        ("show d/game-0000.jsonl", "is a record of 大富豪"),
        ("stats d", "is a record of 大富豪"),
        ("play --from d/game-0000.jsonl", "is a record of 大富豪"),
        ("play --from g/game-0000.json --turn 999", "has no turn 999 in kyoku 1; that kyoku has "),
        ("play --from g/game-0000.json --kyoku 9", "has no turn 1 in kyoku 9; it has 1 kyoku"),
        ("show g/game-0000.json --turn 999", " turns"),
        ("match --format 1v2", "'1v2' is not known; did you mean 2v2? allowed: seats, 1v3, 2v2, round-robin, gauntlet"),
        ("match --threads residnt", "'residnt' is not known; did you mean resident?"),
        ("match --length hanchn", "'hanchn' is not known; did you mean hanchan?"),
        ("match --sets 0", "Invalid value for '--sets': 0 is not in the range"),
        ("match --players ws:a,dice,dice,dice --workers 2", "ws: players connect to this process; leave --workers"),
        ("exam dice --item furitne", "'furitne' is not known; did you mean furiten?"),
        ("exam daifugo-greedy", "it plays daifugo, and this is a table of riichi"),
        ("play --game daifugo --players shanten,dice", "it plays riichi, and this is a table of daifugo"),
        ("play --game daifugo --watch", "--watch is for riichi"),
        ("daifugo --com shanten", "it plays riichi, and this is a table of daifugo"),
    ],
)
def test_a_slip_is_answered_with_what_to_write(
    jantaku: Jantaku, records: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.chdir(records)
    ran = jantaku(*words.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert said in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "--players", ""), "player : the players are caller, "),
        (("play", "--rules", ""), '"" is no preset and no file'),
        (("serve", "--players", ""), "--players: 1 given; a riichi table seats 4"),
        (("daifugo", "--rules", ""), '"" is no preset and no file'),
        (("exam", "dice", "--rules", ""), '"" is no preset and no file'),
        (("serve", "--host", "\udcff"), "'\\udcff' is no name or address of a machine"),
    ],
)
def test_an_empty_or_unreadable_word_is_not_taken_for_none(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = jantaku(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert said in ran.err and list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of riichi, g, and one of 大富豪, d."""
    place = tmp_path_factory.mktemp("records")
    for words in (
        ("play", *GAME, "--out", str(place / "g")),
        ("play", "--game", "daifugo", "--set", "series.rounds=1", "--seed", "1", "--out", str(place / "d")),
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
    return place


@pytest.mark.parametrize("command", ["play", "match", "exam"])
def test_help_says_how_a_program_or_a_client_is_named(jantaku: Jantaku, command: str) -> None:
    told = " ".join(jantaku(command, "--help").out.split())
    words = ("exec:",) if command == "exam" else ("FILE.py:Class", "exec:PROGRAM", "ws:NAME", "dialect=mjai")
    assert all(word in told for word in words)


def test_players_under_given_and_made_names_keep_figures_of_their_own(jantaku: Jantaku, tmp_path: Path) -> None:
    players = "dice?name=a-1,shanten?name=a,caller?name=a,tsumogiri"
    words = ("--players", players, "--sets", "1", "--workers", "0", *GAME)
    results = json.loads(jantaku("match", *words, "--json", "--out", str(tmp_path / "m")).out)["results"]
    assert {one["name"]: one["seats"] for one in results["figures"]["players"]} == dict.fromkeys(
        ("a-1", "a-2", "a-3", "tsumogiri"), 4
    )
