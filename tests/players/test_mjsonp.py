"""Our bots at a table of the original mjai: addresses, whole games, and what other servers do that ours does not."""

import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters.mjsonp import LONGEST_LINE, Address, address_of, play
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Choice
from jantaku.table.languages.wire.mjai_reader import MjsonpReader
from jantaku.table.riichi.actions import PASS, RON, Call, Discard
from jantaku.table.riichi.pieces.melds import pon
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.riichi.mjsonp import Handshake
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.languages.wire.driving import MAJIANG
from tests.serve.serving import Served, plan_of

DEAL = {
    "type": "start_kyoku",
    "bakaze": "E",
    "kyoku": 1,
    "honba": 0,
    "kyotaku": 0,
    "oya": 0,
    "dora_marker": "9p",
    "tehais": [["1m", "1m", "2m", "3m", *["9s"] * 3, "E", "E", "S", "S", "W", "W"], *[["?"] * 13] * 3],
}


def line_of(item: Any) -> bytes:
    return json.dumps(item).encode() + b"\n"


@cases(
    "text, address",
    ("mjsonp://127.0.0.1:11600/default", Address("127.0.0.1")),
    ("mjsonp://example.org", Address("example.org", 11600, "default")),
    ("mjsonp://[::1]:9/a", Address("::1", 9, "a")),
)
def test_an_address_has_its_parts(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["ws://x/y", "mjsonp://", "mjsonp://a:99999/x", "mjsonp://a:x/y", "mjsonp://a/b/c"])
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(BadInput, match="is not an address; write mjsonp://HOST:PORT/ROOM"):
        address_of(text)


def test_our_bots_play_whole_games_at_our_server(tmp_path: Path) -> None:
    door = LineDoor("127.0.0.1", 0, Handshake())
    with Served(plan_of(tmp_path, "ws,ws,ws,ws"), doors=[door]) as served:
        at = Address("127.0.0.1", door.port)
        words = [(at, name, Shanten(), "tenhou") for name in "abcd"]
        threads = [threading.Thread(target=play, args=one, daemon=True) for one in words]
        for thread in threads:
            thread.start()
        outcome = served.outcome()
        for thread in threads:
            thread.join(SOON)
            assert not thread.is_alive()
    assert outcome.faults == ({}, {}, {}, {})


@cases(
    "said, why",
    (b"", "closed the connection before its hello"),
    (line_of({"type": "hello"}) + b"x" * (LONGEST_LINE + 1), f"a line of more than {LONGEST_LINE} bytes"),
    (line_of({"type": "hello"}), "closed the connection before the end of the game"),
    (line_of({"type": "hello"}) + line_of({"type": "error", "message": "The room is busy."}), "The room is busy"),
)
def test_a_server_that_lets_nobody_in_is_quoted(said: bytes, why: str) -> None:
    def answer() -> None:
        with listening.accept()[0] as client:
            client.sendall(said)
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = threading.Thread(target=answer, daemon=True)
        server.start()
        with pytest.raises((PlayerGone, BadInput), match=why):
            play(Address("127.0.0.1", listening.getsockname()[1]), "a", Shanten(), "tenhou")
        server.join(SOON)


PON = Call(pon(0, 3, 0, 0))
PONS = {"type": "pon", "actor": 0, "target": 3, "pai": "1m", "consumed": ["1m", "1m"]}


@cases(
    "told, options, kept",
    ({"possible_actions": []}, (RON, PON, PASS), (PASS,)),
    ({"possible_actions": [PONS]}, (RON, PON, PASS), (PON, PASS)),
    ({}, (RON, PON, PASS), (RON, PON, PASS)),
    ({"possible_actions": []}, (Discard(0), Discard(1)), (Discard(0), Discard(1))),
    ({"possible_actions": [{"type": "dahai", "pai": "2m"}]}, (Discard(0), Discard(1)), (Discard(1),)),
    ({"cannot_dahai": ["1m"]}, (Discard(0), Discard(1)), (Discard(1),)),
    ({"possible_actions": []}, (Discard(0, riichi=True), Discard(0)), (Discard(0),)),
    ({"cannot_dahai": ["1m", "2m"]}, (Discard(0), Discard(1)), (Discard(0), Discard(1))),
)
def test_a_server_is_believed_what_may_be_replied(told: Any, options: Any, kept: Any) -> None:
    """As gimite's lists it, without discards, and as kobalab's does, with them; not where nothing would be left."""
    reader = MjsonpReader(MAJIANG)
    reader.read(line_of({"type": "start_game", "id": 0, "names": ["a", "b", "c", "d"]}))
    reader.read(line_of(DEAL))
    reader.read(line_of({"type": "tsumo", "actor": 3, "pai": "?"}))
    message = reader.read(line_of({"type": "dahai", "actor": 3, "pai": "1m", "tsumogiri": True, **told}))
    assert message.wants_reply and message.narrow is not None
    assert message.narrow(Choice(options, options[-1])).options == kept
