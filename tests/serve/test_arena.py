"""RiichiLab's endpoints: a queue for games, a game alone, and what happens to bots that do not play well."""

import io
import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground import log
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.serve.riichi.server import ALREADY, NO_TOKEN, pages
from scripts.pace import SOON
from tests.serve.serving import BRIEF, CLOCK, Client, Item, Served, plan_of

ALONE = "ws,tsumogiri,tsumogiri,tsumogiri"
HASTY = msgspec.structs.replace(CLOCK, turn=BRIEF, reaction=BRIEF, max_faults=0)


class Bot(Client):
    """A client that discards what it draws; `odd` may say something else to a request, by how many there were."""

    def __init__(self, address: str, odd: Callable[[Item, int], Any] | None = None, token: str = "") -> None:
        super().__init__(address, Authorization=f"Bearer {token}")
        self.came: list[Item] = []
        self._odd = odd or (lambda request, number: None)

    def play(self) -> "Bot":
        """Play to the end of the connection."""
        asked = 0
        try:
            while True:
                self.came.append(told := self.get(SOON))
                if told["type"] == "request_action":
                    asked += 1
                    said = self._odd(told, asked)
                    for one in [usual(told)] if said is None else said:
                        self.send(one)
        except ConnectionClosed:
            self.close()
            return self

    @property
    def acks(self) -> list[str]:
        return [told["status"] for told in self.came if told["type"] == "action_ack"]

    def of(self, kind: str) -> list[Item]:
        return [told for told in self.came if told["type"] == kind]


def usual(request: Item) -> Item:
    """A pass, else the last discard, which is the tile just drawn."""
    by_type = {one["type"]: one for one in request["possible_actions"]}
    return {**(by_type.get("none") or by_type["dahai"]), "request_id": request["request_id"]}


def first(*said: Any) -> Callable[[Item, int], Any]:
    """Says this to the first request."""
    return lambda request, number: (
        [{"request_id": request["request_id"], **one} for one in said] if number == 1 else None
    )


def test_who_comes_to_the_queue_plays_a_game_to_its_end(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, ALONE)) as served:
        bot = Bot(served.at("/ws/ranked")).play()
        outcome = served.outcome()
        assert outcome.faults == ({}, {}, {}, {})
        assert bot.came[0] == {"type": "start_game", "id": bot.came[0]["id"]}
        assert [told["type"] for told in bot.came[-2:]] == ["end_kyoku", "end_game"]
        assert set(bot.acks) == {"accepted"}
        assert bot.farewell[0] == 1000


