"""A guest for every wire of a server of riichi rooms. It discards what it draws, passes otherwise, and sends one bad
message. Written from the protocols, without code of the table."""

import contextlib
from collections.abc import Iterator

import msgspec

from scripts.doors.hand import Item
from scripts.doors.line import Line, SocketIoLine, TcpLine, WebSocketLine, cookie_at

TOKEN = "hush-hush"
"""The token that a guest sends wherever it can; it must appear in no log and no record."""


class Ports(msgspec.Struct, frozen=True):
    """The ports of a server."""

    web: int
    lines: int
    netplay: int


class Guest:
    """A connection to a room, under the name `a`; in Majiang's messages, if nothing else is said."""

    def __init__(self, line: Line) -> None:
        self._line, self._seat, self._is_open = line, -1, True

    @property
    def ended(self) -> str:
        """How the connection ended."""
        return self._line.ended

    def heard(self) -> Iterator[Item]:
        """Yield every message, to the end of the game or of the connection."""
        with contextlib.suppress(OSError):
            yield from self._line.heard()

    def asks(self, item: Item) -> bool:
        """Return whether the message wants a reply."""
        if "qipai" in item:
            self._seat = next(seat for seat, hand in enumerate(item["qipai"]["shoupai"]) if hand)
        return "seq" in item

    def draws(self, item: Item) -> bool:
        """Return whether it is the guest's own draw."""
        return "zimo" in item and bool(item["zimo"]["l"] == self._seat)

    def reply(self, item: Item) -> Item:
        """Return the usual reply."""
        said = {"dapai": item["zimo"]["p"] + "_"} if self.draws(item) else {}
        return {**said, "seq": item["seq"]}

    def say(self, *messages: Item | bytes) -> None:
        """Send them at once. Does nothing if the connection is closed."""
        with contextlib.suppress(OSError):
            self._line.say(*messages)

    def close(self) -> None:
        """Close the connection."""
        was_open, self._is_open = self._is_open, False
        if was_open:
            with contextlib.suppress(Exception):  # the library of net play raises if the server has hung up
                self._line.close()


class OfMajiang(Guest):
    """A guest at `/play` in the dialect `majiang`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(_at(ports, f"/play/{room}"))


class OfNetplay(Guest):
    """A guest over Socket.IO."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(SocketIoLine(ports.netplay, cookie_at(ports.netplay), room))


class OfRiichiLab(Guest):
    """A guest at `/ws/ranked`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(_at(ports, "/ws/ranked"))

    def asks(self, item: Item) -> bool:
        return item.get("type") == "request_action"

    def draws(self, item: Item) -> bool:
        return self.asks(item) and all(one["type"] != "none" for one in item["possible_actions"])

    def reply(self, item: Item) -> Item:
        by_type = {one["type"]: one for one in item["possible_actions"]}
        return {**(by_type.get("none") or by_type["dahai"]), "request_id": item["request_id"]}


class OfMjsonp(Guest):
    """A guest at the TCP port."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(TcpLine(ports.lines))
        self.say({"type": "join", "name": "a", "room": room, "token": TOKEN})

    def heard(self) -> Iterator[Item]:
        for item in super().heard():
            if item["type"] == "start_game":
                self._seat = item["id"]
            if item["type"] != "hello":
                yield item
            if item["type"] == "end_game":
                return

    def asks(self, item: Item) -> bool:
        """Return True for all messages but errors: every message has an answer."""
        return bool(item["type"] != "error")

    def draws(self, item: Item) -> bool:
        return bool(item["type"] == "tsumo" and item["actor"] == self._seat)

    def reply(self, item: Item) -> Item:
        if not self.draws(item):
            return {"type": "none"}
        return {"type": "dahai", "actor": self._seat, "pai": item["pai"], "tsumogiri": True}


def _at(ports: Ports, path: str) -> Line:
    return WebSocketLine(f"ws://127.0.0.1:{ports.web}{path}?name=a", Authorization=f"Bearer {TOKEN}")
