"""`jantaku stats --player`: one player's figures over records of any form."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.arena.match.figures.statistics import Interval, LuckFigures, WithoutLuck
from jantaku.table.arena.match.report.results import PlayerStats, month_in
from jantaku.table.records.convert.readers import read_any, write_any
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.games import TENHOU, THREE, lines

XML = [line["xml"] for line in lines(TENHOU)]
OF_THREE = next(line["xml"] for line in lines(THREE) if "xml" in line)
HERO = "雀 卓"


def named(xml: str, seat: int) -> str:
    names = " ".join(f'n{player}="{HERO if player == seat else f"p{player}"}"' for player in range(4))
    return xml.replace("<UN/>", f"<UN {names}/>", 1)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven games of four, in three forms and two months, and one of three; HERO moves from seat to seat."""
    folder = tmp_path_factory.mktemp("logs")
    for number, xml in enumerate(XML):
        told = named(xml, number % 4)
        path = folder / f"20220{1 + number % 2}0112gm-00a9-0000-{number:08x}"
        if number == 3:
            path.with_name(path.name + "&tw=1.mjlog").write_bytes(gzip.compress(told.encode()))
        elif number == 4:
            path.write_text(told)
            content, _ = write_any(read_any(path).record, "tenhou6")
            path.unlink()
            (folder / "game.json").write_bytes(content.replace(b'"title":["",""]', b'"title":["","2022/1/5 12:00"]'))
        else:
            path.write_text(told)
    (folder / "three.xml").write_text(named(OF_THREE, 2))
    return folder


def group(told: Any, **key: Any) -> Any:
    wanted = {"rules": None, "length": None, "month": None, **key}
    return next(one["figures"] for one in told["groups"] if wanted.items() <= one.items())


def counted(xml: str, player: int) -> dict[str, int]:
    """The same by the tags of the log alone."""
    wins = re.findall(r"<AGARI [^>]*>", xml)
    own = [tag for tag in wins if f' who="{player}"' in tag]
    paid = [tag for tag in wins if f'fromWho="{player}"' in tag and tag not in own]
    points = [int(re.findall(r'ten="\d+,(\d+)', tag)[0]) for tag in own]
    scores = [float(part) for part in re.findall(r'owari="([^"]*)"', xml)[0].split(",")][:8:2]
    return {
        "kyoku": xml.count("<INIT "),
        "wins": len(own),
        "tsumo": sum(f'fromWho="{player}"' in tag for tag in own),
        "points": sum(points),
        "paid": len(paid),
        "riichi": len(re.findall(rf'<REACH who="{player}"[^>]*step="2"', xml)),
        "rank": sorted(range(4), key=lambda other: -scores[other]).index(player) + 1,
    }


def test_the_figures_are_those_that_the_tags_of_the_logs_tell(jantaku: Jantaku, logs: Path) -> None:
    ran = jantaku("stats", "--player", HERO, str(logs), "--json")
    assert (ran.code, ran.err) == (0, "")
    told = json.loads(ran.out)
    assert (told["player"], told["records"], told["games"], told["void"]) == (HERO, 12, 12, 0)
    found = group(told, players=4)
    sums = [counted(xml, number % 4) for number, xml in enumerate(XML)]
    kyoku, wins, tsumo, points, paid, riichi, rank = (sum(one[key] for one in sums) for key in sums[0])
    assert found["win_rate"] == pytest.approx(wins / kyoku)
    assert found["tsumo_share"] == pytest.approx(tsumo / wins)
    assert found["win_value"] == pytest.approx(points / wins)
    assert found["deal_in_rate"] == pytest.approx(paid / kyoku)
    assert found["riichi_rate"] == pytest.approx(riichi / kyoku)
    assert found["rank"]["mean"] == pytest.approx(rank / len(XML))


def test_games_are_parted_by_rules_players_and_month(jantaku: Jantaku, logs: Path) -> None:
    told = json.loads(jantaku("stats", "--player", HERO, str(logs), "--json").out)
    assert group(told, players=3)["seats"] == group(told, players=3, rules="tenhou-3p", length="hanchan")["seats"] == 1
    assert group(told, players=4)["seats"] == 11
    by_rules = [one["figures"]["seats"] for one in told["groups"] if one["rules"] == "tenhou"]
    assert sum(by_rules) == 11
    assert group(told, players=4, month="2022-01")["seats"] == 6
    assert group(told, players=4, month="2022-02")["seats"] == 5
    assert group(told, players=3, month="")["seats"] == 1
    shown = jantaku("stats", "--player", HERO, str(logs)).out
    assert f"{HERO}: 12 games of 12 records" in shown
    for row in ("all", "all of three", "2022-01", "no date of three"):
        assert re.search(rf"^{row} ", shown, re.MULTILINE), row


