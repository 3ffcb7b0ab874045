"""Nobody at a table of 大富豪 reads a hand that is not his, whatever he connects to: a property of all that is sent.

Every card in every message to a connection is one of its own seat in that round, or has been played, and what has been
played is what the record says, not a card more."""

import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.table.daifugo.client import BotClient
from jantaku.table.daifugo.neof5 import Snapshot, board_of, parse_message, put
from jantaku.table.daifugo.players import DaifugoGreedy
from jantaku.table.daifugo.rooms.server import pages
from jantaku.table.daifugo.rules import Rules
from tests.daifugo.rooms.guests import PATIENCE, House, Message, house_of
from tests.daifugo.walk import rules
from tests.kit.cases import kept_cases, text_of

CARD = re.compile(r"(?<![A-Z0-9])(?:[SHDC][2-90AJQK]|JK)(?![A-Z0-9])")
"""A card in a text of any kind. Nobody here has a name that looks like one."""
ROUNDS = 3
SEATS = 4


class Ear:
    def __init__(self, seat: int | None = None, *, finished: bool = False) -> None:
        self.seat = seat
        """Whose it is, as far as it is a player's."""
        self.finished = finished
        """Whether all hands may be seen when a round is over."""
        self.frames: list[str] = []

    def listen(self, connection: ClientConnection) -> None:
        try:
            for message in connection:
                assert isinstance(message, str)
                self.frames.append(message)
        except ConnectionClosed:
            pass


class Sitter(threading.Thread):
    """A greedy player with a key; its connections break after so many messages, and it comes back."""

    def __init__(self, address: str, table: Rules, breaks: Sequence[int]) -> None:
        super().__init__(daemon=True)
        self.ears: list[Ear] = []
        self.seat = -1
        self._address, self._breaks = address, list(breaks)
        self._mind = BotClient(address, DaifugoGreedy(), table)
        self.start()

    def run(self) -> None:
        while self._connected(self._breaks.pop(0) if self._breaks else 0):
            pass

    def _connected(self, breaks_after: int) -> bool:
        ear = Ear()
        self.ears.append(ear)
        with connect(self._address, compression=None) as connection:
            try:
                for text in connection:
                    assert isinstance(text, str)
                    ear.frames.append(text)
                    if len(ear.frames) == breaks_after:
                        return True
                    self._answer(connection, text)
            except ConnectionClosed:
                pass
        return False

    def _answer(self, connection: ClientConnection, text: str) -> None:
        if '"YourNum"' in text:
            shown = parse_message(text)
            assert isinstance(shown, Snapshot) and self.seat in (-1, shown.your_num)
            self.seat = shown.your_num
            if shown.kind == "ProcessTurn":
                connection.send(put(self._mind.choose(board_of(shown), self.seat)).decode())


class Truth:
    """What a record says: by round the cards of each seat, and the history."""

    def __init__(self, path: Path) -> None:
        self.own: list[list[set[str]]] = []
        self.history: list[list[str]] = []
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            self._take(line)

    def _take(self, line: Message) -> None:
        if "deal" in line:
            self.own.append([set(hand.split()) for hand in line["deal"]])
            self.history.append([])
        for gift in line.get("exchange", ()):
            self.own[-1][gift["taker"]] |= set(gift["cards"].split())
        if "play" in line:
            seat, cards = line["play"]["seat"], line["play"]["cards"]
            self.history[-1].append(f"{seat}-[{cards}]" if cards else f"{seat}-PASS")
        if "agari" in line:
            self.history[-1].append(f"{line['agari']['seat']}-AGARI")
        if "nagare" in line:
            self.history[-1].append("/")

    def leaks(self, ear: Ear) -> Iterator[str]:
        """Messages that tell this connection a card that it may not know."""
        number, public = -1, set[str]()
        for frame in ear.frames:
            message = json.loads(frame)
            kind = message.get("Kind") if isinstance(message, dict) else None
            if kind == "Start" or (number < 0 and "History" in message):
                number, public = self._round_of(message, number), set()
            if "History" in message:
                told = message["History"]
                if told != self.history[number][: len(told)]:
                    yield f"not what was played: {frame}"
                public = set(CARD.findall(" ".join(told)))
            if kind == "Finish" and ear.finished:
                continue
            own = self.own[number][ear.seat] if ear.seat is not None and number >= 0 else set()
            if alien := set(CARD.findall(frame)) - own - public:
                yield f"{alien} in {frame}"

    def _round_of(self, message: Message, number: int) -> int:
        """The round that begins, or in which somebody came: the first that has such a history and, for a seat, hand."""
        if message["Kind"] == "Start":
            return number + 1
        told, deck = message["History"], set(message.get("Deck", "").split())
        fitting = (
            at
            for at, history in enumerate(self.history)
            if history[: len(told)] == told and deck <= self.own[at][message["YourNum"]]
        )
        return next(fitting)


