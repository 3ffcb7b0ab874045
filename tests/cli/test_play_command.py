"""`jantaku play`, also `--from` a record: the main job, and every way to ask for it wrongly."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.cli.commands import play
from jantaku.table.riichi import ruleset
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.riichi.line import CLAIM, OWN, THREE

ROOT = Path(__file__).parents[2]
FAST = ("--players", "tsumogiri,dice,tsumogiri,caller", "--threads", "inline", "--length", "one")


def test_play_finishes_a_game_and_says_where_its_records_are(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--seed", "3", "--out", str(tmp_path / "out"))
    game, place, following = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert game.startswith("game 0: ")
    assert all(name in game for name in ("tsumogiri-1", "dice", "tsumogiri-2", "caller"))
    assert place == f"seed 3, records in {tmp_path / 'out'}"
    assert following == f"next: jantaku verify {tmp_path / 'out' / 'game-0000.json'}"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"game-0000.jsonl", "game-0000.json"}


def test_the_records_of_a_game_verify(jantaku: Jantaku, tmp_path: Path) -> None:
    jantaku("play", *FAST, "--seed", "3", "--games", "2", "--paifu", "2015", "--out", str(tmp_path))
    ran = jantaku("verify", *sorted(map(str, tmp_path.iterdir())))
    assert ran.code == 0
    assert ran.out.count(": identical; not checked by replay") == 6
    assert ran.out.endswith("6 records, 0 different\n")


def test_json_is_one_object_a_game_and_nothing_else(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--seed", "3", "--games", "2", "--json", "--out", str(tmp_path))
    games = [json.loads(line) for line in ran.out.splitlines()]
    assert [game["game"] for game in games] == [0, 1]
    assert all(sorted(game["ranks"]) == [1, 2, 3, 4] and game["ending"] == "over" for game in games)
    assert all(sum(game["scores"]) == 100000 for game in games)


def test_quiet_prints_nothing(jantaku: Jantaku, tmp_path: Path) -> None:
    assert jantaku("play", *FAST, "--quiet", "--out", str(tmp_path)) == (0, "", "")


def test_the_broken_are_cut_off_and_named(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "tsumogiri,crash,cheat,tsumogiri", "--length", "one", "--seed", "2", "--json")
    game = json.loads(jantaku("play", *words, "--out", str(tmp_path)).out)
    crash, cheat = game["faults"][1], game["faults"][2]
    assert set(crash) == {"gone"} and set(cheat) == {"illegal"}
    assert game["faults"][0] == game["faults"][3] == {}
    assert game["ending"] == "over"


def test_the_line_of_a_game_says_who_broke_and_how_often(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--players", "tsumogiri,crash,dice,tsumogiri", "--length", "one", "--out", str(tmp_path))
    assert re.search(r"crash -?\d+ \([-+]\d+\.\d, gone \d+\)", ran.out)
    assert re.search(r"dice -?\d+ \([-+]\d+\.\d\)", ran.out)


def test_a_record_drives_the_game_and_bots_go_on_from_there(jantaku: Jantaku, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    words = ("--players", "dice,dice,dice,dice", "--threads", "inline", "--length", "tonpu", "--seed", "5")
    jantaku("play", *words, "--out", str(first))
    source = first / "game-0000.json"
    begin = ("--from", str(source), "--kyoku", "2", "--turn", "12", "--players", "tsumogiri,caller,shanten,dice")
    assert jantaku("play", *begin, "--threads", "inline", "--seed", "6", "--out", str(second)).code == 0
    old, new = (json.loads((folder / "game-0000.json").read_bytes()) for folder in (first, second))
    assert new["log"][0] == old["log"][0]
    discards = [place for place, item in enumerate(old["log"][1]) if "dapai" in item]
    until = discards[10] + 1  # eleven turns are the record's, the twelfth is the players'
    assert new["log"][1][:until] == old["log"][1][:until]
    assert new["log"][1] != old["log"][1]
    ran = jantaku("verify", str(second / "game-0000.json"), str(second / "game-0000.jsonl"))
    assert ran.code == 0, ran.out


def test_a_config_file_is_a_table_and_flags_win_over_it(jantaku: Jantaku, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nplayers = ["dice", "dice", "dice", "dice"]\nthreads = "inline"\nseed = 9\n'
        '[rules]\npreset = "mleague"\n[rules.game]\nlength = "one"\n'
    )
    ran = jantaku("play", "--config", str(config), "--seed", "10", "--out", str(tmp_path / "out"))
    assert "seed 10" in ran.out and "dice-4" in ran.out
    header = json.loads((tmp_path / "out" / "game-0000.jsonl").read_bytes().split(b"\n")[0])
    assert header["rules"]["game"]["length"] == "one" and header["rules"]["ron"]["max_winners"] == 1


@pytest.mark.parametrize("names_its_rules", [False, True])
def test_a_config_files_rules_hold_for_a_record_that_names_none(
    jantaku: Jantaku, tmp_path: Path, names_its_rules: bool
) -> None:
    config, source = tmp_path / "table.toml", ROOT / "docs" / "examples" / "three_claims.mjson"
    config.write_text('[table]\nthreads = "inline"\n[rules]\ngame.length = "one"\nron.max_winners = 1\n')
    if names_its_rules:
        jantaku("play", "--from", str(source), *FAST[:4], "--rules", "tenhou", "--out", str(tmp_path / "a"))
        source = tmp_path / "a" / "game-0000.jsonl"
    out = tmp_path / "b"
    ran = jantaku("play", "--from", str(source), "--config", str(config), "--out", str(out))
    header = json.loads((out / "game-0000.jsonl").read_bytes().split(b"\n")[0])
    assert (header["rules"]["ron"]["max_winners"] == 1) != names_its_rules
    assert ("its rules are not used" in ran.err) == names_its_rules


def test_the_log_tells_faults_as_json_lines_on_request_and_is_quiet_without(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "tsumogiri,crash,tsumogiri,tsumogiri", "--length", "one", "--seed", "2", "--quiet")
    assert jantaku("play", *words, "--out", str(tmp_path / "a")).err == ""
    ran = jantaku("--log", "info", "--log-json", "play", *words, "--out", str(tmp_path / "b"))
    faults = [line for line in map(json.loads, ran.err.splitlines()) if line["event"] == "fault"]
    keys = {"table", "kyoku", "turn", "mover", "seat", "player", "question", "verdict", "used", "allowed", "reason"}
    assert faults and all(keys <= line.keys() for line in faults)
    assert {(line["player"], line["verdict"], line["allowed"]) for line in faults} == {("crash", "gone", 10.0)}


@pytest.mark.parametrize("place", [0, 1, 3, 11])
def test_what_is_logged_may_be_said_anywhere_in_the_line(jantaku: Jantaku, tmp_path: Path, place: int) -> None:
    players = "tsumogiri,crash,tsumogiri,tsumogiri"
    words = ["play", "--players", players, "--length", "one", "--seed", "2", "--quiet", "--out", str(tmp_path / "a")]
    words[place:place] = ["--log=info", "--log-json"] if place % 2 else ["--log-json", "--log", "info"]
    ran = jantaku(*words)
    assert ran.code == 0 and json.loads(ran.err.splitlines()[0])["event"] == "fault"


@pytest.mark.parametrize(("said", "told"), [(["--log"], "needs a level"), (["--log", "loud"], "'debug', 'info'")])
def test_a_level_that_is_none_is_refused_with_the_levels(jantaku: Jantaku, said: list[str], told: str) -> None:
    ran = jantaku("rules", *said)
    assert ran.code == 2 and told in ran.err and len(ran.err.splitlines()) == 1


BROKEN_BOTS = {
    "raises.py": "raise RuntimeError('no weights')",
    "exits.py": "import sys\nsys.exit(3)",
    "wants.py": "import nothing_of_this_name",
    "empty.py": "VALUE = 1",
    "leaves.py": "class Bot:\n    def __init__(self): raise SystemExit(3)\n    def answer(self, question): ...",
    "fails.py": "class Bot:\n    def __init__(self): raise OSError('no disk')\n    def answer(self, question): ...",
}


@pytest.mark.long
@kept_cases("words, said", (["--seed", "\udcff"], "'--seed': '\\udcff' is not a seed"))
def test_bad_input_is_one_clear_line(jantaku: Jantaku, cwd: Path, words: list[str], said: str) -> None:
    for name, text in BROKEN_BOTS.items():
        (cwd / name).write_text(text)
    ran = jantaku("play", "--length", "one", *words, "--out", "out")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("jantaku: ") and ran.err.count("\n") == 1 and said in ran.err
    assert "Traceback" not in ran.err
    leavings = [path.name for path in (cwd / "out").iterdir()] if (cwd / "out").exists() else []
    assert leavings == [], "nothing half written"


def test_a_folder_with_games_in_it_is_refused_and_left_as_it_was(jantaku: Jantaku, tmp_path: Path) -> None:
    jantaku("play", *FAST, "--out", str(tmp_path))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    ran = jantaku("play", *FAST, "--out", str(tmp_path))
    assert ran.code == 2
    assert "already; give a new or empty folder" in ran.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_refused(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    ran = jantaku("play", *FAST, "--out", str(tmp_path / "file" / "out"))
    assert ran.code == 2
    assert f"--out: {tmp_path / 'file' / 'out'} cannot be used: Not a directory" in ran.err


def test_a_kyoku_that_the_record_does_not_have_is_refused(jantaku: Jantaku, tmp_path: Path) -> None:
    jantaku("play", *FAST, "--seed", "3", "--out", str(tmp_path / "a"))
    source = str(tmp_path / "a" / "game-0000.json")
    ran = jantaku("play", "--from", source, "--kyoku", "9", "--out", str(tmp_path / "b"))
    assert ran.code == 2
    assert "has no turn 1 in kyoku 9" in ran.err
    assert not (tmp_path / "b").exists()


def test_every_option_of_play_explains_itself() -> None:
    assert all(getattr(option, "help", None) for option in play.command.params)
    assert set(ruleset.PRESETS) >= {"tenhou", "mahjongsoul", "mleague", "majiang", "showa"}


WANDERER = """
import os
os.chdir("/")
class Bot:
    def hear(self, event): pass
    def answer(self, question):
        os.chdir("/")
        return question.default
