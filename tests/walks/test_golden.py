"""The same seed, players and rules give the same bytes on every Python, in every mode, on every machine.

The digests below are fixed. They change when walls, bots or the rules of play change; then say why in the commit.
`python -m scripts.pythons` runs this file on every interpreter that it finds.
"""

import hashlib

import msgspec
import pytest

from jantaku.table.judge.judge import Judge
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import preset
from tests.kit.modes import MODES

SEED = "golden"
PLAYERS = ("shanten", "caller", "dice", "tsumogiri")
DIGESTS = {"tenhou": "5abf7b1161399bfd", "showa": "9a6d945464d3a45d", "mahjongsoul": "79aaff927937edc5"}


def played(preset_name: str, mode: str) -> bytes:
    rules = preset(preset_name)
    entrants = enlist(PLAYERS)
    first_dealer, order = seat_draw(SEED, 0)
    a, b, c, d = (entrants[place].name for place in order)
    game = RiichiGame(rules, walls_from(SEED, 0, rules), (a, b, c, d), first_dealer)
    players = [entrants[place].make(seeds.of_bot(SEED, 0, place)) for place in order]
    Judge(game, players, mode=mode).run()
    return msgspec.json.encode(paifu_of(game.events, rules, preset_name))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DIGESTS)
def test_a_seeded_game_has_the_same_bytes_everywhere(name: str, mode: str) -> None:
    assert hashlib.sha256(played(name, mode)).hexdigest()[:16] == DIGESTS[name]
