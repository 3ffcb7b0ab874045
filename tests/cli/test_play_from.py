"""`jantaku play --from`: live bots go on from a record, also from one that ends where they begin."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE

Item = dict[str, Any]
DEAL: Item = {
    "qipai": {
        "zhuangfeng": 0,
        "jushu": 0,
        "changbang": 0,
        "lizhibang": 0,
        "defen": [25000, 25000, 25000, 25000],
        "baopai": "s7",
        "shoupai": ["m178p36s15578z356", "m177p225s069z1247", "m299p1158s288z356", "m44p1234089s3z222"],
    }
}
"""東一局 as the description of the record format prints it."""
DRAW, DISCARD = {"zimo": {"l": 0, "p": "s1"}}, {"dapai": {"l": 0, "p": "z5"}}
WORDS = ("--players", "caller,shanten,dice,caller", "--threads", "inline", "--length", "one", "--seed", "4")


def paifu(folder: Path, *items: Item, title: str = "") -> str:
    path = folder / "source.json"
    record = {"title": title, "player": ["東", "南", "西", "北"], "qijia": 0, "log": [[DEAL, *items]]}
    path.write_text(json.dumps(record), "utf-8")
    return str(path)


def played_on(jantaku: Jantaku, source: str, folder: Path, *words: str) -> Item:
    """The 牌譜 of the game that goes on from there; it is verified."""
    out = folder / "out"
    ran = jantaku("play", "--from", source, *WORDS, *words, "--out", str(out))
    assert ran.code == 0, ran.err
    assert jantaku("verify", str(out / "game-0000.json"), str(out / "game-0000.jsonl")).code == 0
    game: Item = json.loads((out / "game-0000.json").read_bytes())
    return game


@pytest.mark.parametrize("items", [(), (DRAW,)], ids=["deal", "draw"])
def test_a_deal_alone_drives_a_game(jantaku: Jantaku, tmp_path: Path, items: tuple[Item, ...]) -> None:
    game = played_on(jantaku, paifu(tmp_path, *items), tmp_path, "--kyoku", "1", "--turn", "1")
    (kyoku,) = game["log"]
    assert kyoku[: 1 + len(items)] == [DEAL, *items] and len(kyoku) > 10


def test_what_nobody_saw_is_of_the_seed(jantaku: Jantaku, tmp_path: Path) -> None:
    source = paifu(tmp_path)
    games = []
    for number, seed in enumerate(("4", "4", "5")):
        (folder := tmp_path / str(number)).mkdir()
        games.append(played_on(jantaku, source, folder, "--seed", seed)["log"])
    assert games[0] == games[1] != games[2]


def test_a_record_that_ends_where_a_tile_may_be_claimed_does_not_say_that_nobody_did(
    jantaku: Jantaku, tmp_path: Path
) -> None:
    """z5 is claimed by nobody who holds one; z2 is a pon of 北, who holds three, if it wants."""
    drop = {"dapai": {"l": 1, "p": "z2"}}
    passed = (DRAW, DISCARD, {"zimo": {"l": 1, "p": "p9"}}, drop)
    source = paifu(tmp_path, *passed)
    ran = jantaku("play", "--from", source, *WORDS, "--turn", "3", "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "source.json has no turn 3 in kyoku 1; that kyoku has 2 turns" in ran.err
    (folder := tmp_path / "claimed").mkdir()
    pon = {"fulou": {"l": 3, "m": "z222="}}
    (kyoku,) = played_on(jantaku, paifu(folder, *passed, pon), folder, "--turn", "3")["log"]
    assert kyoku[: 2 + len(passed)] == [DEAL, *passed, pon] and "dapai" in kyoku[2 + len(passed)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--turn", "2"), "source.json has no turn 2 in kyoku 1; that kyoku has 0 turns"),
        (("--kyoku", "2"), "source.json has no turn 1 in kyoku 2; it has 1 kyoku"),
    ],
)
def test_a_turn_that_there_is_not_is_refused_with_how_many_there_are(
    jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = jantaku("play", "--from", paifu(tmp_path), *WORDS, *words, "--out", str(tmp_path / "out"))
    assert ran.code == 2 and said in ran.err and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("title", "words", "kept"),
    [
        ("名人戦\n2015-12-24", (), "名人戦\n2015-12-24"),
        ("名人戦\n2015-12-24", ("--title", "検討"), "検討\n2015-12-24"),
        ("名人戦\n2015-12-24", ("--date", "2026"), "名人戦\n2026"),
        ("", (), "jantaku seed 4 game 0"),
    ],
)
def test_the_title_that_somebody_gave_a_record_stays(
    jantaku: Jantaku, tmp_path: Path, title: str, words: tuple[str, ...], kept: str
) -> None:
    assert played_on(jantaku, paifu(tmp_path, title=title), tmp_path, *words)["title"] == kept


def test_a_title_that_names_the_seed_of_a_record_is_not_that_of_another(jantaku: Jantaku, tmp_path: Path) -> None:
    (first := tmp_path / "first").mkdir()
    old = played_on(jantaku, paifu(first), first)
    source = first / "out" / "game-0000.json"
    assert old["title"] == "jantaku seed 4 game 0"
    assert played_on(jantaku, str(source), tmp_path, "--seed", "9")["title"] == "jantaku seed 9 game 0"


# --- from a position


FIRST = (
    "jtk1 tenhou;game.length=tonpu E1 honba=0 sticks=0 left=69 indicators=z4 E900 S40000 W30000 N29100 "
    "hand=m23567p8s14407z27+s3 ask=E/draw"
)


@pytest.mark.long
@pytest.mark.parametrize("line", [OWN, CLAIM, THREE, FIRST])
def test_games_begin_at_a_position_with_other_hidden_tiles_each_and_verify(
    jantaku: Jantaku, tmp_path: Path, line: str
) -> None:
    players = "caller,shanten,dice" if line is THREE else "caller,shanten,dice,caller"
    words = ("--players", players, "--threads", "inline", "--seed", "4", "--games", "2", "--out", str(tmp_path / "out"))
    ran = jantaku("play", "--position", line, *words)
    assert ran.code == 0, ran.err
    games = sorted((tmp_path / "out").glob("game-*"))
    assert len(games) == 4 and jantaku("verify", *map(str, games)).code == 0
    first, second = [json.loads(path.read_bytes())["log"][0] for path in games if path.suffix == ".json"]
    assert first[0]["qipai"]["shoupai"] != second[0]["qipai"]["shoupai"]
    rivers = [[item["dapai"] for item in log if "dapai" in item][:3] for log in (first, second)]
    assert (rivers[0] == rivers[1]) is (line is not FIRST)  # before its first discard


def test_at_a_position_the_players_sit_in_the_order_of_its_seats(jantaku: Jantaku, tmp_path: Path) -> None:
    """東二局: the player of the second place of the record deals."""
    jantaku("play", "--position", CLAIM, *WORDS[:-4], "--out", str(tmp_path / "out"))
    record = json.loads((tmp_path / "out" / "game-0000.json").read_bytes())
    assert record["player"] == ["caller-2", "caller-1", "shanten", "dice"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rules", "mleague"), "--rules: a position line is where games begin, and names its rules"),
        (("--set", "ron.max_winners=1"), "--set: a position line is where games begin, and names its rules"),
        (("--human",), "--human cannot be given with --from, --position,"),
        (("--turn", "2"), "--kyoku and --turn need a record to begin in: give it with --from FILE"),
        (("--game", "daifugo"), "--position is for riichi"),
    ],
)
def test_what_does_not_go_with_a_position_is_refused(
    jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = jantaku("play", "--position", CLAIM, *words, "--out", str(tmp_path / "out"))
    assert ran.code == 2 and said in ran.err and not (tmp_path / "out").exists()


def test_a_line_that_cannot_be_read_is_refused_with_its_place(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--position", CLAIM.replace("sticks=1", "sticks=x"), "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "position line, column" in ran.err and "(sticks)" in ran.err
