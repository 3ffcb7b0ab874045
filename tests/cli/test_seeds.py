"""Where a seed comes from, what it gives away, and where it can be seen."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.play import seeds
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.flow import hanchan
from jantaku.table.riichi.game import walls_from
from scripts.environments import PYTHON
from tests.cli.test_play_command import FAST
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

RUN = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{32}")
SPY = """
import json, os, sys
def read(path):
    try:
        return open(path, "rb").read().decode("latin-1")
    except OSError as error:
        return str(error)
up = os.getppid()
found = {"cmdline": read(f"/proc/{up}/cmdline"), "environ": read(f"/proc/{up}/environ"), "own": dict(os.environ)}
found["fds"] = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if int(fd) < 1000 and
                os.path.lexists(f"/proc/self/fd/{fd}")]
json.dump(found, open(sys.argv[1], "w"))
sys.stdin.read()
"""


def test_a_run_without_a_seed_gets_256_random_bits() -> None:
    drawn = {seeds.fresh() for _ in range(100)}
    assert len(drawn) == 100 and all(RUN.fullmatch(seed) for seed in drawn)


def test_a_given_seed_is_that_of_every_game_and_numbers_stay_numbers() -> None:
    assert seeds.of_game("7", 3) == seeds.of_game(7, 3) == "7"
    assert (seeds.read("7", "x"), seeds.read(7, "x"), seeds.read("007", "x"), seeds.read("a b", "x")) == (
        (7, 7, "007", "a b")
    )
    assert seeds.read(10**30, "x") == str(10**30), "JSON of others cannot hold it as a number"
    for text in ("", "\n", "\udcff"):
        with pytest.raises(BadInput, match="is not a seed"):
            seeds.read(text, "x")


def test_the_seed_of_a_finished_game_tells_neither_the_runs_nor_that_of_another_game() -> None:
    run = seeds.fresh()
    first, second = (seeds.of_game(run, number) for number in (0, 1))
    assert first != second and not {*re.findall(r"\w{32}", run)} & {*re.findall(r"\w{32}", first + second)}
    assert seeds.of_game(first, 1) == first, "a game's own seed repeats that game"
    rooms = [seeds.of_room(run, room, number) for room in ("a", "b") for number in (0, 1)]
    assert len({*rooms, first, second}) == 6 and seeds.of_room("7", "a", 1) == "7|a"


def test_a_bots_seed_comes_from_the_half_that_deals_no_wall() -> None:
    walls, bots = seeds.of_game(seeds.fresh(), 0).removeprefix("game-").split(".")
    other, _ = seeds.of_game(seeds.fresh(), 0).removeprefix("game-").split(".")
    assert seeds.of_bot(f"game-{walls}.{bots}", 0, 2) == seeds.of_bot(f"game-{other}.{bots}", 0, 2)
    assert seeds.of_bot(f"game-{walls}.{bots}", 0, 2) != seeds.of_bot(f"game-{walls}.{other}", 0, 2)


def test_what_a_run_without_a_seed_says_repeats_it_byte_for_byte(jantaku: Jantaku, tmp_path: Path) -> None:
    words = [*FAST, "--games", "2"]
    ran = jantaku("play", *words, "--out", str(tmp_path / "a"))
    told = re.search(r"seed (\S+), records", ran.out)
    assert told is not None and RUN.fullmatch(told[1])
    assert jantaku("play", *words, "--seed", told[1], "--out", str(tmp_path / "b")).code == 0
    for number in (0, 1):
        a, b = (tmp_path / folder / f"game-{number:04d}.json" for folder in "ab")
        assert a.read_bytes() == b.read_bytes()


def test_the_record_of_one_game_does_not_deal_the_next(jantaku: Jantaku, tmp_path: Path) -> None:
    jantaku("play", *FAST, "--games", "2", "--out", str(tmp_path))
    first, second = (json.loads((tmp_path / f"game-{n:04d}.json").read_text())["jantaku"] for n in (0, 1))
    assert first["seed"] != second["seed"]
    assert jantaku("verify", str(tmp_path / "game-0001.jsonl")).code == 0
    rules = ruleset.preset("tenhou")
    at = hanchan.opening(rules)
    assert walls_from(first["seed"], 1, rules)(at).tiles != walls_from(second["seed"], 1, rules)(at).tiles


@pytest.mark.long
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
@pytest.mark.parametrize("command", ["play", "match"])
def test_a_seated_program_finds_no_seed_and_no_token_around_it(tmp_path: Path, command: str) -> None:
    spy, found = tmp_path / "spy.py", tmp_path / "found.json"
    spy.write_text(SPY)
    words = [
        "--players",
        f"exec:{PYTHON} {spy} {found}?clock.start=1,dice,dice,dice",
        "--length",
        "one",
        "--limit",
        "0.05",
    ]
    more = {"play": [], "match": ["--games", "4", "--workers", "1"]}[command]
    ran = subprocess.run(
        [sys.executable, "-m", "jantaku", command, *words, *more, "--seed", "31337000111"],
        cwd=tmp_path,
        env={**os.environ, "JANTAKU_OPERATOR_TOKEN": "OPSECRET", "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=SOON,
        check=False,
    )
    told = found.read_text()
    assert "31337000111" not in told and "OPSECRET" not in told, ran.stderr
    assert json.loads(told)["own"]["JANTAKU_SEED"].isdigit()
    assert all(fd.startswith(("pipe:", "/proc/", "/dev/")) for fd in json.loads(told)["fds"])
    assert not [path for path in tmp_path.rglob("*") if "31337000111" in path.name]


def test_a_match_keeps_its_seed_from_other_users_and_goes_on_with_it(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = tmp_path / "match"
    words = ("--players", "dice,tsumogiri", "--format", "1v3", "--sets", "1", "--length", "one")
    inline = ("--threads", "inline", "--workers", "0")
    assert jantaku("match", *words, *inline, "--out", str(folder)).code == 0
    assert RUN.fullmatch(json.loads((folder / "match.json").read_text())["seed"])
    assert stat.S_IMODE((folder / "match.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    before = (folder / "results.json").read_bytes()
    (folder / "records" / "game-0002.jsonl").unlink()
    assert jantaku("match", "--resume", str(folder), "--workers", "0").code == 0
    assert (folder / "results.json").read_bytes() == before


def test_a_match_takes_any_text_for_a_seed(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "dice,tsumogiri", "--format", "1v3", "--sets", "1", "--length", "one", "--workers", "0")
    assert jantaku("match", *words, "--threads", "inline", "--seed", "seven", "--out", str(tmp_path / "m")).code == 0
    assert json.loads((tmp_path / "m" / "match.json").read_text())["seed"] == "seven"


def test_records_may_be_written_by_their_owner_alone(jantaku: Jantaku, tmp_path: Path) -> None:
    before = os.umask(0o022)  # the usual one
    try:
        assert jantaku("play", *FAST, "--out", str(tmp_path / "out")).code == 0
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o022 for path in [tmp_path / "out", *(tmp_path / "out").iterdir()]}
    assert len(modes) > 1 and not any(modes.values()), modes
