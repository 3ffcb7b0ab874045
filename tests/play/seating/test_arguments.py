"""Bots that are made with arguments, by functions and partials, and two versions of one module side by side."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters.process import ProcessPlayer
from jantaku.table.arena.match.fingerprint import fingerprint
from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput, PlayerNotReady
from jantaku.table.ground.port import remote_of
from jantaku.table.play import config
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import Terms, players_in, terms_of
from jantaku.table.riichi.events import HanchanStart
from jantaku.table.riichi.ruleset import preset
from scripts.environments import PYTHON
from tests.kit.cases import cases, kept_cases
from tests.kit.command import unload
from tests.kit.pace import SOON

POLICY = """
import functools, pathlib, sys
from jantaku.players.base import RiichiPlayer

class Policy(RiichiPlayer):
    def __init__(self, checkpoint, *, sizes=(64, 64), depth=1, seed=0):
        super().__init__(seed=seed)
        self.made = checkpoint, sizes, depth, seed
        self.weights = pathlib.Path(checkpoint).read_text()
        print("VERSION", self.weights, depth, file=sys.stderr)

    def answer(self, question):
        return question.default

small = functools.partial(Policy, "b.pt", depth=2)

def deep(depth=9, **more):
    return Policy("b.pt", depth=depth, **more)

def nothing():
    return None

class Async:
    async def answer(self, question):
        return question.default

one = Policy("b.pt")
"""


@pytest.fixture(autouse=True)
def here(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a bot, what it has learned, and two versions of it in folders of their own."""
    (cwd / "b.pt").write_text("weights")
    (cwd / "policy.py").write_text(POLICY)
    (cwd / "empty").mkdir()
    for folder in ("old", "new"):
        (cwd / folder).mkdir()
        (cwd / folder / "b.pt").write_text(f"weights of {folder}")
        (cwd / folder / "versions.py").write_text(POLICY.replace("VERSION", folder))
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(installation, "_homes", [])
    yield cwd
    unload(cwd)


def made(spec: str | Terms) -> Any:
    (entrant,) = enlist([spec])
    return entrant.make(7)


def said_by(spec: str | Terms, folder: Path) -> str:
    (entrant,) = enlist([spec], folder)
    player = remote_of(entrant.make(7))
    assert player is not None
    player.hear(HanchanStart(("a", "b", "c", "d"), 0, preset("tenhou"), 0))
    player.start(20.0)
    assert isinstance(player, ProcessPlayer) and (program := player._program) is not None
    player.close()
    assert program.join(SOON)
    (log,) = folder.glob("*.stderr.txt")
    return log.read_text()


def test_arguments_on_the_command_line_are_values_as_in_a_file() -> None:
    terms = terms_of('mybot:Policy?arg.checkpoint=b.pt&arg.depth=3&arg.sizes=[64,32]&arg.tag="1.10"&arg.fast=true')
    args: dict[str, Any] = {"checkpoint": "b.pt", "depth": 3, "fast": True, "sizes": [64, 32], "tag": "1.10"}
    assert terms == Terms("mybot:Policy", args=args)
    assert list(terms.args) == sorted(terms.args), "equal terms are written alike"
    assert terms_of("a:B?args={depth=3}&arg.tag=x").args == {"depth": 3, "tag": "x"}


def test_commas_within_brackets_part_no_players() -> None:
    assert players_in("a?arg.sizes=[64,32],b,exec:x {id},c") == ["a?arg.sizes=[64,32]", "b", "exec:x {id}", "c"]
    assert players_in("exec:odd [,b") == ["exec:odd [", "b"]


def test_a_table_of_a_config_file_has_arguments(here: Path) -> None:
    table = '[[player]]\nbot = "policy.py:Policy"\nargs = { checkpoint = "b.pt", sizes = [64, 32] }\n'
    table += '[[player]]\nbot = "policy:deep"\n[player.args]\ndepth = 4\n'
    (here / "table.toml").write_text(table + '[[player]]\nbot = "dice"\n' * 2)
    policy, deep, *_ = config.load(here / "table.toml").player
    assert made(policy).made == ("b.pt", [64, 32], 1, 7)
    assert made(deep).made == ("b.pt", (64, 64), 4, 0)


