"""Three players at the commands: played, recorded, verified, driven by a record, and what is refused."""

import json
from pathlib import Path

import pytest

from jantaku.table.cli import main as cli
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import THREADED

RULES = ("--rules", "tenhou-3p")
BOTS = ("--players", "shanten,caller,dice")


def played(jantaku: Jantaku, folder: Path, *words: str) -> Path:
    ran = jantaku("play", *RULES, *BOTS, "--length", "one", "--seed", "5", "--out", str(folder), *words)
    assert (ran.code, ran.err) == (0, ""), ran
    return folder / "game-0000.jsonl"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hanchan of three, in which norths are set aside."""
    folder = tmp_path_factory.mktemp("three") / "games"
    with pytest.raises(SystemExit) as left:
        cli.main(("play", *RULES, *BOTS, "--seed", "5", "--threads", "inline", "--out", str(folder)))
    assert left.value.code == 0
    return folder / "game-0000.jsonl"


@pytest.mark.parametrize("mode", THREADED)
def test_games_of_three_are_the_same_however_the_threads_are(jantaku: Jantaku, tmp_path: Path, mode: str) -> None:
    inline = played(jantaku, tmp_path / "inline", "--threads", "inline").with_suffix(".json")
    threaded = played(jantaku, tmp_path / mode, "--threads", mode).with_suffix(".json")
    assert inline.read_bytes() == threaded.read_bytes()


def test_a_north_that_is_set_aside_is_an_item_and_a_reply(journal: Path) -> None:
    """T-76."""
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    items = [line["penuki"] for line in lines if "penuki" in line]
    assert items and all(item["p"] == "z4" for item in items)
    replies = [answer["reply"] for line in lines for answer in line.get("answers", ())]
    assert {"penuki": "z4"} in replies
    assert len(lines[0]["player"]) == 3 and all(len(line["qipai"]["shoupai"]) == 3 for line in lines if "qipai" in line)


def test_a_changed_north_in_a_record_is_found(jantaku: Jantaku, journal: Path, tmp_path: Path) -> None:
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '"penuki":{"l"' in line)
    (changed := tmp_path / "changed.jsonl").write_text("".join([*lines[:at], *lines[at + 1 :]]), "utf-8")
    ran = jantaku("verify", str(changed))
    assert ran.code == 1 and f"line {at}" in ran.out + ran.err


def test_a_record_of_three_drives_a_game_that_others_go_on(jantaku: Jantaku, journal: Path, tmp_path: Path) -> None:
    words = ("--players", "dice,tsumogiri,dice", "--threads", "inline", "--out", str(tmp_path / "on"))
    ran = jantaku("play", "--from", str(journal), "--kyoku", "2", "--turn", "3", *words)
    assert ran.code == 0, ran
    assert jantaku("verify", str(tmp_path / "on" / "game-0000.jsonl")).code == 0


@cases(
    "text, place",
    ('[table]\nplayers = ["dice", "dice", "dice"]\n', "table.players"),
    ('[[player]]\nbot = "dice"\n' * 3, "[[player]]"),
)
def test_players_of_a_file_that_are_too_few_are_refused_with_the_file_and_not_with_an_option(
    jantaku: Jantaku, tmp_path: Path, text: str, place: str
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    for command in ("play", "serve"):
        ran = jantaku(command, "--config", str(path), "--out", str(tmp_path / "out"))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith(f"jantaku: {path}: {place}: 3 given; a riichi table seats 4")


def test_a_file_that_names_nobody_seats_as_many_as_the_command_lines_rules(jantaku: Jantaku, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nthreads = "inline"\n')
    words = (*RULES, "--length", "one", "--seed", "1", "--quiet", "--out", str(tmp_path / "out"))
    assert jantaku("play", "--config", str(path), *words).code == 0


@cases(
    "told, changed, said",
    ('"penuki":{"l":0', '"penuki":{"l":3', "seat 3; where 3 play it is 0 to 2"),
    ('"penuki":{"l":0,"p":"z4"', '"penuki":{"l":0,"p":"m2"', "“m2” is set aside; only z4 may be"),
    ('"zimo":{"l":0,"p":"p', '"zimo":{"l":0,"p":"m', "by these rules there are 0"),
)
def test_what_cannot_be_in_a_record_of_three_is_one_line_with_its_place(
    jantaku: Jantaku, journal: Path, tmp_path: Path, told: str, changed: str, said: str
) -> None:
    record = json.loads(journal.with_suffix(".json").read_text("utf-8"))
    text = json.dumps({key: record[key] for key in record if key != "jantaku"}, separators=(",", ":"))
    assert told in text
    (path := tmp_path / "bad.json").write_text(text.replace(told, changed), "utf-8")
    ran = jantaku("verify", str(path), *RULES)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1) and said in ran.err


def test_records_of_three_and_four_are_not_for_other_rules(jantaku: Jantaku, journal: Path, tmp_path: Path) -> None:
    on = ("play", "--players", "dice,dice,dice,dice", "--out", str(tmp_path / "on"), "--from")
    for words in (("verify",), on):
        ran = jantaku(*words, str(journal), "--rules", "tenhou")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "3 play in this record, 4 by these rules; give other --rules" in ran.err


def test_the_terminal_shows_three_hands_and_the_norths_set_aside(jantaku: Jantaku, journal: Path) -> None:
    told = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    kyoku = 0
    for line in told:
        kyoku += "qipai" in line
        if "penuki" in line:
            break
    shown = jantaku("show", str(journal), "--kyoku", str(kyoku)).out
    assert "抜北" in shown and shown.count("╭") == 3 and "北 dice" not in shown


def test_a_running_game_of_three_can_be_watched(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--length", "one", "--threads", "inline", "--watch-port", "0", "--out", str(tmp_path / "watched"))
    ran = jantaku("play", *RULES, *BOTS, *words)
    assert ran.code == 0 and "watch at http://127.0.0.1:" in ran.out + ran.err


@pytest.mark.long
def test_two_players_are_compared_where_three_play_by_forks_and_hanchan(jantaku: Jantaku, tmp_path: Path) -> None:
    length = ("--length", "one", "--seed", "5", "--workers", "0", "--json")
    out = str(tmp_path / "forks")
    ran = jantaku("compare", "tsumogiri", "dice", *RULES, *length, "--hanchan", "2", "--confirm", "never", "--out", out)
    screening = json.loads(ran.out)["screening"]
    assert ran.code == 0 and screening["kyoku"] == 6 and screening["forked"]
    out = str(tmp_path / "gate")
    ran = jantaku("gate", "dice", "tsumogiri", *RULES, *length, "--sets", "5", "--threads", "inline", "--out", out)
    verdict = json.loads(ran.out)["verdict"]
    assert verdict["games"] == 3 * verdict["sets"]
    assert verdict["lead"]["mean"] == pytest.approx(2 - verdict["rank"]["mean"])
    assert verdict["test"]["rank0"] == 2.1 and verdict["test"]["rank1"] == 2


def test_a_record_of_three_is_reviewed_at_its_three_seats(jantaku: Jantaku, journal: Path) -> None:
    ran = jantaku("review", str(journal), "--by", "shanten", "--json")
    assert ran.code == 0 and [one["player"] for one in json.loads(ran.out)["players"]] == [0, 1, 2]
    ran = jantaku("review", str(journal), "--by", "shanten", "--seat", "3")
    assert ran.code == 2 and "has the players 0 to 2" in ran.err
