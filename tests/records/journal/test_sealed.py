"""While a game is played its journal tells what the public sees, and a kill loses nothing."""

import json
import os
import re
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.daifugo import rules as daifugo_rules
from jantaku.table.daifugo.game import DaifugoGame, deals_from
from jantaku.table.daifugo.journals import record as daifugo
from jantaku.table.daifugo.journals.replay import header_of
from jantaku.table.daifugo.players import DaifugoGreedy
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Answer
from jantaku.table.judge.judge import Judge
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal import sealed
from jantaku.table.records.journal.header import Header
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.read import kyoku_with, load
from jantaku.table.records.journal.writer import Journal, JournalWriter
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import cases
from tests.kit.command import Jantaku

SEED = "a secret"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sealed._take_up_once.cache_clear()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "jantaku" / "games"


class Killed(Exception):
    """The table is gone from one moment to the next."""


class Kill:
    """A watch that ends everything in a turn, and looks at a file in every turn before."""

    def __init__(self, turn: int, path: Path) -> None:
        self._turn, self._path = turn, path
        self.seen: list[bytes] = []

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.seen.append(self._path.read_bytes())
        if turn == self._turn:
            raise Killed

    def events(self, new: Sequence[Any]) -> None:
        pass


def riichi(path: Path, turn: int) -> bytes:
    """The whole journal of a game that was killed in that turn; what is left of it is at `path`."""
    rules = with_settings(preset("tenhou"), {"game.length": "tonpu"})
    game = RiichiGame(rules, walls_from(SEED, 3, rules), ("a", "b", "c", "d"))
    raw = json.loads((Path(__file__).parents[2] / "data/records-1/tonpu/game-0000.json").read_bytes())["jantaku"]
    header = Header(FORMAT, "test", "riichi", raw["rules"], SEED, 3, ("a", "b", "c", "d"), 0)
    players = [one.make(seat) for seat, one in enumerate(enlist(["caller", "shanten", "caller", "dice"]))]
    return _killed(path, turn, game, Journal(path, header, game), players)


def series(path: Path, turn: int) -> bytes:
    rules = daifugo_rules.FILES.with_settings(daifugo_rules.FILES.preset("strict"), {"game.seats": "3"})
    game = DaifugoGame(rules, deals_from(SEED, 3, 3), ("a", "b", "c"))
    header = header_of(game, SEED, 3, "test")
    journal = JournalWriter(path, header, daifugo.lines_of, daifugo.reply, secrets=daifugo.SECRETS)
    return _killed(path, turn, game, journal, [DaifugoGreedy() for _ in range(3)])


def _killed(path: Path, turn: int, game: Any, journal: JournalWriter, players: list[Any]) -> bytes:
    kill = Kill(turn, path)
    with pytest.raises(Exception, match="Killed"):
        Judge(game, players, mode="inline", watches=[journal, kill]).run()
    journal._sealed.leave()
    for content in kill.seen:
        refuse_secrets(content)
    return sealed.growing(path)


def refuse_secrets(content: bytes) -> None:
    """Nothing in it that a seat does not see, and not the seed."""
    header, *lines = map(json.loads, content.splitlines())
    assert header["seed"] == "" and header["sealed"] and header["commit"] == sealed.commitment(SEED, 3)
    assert SEED.encode() not in content
    for line in lines:
        assert not line.keys() & {"wall", "turn", "digest"}
        hidden = line.get("qipai", {}).get("shoupai", ()) or line.get("deal", ())
        assert not any(hidden)
        assert not line.get("zimo", {}).get("p") and not line.get("gangzimo", {}).get("p")
        assert not any(gift["cards"] for gift in line.get("exchange", ()))


def test_while_it_is_played_only_the_public_part_is_in_the_folder(tmp_path: Path, state: Path) -> None:
    whole = riichi(tmp_path / "game-0000.jsonl", 150)
    (place,) = state.glob("*.jsonl")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert place.read_bytes() == whole
    assert whole.rindex(b'{"turn":149,') < len(whole)


