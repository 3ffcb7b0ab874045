"""Our exports load in other people's readers, and mean the same there.

    python -m scripts.readers FILE…

FILE: anything that `scripts.roundtrips` reads. Each record is written as 牌譜, mjai and tenhou.net/6 and given to

    majiang-core          replays the 牌譜: the same events, points and ranks
    mjai (libriichi)      follows the mjai log from every seat: the same hands at the end
    riichienv             steps through its decisions: the same winners, han and fu
    tenhou-url-log        makes tenhou.net/6 of the 牌譜: the same hands and results as ours

A line for each tells how many kyoku agree, then every exception with its named reason, then the differences without
one; the exit code is 0 only if there are none of the latter. `scripts/test` installs the programs
of npm; the programs of PyPI are kept in your cache.
"""

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, Fact, Follower, WinFact
from jantaku.table.languages.majiang.rule import Item, to_majiang
from jantaku.table.records.convert.readers import paifu_json, write_any
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import by_player
from jantaku.table.riichi.pieces.tiles import RED_M
from scripts.bench.peers import environment
from scripts.roundtrips import records

HERE = Path(__file__).parent
PEER = HERE.parent.parent / "tests" / "peer"
REPLAY, MODULES = PEER / "replay.js", PEER / "node_modules"
FLAGS = {
    **{"槍槓": "chankan", "ダブル立直": "double_riichi", "海底摸月": "haitei", "河底撈魚": "houtei", "一発": "ippatsu"},
    **{"嶺上開花": "rinshan", "天和": "tsumo_first_turn", "地和": "tsumo_first_turn"},
}
"""riichienv's words for how a hand was won, by yaku."""
UNTOLD = "majiang-core raised Error: _ |     at Shan.zhenbaopai"
UNTOLD_WORDS = "its replay asks for an indicator that its own 牌譜 does not show, and breaks off the game"
LEAST_DRAWS = 4
SHOWN = 10
"""Most unexplained differences of a reader that are printed."""


