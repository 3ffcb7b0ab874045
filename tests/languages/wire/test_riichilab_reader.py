"""A player of ours at a server of RiichiLab's protocol: whatever is lost, repeated or garbled on the way, it says what
is possible, and the game goes on."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from jantaku.players.adapters.client import Mind
from jantaku.players.bots.caller import Caller
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialect import Heard, converse
from jantaku.table.languages.wire.riichilab import RiichiLab
from jantaku.table.languages.wire.riichilab_physical import RiichiLabReader
from jantaku.table.riichi.ruleset import preset
from tests.languages.wire.driving import game_of

TENHOU = preset("tenhou")
GARBAGE = [b"", b"what", b"[]", b"3", b'{"type":7}', b'{"type":"fly"}', b'{"type":"tsumo","actor":9}', b"\xff\xfe"]
GARBAGE += [b'{"type":"request_action"}', b'{"type":"start_kyoku","tehais":[]}', b'{"type":"hora","actor":"x"}']


class Overheard(Caller):
    """A bot whose side of the table is kept."""

    listens = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.lines: list[bytes] = []
        self._side = RiichiLab()

    def hear(self, event: Any) -> None:
        super().hear(event)
        self._keep(self._side.tell(event))

    def answer(self, question: Question) -> Action:
        action = super().answer(question)
        replies = iter(self._side.written(action).split(" "))
        converse(self._side.ask(question), self._keep, lambda: Heard(next(replies).encode(), self._side.due))
        return action

    def _keep(self, data: bytes) -> None:
        self.lines += data.splitlines()


@cache
def told() -> tuple[bytes, ...]:
    """What a server says to one seat in a whole game."""
    seat = Overheard(1)
    Judge(game_of("5", TENHOU), [seat, Shanten(), Caller(seed=2), Shanten()], mode="inline").run()
    return tuple(seat.lines)


def said(lines: Iterator[bytes] | tuple[bytes, ...], reader: RiichiLabReader) -> Iterator[tuple[Any, Any]]:
    """Every request that is answered, with its answer."""
    mind, choice = Mind(Shanten()), None
    for line in lines:
        heard = reader.read(line)
        choice = choice if heard.again else None
        for event in heard.events:
            choice = mind.hear(event)
        if heard.wants_reply:
            yield json.loads(line), json.loads(reader.write(mind.decide(choice), heard.number))


def is_possible(request: Any, reply: Any) -> bool:
    """Whether a reply repeats one of the possible actions."""
    return reply["request_id"] == request["request_id"] and any(
        all(reply.get(key) == value for key, value in one.items()) for one in request["possible_actions"]
    )


def broken(chance: random.Random, what: str) -> Iterator[bytes]:
    """The game with one line in twenty lost, repeated, garbled or with garbage before it."""
    for line in told():
        if chance.random() < 0.05 and b"start_game" not in line:
            if what == "lost":
                continue
            if what == "cut":
                yield line[: chance.randrange(len(line))]
                continue
            yield line if what == "repeated" else chance.choice(GARBAGE)
        yield line


def test_what_is_said_is_possible_and_every_request_is_answered() -> None:
    reader = RiichiLabReader(TENHOU)
    exchanged = list(said(told(), reader))
    assert len(exchanged) > 100
    assert len(exchanged) == sum(b'"request_action"' in line for line in told())
    assert all(is_possible(*one) for one in exchanged)
    assert reader.troubles == []


@pytest.mark.parametrize("what", ["lost", "cut", "repeated", "garbage"])
def test_a_server_that_garbles_its_messages_is_answered_with_what_is_possible(what: str) -> None:
    for seed in range(3):
        reader = RiichiLabReader(TENHOU)
        exchanged = list(said(broken(random.Random(seed), what), reader))
        numbers = [request["request_id"] for request, _ in exchanged]
        assert all(is_possible(*one) for one in exchanged)
        assert numbers == sorted(set(numbers))  # none is answered twice
        assert reader.troubles
        assert len(exchanged) > 50


def test_a_red_five_that_is_told_as_a_plain_one_is_discarded_as_told() -> None:
    reader = RiichiLabReader(TENHOU)
    folded = (line.replace(b"5sr", b"5s") if b"possible_actions" in line else line for line in told())
    assert all(is_possible(*one) for one in said(folded, reader))


@pytest.mark.parametrize("refusal", [{"error": "Bot is inactive"}, {"type": "error", "message": "Bot is inactive"}])
def test_a_refusal_is_the_end(refusal: Any) -> None:
    with pytest.raises(BadInput, match="the server says: Bot is inactive"):
        RiichiLabReader(TENHOU).read(json.dumps(refusal).encode())
