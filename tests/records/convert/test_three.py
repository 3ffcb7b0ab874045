"""Games of three in the forms of others, there and back, and what cannot be in one."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.cli import main as cli
from jantaku.table.records.convert.readers import Format, read_any, write_any
from scripts.roundtrips import compared
from tests.kit.command import Jantaku
from tests.kit.editing import putting

Json = dict[str, Any]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hanchan of three with norths set aside, calls, kans and draws."""
    folder = tmp_path_factory.mktemp("three") / "games"
    words = ("--rules", "tenhou-3p", "--players", "caller,shanten,caller", "--seed", "3", "--threads", "inline")
    with pytest.raises(SystemExit) as left:
        cli.main(("play", *words, "--out", str(folder)))
    assert left.value.code == 0
    return folder / "game-0000.jsonl"


def mjai(journal: Path, dialect: str = "wide") -> list[Json]:
    """As a log that nothing of ours stands in."""
    lines = [json.loads(line) for line in write_any(read_any(journal).record, "mjai", dialect)[0].splitlines()]
    return [{key: value for key, value in line.items() if key != "jantaku"} for line in lines]


def tenhou6(journal: Path) -> Json:
    log: Json = json.loads(write_any(read_any(journal).record, "tenhou6")[0])
    del log["jantaku"]
    return log


@pytest.mark.parametrize(
    ("form", "dialect", "ending"),
    [
        *(("mjai", dialect, ".mjson") for dialect in ("wide", "gimite", "mortal", "riichienv")),
        ("tenhou6", "", ".json"),
        ("paifu", "", ".json"),
    ],
)
def test_a_game_of_three_comes_back_as_it_was(journal: Path, form: Format, dialect: str, ending: str) -> None:
    record = read_any(journal).record
    assert [found for found in compared(record, form, dialect or "wide", ending) if found] == []


def test_mjai_has_three_entries_or_four_with_nobody_at_the_last(journal: Path) -> None:
    """T-73, T-74: nukidora or kita; the fourth entry is masked."""
    for dialect, width, word in (("wide", 3, "nukidora"), ("riichienv", 3, "kita"), ("mortal", 4, "nukidora")):
        lines = mjai(journal, dialect)
        deal = next(line for line in lines if line["type"] == "start_kyoku")
        assert [len(deal["scores"]), len(deal["tehais"]), len(lines[0]["names"])] == [width] * 3
        assert width == 3 or (deal["scores"][3], deal["tehais"][3], lines[0]["names"][3]) == (0, ["?"] * 13, "")
        aside = next(line for line in lines if line["type"] == word)
        assert aside["pai"] == "N" and {line["type"] for line in lines} & {"nukidora", "kita"} == {word}


@pytest.mark.parametrize("dialect", ["wide", "mortal", "riichienv"])
def test_a_log_of_others_is_known_to_be_of_three_in_both_widths(journal: Path, tmp_path: Path, dialect: str) -> None:
    (path := tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, mjai(journal, dialect))), "utf-8")
    read = read_any(path)
    assert len(read.record.names) == 3 and read.kept == {}
    assert any("tenhou-3p assumed" in note for note in read.notes)
    assert read.record.final == read_any(journal).record.final


