"""A seat whose player is a client over WebSocket, and what is sent to it."""

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.serve import seat as seats
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net import line as line_module
from jantaku.table.serve.net.line import Farewell, Line
from jantaku.table.serve.seat import RemoteSeat
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World


class Client(RemoteSeat):
    """A seat of a game whose messages are answers: each is for one question, and kept for that."""

    def __init__(self, reloads: float = 0.0) -> None:
        self._seconds = reloads
        super().__init__()
        self._answers: list[str] = []
        self._sides = self.asked_on = 0
        self.caught_up: list[Line] = []

    @property
    def _reloads(self) -> float:
        return self._seconds

    def _catch_up(self, identity: Identity) -> None:
        assert self.line is not None
        self._sides += 1
        self._answers.clear()
        self.caught_up.append(self.line)

    def receive(self, line: Line, answer: str) -> bool:
        with self._changed:
            if line is not self.line:
                return False
            self._answers.append(answer)
            self._changed.notify_all()
            return True

    def ask(self, seconds: float) -> str:
        """Its answer; or what was wrong."""
        try:
            with self._changed:
                if self._is_gone:
                    return "gone"
                self._answers.clear()
                self.asked_on = side = self._sides

                def heard() -> str | None:
                    if self.closed or (not self._answers and self._is_gone):
                        return "gone"
                    if not self._reloads and side != self._sides:
                        return "anew"
                    return self._answers.pop(0) if self._answers else None

                return self._wait_for(heard, Deadline(seconds))
        except PlayerSilent:
            return "silent"


def connection() -> Line:
    return Line(8, lambda: None, lambda: None)


WHO = Identity("mari", "key", "here")


def answered(world: World) -> None:
    """The answer comes at the deadline."""
    client, line = Client(), connection()
    assert client.take(WHO, line) == ""
    came: list[bool] = []

    def clients() -> None:
        world.sleep(1.0)
        came.append(client.receive(line, "pass"))
        client.leave(line)

    threads = Together(world, clients)
    began = world.time
    found = client.ask(1.0)
    assert found in ("pass", "silent", "gone") and world.time - began <= 1.001
    threads.join()
    assert came == [True] and not client.connected and client.ask(1.0) == "gone"
    assert client.receive(line, "late") is False


def replaced(world: World) -> None:
    """Another connection of the same client comes while the old one answers and ends."""
    client, old, new = Client(), connection(), connection()
    assert client.take(WHO, old) == ""
    took: list[str] = []
    came: list[bool] = []

    def older() -> None:
        came.append(client.receive(old, "old"))
        client.leave(old)

    began = world.time
    threads = Together(world, older, lambda: took.append(client.take(WHO, new)))
    found = client.ask(1.0)
    threads.join()
    assert took == [""] and client.line is new and client.connected and client.caught_up[-1] is new
    assert found in ("old", "anew", "gone", "silent") and not (found == "old" and came == [False])
    assert found != "silent" or client.asked_on == 2, "who has connected anew is not waited for in vain"
    assert found != "anew" or world.time - began < 0.5, "who has connected anew is heard of at once"
    client.leave(old)
    assert client.connected, "the end of the old connection is none of the new one"
    assert client.receive(old, "old") is False and client.receive(new, "new") is True
    assert client.take(WHO, connection()) == "" and new.is_closing, "an older connection is closed"


def gone(world: World) -> None:
    """Its connection ends, and it has answered nothing."""
    client, line = Client(), connection()
    client.take(WHO, line)

    def clients() -> None:
        world.sleep(0.3)
        client.leave(line)

    threads = Together(world, clients)
    began = world.time
    assert client.ask(1.0) == "gone" and world.time - began < 0.4, "who has gone is not waited for"
    threads.join()


def reloads(world: World) -> None:
    """A person whose page is loaded anew within the time for that."""
    client, old, new = Client(2.0), connection(), connection()
    assert client.take(WHO, old) == ""

    def page() -> None:
        client.leave(old)
        world.sleep(1.0)
        assert client.take(WHO, new) == ""
        assert client.receive(new, "pass")

    threads = Together(world, page)
    began = world.time
    found = client.ask(5.0)
    assert found == "pass" and world.time - began < 1.1, "it is waited for, and heard at once"
    client.leave(new)
    began = world.time
    assert client.ask(9.0) == "gone" and abs(world.time - began - 2.0) < 0.1
    threads.join()


