"""Looking on: the public stream, the operator's, late-comers, delays, and watchers who never read."""

import json
from pathlib import Path

import msgspec

from jantaku.table.ground.clock import now
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
