"""Looking on: the public stream, the operator's, what people are sent and when, late-comers, delays, and watchers who
never read."""

import json
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from jantaku.table.ground.clock import now
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.streams import FOLLOWED, LONG, LONGEST_PAUSE, Stream
from tests.kit.pace import SOON
from tests.serve.serving import WATCHED, Client, Drawer, Item, Served, plan_of, play_out, raw_visit


def games_of(frames: list[str]) -> list[tuple[Item, list[Item]]]:
    games: list[tuple[Item, list[Item]]] = []
    for one in (one for frame in frames for one in json.loads(frame)):
        if "player" in one:
            games.append((one, []))
        else:
            games[-1][1].append(one)
    return games


def items_of(frames: list[str]) -> list[Item]:
    ((_, items),) = games_of(frames)
    return items


def journal_lines(path: str) -> list[Item]:
    """All of a journal behind its header, but its digests."""
    lines = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()[1:]]
    return [line for line in lines if "digest" not in line]


def journal_items(path: str) -> list[Item]:
    """The items of a journal that are shown to watchers."""
    return [line for line in journal_lines(path) if "wall" not in line and "answers" not in line]


def public(item: Item) -> Item:
    if "qipai" in item:
        return {"qipai": {**item["qipai"], "shoupai": [""] * 4}}
    key = next(iter(item))
    return {key: {**item[key], "p": ""}} if key in ("zimo", "gangzimo") else item


def test_everybody_sees_the_public_items_and_the_operator_all(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        watcher, operator = Client(served.at("/watch/r")), Client(served.at("/watch/r?token=op"))
        outcome, _ = play_out(served, [None] * 4)
        assert watcher.farewell == operator.farewell == (1000, "the game is over")
    ((head, _),) = games_of(watcher.frames)
    assert sorted(head["player"]) == list("abcd")
    assert games_of(operator.frames)[0][0] == {**head, "walls": "shared", "game": 0}
    path = outcome.records[0]
    assert items_of(operator.frames) == journal_lines(path)
    assert items_of(watcher.frames) == [public(item) for item in journal_items(path)]


def test_who_looks_on_at_a_room_that_stays_sees_one_game_after_another(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=2, operator_token="op") as served:
        watcher, operator = Client(served.at("/watch/r")), Client(served.at("/watch/r?token=op"))
        records = [play_out(served, [None] * 4)[0].records[0] for _ in range(2)]
        assert watcher.farewell == operator.farewell == (1000, "the game is over")
    for looker, told in ((operator, journal_lines), (watcher, journal_items)):
        games = games_of(looker.frames)
        assert [head["title"] for head, _ in games] == ["room r, game 1", "room r, game 2"]
        for (_, items), record in zip(games, records, strict=True):
            assert items == [item if looker is operator else public(item) for item in told(record)]


def test_who_comes_late_gets_all_that_was_shown_in_one_message(tmp_path: Path) -> None:
    late: list[Client] = []

    def look(client: Drawer, message: Item, number: int) -> bool:
        if number == 40:
            late.append(Client(served.at("/watch/r")))
            late[0].get()
        return False

    with Served(plan_of(tmp_path), rooms=("r",), games=1) as served:
        early = Client(served.at("/watch/r"))
        play_out(served, [look, None, None, None])
        frames = early.rest()
        late[0].rest()
    assert len(games_of(late[0].frames[:1])[0][1]) > 20
    assert items_of(late[0].frames) == items_of(frames)


def test_with_a_delay_watchers_see_turns_later_and_in_the_end_everything(tmp_path: Path) -> None:
    """While a player holds up the table with its question, nobody else has seen the last three turns."""
    missing: list[int] = []

    def look(client: Drawer, message: Item, number: int) -> bool:
        if client.draws(message) and number > 60 and not missing:
            looker = Client(served.at("/watch/r"))
            looker.get()
            shown = sum("zimo" in item for item in items_of(looker.frames))
            missing.append(sum('"zimo"' in frame for frame in client.frames) - shown)
            looker.close()
        return False

    with Served(plan_of(tmp_path, delay=3), rooms=("r",), games=1) as served:
        watcher = Client(served.at("/watch/r"))
        outcome, _ = play_out(served, [look, None, None, None])
        frames = watcher.rest()
    assert missing == [3]
    assert items_of(frames) == [public(item) for item in journal_items(outcome.records[0])]


def test_without_an_operators_token_nobody_is_the_operator(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1) as served:
        assert Client(served.at("/watch/r?token=x")).farewell[0] == 1008
        empty = Client(served.at("/watch/r?token="))
        play_out(served, [None] * 4)
        assert not any(item["zimo"]["p"] for item in items_of(empty.rest()) if "zimo" in item)


def test_what_a_watcher_says_changes_nothing_and_too_much_of_it_ends_it(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1) as served:
        watcher = Client(served.at("/watch/r"))
        watcher.send({"start": ["shanten"]})
        noisy = Client(served.at("/watch/r"))
        for _ in range(200):
            noisy.send({"dapai": "m1"})
        assert noisy.farewell[0] == 1008
        outcome, _ = play_out(served, [None] * 4)
        assert outcome.faults == ({}, {}, {}, {}) and watcher.farewell[0] == 1000


def test_watchers_who_never_read_do_not_hold_up_the_table(tmp_path: Path) -> None:
    """Ten of them, with buffers that are full at once; the server ends no later for them either."""
    limits = msgspec.structs.replace(WATCHED, backlog=20, reading=0.2)
    with Served(plan_of(tmp_path), rooms=("r",), operator_token="op", limits=limits) as served:
        watchers = [raw_visit(served.server, "/watch/r?token=op") for _ in range(10)]
        outcome, _ = play_out(served, [None] * 4)
        assert outcome.faults == ({}, {}, {}, {}) and max(outcome.longest) < SOON
        began = now()
    assert now() - began < SOON + 2.5  # and 2 s that the other side has to say goodbye
    for watcher in watchers:
        watcher.close()


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