def two_clients(world: World) -> None:
    """Two want the same seat."""
    client, lines = Client(), (connection(), connection())
    took: dict[int, str] = {}

    def take(number: int) -> None:
        took[number] = client.take(Identity("mari", f"key {number}", "here"), lines[number])

    threads = Together(world, lambda: take(0), lambda: take(1))
    threads.join()
    refused = [number for number, refusal in took.items() if refusal]
    assert len(refused) == 1 and client.line is lines[1 - refused[0]]
    assert client.identity is not None and client.identity.key == f"key {1 - refused[0]}"


def dismissed(world: World) -> None:
    """The server closes while the judge waits."""
    client, line = Client(2.0), connection()
    client.take(WHO, line)
    threads = Together(world, client.dismiss, lambda: client.leave(line))
    began = world.time
    assert client.ask(9.0) == "gone" and world.time == began, "nobody is waited for any more"
    threads.join()


def spoken(world: World) -> None:
    """Several say something while the line is closed, and the loop sends."""
    woken: list[int] = []
    line = Line(5, lambda: woken.append(1), lambda: woken.append(2))
    line.say(b"0")
    assert woken == [1], "the loop is woken for the first"
    sent: list[object] = []

    def loop() -> None:
        while not any(isinstance(one, Farewell) for one in sent) and 2 not in woken:
            while (message := line.next()) is not None:
                sent.append(message)
            world.sleep(0.1)

    def speaker() -> None:
        line.say(b"1")
        line.say(b"2")

    threads = Together(world, loop, speaker, lambda: line.hang_up(reason="one"))
    line.hang_up(reason="other")
    line.say(b"3")
    threads.join()
    line.end("its connection broke")
    assert 2 not in woken
    said = [one for one in sent if isinstance(one, bytes)]
    assert said == [b"0", b"1", b"2"][: len(said)], "in order, none behind the farewell"
    assert [type(one) for one in sent[len(said) :]] == [Farewell] and line.next() is None and line.is_closing
    last = sent[-1]
    assert isinstance(last, Farewell) and last.reason == line.ended and line.ended in ("one", "other")


def overrun(world: World) -> None:
    """A reader that is too slow: two speak, nobody sends."""
    cut: list[int] = []
    line = Line(2, lambda: None, lambda: cut.append(1))

    def speaker() -> None:
        line.say(b"x")
        line.say(b"y")

    threads = Together(world, speaker)
    speaker()
    threads.join()
    assert cut == [1] and line.is_closing and not line.waiting and line.ended.startswith("too slow")


def overtaken(world: World) -> None:
    """A reader that is too slow: the loop takes a message as the line is cut off."""
    line = Line(1, lambda: None, lambda: None)
    line.say(b"x")
    taken: list[object] = []
    threads = Together(world, lambda: taken.append(line.next()))
    line.say(b"y")
    threads.join()
    assert taken == [None if line.is_closing else b"x"]


def fenced(world: World) -> None:
    """Fences are numbered, and a pong counts for all before it."""
    line = Line(9, lambda: None, lambda: None)
    threads = Together(world, line.fence)
    line.fence()
    threads.join()
    assert [one.number for one in (line.next(), line.next()) if one is not None] == [1, 2]  # type: ignore[union-attr]
    assert not line.is_behind and not line.heard_pong(b"3") and line.heard_pong(b"1") and line.is_behind
    assert line.heard_pong(b"2") and not line.is_behind and not line.heard_pong(b"2")


PARTS = [
    Part("a remote seat at its deadline", "an answer counts once, to one question", answered, 2, 3, (seats,), True),
    Part("a remote seat whose client goes", "it is not waited for", gone, 2, 3, (seats,), True),
    Part("a replaced connection", "the old one takes nothing from the new one", replaced, 1, 2, (seats,), True),
    Part("a page that is loaded anew", "is waited for until the limit, and heard at once", reloads, 2, 3),
    Part("two clients for one seat", "one sits, the other is told why not", two_clients, 1, 3, (seats,)),
    Part("a server that closes", "nobody is waited for any more", dismissed, 2, 3),
    Part("what is sent to a client", "in order, one farewell, nothing behind it", spoken, 1, 2, (line_module,), True),
    Part("a client that reads too slowly", "is cut off once", overrun, 2, 4, (line_module,)),
    Part("a client that is cut off", "is read from or cut off", overtaken, 2, 4, (Line.next,)),
    Part("fences", "have one number each", fenced, 2, 4, (line_module,)),
]
