"""Bots named by their file, and folders whose files have the names of jantaku's own or of libraries."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.table.arena.match.fingerprint import fingerprint
from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.seating.loader import bot_class, bot_maker, file_of
from jantaku.table.play.seating.roster import enlist
from tests.kit.cases import cases, kept_cases
from tests.kit.command import unload
from tests.kit.pace import SOON

BOT = """
from jantaku.players.base import RiichiPlayer
from helper import WORD

class Follower(RiichiPlayer):
    word = WORD

    def answer(self, question):
        from helper import WORD
        assert WORD == self.word
        return question.default
"""
GAME = ("--length", "one", "--seed", "1")


@pytest.fixture(autouse=True)
def _own_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(installation, "_homes", [])
    yield
    unload(tmp_path)


@pytest.fixture
def here(cwd: Path) -> Path:
    """A working folder with two bots of one name, each with a module of its own beside it."""
    for folder in ("a", "b"):
        (cwd / folder).mkdir()
        (cwd / folder / "mybot.py").write_text(BOT, "utf-8")
        (cwd / folder / "helper.py").write_text(f"WORD = {folder!r}\n", "utf-8")
    return cwd


def crowd(folder: Path) -> None:
    """Files that end whatever imports them, under the names of a library, of Python's own and of folders in a clone."""
    for name in ("websockets.py", "random.py", "sitecustomize.py", "tests/__init__.py", "scripts/a.py"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("import sys\nsys.exit('the user\\'s own file was imported')\n", "utf-8")


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command as it is installed, which does not stand in the working folder."""
    command = [sys.executable, "-P", "-m", "jantaku", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SOON)


@pytest.mark.parametrize("spec", ["a/mybot.py:Follower", "./a/mybot.py", "{here}/a/mybot.py:Follower"])
def test_a_bot_is_named_by_its_file(here: Path, spec: str) -> None:
    kind = bot_class(spec.format(here=here))
    assert (kind.__name__, kind.word) == ("Follower", "a")
    assert bot_maker(spec.format(here=here))(1) is not None


def test_bots_in_files_of_one_name_are_different_bots_with_modules_of_their_own(here: Path) -> None:
    a, b, again = (bot_class(f"{folder}/mybot.py") for folder in ("a", "b", "a"))
    assert (a.word, b.word) == ("a", "b") and again is a
    three = enlist(["a/mybot.py", "b/mybot.py", "a/mybot.py:Follower"])
    assert [one.name for one in three] == ["mybot-1", "mybot-2", "Follower"]
    assert fingerprint("a/mybot.py") == fingerprint("b/mybot.py:Follower") != ""


def test_what_a_file_name_is_not_taken_for() -> None:
    assert file_of("exec:node bot.js") is None and file_of("mybot:Follower") is None and file_of("shanten") is None
    assert file_of("a:b/mybot.py:Follower") == Path("a:b/mybot.py") and file_of("mybot.py") == Path("mybot.py")


@kept_cases("spec, said")
def test_a_bot_that_cannot_be_had_is_refused_with_what_to_write(here: Path, spec: str, said: str) -> None:
    (here / "broken.py").write_text("\nraise ValueError('no')", "utf-8")
    (here / "run.sh").touch(mode=0o755)
    (here / "random.py").touch()
    (here / "old.py").write_text("from " + "table.port import Action", "utf-8")
    with pytest.raises(BadInput) as refused:
        bot_class(spec)
    assert str(refused.value).startswith(f"player {spec}: ") and said in str(refused.value)


@pytest.mark.parametrize(("spec", "game"), [("daifugo-greedy", "riichi"), ("shanten", "daifugo")])
def test_a_bot_of_the_other_game_is_not_let_to_a_table(spec: str, game: str) -> None:
    with pytest.raises(BadInput, match=f"but this is a table of {game}"):
        enlist([spec], game=game)
    assert enlist(["dice"], game=game)


def test_folders_of_bots_stand_behind_all_that_is_installed(here: Path) -> None:
    bot_class("a/mybot.py")
    bot_class("b/mybot.py")
    assert sys.path[-2:] == [str(here / "b"), str(here / "a")] and installation.HOME in sys.path[:-2]
    assert installation.search_path(str(here))[-1] == str(here)
    assert not {str(here / "a"), str(here / "b")} & set(installation.search_path())


@pytest.mark.long
def test_files_with_the_names_of_libraries_break_nothing_and_are_not_imported(here: Path) -> None:
    crowd(here)
    bots = "a/mybot.py:Follower,b/mybot.py?isolate=process,dice?isolate=process,shanten"
    ran = run(here, "play", "--players", bots, *GAME, "--out", "played")
    assert (ran.returncode, ran.stderr) == (0, "")
    ran = run(here, "match", "--players", bots, *GAME, "--sets", "1", "--workers", "2", "--out", "match")
    assert (ran.returncode, ran.stderr) == (0, ""), "workers and processes import the installed ones, too"
    ran = run(here, "exam", "./b/mybot.py", "--item", "kan")
    assert (ran.returncode, ran.stderr) == (0, "")


OWN = """
from players.mine import PASSES
from jantaku import RiichiPlayer

class Mine(RiichiPlayer):
    def answer(self, question):
        assert PASSES
        return question.default
"""


def own_packages(folder: Path) -> None:
    """Packages of the user under the names of the folders of a clone, and a bot and its test that import them."""
    for name in ("table", "players", "scripts", "tests"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "__init__.py").write_text(f"NAME = {name!r}\n", "utf-8")
    (folder / "players" / "mine.py").write_text("PASSES = True\n", "utf-8")
    (folder / "bot.py").write_text(OWN, "utf-8")
    (folder / "test_mine.py").write_text(
        "import table\nfrom players import NAME\nfrom bot import Mine\n\n"
        "def test_mine(jantaku_table):\n"
        "    import jantaku\n"
        "    assert (table.NAME, NAME) == ('table', 'players')\n"
        "    jantaku_table(Mine(), length='one', limit=None).assert_sound()\n",
        "utf-8",
    )


@pytest.mark.long
def test_a_bot_imports_the_packages_of_its_author_whatever_their_names(here: Path) -> None:
    own_packages(here)
    for name, bots in (("here", "bot:Mine,bot.py"), ("processes", "bot.py?isolate=process,bot.py?isolate=process")):
        ran = run(here, "play", "--players", f"{bots},dice,dice", *GAME, "--out", name)
        assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize("first", ["", "import jantaku\n"])
def test_tests_import_the_packages_of_their_author_whatever_their_names(here: Path, first: str) -> None:
    own_packages(here)
    (here / "test_mine.py").write_text(first + (here / "test_mine.py").read_text("utf-8"), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    ran = subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=SOON)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@kept_cases("source, told")
def test_a_module_that_leaves_when_it_is_looked_at_is_bad_input(here: Path, source: str, told: str) -> None:
    (here / "odd.py").write_text(source)
    with pytest.raises(BadInput, match=told):
        bot_maker("odd.py:Bot")


@pytest.mark.parametrize("bot", ["tsumogiri", "dice", "shanten", "caller", "allround"])
def test_a_bot_that_comes_along_answers_at_once(bot: str) -> None:
    (entrant,) = enlist([bot])
    assert entrant.prompt


@cases(
    "bot", "shanten?isolate=process", "jantaku.players.bots.shanten:Shanten", "slow", "stuck", "mybot.py", "exec:true"
)
def test_the_judge_takes_nobody_elses_word_for_it(bot: str, cwd: Path) -> None:
    Path("mybot.py").write_text("class Bot:\n    prompt = True\n    def answer(self, asked): return asked.default\n")
    (entrant,) = enlist([bot])
    assert not entrant.prompt
