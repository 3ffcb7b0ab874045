"""Records of games with chombo play the same game again, whatever their form, converted or killed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.arena.match.figures.summary import is_bad, summary
from jantaku.table.records.convert.readers import Format, ending_of, read_any, write_any
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.journal.sealed import commitment
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.outcomes import outcomes
from jantaku.table.records.replay.verify import chombos, verify
from jantaku.table.riichi.events import ChomboDraw, TileDiscard
from jantaku.table.riichi.rules import Rules
from tests.kit.careless import RIICHILAB, careless_game
from tests.kit.cases import cases

FILES = ("game-0000.jsonl", "game-0000.json", "game-0000.2015.json")
Tamper = Callable[[dict[str, Any]], None]


@pytest.mark.long
@cases("rules, settings", ("mleague", {}), ("tenhou", RIICHILAB), ("tenhou", {"game.tobi": "false"}))
def test_every_form_plays_the_same_game_again(rules: str, settings: dict[str, str], tmp_path: Path) -> None:
    game = careless_game(tmp_path, rules, settings)
    ends = [n for n, event in enumerate(game.events) if isinstance(event, ChomboDraw)]
    after_discards = sum(isinstance(game.events[n - 1], TileDiscard) for n in ends)
    assert 0 < after_discards < len(ends), "of the turn seat and of others"
    for name in FILES:
        record = load(tmp_path / name)
        assert verify(record, game.rules).difference is None
        ended = [one.ended for one in outcomes(record) if one is not None]
        assert ended.count("chombo") == len(ends)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chombo")
    careless_game(folder)
    return folder / FILES[0]


def test_the_walls_of_a_kyoku_that_is_dealt_again_follow_from_the_seed(journal: Path, tmp_path: Path) -> None:
    """A 牌譜 of ours tells its seed and no walls: converted, it has all of them again."""
    told, data = load(journal), write_any(load(journal.with_suffix(".json")), "journal")
    (tmp_path / "again.jsonl").write_bytes(data if isinstance(data, bytes) else data[0])
    again = load(tmp_path / "again.jsonl")
    assert [wall.tiles for wall in again.walls] == [wall.tiles for wall in told.walls]


def test_figures_and_reports_count_it_beside_the_faults(journal: Path) -> None:
    record = load(journal)
    line, _ = summary(journal.read_bytes(), 0, journal.name)
    assert sum(faults.get("chombo", 0) for faults in line.faults) == sum(chombos(record.log, 4)) > 0
    assert not is_bad("chombo") and is_bad("illegal")


def test_a_decision_that_was_none_is_left_out(journal: Path) -> None:
    record = load(journal)
    bad = sum(answer["verdict"] == "illegal" for line in record.answers.values() for answer in line["answers"])
    noted = list(decisions(record))
    asked = sum(len(line["answers"]) for line in record.answers.values())
    assert bad and len(noted) == asked - bad


def _verdict(verdict: str) -> Tamper:
    return lambda answer: answer.update(verdict=verdict)


@cases(
    "tamper, named",
    (_verdict("ok"), "has that for illegal or malformed"),
    (_verdict("silent"), "has that for illegal or malformed"),
    (lambda answer: answer.update(reply={}), "the engine"),
)
def test_an_answer_that_cannot_be_a_chombo_is_named(tamper: Tamper, named: str, journal: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    turn = next(line for line in lines if "chombo" in str(line.get("answers")))
    tamper(next(answer for answer in turn["answers"] if "chombo" in answer["reply"]))
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    record = load(changed)
    assert record.rules is not None
    assert named in str(verify(record, record.rules).difference)


Played = tuple[Record, Rules]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """By M.League's rules, where the payments do not tell whose chombo it was."""
    folder = tmp_path_factory.mktemp("chombo")
    game = careless_game(folder, "mleague")
    return load(folder / "game-0000.jsonl"), game.rules


@pytest.mark.long
@pytest.mark.parametrize(("form", "dialect"), [("paifu", ""), ("tenhou6", ""), ("mjai", "wide"), ("mjai", "riichilab")])
def test_every_format_tells_it(form: Format, dialect: str, played: Played, tmp_path: Path) -> None:
    record, rules = played
    path = tmp_path / f"game{ending_of(form)}"
    path.write_bytes(write_any(record, form, dialect or "wide")[0])
    again = read_any(path, rules).record
    assert again.log == record.log
    assert verify(again, rules).difference is None


def test_where_a_log_names_nobody_it_is_who_pays(tmp_path: Path) -> None:
    """As in Mortal's logs, which tell payments alone."""
    game = careless_game(tmp_path, settings=RIICHILAB)
    record = load(tmp_path / "game-0000.jsonl")
    path = tmp_path / "game.mjson"
    path.write_bytes(write_any(record, "mjai", "mortal")[0])
    assert read_any(path, game.rules).record.log == record.log


def public(line: dict[str, Any]) -> dict[str, Any]:
    """A line as the journal of a running game has it."""
    for key in line.keys() & {"zimo", "gangzimo"}:
        line[key]["p"] = ""
    if "qipai" in line:
        line["qipai"]["shoupai"] = [""] * 4
    return line


def test_a_kyoku_that_was_dealt_again_is_opened_by_the_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    game = careless_game(tmp_path, "mleague", seed="5")
    path = tmp_path / "game-0000.jsonl"
    whole = load(path)
    header, *lines = whole.lines
    header |= {"commit": commitment(whole.seed or "", 0), "seed": "", "sealed": True}
    told = [public(line) for line in lines if not line.keys() & {"wall", "turn", "digest", "jieju"}]
    left = tmp_path / "left.jsonl"
    left.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *told)))
    again = load(left, lambda number: [whole.seed or ""])
    assert sum(chombos(again.log, 4)) == sum(game.standing.chombos) > 1
    assert [wall.tiles for wall in again.walls] == [wall.tiles for wall in whole.walls]
    assert verify(again, game.rules).difference is None
