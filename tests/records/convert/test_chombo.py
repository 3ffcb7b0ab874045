"""A game with chombo in every format: who paid is read again, by name or by what was paid."""

from pathlib import Path

import pytest

from jantaku.table.records.convert.readers import Format, ending_of, read_any, write_any
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.rules import Rules
from tests.kit.careless import RIICHILAB, careless_game

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
