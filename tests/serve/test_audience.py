"""What people who look on are sent, and when."""

import json
from typing import Any, cast

import pytest

from jantaku.table.serve.net.line import Line
from jantaku.table.serve.streams import FOLLOWED, LONG, LONGEST_PAUSE, Stream


class Kept:
    def __init__(self) -> None:
        self.said: list[list[Any]] = []

    def say(self, message: bytes) -> None:
        self.said.append(json.loads(message))


def looking_on(audience: Stream) -> Kept:
    line = Kept()
    audience.join(cast(Line, line))
    return line


def items(count: int, first: int = 0) -> list[bytes]:
    return [b'{"n":%d}' % number for number in range(first, first + count)]


def test_what_is_new_is_one_message_for_all_and_who_comes_late_gets_the_running_game() -> None:
    audience = Stream()
    early = looking_on(audience)
    audience.begin({"player": "abcd"})
    audience.add(items(2))
    audience.tell()
    audience.add(items(1, 2))
    late = looking_on(audience)
    head = {"player": "abcd"}
    assert early.said == [[head, {"n": 0}, {"n": 1}], [{"n": 2}]]
    assert late.said == [[head, {"n": 0}, {"n": 1}, {"n": 2}]]
    audience.tell()
    assert len(early.said) == 2 and len(late.said) == 1, "nothing is said twice, nor without news"


@pytest.mark.parametrize("length", [LONG - 1, LONG])
def test_only_a_long_game_that_came_and_went_between_two_messages_is_left_out(length: int) -> None:
    audience = Stream()
    line = looking_on(audience)
    audience.begin({"player": "first"})
    audience.add(items(LONG))
    audience.tell()
    audience.add(items(1, LONG))
    for player, many in (("second", length), ("third", 1)):
        audience.begin({"player": player})
        audience.add(items(many))
    audience.tell()
    assert line.said[1][:2] == [{"n": LONG}, {"player": "third" if length == LONG else "second"}]
    assert line.said[1][-2:] == [{"player": "third"}, {"n": 0}]


def test_the_faster_a_table_plays_the_longer_is_the_pause() -> None:
    audience = Stream()
    pauses = []
    for many in (0, FOLLOWED // 2, FOLLOWED * 9):
        audience.add(items(many))
        pauses.append(audience.tell())
    assert pauses == [0, 0.5, LONGEST_PAUSE]