"""


@pytest.mark.long
@pytest.mark.parametrize("command", ["play", "match"])
def test_a_bot_that_changes_the_folder_moves_no_path_of_the_command(tmp_path: Path, command: str) -> None:
    (tmp_path / "wanderer.py").write_text(WANDERER)
    players = "wanderer.py,wanderer.py:Bot?isolate=process&name=b,wanderer:Bot?name=c,dice"
    more = {"play": ["--games", "2"], "match": ["--workers", "0", "--sets", "1"]}[command]
    ran = subprocess.run(
        [sys.executable, "-m", "jantaku", command, "--players", players, "--length", "one", "--out", "out", *more],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SOON,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = {"play": "records in out\nnext: jantaku verify out/game-0000.json\n", "match": "everything: out, "}[command]
    assert told in ran.stdout
    assert {path.name for path in tmp_path.iterdir()} <= {"out", "wanderer.py", "__pycache__"}


CARELESS = """
import gc, locale, os, random, socket, sys, threading, time, warnings
from jantaku.players.bots.tsumogiri import Tsumogiri
class Bot(Tsumogiri):
    def answer(self, question):
        warnings.simplefilter("error")
        random.seed(0)
        gc.disable()
        socket.setdefaulttimeout(0.001)
        locale.setlocale(locale.LC_ALL, "C")
        sys.setrecursionlimit(200)
        sys.path.clear()
        os.environ.clear()
        threading.Thread(target=time.sleep, args=(3600,)).start()
        return question.default
