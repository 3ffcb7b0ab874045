"""The page of a league for a projector: it follows the league, and shows no game of a table that is not over."""

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import news_of
from jantaku.table.arena.match.report.live import LiveServer
from tests.arena.league.leagues import BOTS, begun, play


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league that is between two hanchan of a unit."""
    folder = tmp_path_factory.mktemp("league")
    league = begun(folder / "a.league", *BOTS, f"dice?name=<b>{'long' * 10}")
    play(league, 10, folder / "s")
    return league


@pytest.fixture
def server(league: League) -> Iterator[LiveServer]:
    """A server of its page that looks at it all the time."""
    with LiveServer("127.0.0.1", 0, lambda: news_of(league.file.path), 0.001) as server:
        server.begin()
        yield server
        server.shutdown()


def answered(server: LiveServer, path: str = "") -> str:
    """What it answers."""
    with urlopen(f"{server.address}{path}") as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        text: str = answer.read().decode()
    return text


def test_the_page_follows_the_league(server: LiveServer, league: League, tmp_path: Path) -> None:
    before = answered(server)
    assert "10 hanchan, 5 bots" in before and '<th scope="row">9</th>' in before
    play(league, 2, tmp_path / "s")
    assert f"{league.played} hanchan, 5 bots" in answered(server) != before


def test_games_are_shown_once_nothing_is_left_to_play_on_their_walls(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league", *BOTS)
    play(league, 6, tmp_path / "s")
    told = news_of(league.file.path)
    assert told.newest is not None and told.newest[0] == 3, "of the second table two hanchan are to come"
    assert [told.record(game) is not None for game in range(7)] == [True] * 4 + [False] * 3
    with LiveServer("127.0.0.1", 0, lambda: told, 60) as server:
        server.begin()
        assert '<a href="game/3">hanchan 3</a>, kyoku 1, turn 0' in answered(server)
        game = answered(server, "game/3")
        assert '"title":"hanchan 3"' in game and "seed" not in game.partition('id="book"')[2].partition("</script>")[0]
        for path in ("game/5", "game/99", "game/../../x", "other"):
            with pytest.raises(HTTPError, match="404"):
                answered(server, path)
        server.shutdown()


def test_a_league_without_a_hanchan_has_a_page(tmp_path: Path) -> None:
    told = news_of(begun(tmp_path / "a.league", *BOTS).file.path)
    assert told.newest is None and told.said[0] == "There is nobody to compare."


def test_while_the_file_is_gone_the_page_says_so_and_comes_back(server: LiveServer, league: League) -> None:
    path = league.file.path
    path.rename(path.with_suffix(".away"))
    try:
        with pytest.raises(HTTPError, match="503: There is nothing to show just now"):
            answered(server)
    finally:
        path.with_suffix(".away").rename(path)
    assert "League a" in answered(server)
