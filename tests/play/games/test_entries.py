"""A game is its entry: commands play, show the rules of and verify whatever game has one."""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from jantaku.table.cli import commands as playing
from jantaku.table.cli.main import command_of
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.ground.presets import Presets
from jantaku.table.judge.result import Result, Watch
from jantaku.table.play.entry import GAMES, GameEntry, Ruled
from jantaku.table.play.outcome import Outcome, faults_by_entrant
from jantaku.table.play.riichi import Beginning, Keeping
from jantaku.table.play.runner import Opener
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.verified import Verified
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.toy import ToyGame


class ToyPlayer:
    game = "toy"

    def hear(self, event: Any) -> None: ...

    def answer(self, question: Question) -> Action:
        return question.default


class OpenToy:
    """A toy game that is played without a record."""

    def __init__(self, names: Sequence[str], path: Path) -> None:
        self.game, self.order = ToyGame(), range(4)
        self._names, self._path = tuple(names), path

    def begin(self) -> Sequence[Watch]:
        return ()

    def close(self, result: Result | None) -> Outcome | None:
        assert result is not None
        self._path.write_text('{"jantaku": 2, "game": "toy"}\n')
        points, faults = (0, 0, 0, 0), faults_by_entrant(result, self.order)
        ranks, longest, records = (1, 2, 3, 4), (0.0,) * 4, (str(self._path),)
        return Outcome(0, "s", result.ending, self._names, points, ranks, points, 2, faults, longest, records)


class ToyEntry(GameEntry):
    name = title = "toy"
    seated = "four"

    @property
    def rules(self) -> Presets[daifugo.Rules]:
        return daifugo.FILES  # it has none of its own, and some are as good as others

    def players(self, rules: Any) -> Sequence[str]:
        return [f"{__name__}:ToyPlayer"] * 4

    def limit(self, rules: Any) -> float:
        return 60.0

    def fitted(self, rules: Any, players: Sequence[str | Terms], where: str) -> Any:
        if len(players) != 4:
            raise BadInput(f"--players: {len(players)} given; a toy table seats 4")
        return rules

    def opener(self, rules: Any, names: Sequence[str], seed: str, keeping: Keeping, begin: Beginning | None) -> Opener:
        return lambda number: OpenToy(names, keeping.folder / f"game-{number:04d}.jsonl")

    def compared(self, path: Path, ruled: Ruled, seeds: SeedsOf) -> Verified:
        return Verified(rounds=2, events=3, complete=True, difference=None, told=("all",))


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more game is known, and commands that list the games are imported anew."""
    monkeypatch.setitem(GAMES, "toy", ToyEntry())
    for name in ("play", "rules"):
        module = f"jantaku.table.cli.commands.{name}"
        monkeypatch.setattr(playing, name, import_module(module))  # what is there again after the test
        monkeypatch.delitem(sys.modules, module)
        import_module(module)


@pytest.mark.usefixtures("with_toy")
def test_a_third_game_is_played_and_verified_by_its_entry_alone(jantaku: Jantaku, tmp_path: Path) -> None:
    told = " ".join(jantaku("play", "--help").out.split())
    assert "three or four at riichi, two to six at daifugo, four at toy." in told and "[riichi|daifugo|toy]" in told
    ran = jantaku("play", "--game", "toy", "--out", str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("game 0: ToyPlayer-1 0 (+0.0) · ToyPlayer-2 0 (+0.0) · ")
    record = tmp_path / "game-0000.jsonl"
    said = f"{record}: 2 rounds, 3 events: identical; not checked by replay (no digest): all\n"
    assert jantaku("verify", str(record)).out == said
    assert jantaku("rules", "--game", "toy", "strict") == jantaku("rules", "--game", "daifugo", "strict")


@pytest.mark.usefixtures("with_toy")
@cases(
    "words, said",
    (("--players", "dice"), "--players: 1 given; a toy table seats 4"),
    (("--players", "daifugo-greedy"), "it plays daifugo, but this is a table of toy"),
    (("--length", "one"), "--length is for riichi; toy has --players"),
)
def test_what_is_not_for_a_third_game(jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    ran = jantaku("play", "--game", "toy", *words, "--out", str(tmp_path / "out"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1) and said in ran.err


@cases(
    "game, said",
    ("daifugo", "a record of 大富豪, read only by jantaku verify, view, show, stats"),
    ("go", "a record of 'go', a game that is not known here; known are riichi and 大富豪"),
)
@pytest.mark.parametrize("command", ["view", "show", "stats", "convert", "play --from", "verify"])
def test_a_record_of_another_game_is_named_and_who_reads_it(
    jantaku: Jantaku, tmp_path: Path, command: str, game: str, said: str
) -> None:
    record = tmp_path / "game-0000.jsonl"
    record.write_text(f'{{"jantaku":2,"version":"0","game":"{game}","rules":{{}},"seed":"7","number":0,"player":[]}}\n')
    where = str(tmp_path if command == "stats" else record)
    more = [str(tmp_path / "out.mjson")] if command == "convert" else []
    ran = jantaku(*command.split(), where, *more)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert said in ran.err or (game == "daifugo" and command in GAMES[game].readers)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_entry_brings_what_commands_ask_for(game: GameEntry) -> None:
    rules = game.rules.preset(game.rules.default)
    assert game.fitted(rules, game.players(rules), "players") == rules
    assert game.limit(rules) > 0
    assert game.name in GAMES and "verify" in game.readers
    for name, says in game.commands.items():
        assert isinstance(command_of(name), click.Command) and says.endswith(".")
