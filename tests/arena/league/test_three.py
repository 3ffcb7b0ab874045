"""A league in which three sit at a table: what it plays and shows."""

from pathlib import Path

import pytest

from jantaku.table.arena.league.file import newcomer
from jantaku.table.arena.league.season import Season
from jantaku.table.arena.league.site import league_news, write_site
from jantaku.table.arena.league.strength import next_tables
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from tests.arena.league.leagues import BOTS, begun, play, terms

THREE = terms(preset="tenhou-3p")


def test_a_unit_is_three_rotations_and_all_of_it_is_shown(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league", of=THREE)
    play(league, 12, tmp_path / "s")
    lines = list(league.lines())
    for unit in (lines[:3], lines[3:6]):
        assert len({line.set for line in unit}) == 1
        assert all({line.players[place] for line in unit} == set(unit[0].players) for place in range(3))
    assert sum(line.ended for line in lines) == 12
    assert write_site(league, tmp_path / "site") == 12
    site = (tmp_path / "site" / "index.html").read_text()
    assert ">3rd<" in site and "4th" not in site and ">4.<" not in site
    play(league, 1, tmp_path / "s")
    live = "".join(part.content for part in league_news(league).parts)
    assert ">3.<" in live and ">4.<" not in live


def test_two_bots_are_too_few_and_three_are_enough(tmp_path: Path) -> None:
    league = begun(tmp_path / "few.league", *BOTS[:2], of=THREE)
    with pytest.raises(BadInput, match="a table needs 3 bots, and 2 can play here; add more: jantaku league add"):
        Season(league, "1", None, Deadline(None))
    league.add(*newcomer(BOTS[2]))
    assert next_tables(league.strengths(), range(3), (), 1, 3) == [(0, 1, 2)]
