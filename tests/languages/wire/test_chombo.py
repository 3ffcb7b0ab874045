"""A chombo in every dialect: what a seat is told, it reads back, and with it whose it was."""

from typing import Any

import pytest

from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.native import Native, read_table
from jantaku.table.riichi.events import ChomboDraw, HanchanStart
from tests.kit.careless import careless_game
from tests.languages.wire.test_both_ways import READERS


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What player 1 hears of a kyoku that ends so. Nobody pays anything by M.League's rules."""
    game = careless_game(tmp_path_factory.mktemp("one"), "mleague", {"game.length": "one"}, one_of=12)
    assert isinstance(game.events[-2], ChomboDraw)
    return [game.masked(index, 1) for index in range(len(game.events))]


@pytest.mark.parametrize("name", list(DIALECTS))
def test_a_dialect_names_who_it_was(name: str, heard: list[Any]) -> None:
    dialect, reader = DIALECTS[name].side(), READERS[name]()
    data = b"".join(dialect.tell(event) for event in heard)
    read = [event for line in data.splitlines() for event in reader.read(line).events]
    assert [event for event in read if isinstance(event, ChomboDraw)] == [heard[-2]]


def test_a_python_player_in_a_process_of_its_own_hears_it(heard: list[Any]) -> None:
    side = Native()
    assert isinstance(heard[0], HanchanStart)
    told = [read_table(line)[1] for event in heard for line in side.tell(event).splitlines()]
    assert told[-2] == heard[-2]
