"""Players that others know, as they are fetched: from a repository of the test's own, without a network."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.anchors import __main__ as anchors
from scripts.anchors import over_tcp
from scripts.anchors.known import AI, ANCHORS, CORE, Anchor, Origin
from scripts.results.solved import Solved, places, related
from tests.kit.command import Jantaku

TSUMOGIRI = """
import json, sys
me = -1
for line in sys.stdin:
    said = json.loads(line)
    if "qipai" in said:
        me = next(seat for seat, hand in enumerate(said["qipai"]["shoupai"]) if hand)
    if "seq" in said:
        drawn = said.get("zimo", {})
        answer = {"dapai": drawn["p"] + "_"} if drawn.get("l") == me else {}
        print(json.dumps(answer | {"seq": said["seq"]}), flush=True)
"""

CLIENT = """
from utils.decisions_logger import MeldPrint

class Client:
    def __init__(self):
        self.table = self.player = self
        self.player.table = self
        self.in_riichi, self.has_aka_dora, self.calls = False, True, 0

    def init_round(self, number, honba, sticks, dora, dealer, scores):
        self.revealed_tiles, self.count_of_remaining_tiles = [0] * 34, 70
        self.in_riichi, self.melds, self.discards, self.revealed_tiles_136 = False, [], [], list(range(136))
        assert sum(scores) <= 1000 and dora in range(136)

    def init_hand(self, tiles):
        self.tiles = tiles
        assert len(set(tiles)) == 13

    @property
    def closed_hand(self):
        return [tile for tile in self.tiles if tile not in self.melds]

    def draw_tile(self, tile):
        assert tile not in self.tiles
        self.tiles.append(tile)

    def discard_tile(self, tile=None, force_tsumogiri=False):
        tile = self.closed_hand[-1] if tile is None else tile
        self.tiles.remove(tile)
        self.discards.append(tile)
        return tile, False

    def try_to_call_meld(self, tile, is_kamicha):
        own = [one for one in self.closed_hand if one // 4 == tile // 4]
        if len(own) < 2 or len(self.closed_hand) < 5:
            return None, None
        return MeldPrint("pon", [*own[:2], tile]), next(one for one in self.closed_hand if one // 4 != tile // 4)

    def add_called_meld(self, side, meld):
        assert len(set(meld.tiles)) in (3, 4)
        self.melds += [] if side else meld.tiles

    def should_call_kan(self, *_, **__):
        return None

    def should_call_win(self, *_, **__):
        return True

    def should_call_kyuushu_kyuuhai(self):
        return False

    def heard(self, *_):
        return None

    add_discarded_tile = add_dora_indicator = heard
    add_called_riichi_step_one = add_called_riichi_step_two = heard
"""
LOGGER = """
class MeldPrint:
    KAN, SHOUMINKAN = "kan", "shouminkan"

    def __init__(self, type, tiles, opened=True, called_tile=None, who=None, from_who=None):
        self.type, self.tiles = type, tiles
"""
SETTINGS = "class settings: pass"


def git(place: Path, *words: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(["git", "-C", str(place), *author, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "jantaku" / "anchors"


@pytest.fixture
def theirs(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Origin:
    """A repository whose first version plays and whose second does not; there are the anchors `good` and `bad`."""
    place = tmp_path / "theirs"
    place.mkdir()
    git(place, "init", "--quiet")
    commits = []
    for source in (TSUMOGIRI, "raise SystemExit('no tiles today')"):
        (place / "bot.py").write_text(source)
        git(place, "add", "bot.py")
        git(place, "commit", "--quiet", "-m", "a version")
        commits.append(git(place, "rev-parse", "HEAD").strip())
    origins = [Origin(str(place), commit, "MIT") for commit in commits]
    made = [Anchor(origin, (sys.executable, "{files}/bot.py")) for origin in origins]
    monkeypatch.setattr(anchors, "ANCHORS", {"good": made[0], "bad": made[1]})
    return origins[0]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The line with which the script ends."""
    assert anchors.main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    return line


def test_an_anchor_is_fetched_once_at_its_version_and_has_played_when_its_line_is_printed(
    theirs: Origin, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = f"exec:{shlex.join([sys.executable, str(home / theirs.folder / 'bot.py')])}?name=good\n"
    assert anchors.main(["good"]) == 0
    assert capsys.readouterr().out == expected
    shutil.rmtree(theirs.address)
    assert anchors.main(["good"]) == 0
    assert capsys.readouterr().out == expected


def test_what_is_started_may_lie_in_a_folder_with_any_name(tmp_path: Path) -> None:
    (tmp_path / "雀卓.pth").write_text(str(tmp_path / "一式"), "utf-8")
    read = "import site, sys; site.addsitedir(sys.argv[1]); print('read')"
    assert anchors.ran(sys.executable, "-c", read, str(tmp_path), remedy="") == "read\n"


def test_a_clone_that_is_here_stands_for_the_address(
    theirs: Origin, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    far = Anchor(theirs._replace(address="/nowhere/theirs"), (sys.executable, "{files}/bot.py"))
    monkeypatch.setattr(anchors, "ANCHORS", {"far": far})
    assert "git: fatal: " in refused(capsys, "far")
    assert anchors.main(["far", "--from", theirs.address]) == 0


def test_an_anchor_that_does_not_play_is_told_with_its_last_words(
    theirs: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no tiles today" in refused(capsys, "bad")


def test_a_version_that_is_not_there_is_refused_and_nothing_is_kept(
    theirs: Origin, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = Anchor(theirs._replace(commit="0123456789" * 4), ())
    monkeypatch.setattr(anchors, "ANCHORS", {"unknown": unknown})
    assert refused(capsys, "unknown").endswith("--from DIR takes another clone")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("spoil", [("checkout", "--quiet", "-"), ("rm", "--quiet", "--cached", "bot.py")])
def test_what_is_kept_must_be_the_version_unchanged(
    theirs: Origin, home: Path, spoil: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert anchors.main(["good"]) == 0
    capsys.readouterr()
    git(home / theirs.folder, *spoil)
    assert refused(capsys, "good") == (
        f"anchors: {home / theirs.folder} is not commit {theirs.commit} as published: remove it"
    )


def test_a_package_of_another_version_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {f"node_modules/{one.name}": {"version": "0.1", "integrity": "x"} for one in (AI, CORE)}
    home.mkdir(parents=True)
    (home / "package-lock.json").write_text(json.dumps({"packages": found}))
    assert refused(capsys, "majiang-ai") == (
        f"anchors: {home} has @kobalab/majiang-ai 0.1, not 1.0.13 as published: remove it"
    )


@pytest.mark.parametrize(("name", "tool"), [("good", "git"), ("majiang-ai", "npm")])
def test_a_tool_that_is_missing_is_named(
    theirs: Origin, name: str, tool: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(anchors, "ANCHORS", {"good": Anchor(theirs, ()), "majiang-ai": ANCHORS["majiang-ai"]})
    monkeypatch.setenv("PATH", "")
    assert refused(capsys, name).startswith(f"anchors: {tool} is not on the PATH: install it")


def test_unknown_names_and_one_clone_for_two_repositories_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no anchor manue" in refused(capsys, "manue")
    assert "--from is a clone of one repository" in refused(capsys, "all", "--from", "here")


def test_the_list_has_of_each_its_address_its_whole_commit_and_its_licence(capsys: pytest.CaptureFixture[str]) -> None:
    assert anchors.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(ANCHORS) > 20
    assert [line for line in lines if not re.search(r" https://\S+ [0-9a-f]{40} (MIT|New BSD); ", line)] == []


def over(*program: str) -> str:
    bridge = shlex.join([sys.executable, str(Path(over_tcp.__file__)), *program])
    return f"exec:{bridge}?name=dialler&dialect=mjsonp&restart=always,tsumogiri,tsumogiri,tsumogiri"


def test_a_program_that_dials_a_server_plays_over_a_port_of_its_own(jantaku: Jantaku, tmp_path: Path) -> None:
    players = over(sys.executable, "-m", "jantaku", "join", "--name", "a", "--bot", "shanten")
    ran = jantaku("play", "--strict", "--length", "one", "--out", str(tmp_path), "--players", players)
    assert (ran.code, ran.err) == (0, "")


def test_a_program_that_ends_before_it_dials_is_told(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--length", "one", "--out", str(tmp_path), "--players", over("false"))
    assert ran.code == 2 and "false ended before it dialled, with exit code 1" in ran.err


@pytest.fixture
def tenhou_bot(tmp_path: Path) -> str:
    """The line of a bot in the form of tenhou-python-bot that calls pon and wins where it can."""
    for name, source in {
        "game/client.py": CLIENT,
        "utils/decisions_logger.py": LOGGER,
        "utils/settings_handler.py": SETTINGS,
    }.items():
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text(source)
    words = shlex.join([sys.executable, str(Path(over_tcp.__file__).with_name("tenhou_bot.py")), "project"])
    return f"exec:{words}?dialect=mjai-lines-actions&cwd={tmp_path}"


def test_a_bot_of_tenhou_plays_by_the_adapter(tenhou_bot: str, jantaku: Jantaku, tmp_path: Path) -> None:
    """All that it answers is legal, and no tile has come into sight twice."""
    players = f"{tenhou_bot},tsumogiri,tsumogiri,tsumogiri"
    out = tmp_path / "out"
    ran = jantaku("play", "--strict", "--length", "tonpu", "--seed", "5", "--out", str(out), "--players", players)
    assert (ran.code, ran.err) == (0, "")
    (paifu,) = out.glob("*.json")
    assert '"fulou"' in paifu.read_text("utf-8")


def test_a_bot_of_tenhou_follows_what_others_played_in_its_seat(tenhou_bot: str, jantaku: Jantaku) -> None:
    ran = jantaku("exam", tenhou_bot, "--item", "kan", "--item", "joined")
    assert ran.code == 0, ran.out


def test_what_a_suite_costs_is_compared_with_the_places_of_the_ladder() -> None:
    bots = [Solved(str(rank), lost, 0.1, rank, 1.0) for lost, rank in ((0.1, 2.4), (0.3, 2.5), (0.3, 2.7), (2.0, 3.9))]
    assert places([0.3, 0.1, 0.3, 2.0]) == [1.5, 0, 1.5, 3]
    assert related(bots) == "4 bots: correlation 0.99, of their places 0.95"
    assert related(bots[:1]) == "1 bot: too few that differ for a correlation"