STRANGERS = text_of("cases/daifugo/rooms/secrecy_strangers.txt").splitlines()
"""Where a stranger, or a player with a second connection, may try to read something. The keys here are ka, …"""


@pytest.mark.long
@settings(max_examples=2, deadline=None)
@example(seed=3, breaks=[[9], [7, 30], [], [12]], copies=True)
@given(
    seed=st.integers(0, 10_000),
    breaks=st.lists(st.lists(st.integers(2, 60), max_size=2), min_size=SEATS, max_size=SEATS),
    copies=st.booleans(),
)
def test_no_hand_of_another_is_in_anything_that_is_sent(
    tmp_path_factory: pytest.TempPathFactory, seed: int, breaks: list[list[int]], copies: bool
) -> None:
    """Players of both dialects whose connections break, copies under one name, and strangers at every path."""
    folder, table = tmp_path_factory.mktemp("secrecy"), rules("B", game__seats=str(SEATS), series__rounds=str(ROUNDS))
    with house_of(table, folder=folder, seed=str(seed), operator_token="boss") as house, ExitStack() as stack:
        sitters = []
        for number, letter in enumerate("aaaa" if copies else "abcd"):
            dialect = "&dialect=person" if number % 2 else ""
            address = house.url(f"/play/B/R?name={letter}&key=k{number if copies else letter}{dialect}")
            if number == SEATS - 1:
                # From before the first card on; who comes to the table now would get a seat.
                early = [path for path in STRANGERS if not path.startswith("/play/B/R")]
                strangers = [stranger(stack, house, path) for path in early]
            sitters.append(Sitter(address, table, breaks[number]))
            house.seated("R", number + 1)
        late = [stranger(stack, house, path) for path in STRANGERS]
        assert house.room("R").wait(PATIENCE)
        assert_pages_are_the_same_for_all(house)
        house.rooms.close()
        for thread in (*sitters, *(thread for _, thread in (*strangers, *late))):
            thread.join(PATIENCE)
            assert not thread.is_alive()
    truth = Truth(next(folder.glob("R-*.jsonl")))
    assert len(truth.own) == ROUNDS and sorted(sitter.seat for sitter in sitters) == list(range(SEATS))
    for sitter in sitters:
        for ear in sitter.ears:
            ear.seat = sitter.seat
            assert list(truth.leaks(ear)) == []
    for ear, _ in (*strangers, *late):
        assert list(truth.leaks(ear)) == []
    assert any("CardsArePut" in frame for frame in strangers[0][0].frames)


def stranger(stack: ExitStack, house: House, path: str) -> tuple[Ear, threading.Thread]:
    """Somebody who only listens; at the end of a round he may see the cards that are left."""
    ear = Ear(finished=path.startswith("/monitor"))
    connection = stack.enter_context(connect(house.url(path), compression=None))
    thread = threading.Thread(target=ear.listen, args=(connection,), daemon=True)
    thread.start()
    return ear, thread


def assert_pages_are_the_same_for_all(house: House) -> None:
    """No page is made for anybody: what is fetched is the file."""
    for path, page in pages().items():
        connection = HTTPConnection("127.0.0.1", house.server.port)
        connection.request("GET", path)
        assert connection.getresponse().read() == page.content
        connection.close()


def test_the_operator_sees_hands_and_so_what_should_be_found_is_found(tmp_path: Path) -> None:
    table = rules("B", game__seats="2", series__rounds="1")
    with house_of(table, folder=tmp_path, operator_token="boss") as house, ExitStack() as stack:
        sitters = [Sitter(house.url("/play/B/R?name=a"), table, ())]
        house.seated("R", 1)
        operator, thread = stranger(stack, house, "/monitor/R?token=boss")
        sitters.append(Sitter(house.url("/play/B/R?name=b"), table, ()))
        house.seated("R", 2)
        assert house.room("R").wait(PATIENCE)
        house.rooms.close()
        for one in (*sitters, thread):
            one.join(PATIENCE)
    truth = Truth(next(tmp_path.glob("R-*.jsonl")))
    assert len(list(truth.leaks(operator))) > 10
    ear = sitters[0].ears[0]
    ear.seat = 1 - sitters[0].seat
    assert len(list(truth.leaks(ear))) > 10


SHOWN: dict[str, Any] = {"Kind": "Thinking", "YourNum": 0, "Deck": "S4", "Ba": [], "History": ["0-[S3]"]}


@kept_cases("more")
def test_a_message_that_tells_more_than_it_should_is_found(tmp_path: Path, more: Message) -> None:
    path = tmp_path / "record"
    lines = [{"deal": ["S3 S4", "H4 H5"]}, {"play": {"seat": 0, "cards": "S3"}}, {"play": {"seat": 1, "cards": "H5"}}]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    ear = Ear(0)
    ear.frames = [json.dumps(SHOWN), json.dumps({**SHOWN, **more})]
    assert len(list(Truth(path).leaks(ear))) >= 1
    ear.frames.pop()
    assert list(Truth(path).leaks(ear)) == []
