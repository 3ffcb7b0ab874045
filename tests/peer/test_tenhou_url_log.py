"""tenhou-url-log makes the same log of tenhou.net/6 of a 牌譜 as we do, but for what is known of it."""

from pathlib import Path

import pytest

from scripts.readers.__main__ import compared_with_tenhou_url_log, export
from scripts.roundtrips import records

GAMES = Path(__file__).parents[1] / "data" / "games" / "majiang_script.jsonl.gz"
KNOWN = {
    "of several winners it keeps the last, and the ura of the last",
    "it has no word for a draw at which all or none are tenpai",
}


@pytest.mark.peer
def test_our_tenhou_logs_are_those_of_tenhou_url_log(game_folder: Path, tmp_path: Path, peer_modules: Path) -> None:
    found = [*records(GAMES), *records(game_folder / "game-0000.jsonl")]
    export(iter(found), tmp_path)
    told = compared_with_tenhou_url_log(tmp_path, peer_modules)
    assert told["different"] == []
    assert set(told["explained"]) <= KNOWN
    assert told["agree"] + sum(told["explained"].values()) == sum(len(read.record.log) for _, read in found)
    assert told["agree"] >= 20
