"""Conversions, also of games of three: nothing is lost where a format can hold it, and what is lost is said."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.cli import main as cli
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import WinFact
from jantaku.table.languages.majiang.order import in_paifu, play_order
from jantaku.table.records.convert.readers import Format, Read, format_of, read_any, write_any
from jantaku.table.records.journal.digest import BEGINNING
from jantaku.table.records.replay.verify import verify
from scripts.roundtrips import WAYS, compared, read_line
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.kit.editing import putting

DATA = Path(__file__).parents[2] / "data"
FOREIGN = ("complex_nakis_0.tenhou6.json", "complex_nakis_1.tenhou6.json", "mortal_two_kyoku.mjson")


def games_of(name: str) -> list[Read]:
    lines = gzip.decompress((DATA / "games" / name).read_bytes()).splitlines()
    return [read for line in lines if (read := read_line(json.loads(line))) is not None]


@pytest.fixture(scope="module")
def script_games() -> list[Read]:
    """majiang-core's own hand-picked games: kans in a row, robbed kans, double ron, every draw."""
    return games_of("majiang_script.jsonl.gz")


@pytest.mark.parametrize(("form", "dialect", "ending"), WAYS)
def test_our_journal_comes_back_from_every_format(game_folder: Path, form: Format, dialect: str, ending: str) -> None:
    read = read_any(game_folder / "game-0000.jsonl")
    assert len(read.record.log) >= 4
    assert [difference for difference in compared(read.record, form, dialect, ending) if difference] == []


@pytest.mark.long
@pytest.mark.parametrize(("form", "dialect", "ending"), WAYS)
def test_majiang_cores_games_survive_every_format(
    script_games: list[Read], form: Format, dialect: str, ending: str
) -> None:
    assert len(script_games) >= 5
    for read in script_games:
        assert [difference for difference in compared(read.record, form, dialect, ending) if difference] == []


@pytest.mark.parametrize("name", FOREIGN)
def test_the_engine_agrees_with_hands_points_yaku_and_fu_of_foreign_logs(name: str) -> None:
    read = read_any(DATA / "logs" / name)
    assert read.kept == {}
    assert read.record.rules is not None
    assert verify(read.record, read.record.rules).difference is None


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_logs_come_back_from_every_format(name: str) -> None:
    record = read_any(DATA / "logs" / name).record
    for form, dialect, ending in WAYS:
        assert [difference for difference in compared(record, form, dialect, ending) if difference] == []


@pytest.mark.long
def test_a_double_ron_keeps_every_winner_and_the_ura_of_the_riichi(tmp_path: Path) -> None:
    """Other exporters to tenhou.net/6 keep the last winner only, or his missing ura."""
    found = 0
    for read in games_of("majiang_core.jsonl.gz"):
        hands = json.loads(write_any(read.record, "tenhou6")[0])["log"]
        for hand, kyoku in zip(hands, read.record.log, strict=True):
            wins = [fact for fact in kyoku if isinstance(fact, WinFact)]
            if len(wins) > 1:
                found += 1
                assert hand[16][0] == "和了"
                assert len(hand[16]) == 1 + 2 * len(wins)
                assert bool(hand[3]) == any(win.ura for win in wins)
    assert found


def test_the_order_of_play_and_that_of_a_paifu_are_inverse(script_games: list[Read]) -> None:
    for read in script_games:
        for kyoku in read.record.log:
            assert play_order(in_paifu(kyoku)) == kyoku


def test_a_journal_keeps_answers_and_every_other_format_says_that_it_does_not(game_folder: Path) -> None:
    source = game_folder / "game-0000.jsonl"
    record = read_any(source).record
    copy, lost = write_any(record, "journal")
    assert lost == []
    assert _undigested(copy) == _undigested(source.read_bytes())
    for form in ("paifu", "2015", "mjai", "tenhou6"):
        assert any("time and verdict" in note for note in write_any(record, form)[1])


