"""Conversions: nothing is lost where a format can hold it, and what is lost is said."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import WinFact
from jantaku.table.languages.majiang.order import in_paifu, play_order
from jantaku.table.records.convert.readers import Format, Read, format_of, read_any, write_any
from jantaku.table.records.journal.digest import BEGINNING
from jantaku.table.records.replay.verify import verify
from scripts.roundtrips import WAYS, compared, read_line
from tests.kit.cases import cases
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
def test_games_of_majiang_core_come_back_from_every_format(
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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (putting(1, "tehais", 0, slice(5), to=["1m"] * 5), "line 2: kyoku 1 event 1: a fifth m1"),
        (putting(1, "tehais", 2, to=["?"] * 13), "line 2: the tiles of player 2 are hidden"),
        (_players_view, r"line 2: the tiles of player 0, 1, 3 are hidden \(“\?”\): this is what player 2 saw"),
        (putting(2, "pai", to="?"), "line 3: a hidden tile “\\?”"),
        (_wrong_points, "the points do not add up"),
        (_not_held, "line 4: kyoku 1 event 3: seat 0 does not hold"),
        (_other_scores, "kyoku 2 event 1: points"),
    ],
)
def test_the_first_contradiction_is_named_with_its_place(
    tmp_path: Path, change: Callable[[list[Any]], None], words: str
) -> None:
    lines = (DATA / "logs" / "mortal_two_kyoku.mjson").read_text().splitlines()
    change(events := [json.loads(line) for line in lines])
    (path := tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, events)))
    with pytest.raises(BadInput, match=words):
        read_any(path)


@cases("content, words")
def test_a_foreign_or_truncated_file_is_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(content)
    with pytest.raises(BadInput, match=words):
        read_any(path)


@cases("link, words")
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
    with pytest.raises(BadInput, match="say with --write-as"):
        format_of(Path("a.txt"))


def _undigested(journal: bytes) -> list[bytes]:
    """Lines without the header and the digests, which cover it."""
    return [line for line in journal.split(b"\n")[1:] if not line.startswith(BEGINNING)]