def test_a_file_that_cannot_be_read_is_named_the_rest_is_counted(jantaku: Jantaku, logs: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text("<html><br></html>")
    (tmp_path / "cut.xml").write_text(named(XML[0], 0)[: len(XML[0]) // 2])
    ran = jantaku("stats", "--player", HERO, str(logs), str(tmp_path), "--json")
    assert ran.code == 2
    left_out, counted_up = ran.err.splitlines()
    assert left_out.startswith(f"left out: {tmp_path / 'bad.xml'}: not a log of Tenhou: not XML")
    assert counted_up == "1 of 14 files was left out"
    told = json.loads(ran.out)
    assert (told["records"], told["games"], told["void"]) == (13, 12, 1)


def test_our_own_journals_are_counted_by_the_folder_of_their_day(jantaku: Jantaku, game_folder: Path) -> None:
    header, *_ = (game_folder / "game-0000.jsonl").read_text().splitlines()
    name = json.loads(header)["player"][1]
    told = json.loads(jantaku("stats", "--player", name, str(game_folder / "game-0000.jsonl"), "--json").out)
    assert told["games"] == 1


def test_a_paifu_without_rules_is_counted_by_those_named(jantaku: Jantaku, game_folder: Path, tmp_path: Path) -> None:
    paifu = json.loads((game_folder / "game-0000.json").read_text())
    name = paifu["player"][0]
    del paifu["jantaku"]
    (tmp_path / "bare.json").write_text(json.dumps(paifu))
    refused = jantaku("stats", "--player", name, str(tmp_path / "bare.json"))
    assert refused.code == 2 and "give --rules" in refused.err
    told = jantaku("stats", "--player", name, str(tmp_path / "bare.json"), "--rules", "tenhou")
    assert told.code == 0 and f"{name}: 1 game of 1 record" in told.out


def test_a_name_that_nobody_has_is_answered_with_names_that_are_there(jantaku: Jantaku, logs: Path) -> None:
    ran = jantaku("stats", "--player", "雀卓", str(logs))
    assert ran.code == 2
    assert f"--player 雀卓: no player has this name in 12 records; did you mean {HERO}?" in ran.err
    assert f"{HERO} (12)" in ran.err


def test_a_player_without_a_finished_game_and_options_of_matches_are_refused(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "cut.xml").write_text(named(XML[0], 0)[: len(XML[0]) // 2])
    ran = jantaku("stats", "--player", HERO, str(tmp_path))
    assert "no game has come to its end, of 1 in the records" in ran.err
    report = "--report", str(tmp_path / "report.html")
    assert "--player cannot be given with --report" in jantaku("stats", "--player", HERO, str(tmp_path), *report).err


def test_a_players_luck_is_told_beside_its_figures(jantaku: Jantaku, logs: Path) -> None:
    ran = jantaku("stats", "--player", HERO, str(logs), "--luck")
    assert ran.code == 0 and "Luck is taken out of 30 games or more; these are 12." in ran.out
    rank, points = Interval(2.4, 0.2), Interval(5.0, 9.0)
    found = WithoutLuck(HERO, rank, Interval(2.5, 0.1), points, Interval(3.0, 6.0))
    told = PlayerStats(HERO, 40, 40, 0, (), luck=LuckFigures(40, (found,), (), learned=True))
    assert (
        told.lucky == f"By luck {HERO} came out 0.100 ranks better, with +2.0 points a game; the others, the other way."
    )
    assert PlayerStats(HERO, 1, 1, 0, ()).lucky == ""


@cases(
    "texts, month",
    (("玉の間南喰赤\n2023-11-24 08:59:20",), "2023-11"),
    (("", "2022010121gm-00a9-0000-dd299e42.mjlog"), "2022-01"),
    (("game-0000.jsonl", "20261122T073852Z-9178d3"), "2026-11"),
    (("2025年8月1日",), "2025-08"),
    (("game.json", "2025-08"), "2025-08"),
    (("2024-backup", "12022011", "20221301", "24/11/2023"), ""),
)
def test_a_month_is_found_in_titles_and_names(texts: tuple[str, ...], month: str) -> None:
    assert month_in(*texts) == month
