"""A token comes in a header or, of programs that know nothing else, in the query; never in the address of a page."""

import base64
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from jantaku.table.serve.net.admission import token_of
from tests.serve.serving import Client, Served, plan_of

SECRET = "op+ 鍵/=&"


def offer(token: str) -> str:
    return "jantaku.token." + base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")


def test_a_header_goes_before_the_query() -> None:
    for headers in ({"Authorization": "Bearer op"}, {"Sec-WebSocket-Protocol": f"jantaku, {offer('op')}"}):
        assert token_of(Headers(headers), {"token": "other"}) == "op"
    assert token_of(Headers({"Sec-WebSocket-Protocol": offer(SECRET)}), {}) == SECRET
    assert token_of(Headers(), {"token": SECRET}) == SECRET
    assert token_of(Headers(), {}) == ""


@pytest.mark.parametrize(
    "text", ["jantaku.token.", "jantaku.token.!", "jantaku.token.A", "jantaku.token._w", "a,,b", ""]
)
def test_an_offer_that_cannot_be_read_is_no_token(text: str) -> None:
    assert token_of(Headers({"Sec-WebSocket-Protocol": text}), {}) == ""


def test_headers_that_come_twice_are_read_too() -> None:
    headers = Headers()
    headers["Sec-WebSocket-Protocol"] = "jantaku"
    headers["Sec-WebSocket-Protocol"] = offer("x")
    assert token_of(headers, {}) == "x"


def test_the_operator_may_say_the_token_in_either_header_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        address = served.at("/watch/r")
        with connect(address, subprotocols=[Subprotocol("jantaku"), Subprotocol(offer("op"))]) as page:
            assert page.subprotocol == "jantaku"
        assert Client(address, Authorization="Bearer op").connection.subprotocol is None
        with (
            connect(address, subprotocols=[Subprotocol("jantaku"), Subprotocol(offer("wrong"))]) as stranger,
            pytest.raises(ConnectionClosed, match=r"1008.*operator"),
        ):
            stranger.recv()
        assert Client(address, Authorization="Bearer wrong").farewell[0] == 1008