def main() -> int:
    """Export, load and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    given = parser.parse_args()
    if not MODULES.is_dir():
        parser.error(f"{MODULES} is not there: scripts/test installs it")
    python = environment(lambda text: print(text, file=sys.stderr))
    wrong = compared = 0
    with tempfile.TemporaryDirectory(prefix="jantaku-exports-") as place:
        folder = Path(place)
        export((found for file in given.files for found in records(file)), folder)
        for name, told in readings(folder, python):
            wrong += show(name, told)
            compared += told["agree"] + sum(told["explained"].values())
    if not wrong and not compared:
        print("nothing was compared: no file holds records that can be exported", file=sys.stderr)
        return 1
    return 1 if wrong else 0


# --- exports


def export(found: Iterator[tuple[str, Any]], folder: Path) -> None:
    """Write a line per record for every reader into `folder`."""
    with contextlib.ExitStack() as files:
        paifu, mjai, tenhou = (files.enter_context((folder / form).open("wb")) for form in ("paifu", "mjai", "tenhou"))
        for name, read in found:
            record: Record = read.record
            told = paifu_json(record)
            told.pop("jantaku", None)
            if rule := _rule_for_replay(record, name):
                paifu.write(msgspec.json.encode({"name": name, "rule": rule, "paifu": told}) + b"\n")
            lines = write_any(record, "mjai")[0].decode().splitlines()
            other = _other_rules(record)
            expected = [{**_expected(kyoku, name), "other_rules": other} for kyoku in record.log]
            mjai.write(msgspec.json.encode({"name": name, "lines": lines, "kyoku": expected}) + b"\n")
            log = json.loads(write_any(record, "tenhou6")[0])["log"]
            tenhou.write(msgspec.json.encode({"name": name, "paifu": told, "log": log}) + b"\n")


def _rule_for_replay(record: Record, name: str) -> Item | None:
    """Return the rules for majiang-core, which replays only whole games; None, after printing why, if it cannot replay
    this one."""
    first = record.log[0][0]
    assert isinstance(first, events.KyokuStart), "a kyoku begins with its deal"
    if record.final is None or first.round_wind or first.kyoku:
        print(f"{name}: not for majiang-core: no whole game")
        return None
    assert record.rules is not None, "a read log has rules"
    try:
        return to_majiang(record.rules)
    except BadInput as error:
        print(f"{name}: not for majiang-core: {error}")
        return None


def _other_rules(record: Record) -> list[str]:
    """Return the rules by which hands have another value than by the rules that riichienv knows."""
    assert record.rules is not None, "a read log has rules"
    score, other = record.rules.score, []
    if not score.open_tanyao:
        other.append("no open tanyao")
    if score.double_wind_fu != 4:
        other.append(f"{score.double_wind_fu} fu for a pair of double winds")
    return other


def _expected(facts: list[Fact], where: str) -> Item:
    """Return what a reader of mjai must arrive at: hands by player before the result, as counts of 34 kinds; the wins;
    the number of discards; and whether a player declares riichi below 1000 points or without another draw of its
    own."""
    follower = Follower(where)
    hands: list[list[int]] = []
    wins = []
    poor = False
    for fact in facts:
        board = follower.board
        if not hands and isinstance(fact, WinFact | DrawFact):
            hands = [list(hand.counts) for hand in by_player(board.hands, board.kyoku)]
        if isinstance(fact, WinFact):
            wins.append(_expected_win(fact, board))
        follower.take(fact)
        poor = poor or (isinstance(fact, events.Riichi) and (min(board.scores) < 0 or board.live < LEAST_DRAWS))
    discards = sum(isinstance(fact, events.TileDiscard) for fact in facts)
    return {"hands": hands, "wins": wins, "discards": discards, "poor": poor}


def _expected_win(win: WinFact, board: Board) -> Item:
    flags = [FLAGS[name] for name, _ in win.yaku or () if name in FLAGS] + ["riichi"] * bool(win.riichi)
    tiles = [*(win.hand or ()), win.tile or 0, *(tile for meld in win.melds or () for tile in meld.tiles)]
    return {
        "player": (board.kyoku + win.seat) % 4,
        "flags": flags,
        "indicators": len(board.indicators),
        "fanshu": win.han or None,
        "fu": win.fu or None,
        "damanguan": win.yakuman or None,
        "reds": sum(tile >= RED_M for tile in tiles),
    }


# --- readers


def readings(folder: Path, python: Path) -> Iterator[tuple[str, Item]]:
    """Yield each reader with its result for the exports: `agree`, `explained` and `different`."""
    yield "majiang-core (牌譜)", _replayed(folder / "paifu")
    for program, name in (("mjai", "mjai, libriichi (mjai)"), ("riichienv", "riichienv (mjai)")):
        yield name, _told([str(python), str(HERE / "mjai_programs.py"), program, str(folder / "mjai")])
    yield "tenhou-url-log (tenhou.net/6)", compared_with_tenhou_url_log(folder, MODULES)


def compared_with_tenhou_url_log(folder: Path, modules: Path) -> Item:
    """Return the result of tenhou-url-log, as npm installed it into `modules`."""
    return _told(["node", str(HERE / "tenhou.js"), str(modules), str(folder / "tenhou")])


def _told(command: list[str]) -> Item:
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode:
        raise SystemExit(f"{command[1]} broke down; its output is above")
    told: Item = json.loads(ran.stdout.splitlines()[-1])
    return told


def _replayed(file: Path) -> Item:
    """Replay whole games; the kyoku before the first difference agree."""
    games = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    command = ["node", str(REPLAY), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True)
    lines = ran.stdout.splitlines()
    if not lines or not lines[-1].startswith("games "):
        raise SystemExit(ran.stderr)
    parted = {int(line.split()[1]): line for line in lines[:-1]}
    agree = sum(len(game["paifu"]["log"]) for number, game in enumerate(games, 1) if number not in parted)
    untold = {number for number, line in parted.items() if UNTOLD in line}
    explained = {UNTOLD_WORDS: sum(len(games[number - 1]["paifu"]["log"]) for number in untold)} if untold else {}
    different = [f"{games[number - 1]['name']} {line}" for number, line in parted.items() if number not in untold]
    return {"agree": agree, "explained": explained, "different": different}


def show(name: str, told: Item) -> int:
    """Print a reader's result; return the number of unexplained differences."""
    explained = Counter[str](told["explained"])
    print(f"{name}: {told['agree']} kyoku agree, {explained.total()} explained, {len(told['different'])} different")
    for reason, count in explained.most_common():
        print(f"    {count}: {reason}")
    for text in told["different"][:SHOWN]:
        print(f"    {text}")
    return len(told["different"])


if __name__ == "__main__":
    sys.exit(main())
