"""Logs of tenhou.net/6 as exporters of Mahjong Soul write them, and logs of riichi.dev: real games, changed into
their form."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact
from jantaku.table.languages.mjai.reader import Hearer
from jantaku.table.languages.tenhou6.reader import yaku_name
from jantaku.table.records.convert.readers import Read, read_any, write_any
from jantaku.table.records.convert.tenhou6 import title_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset
from tests.kit.games import TENHOU, THREE, lines

Json = dict[str, Any]
XML = {"four": [line["xml"] for line in lines(TENHOU)], "three": [one["xml"] for one in lines(THREE) if "xml" in one]}
ENGLISH = {"立直": "Riichi", "断幺九": "All Simples", "場風 東": "Prevalent Wind", "満貫": "Mangan "}
ENGLISH |= {"流局": "Ryuukyoku", "九種九牌": "Kyuushu Kyuuhai"}


def games(players: str, tmp_path: Path) -> list[Record]:
    path = tmp_path / "log.xml"
    found = []
    for xml in XML[players]:
        path.write_text(xml)
        found.append(read_any(path).record)
        path.unlink()
    return found


def exported(record: Record) -> Json:
    log: Json = json.loads(write_any(record, "tenhou6")[0])
    players = len(record.names)
    for hand in log["log"]:
        if players == 3:
            del hand[13:16]
            hand[1] = hand[1][:3]
        norths = [sum(item == "f44" for item in hand[6 + 3 * player]) for player in range(players)]
        hand[-1] = [_renamed(part, players, norths) for part in hand[-1]]
    return {
        "ver": "2.3",
        "ref": "231124-04996d02-e68f-422a-919f-b68487bb3ba1",
        "log": log["log"],
        "ratingc": f"PF{players}",
        "rule": {"disp": "三玉の間南喰赤"[players == 4 :], "aka53": 1, "aka52": 1, "aka51": int(players == 4)},
        "lobby": 0,
        "category": 2,
        "dan": ["雀聖★1"] * players,
        "rate": [1271] * players,
        "sx": ["C"] * players,
        "name": [f"P{player}" for player in range(players)],
        "sc": log["sc"][: 2 * players],
        "title": ["玉の間南喰赤: 12345", 1700816360],
    }


def _renamed(part: Any, players: int, norths: list[int]) -> Any:
    if not isinstance(part, list):
        return {"四槓散了": "四開槓", "三家和了": "三家和"}.get(part, part)
    if len(part) == 4 and all(isinstance(value, int) for value in part):
        return part[:players]
    own = norths[part[0]]
    return [*part[:4], *(_yaku(text, own) for text in part[4:]), "裏ドラ(0飜)", *[f"抜きドラ({own}飜)"] * (own > 0)]


def _yaku(text: str, norths: int) -> str:
    name, worth = text.rstrip(")").split("(")
    if name == "ドラ" and norths:
        left = int(worth[0]) - norths
        return f"ドラ({left}飜)"
    name = {"自風": "役牌:自風牌", "場風": "役牌:場風牌"}.get(name[:2], name)
    return f"{ {'両立直': 'ダブル立直', '国士無双１３面': '国士無双十三面待ち'}.get(name, name) }({worth})"


def kept(log: Json, tmp_path: Path) -> Read:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), "utf-8")
    return read_any(path)


@pytest.mark.long
def test_a_game_of_four_is_read_with_the_rules_of_mahjong_soul(tmp_path: Path) -> None:
    for record in games("four", tmp_path):
        read = kept(exported(record), tmp_path)
        assert read.record.log == record.log
        assert read.record.rules == preset("mahjongsoul")
        assert read.record.title == "玉の間南喰赤: 12345\n2023-11-24 08:59:20"
        assert read.record.names == ("P0", "P1", "P2", "P3")
        assert f"mahjongsoul is assumed, which {len(record.log)} of {len(record.log)} kyoku fit" in read.notes[-1]
        assert read.record.final is not None


def test_a_game_of_three_may_be_three_wide(tmp_path: Path) -> None:
    for record in games("three", tmp_path):
        read = kept(exported(record), tmp_path)
        assert read.record.log == record.log
        assert (read.kept, read.record.rules) == ({}, preset("mahjongsoul-3p"))
        assert read.record.names == ("P0", "P1", "P2")


def test_words_that_are_not_known_are_worked_out(tmp_path: Path) -> None:
    """Exporters can be set to English."""
    for record in games("four", tmp_path):
        text = json.dumps(exported(record), ensure_ascii=False)
        for word, other in ENGLISH.items():
            text = text.replace(word, other)
        read = kept(json.loads(re.sub(r"(\d)符(\d)飜", r"\1Fu\2Han", text)), tmp_path)
        assert read.kept == {}
        assert read.record.log == record.log


def test_four_red_fives_of_a_friends_table_are_told(tmp_path: Path) -> None:
    log = exported(games("four", tmp_path)[0])
    log["rule"]["aka52"] = 2
    rules = kept(log, tmp_path).record.rules
    assert rules is not None
    assert (rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s) == (1, 2, 1)


def test_a_kakan_may_name_another_of_its_tiles_as_the_called_one(tmp_path: Path) -> None:
    """In `k35533535` the red five was called; an exporter writes it last."""
    found = 0
    for record in games("four", tmp_path):
        log = exported(record)
        for hand in log["log"]:
            for outs in hand[6:16:3]:
                for at, item in enumerate(outs):
                    if isinstance(item, str) and item[0] == "k":
                        outs[at] = item[:3] + item[5:7] + item[3:5] + item[7:]
                        found += 1
        assert kept(log, tmp_path).record.log == record.log
    assert found


def test_a_stick_that_was_never_paid_is_taken_from_the_payment(tmp_path: Path) -> None:
    """A riichi whose discard is won pays no stick; an exporter counts it for the winner."""
    found = 0
    for record in games("four", tmp_path):
        log = exported(record)
        for hand in log["log"]:
            last = [outs[-1] for outs in hand[6:16:3] if outs]
            if hand[-1][0] == "和了" and len(hand[-1]) == 3 and hand[-1][2][0] != hand[-1][2][1]:
                _, deltas, detail = hand[-1]
                if str(hand[6 + 3 * detail[1]][-1]).startswith("r"):
                    deltas[detail[0]] += 1000
                    found += 1
            assert last
        assert kept(log, tmp_path).record.log == record.log
    assert found


def test_a_raw_record_of_mahjong_soul_is_told_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="looks like a raw record of Mahjong Soul"):
        kept({"head": {"uuid": "231124-04996d02"}, "data": {}}, tmp_path)


def test_names_of_yaku() -> None:
    assert yaku_name("役牌:自風牌", 2, 0) == "自風 西"
    assert yaku_name("自風 東", 1, 0) == "自風 南"
    assert yaku_name("役牌:場風牌", 2, 1) == "場風 南"
    assert yaku_name("役牌 中", 0, 0) == "翻牌 中"
    assert yaku_name("Riichi", 0, 0) is None


def test_a_title_may_be_anything() -> None:
    assert title_of(["room", 1700816360.0]) == "room\n2023-11-24 08:59:20"
    assert title_of(["", None, 7]) == "7"
    assert title_of(None) == ""


Line = dict[str, Any]


@pytest.fixture(scope="module")
def played(game_folder: Path) -> Record:
    return read_any(game_folder / "game-0000.jsonl").record


def told(record: Record) -> list[Line]:
    lines = [json.loads(line) for line in write_any(record, "mjai", "riichilab")[0].splitlines()]
    return [{"type": "start_game"}, *lines[1:-1], {"type": "end_game"}]


def kept_lines(lines: list[Line], folder: Path) -> Path:
    path = folder / "game.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode()))
    return path


def test_a_log_is_imported_and_verifies(played: Record, tmp_path: Path) -> None:
    assert played.rules is not None
    record = read_any(kept_lines(told(played), tmp_path), played.rules).record
    assert record.log == played.log
    assert verify(record, played.rules).difference is None


def test_the_event_that_contradicts_those_before_is_named(played: Record, tmp_path: Path) -> None:
    lines = told(played)
    at = next(number for number, line in enumerate(lines) if line["type"] == "dahai")
    lines[at]["pai"] = next(pai for pai in ("1m", "9s", "E", "C") if pai not in str(lines[1]) + str(lines[2]))
    with pytest.raises(BadInput, match=rf"line {at + 1}: kyoku 1 event {at}: seat 0 does not hold"):
        read_any(kept_lines(lines, tmp_path))


@pytest.mark.parametrize("deltas", [[-5000, -2000, 8000, -2000], [-4000, -2000, 8000, -2000]])
def test_a_draw_that_counts_the_riichi_sticks_once_more_pays_what_was_paid(deltas: list[int]) -> None:
    board = Board(preset("tenhou"))
    events.KyokuStart(0, 1, 0, 0, 0, (35600, 19000, 28600, 16800), 0, (None,) * 4).apply(board)
    events.Riichi(0).apply(board)
    hearer = Hearer(board)
    draw = hearer.hear({"type": "ryukyoku", "reason": "nagashimangan", "deltas": deltas})
    assert isinstance(draw, DrawFact)
    assert draw.deltas == (-4000, -2000, 8000, -2000)
