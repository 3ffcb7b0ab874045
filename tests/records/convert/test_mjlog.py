"""Tenhou's own logs (mjlog): whole, packed, of three, broken, from lobbies with rules of their own, and as 牌譜 of
@kobalab/tenhou-log."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jantaku.table.arena.commands.review import command as review
from jantaku.table.cli import main as cli
from jantaku.table.cli.commands.convert import command as convert
from jantaku.table.cli.commands.show import command as show
from jantaku.table.cli.commands.verify import command as verify_command
from jantaku.table.cli.commands.view import command as view
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import TENHOU_DRAW, TENHOU_YAKU, WinFact
from jantaku.table.records.convert.readers import Read, driving, read_any, write_any
from jantaku.table.records.replay.fitting import rules_of
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.flow.hanchan import by_rank
from jantaku.table.riichi.points.names import name_of
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku
from tests.kit.games import TENHOU, THREE, lines

XML = [line["xml"] for file in (TENHOU, THREE) for line in lines(file) if "xml" in line]
NAMES = '<UN n0="%E9%9B%80%20%E5%8D%93" n1="b%3C%26%3E" n2="c" n3="d" dan="1,2,3,4"/>'
Kept = Callable[[str], Path]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    def keep(xml: str) -> Path:
        path = tmp_path / "a log"  # no ending: the content tells what it is
        path.write_text(xml)
        return path

    return keep


def compared(read: Read) -> str:
    return str(verify(read.record, rules_of(read.record)).difference or "")


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(XML)))
def test_a_log_verifies_to_its_end_and_equals_its_form_of_tenhou6(number: int, kept: Kept, tmp_path: Path) -> None:
    read = read_any(kept(XML[number]))
    record = read.record
    assert (read.notes, compared(read)) == ([], "")
    assert len(record.log) == XML[number].count("<INIT")
    other = tmp_path / "log.json"
    other.write_bytes(write_any(record, "tenhou6")[0])
    again = read_any(other).record
    assert (again.log, again.final, again.first_dealer) == (record.log, record.final, record.first_dealer)


def test_the_end_is_the_one_that_the_log_tells(kept: Kept) -> None:
    record = read_any(kept(XML[0])).record
    told = [float(part) for part in re.findall(r'owari="([^"]*)"', XML[0])[0].split(",")]
    assert record.final is not None
    assert list(record.final.scores) == [round(points * 100) for points in told[::2]]
    assert list(record.final.tenths or ()) == [round(points * 10) for points in told[1::2]]
    order = by_rank(record.final.scores, record.first_dealer)
    assert [record.final.ranks[player] for player in order] == [1, 2, 3, 4] if record.final.ranks else False


def test_the_yaku_of_a_win_are_those_that_the_log_numbers(kept: Kept) -> None:
    """Numbers stand with their han, those of yakuman alone."""
    for xml in (line["xml"] for line in lines(TENHOU) if "xml" in line):
        told = []
        for kind, found in re.findall(r' (yaku|yakuman)="([^"]+)"', xml):
            numbers = [*map(int, found.split(","))]
            pairs = zip(numbers[::2], numbers[1::2], strict=True) if kind == "yaku" else [(one, 1) for one in numbers]
            told.append({name_of(tenhou=one).ja for one, han in pairs if han})
        wins = [fact for kyoku in read_any(kept(xml)).record.log for fact in kyoku if isinstance(fact, WinFact)]
        assert told and [{yaku for yaku, _ in win.yaku or ()} for win in wins] == told


def test_names_are_decoded_and_who_comes_back_changes_none(kept: Kept) -> None:
    xml = XML[0].replace("<UN/>", NAMES, 1).replace("<T", '<BYE who="1"/><UN n1="other"/><T', 1)
    assert read_any(kept(xml)).record.names == ("雀 卓", "b<&>", "c", "d")


def test_a_packed_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "2022&tw=1.mjlog"
    path.write_bytes(gzip.compress(XML[0].encode()))
    assert compared(read_any(path)) == ""


def test_a_log_that_breaks_off_is_read_so_far(kept: Kept) -> None:
    read = read_any(kept(XML[0][: XML[0].index("<INIT", len(XML[0]) // 2) + 30]))
    assert "breaks off (unclosed token" in read.notes[0]
    assert f"{len(read.record.log)} kyoku are read, the rest is missing" in read.notes[0]
    assert read.record.final is None
    assert compared(read) == ""


def test_uma_of_a_lobby_is_taken_from_the_end_and_told(kept: Kept) -> None:
    end = re.compile(r'owari="([^"]*)"')
    told = [float(part) for part in end.findall(XML[0])[0].split(",")]
    scores, points = told[::2], told[1::2]
    second, last = sorted(range(4), key=lambda player: -scores[player])[1::2]
    points[second], points[last] = points[second] - 5, points[last] + 5
    changed = ",".join(f"{score:.0f},{point}" for score, point in zip(scores, points, strict=True))
    read = read_any(kept(end.sub(f'owari="{changed}"', XML[0])))
    assert read.notes == ["uma [20.0, 5.0, -10.0, -15.0], as its final scores have it"]
    assert compared(read) == ""


def test_a_lobby_with_rules_of_its_own_is_told(kept: Kept) -> None:
    read = read_any(kept(XML[0].replace('lobby="0"', 'lobby="1" csrule="0FE0BF0B,,5"', 1)))
    assert "its lobby has its own rules (csrule), which are not read" in read.notes


def test_what_the_head_tells_is_in_the_rules(kept: Kept) -> None:
    kind = int(re.findall(r'GO type="(\d+)"', XML[0])[0])
    closed = read_any(kept(XML[0].replace(f'type="{kind}"', f'type="{kind | 0x4}"', 1))).record.rules
    assert closed is not None
    assert not closed.score.open_tanyao
    no_reds = read_any(kept(XML[0].replace(f'type="{kind}"', f'type="{kind | 0x2}"', 1))).record
    assert no_reds.rules is not None
    assert (no_reds.rules.tiles.red_m, no_reds.rules.tiles.red_p, no_reds.rules.tiles.red_s) == (0, 0, 0)


@kept_cases("old, new, problem")
def test_what_is_wrong_is_one_line_with_its_place(old: str, new: str, problem: str, kept: Kept) -> None:
    changed = re.sub(old, new, XML[0], count=1)
    assert changed != XML[0]
    with pytest.raises(BadInput, match=problem) as refused:
        read_any(kept(changed))
    assert str(refused.value).startswith(str(kept(changed)))
    assert "\n" not in str(refused.value)


def test_commands_take_it_by_its_content(kept: Kept, tmp_path: Path) -> None:
    log, run = str(kept(XML[0].replace("<UN/>", NAMES, 1))), CliRunner().invoke
    assert "identical; not checked by replay" in run(verify_command, [log]).output
    assert "雀 卓" in run(show, [log]).output
    assert run(view, [log, "--export", str(tmp_path / "page.html")]).exit_code == 0
    assert "agrees with" in run(review, [log, "--by", "tsumogiri", "--player", "c"]).output
    pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    assert "decisions of 1 game" in run(convert, [log, str(tmp_path / "table.parquet")]).output


def test_an_empty_end_is_a_missing_one(kept: Kept) -> None:
    read = read_any(kept(re.sub(r'owari="[^"]*"', 'owari=""', XML[0])))
    assert read.record.final is None and len(read.record.log) == len(read_any(kept(XML[0])).record.log)


SEED = "1"


def in_its_words(paifu: Any) -> Any:
    del paifu["jantaku"]
    paifu["title"] = "四鳳東喰赤速\nsome-id"
    paifu["point"] = [f"{float(point):.1f}" for point in paifu["point"]]
    for item in (item for kyoku in paifu["log"] for item in kyoku):
        if hule := item.get("hule"):
            hule["shoupai"] = hule["shoupai"].replace("*", "")
            yaku = [{**one, "name": TENHOU_YAKU.get(one["name"], one["name"])} for one in reversed(hule["hupai"])]
            hule["hupai"] = yaku + ([{"name": "裏ドラ", "fanshu": 0}] if hule["fubaopai"] else [])
            for one in hule["hupai"]:
                one.pop("baojia", None)
        elif pingju := item.get("pingju"):
            pingju["name"] = {"荒牌平局": TENHOU_DRAW}.get(pingju["name"], pingju["name"])
            pingju["shoupai"] = [text.replace("*", "") for text in pingju["shoupai"]]
    return paifu


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A tonpu with a dragon's yaku, a riichi with ura, and a draw."""
    folder = tmp_path_factory.mktemp("tenhou-log")
    words = ("--length", "tonpu", "--threads", "inline", "--seed", SEED, "--quiet", "--paifu", "1.x")
    with pytest.raises(SystemExit):
        cli.main(("play", "--players", "caller,shanten,caller,shanten", *words, "--out", str(folder / "g")))
    paifu = in_its_words(json.loads((folder / "g" / "game-0000.json").read_text("utf-8")))
    text = json.dumps(paifu, ensure_ascii=False)
    assert all(word in text for word in ("役牌", '"fanshu": 0', TENHOU_DRAW)), "another seed"
    return paifu


def test_it_is_read_by_the_rules_of_its_title_and_verified(jantaku: Jantaku, told: Any, tmp_path: Path) -> None:
    (file := tmp_path / "a.json").write_text(json.dumps(told), "utf-8")
    verified = jantaku("verify", str(file))
    assert verified.code == 0 and "identical" in verified.out, verified
    rules = read_any(file).record.rules
    assert rules is not None and (rules.game.length, rules.tiles.red_m) == ("tonpu", 1)
    assert jantaku("convert", str(file), str(tmp_path / "a.mjson")).code == 0
    assert jantaku("verify", str(tmp_path / "a.mjson")).code == 0, "its words went no further"


def test_what_does_not_follow_from_the_rules_is_still_a_difference(told: Any, tmp_path: Path) -> None:
    told = json.loads(json.dumps(told))
    hule = next(item["hule"] for kyoku in told["log"] for item in kyoku if "hule" in item)
    hule["hupai"][0]["name"] = "一盃口" if hule["hupai"][0]["name"] != "一盃口" else "平和"
    (file := tmp_path / "a.json").write_text(json.dumps(told), "utf-8")
    record = driving(file)
    assert verify(record, rules_of(record)).difference is not None