def test_a_converted_paifu_is_the_one_that_play_writes(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    assert json.loads(write_any(record, "paifu")[0]) == json.loads((game_folder / "game-0000.json").read_bytes())


def test_a_paifu_of_2015_gets_back_what_it_lacks_from_its_rules(game_folder: Path) -> None:
    rules = read_any(game_folder / "game-0000.jsonl").record.rules
    whole = read_any(game_folder / "game-0000.json").record
    assert read_any(game_folder / "game-0000.2015.json", rules).record.log == whole.log


def test_an_mjai_log_may_be_packed_and_in_arrays(tmp_path: Path) -> None:
    plain = DATA / "logs" / "mortal_two_kyoku.mjson"
    events = [json.loads(line) for line in plain.read_text().splitlines()]
    packed = tmp_path / "log.json.gz"
    packed.write_bytes(
        gzip.compress(b"\n".join(json.dumps(events[n : n + 7]).encode() for n in range(0, len(events), 7)))
    )
    assert read_any(packed).record.log == read_any(plain).record.log


def test_a_link_to_tenhou_is_a_log(tmp_path: Path) -> None:
    source = DATA / "logs" / "complex_nakis_0.tenhou6.json"
    link = tmp_path / "link.txt"
    link.write_text("https://tenhou.net/6/#json=" + source.read_text().strip().replace('"', "%22"))
    assert read_any(link).record.log == read_any(source).record.log


def _players_view(events: list[Any]) -> None:
    events[1]["tehais"] = [hand if player == 2 else ["?"] * 13 for player, hand in enumerate(events[1]["tehais"])]


def _wrong_points(events: list[Any]) -> None:
    next(event for event in events if event["type"] in ("hora", "ryukyoku"))["deltas"] = [100, 0, 0, 0]


def _not_held(events: list[Any]) -> None:
    held = {*events[1]["tehais"][0], events[2]["pai"]}
    events[3]["pai"] = next(tile for tile in ("1m", "E", "9s", "5p", "P", "C", "F") if tile not in held)


def _other_scores(events: list[Any]) -> None:
    [event for event in events if event["type"] == "start_kyoku"][1]["scores"][0] += 100


@cases(
    "change, words",
    (putting(1, "tehais", 0, slice(5), to=["1m"] * 5), "line 2: kyoku 1 event 1: a fifth m1"),
    (putting(1, "tehais", 2, to=["?"] * 13), "line 2: the tiles of player 2 are hidden"),
    (_players_view, r"line 2: the tiles of player 0, 1, 3 are hidden \(“\?”\): this is what player 2 saw"),
    (putting(2, "pai", to="?"), "line 3: a hidden tile “\\?”"),
    (_wrong_points, "the points do not add up"),
    (_not_held, "line 4: kyoku 1 event 3: seat 0 does not hold"),
    (_other_scores, "kyoku 2 event 1: points"),
)
def test_the_first_contradiction_is_named_with_its_place(
    tmp_path: Path, change: Callable[[list[Any]], None], words: str
) -> None:
    lines = (DATA / "logs" / "mortal_two_kyoku.mjson").read_text().splitlines()
    change(events := [json.loads(line) for line in lines])
    (path := tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, events)))
    with pytest.raises(BadInput, match=words):
        read_any(path)


@kept_cases("content, words")
def test_a_foreign_or_truncated_file_is_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(content)
    with pytest.raises(BadInput, match=words):
        read_any(path)


@kept_cases("link, words")
def test_a_file_that_holds_only_a_link_is_told_what_to_save(tmp_path: Path, link: str, words: str) -> None:
    path = tmp_path / "link.txt"
    path.write_text(link)
    with pytest.raises(BadInput, match=re.escape(words)) as refused:
        read_any(path)
    assert "\n" not in str(refused.value)


def test_takes_and_discards_that_fit_no_order_are_refused(tmp_path: Path) -> None:
    log = json.loads((DATA / "logs" / "complex_nakis_0.tenhou6.json").read_text())
    log["log"][0][5].pop(2)
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    with pytest.raises(BadInput, match=r"kyoku 1 event \d+: no order of play fits"):
        read_any(path)


def test_a_wrong_format_is_refused_and_not_guessed_round(game_folder: Path) -> None:
    with pytest.raises(BadInput, match=r"line 1"):
        read_any(game_folder / "game-0000.jsonl", form="mjai")
    with pytest.raises(BadInput, match="not JSON"):
        read_any(game_folder / "game-0000.jsonl", form="tenhou6")


def test_a_file_name_says_its_format() -> None:
    ends = (".jsonl", ".json", ".2015.json", ".mjson", ".tenhou6.json")
    assert [format_of(Path(f"a{end}")) for end in ends] == ["journal", "paifu", "2015", "mjai", "tenhou6"]
    with pytest.raises(BadInput, match="name the format with --write-as"):
        format_of(Path("a.txt"))


def _undigested(journal: bytes) -> list[bytes]:
    """Lines without the header and the digests, which cover it."""
    return [line for line in journal.split(b"\n")[1:] if not line.startswith(BEGINNING)]


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


@cases(
    "form, dialect, ending",
    *(("mjai", dialect, ".mjson") for dialect in ("wide", "gimite", "mortal", "riichienv")),
    ("tenhou6", "", ".json"),
    ("paifu", "", ".json"),
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
    assert any("tenhou-3p is assumed" in note for note in read.notes)
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
    assert (
        len(read.record.names) == 3 and read.kept == {} and any("tenhou-3p is assumed" in note for note in read.notes)
    )


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


@cases(
    "kind, change, said",
    ("tsumo", {"pai": "5m"}, "m5 appears; with three players there are no m2 to m8"),
    ("tsumo", {"actor": 3}, "player 3; where three play they are 0 to 2"),
    ("pon", {"type": "chi"}, "calls chi; with three players there is no chi"),
    ("hora", {"deltas": [1, 2]}, "deltas"),
    ("start_kyoku", {"oya": 3, "kyoku": 4}, "player 3; where three play"),
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
    assert f"line {at + 1}" in found and "sets a north aside in a game of four" in found


def _with_call(log: Json) -> None:
    calls = ((hand, place) for hand in log["log"] for place in (5, 8, 11) for call in hand[place] if "p" in str(call))
    hand, place = next(calls)
    at = next(number for number, call in enumerate(hand[place]) if "p" in str(call))
    hand[place][at] = "c112131"


@cases(
    "change, said",
    (putting("log", 0, 5, 0, to=15), "tile 15; with three players there are no 12 to 18"),
    (putting("log", 0, 0, 0, to=3), "round 3: with three players, 3, 7, 11 and 15 are left out"),
    (putting("log", 1, 14, to=[11]), "player 3 has a take; three play in this log"),
    (putting("log", 0, 1, 3, to=100), "player 3 has some; three play in this log"),
    (_with_call, "kyoku"),
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