def test_the_journal_of_a_killed_game_is_found_whole(tmp_path: Path) -> None:
    path = tmp_path / "game-0000.jsonl"
    riichi(path, 150)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.copy(path, moved / "other.jsonl")
    for one in (path, moved / "other.jsonl"):
        record = load(one)
        assert record.rules is not None and record.answers
        done = verify(record, record.rules)
        assert done.difference is None and not done.complete and done.answers > 100
    assert kyoku_with(path, 20) is not None


def test_without_it_the_seed_deals_the_tiles_again(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "game-0000.jsonl"
    whole = riichi(path, 150)
    shutil.rmtree(state)
    record = load(path, lambda number: (SEED,))
    assert record.rules is not None
    done = verify(record, record.rules)
    assert done.difference is None and done.rounds >= 2
    told = [line for line in whole.splitlines() if not line.startswith((b'{"turn"', b'{"digest"'))]
    assert [json.dumps(line) for line in record.lines[1:]] == [
        json.dumps(json.loads(line)) for line in told[1 : len(record.lines)]
    ]
    with pytest.raises(BadInput, match="--seed: that is not the seed of"):
        load(path, lambda number: ("another",))


def test_without_both_the_public_part_is_shown_and_that_is_said(tmp_path: Path, state: Path, jantaku: Jantaku) -> None:
    path = tmp_path / "game-0000.jsonl"
    riichi(path, 150)
    shutil.rmtree(state)
    said = "only what was public: the game was not ended and the rest of its journal is not in"
    shown = jantaku("show", str(path))
    assert shown.code == 0 and said in shown.err and len(shown.err.strip().splitlines()) == 1
    viewed = jantaku("view", str(path), "--export", str(tmp_path / "page.html"))
    assert viewed.code == 0 and said in viewed.err
    verified = jantaku("verify", str(path))
    assert verified.code == 2 and said in verified.err and "give its seed with --seed" in verified.err
    opened = jantaku("verify", str(path), "--seed", SEED)
    assert opened.code == 0 and "identical up to where it breaks off" in opened.out


@cases(
    "make, line, said",
    (riichi, {"zimo": {"l": 7, "p": ""}}, "Expected `int` <= 3 - at `$.zimo.l`"),
    (riichi, {"zimo": []}, "Expected `object`, got `array` - at `$.zimo`"),
    (riichi, {"qipai": {}}, "Object missing required field `zhuangfeng` - at `$.qipai`"),
    (riichi, {"zimo": {"l": 0, "p": ""}}, "a draw for which the wall has no tile"),
    (series, {"round": {"number": 1, "ranks": [2]}}, "1 ranks for 3 seats"),
    (series, {"round": {"number": "1", "ranks": []}}, "Expected `int`, got `str` - at `$.round.number`"),
)
def test_a_line_from_which_no_tiles_can_be_dealt_is_named(
    tmp_path: Path, state: Path, make: Any, line: dict[str, Any], said: str
) -> None:
    path = tmp_path / "game.jsonl"
    make(path, 150)
    shutil.rmtree(state)
    header = path.read_bytes().partition(b"\n")[0]
    path.write_bytes(header + b"\n" + json.dumps(line).encode() + b"\n")
    reader = load if make is riichi else daifugo.load
    with pytest.raises(BadInput, match=f"line 2: {re.escape(said)}"):
        reader(path, lambda number: (SEED,))


def test_daifugo_keeps_hands_and_answers_as_well(tmp_path: Path, state: Path, jantaku: Jantaku) -> None:
    path = tmp_path / "series.jsonl"
    series(path, 120)
    done = jantaku("verify", str(path))
    assert done.code == 0 and "identical up to where it breaks off" in done.out and "answers" in done.out
    shutil.rmtree(state)
    assert "give its seed with --seed" in jantaku("verify", str(path)).err
    opened = jantaku("verify", str(path), "--seed", SEED)
    assert opened.code == 0 and "1 rounds" not in opened.out and "identical up to where it breaks off" in opened.out


def test_when_it_is_over_the_whole_journal_takes_the_place_of_the_public_part(tmp_path: Path, state: Path) -> None:
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    game = RiichiGame(rules, walls_from(SEED, 3, rules), ("a", "b", "c", "d"))
    header = Header(FORMAT, "", "riichi", {}, SEED, 3, ("a", "b", "c", "d"), 0)
    path = tmp_path / "game.jsonl"
    journal = Journal(path, header, game)
    players = [one.make(seat) for seat, one in enumerate(enlist(["dice"] * 4))]
    Judge(game, players, mode="inline", watches=[journal]).run()
    grown = sealed.growing(path)
    journal.close()
    assert path.read_bytes().startswith(grown)
    assert not sealed.is_sealed(path.read_bytes())
    assert list(state.iterdir()) == []
    assert sorted(one.name for one in tmp_path.iterdir()) == ["game.jsonl", "state"]


def another_game(folder: Path) -> None:
    """As another process plays it."""
    sealed._take_up_once.cache_clear()
    folder.mkdir()
    riichi(folder / "game-0000.jsonl", 3)


def test_the_next_game_puts_what_a_killed_one_has_left_in_its_place(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "killed" / "game-0000.jsonl"
    path.parent.mkdir()
    whole = riichi(path, 150)
    mode = path.stat().st_mode
    another_game(tmp_path / "a")
    assert path.read_bytes() == whole and path.stat().st_mode == mode
    assert len(list(state.glob("*.jsonl"))) == 1
    record = load(path)
    assert record.rules is not None and verify(record, record.rules).answers > 100


def test_what_a_killed_game_has_left_goes_with_its_record_or_after_weeks(tmp_path: Path, state: Path) -> None:
    for name in ("removed", "replaced", "gone", "long gone"):
        (tmp_path / name).mkdir()
        riichi(tmp_path / name / "game-0000.jsonl", 3)
        (place,) = set(state.glob("*.jsonl")) - {tmp_path / "kept"}
        place.rename(kept := tmp_path / f"{name}.jsonl")
        place.with_suffix(".at").rename(kept.with_suffix(".at"))
    for kept in tmp_path.glob("*.[ja]*"):
        kept.rename(state / kept.name)
    (tmp_path / "removed" / "game-0000.jsonl").unlink()
    (tmp_path / "replaced" / "game-0000.jsonl").write_bytes(b"{}\n")
    for name in ("gone", "long gone"):
        shutil.rmtree(tmp_path / name)
    os.utime(state / "long gone.jsonl", (0, 0))
    another_game(tmp_path / "a")
    assert {place.stem for place in state.glob("[!0-9]*.*") if len(place.stem) < 12} == {"gone"}
    assert (tmp_path / "replaced" / "game-0000.jsonl").read_bytes() == b"{}\n"


def test_a_game_that_is_being_played_is_left_alone(tmp_path: Path, state: Path) -> None:
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    game = RiichiGame(rules, walls_from(SEED, 3, rules), ("a", "b", "c", "d"))
    path = tmp_path / "game.jsonl"
    journal = Journal(path, Header(FORMAT, "", "riichi", {}, SEED, 3, ("a", "b", "c", "d"), 0), game)
    journal.events(game.events)
    another_game(tmp_path / "a")
    assert sealed.is_sealed(path.read_bytes()) and sealed.growing(path).count(b"\n") > 1
    journal.close()
    assert not sealed.is_sealed(path.read_bytes())


def test_a_state_folder_that_cannot_be_used_is_told_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jantaku: Jantaku
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    ran = jantaku("play", "--length", "one", "--quiet", "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert "the journal of a running game cannot be kept there" in ran.err and "set XDG_STATE_HOME" in ran.err
    assert list((tmp_path / "out").iterdir()) == []