"""


def test_what_a_bot_changes_in_the_process_costs_nobody_a_game(tmp_path: Path) -> None:
    """Nor does a thread of its own keep the command from ending."""
    (tmp_path / "mine.py").write_text(CARELESS)
    words = ("--players", "mine.py,dice,dice,dice", "--games", "2", "--length", "one", "--json", "--out", "out")
    command = [sys.executable, "-m", "jantaku", "play", *words]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SOON, check=True)
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [game["faults"] for game in told] == [[{}] * 4] * 2 and ran.stderr == ""


@pytest.mark.parametrize("seed", ["../../elsewhere", "a/b", "/", "日本", "x" * 300])
def test_records_stay_in_their_folder_whatever_the_seed_is_called(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert jantaku("play", *FAST, "--seed", seed).code == 0
    (journal,) = tmp_path.rglob("game-0000.jsonl")
    assert journal.parent.parent == tmp_path / "here" / "records"
    assert json.loads(journal.read_bytes().splitlines()[0])["seed"] == seed


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


def test_a_record_that_ends_where_a_tile_may_be_claimed_tells_of_no_pass(jantaku: Jantaku, tmp_path: Path) -> None:
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


@cases(
    "words, said",
    (("--turn", "2"), "source.json has no turn 2 in kyoku 1; that kyoku has 0 turns"),
    (("--kyoku", "2"), "source.json has no turn 1 in kyoku 2; it has 1 kyoku"),
)
def test_a_turn_that_there_is_not_is_refused_with_how_many_there_are(
    jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = jantaku("play", "--from", paifu(tmp_path), *WORDS, *words, "--out", str(tmp_path / "out"))
    assert ran.code == 2 and said in ran.err and not (tmp_path / "out").exists()


@cases(
    "title, words, kept",
    ("名人戦\n2015-12-24", (), "名人戦\n2015-12-24"),
    ("名人戦\n2015-12-24", ("--title", "検討"), "検討\n2015-12-24"),
    ("名人戦\n2015-12-24", ("--date", "2026"), "名人戦\n2026"),
    ("", (), "jantaku seed 4 game 0"),
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
def test_games_begin_at_a_position_each_with_other_hidden_tiles(jantaku: Jantaku, tmp_path: Path, line: str) -> None:
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


def test_a_line_that_cannot_be_read_is_refused_with_its_place(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--position", CLAIM.replace("sticks=1", "sticks=x"), "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "position line, column" in ran.err and "(sticks)" in ran.err


def test_a_clock_of_a_file_is_named_where_no_clock_can_be_kept(jantaku: Jantaku, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[clock]\nturn = 1.0\nreaction = 1.0\n")
    ran = jantaku("play", "--config", str(table), "--threads", "inline")
    assert (ran.code, f"leave [clock] of {table} away" in ran.err) == (2, True)