@cases(
    "spec, name, given",
    ("policy.py:Policy?arg.checkpoint=b.pt", "Policy(b.pt)", ("b.pt", (64, 64), 1, 7)),
    ("policy:Policy?arg.checkpoint=old/b.pt&arg.seed=3", "Policy(b.pt, 3)", ("old/b.pt", (64, 64), 1, 3)),
    ("policy:small", "small", ("b.pt", (64, 64), 2, 7)),
    ("policy:small?arg.depth=5", "small(5)", ("b.pt", (64, 64), 5, 7)),
    ("policy:deep", "deep", ("b.pt", (64, 64), 9, 0)),
    ("policy:deep?arg.sizes=[1]&name=wide", "wide", ("b.pt", [1], 9, 0)),
)
def test_classes_partials_and_functions_make_bots(spec: str, name: str, given: object) -> None:
    (entrant,) = enlist([spec])
    bot: Any = entrant.make(7)
    assert (entrant.name, bot.made) == (name, given)


def test_every_game_has_its_own_copy_of_an_argument() -> None:
    (entrant,) = enlist(["policy:Policy?arg.checkpoint=b.pt&arg.sizes=[1]"])
    first: Any = entrant.make(1)
    first.made[1].append(2)
    second: Any = entrant.make(1)
    assert second.made[1] == [1]


@kept_cases(
    "spec, said",
    (f"exec:{PYTHON}?arg.depth=3", "args: write the arguments of a program in its command: exec:PROGRAM WORDS"),
)
def test_a_bad_argument_is_one_line_with_player_key_and_what_is_taken(spec: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        made(spec)
    assert str(refused.value).startswith("player ") and said in str(refused.value)


def test_a_function_that_makes_a_bot_of_another_game_is_refused(here: Path) -> None:
    (here / "cards.py").write_text(
        "from jantaku.table.daifugo.players import DaifugoGreedy\ndef bot(): return DaifugoGreedy()"
    )
    with pytest.raises(BadInput, match="player cards:bot: it plays daifugo, but this is a table of riichi"):
        made("cards:bot")


def test_an_isolated_bot_is_made_with_its_arguments(tmp_path: Path) -> None:
    spec = "policy.py:Policy?isolate=process&arg.checkpoint=b.pt&arg.depth=4"
    assert said_by(spec, tmp_path / "logs") == "VERSION weights 1\nVERSION weights 4\n", "`one` is made on import"


def test_a_bad_argument_of_an_isolated_bot_is_told_when_it_starts(tmp_path: Path) -> None:
    with pytest.raises(PlayerNotReady) as refused:
        said_by("policy:Policy?isolate=process&arg.chekpoint=b.pt", tmp_path / "logs")
    assert "on stderr: there is no argument chekpoint; did you mean checkpoint? Policy takes ch" in str(refused.value)


@pytest.mark.parametrize("where", ["cwd={}", "cwd={}&env.PYTHONPATH=.", "env.PYTHONPATH={}"])
def test_two_versions_of_one_module_play_side_by_side(tmp_path: Path, where: str) -> None:
    for version in ("old", "new"):
        spec = f"versions:deep?isolate=process&{where.format(version)}"
        assert f"{version} weights" in said_by(spec, tmp_path / f"logs-{version}")


def test_a_version_on_its_own_search_path_goes_before_one_that_is_installed(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(here / "new"))
    monkeypatch.syspath_prepend(str(here / "new"))
    for where, version in (("", "new"), ("&env.PYTHONPATH=old", "old")):
        spec = f"versions:deep?isolate=process{where}"
        assert f"{version} weights" in said_by(spec, tmp_path / f"logs-{version}")
        assert fingerprint(spec) == fingerprint(f"{version}/versions.py")


def test_a_fingerprint_is_of_the_version_and_of_the_files_that_arguments_name(here: Path) -> None:
    old, new = (f"versions:deep?isolate=process&cwd={folder}" for folder in ("old", "new"))
    assert fingerprint(old) != fingerprint(new)
    bot = "policy:Policy?arg.checkpoint=b.pt"
    before = fingerprint(bot)
    assert before != fingerprint("policy:Policy") == fingerprint("policy:Policy?arg.checkpoint=c.pt")
    (here / "b.pt").write_text("better weights")
    assert fingerprint(bot) != before
