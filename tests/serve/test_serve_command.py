"""`jantaku serve`: what it refuses, and that it ends when it should."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.serve.commands.serve import pong_of
from jantaku.table.serve.riichi.room import Place
from scripts.environments import PYTHON
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.serve.serving import Client, plan_of

SOON = 20


@contextmanager
def started(folder: Path, *words: str, scheme: str = "ws") -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "jantaku", "serve", "--port", "0", "--out", str(folder), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(rf"{scheme}://127\.0\.0\.1:\d+/play/", process.stdout.readline())
        assert found is not None
        assert "a bot joins with: jantaku join " in process.stdout.readline()
        yield process, found[0]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=SOON)


def test_a_game_is_played_and_the_command_ends_after_it(tmp_path: Path) -> None:
    words = ["--room", "club", "--players", "ws,tsumogiri,tsumogiri,tsumogiri", "--games", "1", "--length", "one"]
    with started(tmp_path, *words) as (process, address):
        play(Visit(address + "club", "alice"), Tsumogiri)
        out, err = process.communicate(timeout=SOON)
    assert process.returncode == 0 and err == ""
    assert out.startswith("room club: game 0: ") and "alice" in out and out.endswith("game-0000.json\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-0000.json", "game-0000.jsonl"]


def test_the_faults_of_a_game_are_told_below_it_and_kept_beside_the_record(tmp_path: Path) -> None:
    words = ["--room", "club", "--players", "ws,crash,tsumogiri,tsumogiri", "--games", "1", "--length", "one"]
    with started(tmp_path, *words) as (process, address):
        play(Visit(address + "club", "alice"), Tsumogiri)
        out, _ = process.communicate(timeout=SOON)
    game, who, why, place = out.splitlines()
    assert game.startswith("room club: game 0: ") and who.startswith("room club: crash: gone ")
    assert why.startswith("room club:   RuntimeError: crash in question ") and place.endswith("faults.txt")
    assert "Traceback" in (tmp_path / "faults.txt").read_text()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_in_the_middle_of_a_game_and_its_record_is_kept(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with started(tmp_path, "--players", "ws,ws,tsumogiri,tsumogiri", "--seed", "9") as (process, address):
        clients = [Client(f"{address}r?name={name}") for name in "ab"]
        assert "kaiju" in clients[0].get(SOON)
        os.kill(process.pid, number)
        assert all(client.farewell[0] == 1001 for client in clients)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == code and "Traceback" not in err
    assert (tmp_path / "game-0000.jsonl").exists() and not (tmp_path / "game-0000.json").exists()


@kept_cases("words, said")
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], said: str, jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("serve", "--out", str(tmp_path / "out"), *words)
    assert ran.code == 2 and said in ran.err and ran.err.count("\n") == 1


def test_a_port_in_use_is_one_line_and_exit_code_2(jantaku: Jantaku, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = jantaku("serve", "--port", str(port), "--out", str(tmp_path))
    assert ran.code == 2 and ran.err == f"jantaku: 127.0.0.1:{port} cannot be used: Address already in use\n"


def test_a_folder_that_holds_games_is_refused(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "game-0000.jsonl").touch()
    ran = jantaku("serve", "--out", str(tmp_path))
    assert ran.code == 2 and "holds game-0000.jsonl already" in ran.err


def test_an_inline_config_is_refused_because_clients_need_a_clock(jantaku: Jantaku, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\nthreads = "inline"\n', "utf-8")
    ran = jantaku("serve", "--config", str(config), "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "cannot keep a clock" in ran.err


@cases(
    "clock, own, seconds",
    (Clock(turn=10, reaction=10), {}, 20.0),
    (Clock(turn=60, reaction=10, bank=30, margin=1), {}, 91.0),
    (Clock(turn=10, reaction=10, margin=1), {"turn": 100.0}, 101.0),
)
def test_nobody_is_gone_for_a_missing_pong_while_it_may_still_think(
    clock: Clock, own: dict[str, Any], seconds: float, tmp_path: Path
) -> None:
    """Most clients read nothing while they think."""
    plan = plan_of(tmp_path, "ws:a,ws:b,dice,dice", clock=clock)
    first, *others = plan.places
    assert isinstance(first, Place)
    places = (Place(first.name, OwnClock(**own)), *others)
    assert pong_of(msgspec.structs.replace(plan, places=places)) == seconds


SPY = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    file.write(json.dumps(dict(os.environ)) + chr(10))
"""


def test_no_program_that_is_seated_inherits_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JANTAKU_OPERATOR_TOKEN", "operators-secret")
    monkeypatch.setenv("JANTAKU_TOKEN", "players-secret")
    (tmp_path / "spy.py").write_text(SPY)
    program = f"exec:{PYTHON} {tmp_path / 'spy.py'} {tmp_path / 'seen.txt'}"
    players = f"ws?clock.start=1,{program},tsumogiri,tsumogiri"
    words = ["--room", "r", "--players", players, "--games", "1", "--length", "one"]
    with started(tmp_path / "out", *words) as (process, address):
        client = Client(f"{address}r?name=a&token=players-secret")
        client.rest()
        process.communicate(timeout=SOON)
    seen = (tmp_path / "seen.txt").read_text()
    assert seen and "-secret" not in seen


def test_a_token_may_stand_in_a_file_and_a_certificate_makes_it_wss(tmp_path: Path) -> None:
    (tmp_path / "token.txt").write_text("operators-secret\n")
    tls = Path(__file__).parent.parent / "data" / "tls"
    words = ["--operator-token-file", str(tmp_path / "token.txt")]
    words += ["--tls-cert", str(tls / "cert.pem"), "--tls-key", str(tls / "key.pem"), "--room", "r"]
    with started(tmp_path / "out", *words, scheme="wss") as (_, address):
        trusted = ssl.create_default_context(cafile=str(tls / "cert.pem"))
        for token, code in (("operators-secret", None), ("guess", 1008)):
            client = Client(f"{address.removesuffix('play/')}watch/r?token={token}", ssl=trusted)
            if code is None:
                client.close()
            else:
                assert client.farewell[0] == code
