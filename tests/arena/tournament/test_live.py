"""The page of a tournament tells how it stands, and shows no game whose walls are still to be played."""

from pathlib import Path

import pytest

from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.store import Store
from jantaku.table.arena.tournament.report import news_of, nothing_yet
from jantaku.table.arena.tournament.rounds import Rounds
from tests.arena.tournament.tournaments import small_tournament


class Stopped(Exception):
    """Ends a tournament, as Ctrl-C does."""


def test_the_page_follows_a_tournament_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    plan = small_tournament(8)
    store = Store.create(tmp_path / "t", plan)
    assert news_of(store).said == ["It begins now.", "Round 1 of 2, 0 of 16 kyoku"]
    assert news_of(store).newest is None

    def follow(over: int, planned: int, stands: str) -> None:
        if over == 6:
            raise Stopped

    with pytest.raises(Stopped):
        conduct(store, Here(plan, store.places), Rounds(plan), follow)
    told = news_of(store)
    assert told.said[1] == "Round 1 of 2, 6 of 16 kyoku" and told.said[0].endswith(" leads.")
    assert told.newest is not None and told.newest[0] == 3 and told.newest[1].is_file()
    assert [game for game in range(16) if told.record(game)] == [0, 1, 2, 3], "table 2 plays on, on the same walls"
    assert [part.heading for part in told.parts] == ["Standings", "Being played, and next", "Last results"]
    assert "2 of 4" in told.parts[1].content and "0 of 4" not in told.parts[1].content
    store.close()
    store = Store.resume(tmp_path / "t", plan.seed, kind=type(plan))
    again = news_of(store)
    assert again.said == told.said and again.parts == told.parts
    conduct(store, Here(plan, store.places), Rounds(store.plan))
    ended = news_of(store)
    assert ended.said[0].endswith(" has won.") and ended.said[1] == "Round 2 of 2, 16 of 16 kyoku"
    assert [part.heading for part in ended.parts] == ["Standings", "Last results"]
    assert all(ended.record(game) for game in range(16)) and ended.record(16) is None
    store.close()


def test_before_the_players_are_started_the_page_says_what_will_be_played() -> None:
    plan = small_tournament(8)
    told = nothing_yet(plan)
    assert told.said == ["It begins now.", plan.described] and told.parts == [] and told.record(0) is None
