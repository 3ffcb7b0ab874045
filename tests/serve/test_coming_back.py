"""A connection that breaks: the seat is taken back with all that it had heard, and with nothing more."""

import json
import threading
from pathlib import Path

import pytest

from jantaku.table.play.outcome import Outcome
from tests.kit.pace import SOON
from tests.serve.secrets import Spectator, untimed
from tests.serve.serving import Drawer, Hook, Item, Served, plan_of, play_out


class Break:
    """`leave` closes a client's connection when `when` comes true; the client with `stay` waits until it is back."""

    def __init__(self, when: Hook) -> None:
        self.left, self.back = threading.Event(), threading.Event()
        self._when = when

    def leave(self, client: Drawer, message: Item, number: int) -> bool:
        if self.left.is_set() or not self._when(client, message, number):
            return False
        client.close()
        self.left.set()
        return True

    def stay(self, client: Drawer, message: Item, number: int) -> bool:
        if client.draws(message) and self.left.is_set():
            assert self.back.wait(SOON)
        return False


def played_with_a_break(served: Served, broken: Break) -> tuple[Outcome, list[Drawer], Drawer]:
    """A game in which a leaves and comes back: how it ended, the drawers, and a as it came back."""
    address = served.at("/play/r")
    hooks = [broken.leave, broken.stay, None, None]
    drawers = [Drawer(f"{address}?name={name}&key=k{name}", hook) for name, hook in zip("abcd", hooks, strict=True)]
    assert broken.left.wait(SOON)
    again = Drawer(f"{address}?name=a&key=ka")
    again.player = drawers[0].player
    broken.back.set()
    outcome = served.outcome()
    for drawer in (*drawers, again):
        drawer.join()
    return outcome, drawers, again


def third_draw() -> Hook:
    drawn: list[int] = []

    def hook(client: Drawer, message: Item, number: int) -> bool:
        if client.draws(message):
            drawn.append(number)
        return len(drawn) == 3

    return hook


def test_who_comes_back_hears_what_it_had_heard_and_plays_on(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path / "clean")) as served:
        _, clean = play_out(served, [None] * 4)
    with Served(plan_of(tmp_path / "broken")) as served:
        outcome, drawers, again = played_with_a_break(served, Break(third_draw()))
    assert outcome.faults == ({"gone": 1}, {}, {}, {})
    before = drawers[0].frames
    assert untimed(again.frames[: len(before)]) == untimed(before)
    assert untimed(again.frames) == untimed(clean[0].frames)
    assert [one.frames for one in drawers[1:]] == [one.frames for one in clean[1:]]
    assert Spectator(again.player).hidden(again.frames) == []


@pytest.mark.long
def test_the_catch_up_begins_with_the_current_kyoku(tmp_path: Path) -> None:
    second_deal: Hook = lambda client, message, number: message.get("qipai", {}).get("jushu") == 1  # noqa: E731
    with Served(plan_of(tmp_path, length="tonpu")) as served:
        outcome, _, again = played_with_a_break(served, Break(second_deal))
    assert set(outcome.faults[0]) <= {"gone"} and outcome.faults[1:] == ({}, {}, {})
    kinds = [next(iter(json.loads(frame))) for frame in again.frames[:2]]
    assert kinds == ["kaiju", "qipai"] and '"jushu":1' in again.frames[1]
    assert Spectator(again.player).hidden(again.frames) == []