def test_tenhou6_has_norths_among_the_discards_and_an_empty_fourth_place(journal: Path, tmp_path: Path) -> None:
    """T-71, T-72: rounds 3 and 7 are left out, the norths stand within the dora."""
    log = tenhou6(journal)
    assert log["name"][3] == "" and log["sc"][6:] == [0, 0] and log["rule"]["disp"].startswith("三")
    assert all(hand[13:16] == [[], [], []] and hand[1][3] == 0 for hand in log["log"])
    assert {hand[0][0] for hand in log["log"]} <= {0, 1, 2, 4, 5, 6, 8, 9, 10}
    assert any("f44" in hand[place] for hand in log["log"] for place in (6, 9, 12))
    assert "抜きドラ" not in json.dumps(log, ensure_ascii=False)
    (path := tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    read = read_any(path)
    assert len(read.record.names) == 3 and read.kept == {} and any("tenhou-3p assumed" in note for note in read.notes)


def test_majiangs_form_takes_three_only_where_asked_for(jantaku: Jantaku, journal: Path, tmp_path: Path) -> None:
    """T-76."""
    target = tmp_path / "game.json"
    for name, way in (("game.json", "; --penuki writes"), ("game.2015.json", "; --write-as paifu --penuki writes")):
        ran = jantaku("convert", str(journal), str(tmp_path / name))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "Majiang's format has four players only" + way in ran.err
    assert jantaku("convert", str(journal), str(target), "--penuki").code == 0
    assert read_any(target).record.log == read_any(journal).record.log


def refused(jantaku: Jantaku, path: Path, *words: str) -> str:
    ran = jantaku("convert", str(path), str(path.with_name("out.jsonl")), *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    return ran.err


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("tsumo", {"pai": "5m"}, "m5 is told; where three play there are no m2 to m8"),
        ("tsumo", {"actor": 3}, "player 3; where three play they are 0 to 2"),
        ("pon", {"type": "chi"}, "calls chi; there is none where three play"),
        ("hora", {"deltas": [1, 2]}, "deltas"),
        ("start_kyoku", {"oya": 3, "kyoku": 4}, "player 3; where three play"),
    ],
)
def test_what_cannot_be_in_mjai_of_three_is_one_line_with_its_place(
    jantaku: Jantaku, journal: Path, tmp_path: Path, kind: str, change: Json, said: str
) -> None:
    lines = mjai(journal)
    at = next(number for number, line in enumerate(lines) if line["type"] == kind)
    lines[at] |= change
    (path := tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = refused(jantaku, path)
    assert said in found and f"line {at + 1}" in found


def test_a_north_set_aside_in_mjai_of_four_is_one_line(jantaku: Jantaku, tmp_path: Path) -> None:
    log = Path(__file__).parents[2] / "data" / "logs" / "mortal_two_kyoku.mjson"
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    at = next(number for number, line in enumerate(lines) if line["type"] == "dahai")
    lines.insert(at, {"type": "nukidora", "actor": 0, "pai": "N"})
    (path := tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = refused(jantaku, path)
    assert f"line {at + 1}" in found and "sets a north aside where four play" in found


def _with_call(log: Json) -> None:
    calls = ((hand, place) for hand in log["log"] for place in (5, 8, 11) for call in hand[place] if "p" in str(call))
    hand, place = next(calls)
    at = next(number for number, call in enumerate(hand[place]) if "p" in str(call))
    hand[place][at] = "c112131"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (putting("log", 0, 5, 0, to=15), "tile 15; where three play there are no 12 to 18"),
        (putting("log", 0, 0, 0, to=3), "round 3: where three play, 3, 7, 11 and 15 are left out"),
        (putting("log", 1, 14, to=[11]), "player 3 has a take; three play in this log"),
        (putting("log", 0, 1, 3, to=100), "player 3 has some; three play in this log"),
        (_with_call, "kyoku"),
    ],
)
def test_what_cannot_be_in_tenhou6_of_three_is_one_line_with_its_place(
    jantaku: Jantaku, journal: Path, tmp_path: Path, change: Any, said: str
) -> None:
    log = tenhou6(journal)
    change(log)
    (path := tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    found = refused(jantaku, path)
    assert said in found and "kyoku" in found


def test_a_log_of_three_is_not_completed_by_rules_of_four(jantaku: Jantaku, journal: Path, tmp_path: Path) -> None:
    (three := tmp_path / "three.mjson").write_text("\n".join(map(json.dumps, mjai(journal))), "utf-8")
    assert "3 play in this record, 4 by these rules" in refused(jantaku, three, "--rules", "tenhou")
    four = Path(__file__).parents[2] / "data" / "logs" / "mortal_two_kyoku.mjson"
    (copy := tmp_path / "four.mjson").write_bytes(four.read_bytes())
    assert "4 play in this record, 3 by these rules" in refused(jantaku, copy, "--rules", "tenhou-3p")