def test_a_bot_of_ours_plays_there_without_a_fault_and_its_record_verifies(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,shanten,caller,dice", length="tonpu")) as served:
        play(Visit(served.at("/ws/ranked"), "x", "riichilab", "tenhou"), Shanten)
        outcome = served.outcome()
        assert outcome.faults == ({}, {}, {}, {})
        record = load(Path(outcome.records[-1]))
        assert record.rules is not None and verify(record, record.rules).difference is None


def test_four_bots_of_the_queue_sit_at_one_table(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,ws,ws")) as served:
        bots = [Bot(served.at("/ws/ranked"), token=f"secret-{number}") for number in range(4)]
        threads = [threading.Thread(target=bot.play) for bot in bots]
        for thread in threads:
            thread.start()
        outcome = served.outcome()
        for thread in threads:
            thread.join()
        assert outcome.faults == ({}, {}, {}, {})
        assert sorted(outcome.names) == ["bot-1", "bot-2", "bot-3", "bot-4"]
        ids = [told["request_id"] for bot in bots for told in bot.of("request_action")]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("said", "statuses", "faults"),
    [
        ([{"type": "hora"}], ["rejected"], {"illegal": 1}),
        ([{"type": "fly"}], ["unparseable"], {"malformed": 1}),
        ([{"type": "none", "request_id": 10**6}], ["unparseable"], {"malformed": 1}),
        ([{"type": "ryukyoku"}, {"type": "ryukyoku"}], ["rejected", "stale"], {"illegal": 1, "stale": 1}),
    ],
)
def test_a_reply_that_cannot_be_used_is_blamed_and_the_game_goes_on(
    said: list[Item], statuses: list[str], faults: dict[str, int], tmp_path: Path
) -> None:
    with Served(plan_of(tmp_path, ALONE)) as served:
        bot = Bot(served.at("/ws/ranked?name=x"), first(*said)).play()
        outcome = served.outcome()
        assert bot.acks[: len(statuses)] == statuses
        assert set(bot.acks[len(statuses) :]) == {"accepted"}
        assert outcome.faults[outcome.names.index("x")] == faults


def test_a_bot_that_is_late_is_told_what_was_played_for_it(tmp_path: Path) -> None:
    late: list[Item] = []

    def odd(request: Item, number: int) -> Any:
        late.append(usual(request))
        return {1: [], 2: [late[0], usual(request)]}.get(number)

    with Served(plan_of(tmp_path, ALONE, clock=HASTY)) as served:
        bot = Bot(served.at("/ws/ranked?name=x"), odd).play()
        outcome = served.outcome()
    assert bot.acks[:3] == ["defaulted", "stale", "accepted"]
    mine = [told["type"] for told in bot.came if told.get("actor", bot.came[0]["id"]) == bot.came[0]["id"]]
    assert "dahai" not in mine[: mine.index("action_ack")]
    assert outcome.faults[outcome.names.index("x")] == {"silent": 1, "stale": 1}


def test_a_bot_of_ours_that_is_late_is_played_for_and_plays_on(tmp_path: Path) -> None:
    """Its reply comes when it was acknowledged as `defaulted`, and is `stale`."""
    asked: list[Any] = []

    class Slow(Shanten):
        def answer(self, question: Any) -> Any:
            asked.append(question)
            if len(asked) == 2:
                time.sleep(1.4 * BRIEF)
            return super().answer(question)

    with Served(plan_of(tmp_path, ALONE, clock=msgspec.structs.replace(CLOCK, turn=BRIEF))) as served:
        play(Visit(served.at("/ws/ranked"), "x", "riichilab", "tenhou"), Slow)
        outcome = served.outcome()
    counted = outcome.faults[outcome.names.index("bot-1")]
    assert counted.items() - {("ok_margin", counted.get("ok_margin"))} == {("silent", 1), ("stale", 1)}
    assert len(asked) > 2


def test_a_bot_that_has_left_is_refused_until_its_game_is_over(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,tsumogiri,tsumogiri")) as served:
        lost = Bot(served.at("/ws/ranked"), token="one")
        other = Bot(served.at("/ws/ranked"), token="two")
        while not any(told["type"] == "request_action" for told in lost.came):
            lost.came.append(lost.get(SOON))
        again = Bot(served.at("/ws/ranked"), token="one")
        assert again.get() == {"type": "error", "message": ALREADY, "error": ALREADY}
        lost.connection.socket.close()
        assert Bot(served.at("/ws/ranked"), token="one").get()["error"] == ALREADY
        other.play()
        served.outcome()
        third = Bot(served.at("/ws/ranked"), token="one")
        fourth = Bot(served.at("/ws/ranked"), token="two")
        assert third.get()["type"] == fourth.get()["type"] == "start_game"


def test_a_token_of_the_server_is_wanted_of_every_bot(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, ALONE), token="sesame") as served:
        refused = Bot(served.at("/ws/ranked"), token="open")
        assert refused.get()["error"] == NO_TOKEN
        assert refused.farewell[0] == 1008
        Bot(served.at("/ws/ranked"), token="sesame").play()
        assert served.outcome().faults == ({}, {}, {}, {})
        with pytest.raises(BadInput, match="Token verification failed"):
            play(Visit(served.at("/ws/ranked"), "x", "riichilab", "tenhou", token="open"), Shanten)


def test_no_token_is_logged_or_kept(tmp_path: Path) -> None:
    told = io.StringIO()
    log.configure("debug", stream=told)
    try:
        with Served(plan_of(tmp_path, ALONE)) as served:
            lost = Bot(served.at("/ws/ranked"), token="hush-hush")
            lost.get(SOON)
            assert Bot(served.at("/ws/ranked"), token="hush-hush").get()["error"] == ALREADY
            lost.connection.send("x" * 100_000)
            lost.rest()
            served.outcome()
    finally:
        structlog.reset_defaults()
    assert told.getvalue()
    assert "hush" not in told.getvalue()
    assert not any(b"hush" in file.read_bytes() for file in tmp_path.iterdir() if file.is_file())


@pytest.mark.parametrize(
    ("odd", "result"),
    [(None, {"passed": True}), (first({"type": "hora"}), {"passed": False, "reason": "penalized (illegal action)"})],
)
def test_a_bot_that_is_validated_deals_first_and_is_told_how_it_did(odd: Any, result: Item, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws,ws,ws")) as served:
        bot = Bot(served.at("/ws/validate"), odd).play()
        assert bot.came[0]["id"] == 0
        assert [told["type"] for told in bot.came[-2:]] == ["end_game", "validation_result"]
        assert bot.came[-1] == {"type": "validation_result", **result}
        assert {told["bakaze"] for told in bot.of("start_kyoku")} == {"E"}


def test_a_broken_connection_is_the_end_of_the_game_for_a_bot_of_ours(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, ALONE)) as served:
        bot = threading.Thread(target=served.house.close)

        class Leaver(Shanten):
            def answer(self, question: Any) -> Any:
                if not bot.ident:
                    bot.start()
                return super().answer(question)

        with pytest.raises(PlayerGone, match="no way leads back"):
            play(Visit(served.at("/ws/ranked"), "x", "riichilab", "tenhou"), Leaver)
        bot.join()


def test_a_server_that_drops_the_connection_is_one_line(tmp_path: Path) -> None:
    """Before that it sends what nobody understands."""

    def serve_badly(connection: ServerConnection) -> None:
        for line in (
            "what",
            "[]",
            '{"type":"action_ack","request_id":7,"status":"stale"}',
            '{"id":0,"type":"start_game"}',
        ):
            connection.send(line)
        connection.socket.shutdown(socket.SHUT_RDWR)

    with serve(serve_badly, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/ws/ranked"
        with pytest.raises(PlayerGone, match=r"the connection broke .*; no way leads back to a game there"):
            play(Visit(address, "x", "riichilab", "tenhou"), Shanten)
        server.shutdown()


def test_the_status_of_the_server_is_a_page() -> None:
    assert json.loads(pages()["/status"].content) == {"status": "ok"}
