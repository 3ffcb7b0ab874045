"""Rooms over real WebSockets: five clients, bad input, reconnects, spectators (§2, §3, §5, §7 of the protocol)."""

import itertools
import json
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from jantaku.players.bots.dice import Dice
from jantaku.table.daifugo.game import DaifugoGame, deals_from
from jantaku.table.daifugo.journals.record import SECRETS, lines_of, load, reply, verify
from jantaku.table.daifugo.journals.replay import OpenDaifugo, header_of
from jantaku.table.daifugo.players import DaifugoGreedy, DaifugoWeakest
from jantaku.table.daifugo.rooms.chairs import AWAY
from jantaku.table.daifugo.rooms.room import CLOSED, NOT_BEGUN, RUNNING
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.records.journal.writer import JournalWriter
from tests.daifugo.rooms.guests import PATIENCE, SHORT, Cheat, Client, Mortal, Sleeper, Talker, Watcher, begun, house_of
from tests.daifugo.walk import rules
from tests.kit.processes import wait_until

TIMED_OUT = "（サーバ処理：タイムアウト）"


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name.startswith(("line-", "room-", "T1-"))}


# --- whole series


@pytest.mark.long
def test_five_clients_each_with_a_vice_end_a_series_of_three_rounds(tmp_path: Path) -> None:
    """One tweets, one sleeps past the limit, one dies and comes back, one sends illegal plays."""
    table = rules("B", series__rounds="3")
    kinds = (Talker, Sleeper, Mortal, Cheat, Client)
    with house_of(table, limit=2.0, folder=tmp_path) as house:
        clients, watcher = [], None
        for number, kind in enumerate(kinds):
            clients.append(kind(house.url(f"/play/B/B-01?name={kind.__name__}"), table))
            if watcher is not None and isinstance(clients[-1], Mortal):
                clients[-1].missed = watcher.away
            clients[-1].started()
            house.seated("B-01", number + 1)
            watcher = watcher or Watcher(house.url("/monitor/B-01"), table).started()
        assert house.room("B-01").wait(PATIENCE)
    for client in clients:
        client.thread.join(PATIENCE)
    assert watcher is not None
    watcher.thread.join(PATIENCE)
    record = load(next(tmp_path.glob("B-01-*.jsonl")))
    done = verify(record, record.rules)
    assert done.complete and done.rounds == 3 and done.difference is None
    talker, sleeper, _, cheat, client = clients
    assert (0, "こんにちわ。") in client.tweets and (0, "こんにちわ。") in talker.tweets
    assert client.tweets.count((1, TIMED_OUT)) == 1
    assert set(cheat.exceptions) == {"Unknown Suit.", "手札にないカードを出そうとしています。"}
    assert sleeper.exceptions == client.exceptions == []
    finishes = [[info.ranking for info in said.player_info] for said in watcher.heard if said.kind == "Finish"]  # type: ignore[union-attr]
    assert finishes == [item["finish"]["ranks"] for _, item in record.items if "finish" in item]
    shown = {info.name for said in watcher.heard if said.kind == "Thinking" for info in said.player_info}  # type: ignore[union-attr]
    assert f"Mortal{AWAY}" in shown and "Mortal" in shown


@pytest.mark.long
def test_the_same_series_in_process_and_over_websockets_has_the_same_record(tmp_path: Path) -> None:
    table = rules("B", series__rounds="2")
    bots: list[Player] = [DaifugoWeakest(), DaifugoGreedy(), Dice(seed=3), DaifugoGreedy(), Dice(seed=5)]
    again: list[Player] = [DaifugoWeakest(), DaifugoGreedy(), Dice(seed=3), DaifugoGreedy(), Dice(seed=5)]
    names = [f"p{seat}" for seat in range(5)]
    with house_of(table, folder=tmp_path) as house:
        for seat, bot in enumerate(bots):
            Client(house.url(f"/play/B/B-02?name=p{seat}"), table, bot).started()
            house.seated("B-02", seat + 1)
        assert house.room("B-02").wait(PATIENCE)
    game = DaifugoGame(table, deals_from("7|B-02", 0, 5), names)
    head, path = header_of(game, "7|B-02", 0, ""), tmp_path / "inside.jsonl"
    journal = JournalWriter(path, head, lines_of, reply, secrets=SECRETS)
    Judge(game, again, watches=[journal]).run()
    journal.close()
    assert timeless(next(tmp_path.glob("B-02-*.jsonl"))) == timeless(tmp_path / "inside.jsonl")


def timeless(path: Path) -> list[object]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if not line.startswith('{"digest"')]
    for line in lines:
        for answer in line.get("answers", []):
            del answer["used"]
            answer.pop("allowed", None)
            answer.pop("stalled", None)  # of a busy machine
            answer.pop("cpu", None)
    return lines


# --- one table, by hand


def test_bad_plays_earn_the_documented_exception_and_change_nothing() -> None:
    """§5.2: the sender alone is told, and may try again."""
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a:
        assert a.refused({"Kind": "Put", "Cards": "S3"}) == NOT_BEGUN
        assert a.refused({"Kind": "Put", "Cards": ""}) == NOT_BEGUN  # hangs the original (§7.1 #4)
        with house.guest("/play/A/R?name=b") as b:
            first, second = begun(house, a, b)
            hand = first.heard[-1]["Deck"].split()
            strange = second.heard[-1]["Deck"].split()[0]
            wrong = {
                "": "親なのでパスできません。",
                strange: "手札にないカードを出そうとしています。",
                f"{hand[0]} {strange}": "手札にないカードを出そうとしています。",
                f"{hand[0]} {hand[0]}": "手札にないカードを出そうとしています。",
                f"{hand[0]} {hand[-2]}": "数字が異なるカードが含まれています。",
                "Q7": "Unknown Suit.",
            }
            for cards, said in wrong.items():
                assert first.refused({"Kind": "Put", "Cards": cards}) == said
            assert first.refused({"Kind": "Jump"}).startswith("Kindが不明です")
            assert first.refused("{") == "JSONオブジェクトではありません"
            assert first.refused({"Kind": "Start"}) == RUNNING
            assert second.refused({"Kind": "Put", "Cards": ""}) == "手番が違います。"
            assert [message["Kind"] for message in second.heard].count("CardsArePut") == 0
            first.put(hand[-1])
            first.put(hand[-3])  # §7.1 #3: one answer for each turn
            assert first.until("Exception")["Message"] == "手番が違います。"
            assert second.until("ProcessTurn")["Ba"] == [hand[-1]]
            assert second.refused({"Kind": "Put", "Cards": "C3" if "C3" in second.heard[-1]["Deck"] else "D3"}) in (
                "強いカードではありません。",
                "手札にないカードを出そうとしています。",
            )


def test_cards_are_shown_in_the_order_in_which_they_were_sent() -> None:
    """§4.1, §7.2: 場 in the sender's order, spaces normalised."""
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a, house.guest("/play/A/R?name=b") as b:
        first, second = begun(house, a, b)
        hand = first.heard[-1]["Deck"].split()
        pair = next((y, x) for x, y in itertools.pairwise(hand) if x[1] == y[1] and "JK" not in (x, y))
        first.put("".join(pair))
        shown = second.until("ProcessTurn")
        assert shown["Ba"] == [" ".join(pair)] and shown["History"][0].endswith(f"[{' '.join(pair)}]")


def test_a_late_answer_is_not_used_and_the_weakest_card_is_led_instead() -> None:
    """§5.3, §7.1 #7: the original waits for ever. The seat says by a Tweet that its time was over."""
    with (
        house_of(SHORT, limit=0.1) as house,
        house.guest("/play/A/R?name=a") as a,
        house.guest("/play/A/R?name=b") as b,
    ):
        first, second = begun(house, a, b)
        asked = first.heard[-1]
        assert second.until("CardsArePut")["Ba"] == [asked["Deck"].split()[0]]
        assert second.until("Tweet") == {"Kind": "Tweet", "Message": TIMED_OUT, "PlayerNum": asked["Teban"]}
        kinds = [message["Kind"] for message in second.heard]
        assert kinds[-2:] == ["CardsArePut", "Tweet"]
        assert first.refused({"Kind": "Put", "Cards": asked["Deck"].split()[1]}) == "手番が違います。"


def test_who_is_away_is_not_waited_for_and_is_told_all_when_he_comes_back() -> None:
    """§2.3: the seat plays defaults at once; the last message is sent again to who comes back."""
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a:
        with house.guest("/play/A/R?name=b") as b:
            first, _ = begun(house, a, b)
        if first is b:
            shown = a.until("ProcessTurn")  # b's turn runs on and ends in its time at the latest: see the limit
        else:  # a turn of b that begins before b is seen to be gone would run to its limit
            wait_until(lambda: any(chair.shown == f"b{AWAY}" for chair in house.room("R").chairs))
            a.put(a.heard[-1]["Deck"].split()[0])
            shown = a.until("ProcessTurn")
        assert any(info["Name"] == f"b{AWAY}" for info in shown["PlayerInfo"])
        with house.guest("/play/A/R?name=b") as back:
            message = back.next()
            assert message["YourNum"] == 1 and message["History"] == shown["History"]


def test_start_fills_the_seats_with_computer_players_and_begins_the_next_series() -> None:
    """§3.1, §8."""
    table = rules("A", "neof5", series__rounds="1")
    with house_of(table) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        names = [info["Name"] for info in a.until("Start")["PlayerInfo"]]
        assert names == ["a", "COM1", "COM2", "COM3", "COM4"]
        ranks = [info["Ranking"] for info in a.play_on()["PlayerInfo"]]
        assert house.room("R").wait(PATIENCE)
        a.say({"Kind": "Start"})
        assert [info["Ranking"] for info in a.until("Start")["PlayerInfo"]] == ranks  # series.carry
        assert a.until("CardSwapped")["History"] == []


def test_without_carry_a_new_series_begins_with_everybody_equal() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a:
        for _ in range(2):
            a.say({"Kind": "Start"})
            assert [info["Ranking"] for info in a.until("Start")["PlayerInfo"]] == [0, 0]
            a.play_on()
            assert house.room("R").wait(PATIENCE)


def test_spectators_see_no_hand_and_nothing_that_is_for_players() -> None:
    """§2.4. Nobody is waited for who only looks on, and what he says is ignored. A player may look on as well."""
    with (
        house_of(SHORT, operator_token="boss") as house,
        house.guest("/play/A/R?name=a") as a,
        house.guest("/monitor/R") as watcher,
        house.guest("/monitor/R?token=boss") as operator,
    ):
        watcher.say({"Kind": "Start"})
        with house.guest("/play/A/R?name=b") as b:
            first, second = begun(house, a, b)
            first.put(first.heard[-1]["Deck"].split()[0])
            shown = watcher.until("CardsArePut")
            assert "Deck" not in shown and shown["YourNum"] == 0 and shown["AllDeck"] == ["", ""]
            assert all(operator.until("CardsArePut")["AllDeck"])
            a.say({"Kind": "Tweet", "Message": "やあ"})
            assert [guest.until("Tweet")["PlayerNum"] for guest in (a, b, watcher)] == [0, 0, 0]
            assert {"ProcessTurn", "Exception"}.isdisjoint(message["Kind"] for message in watcher.heard)
            for token, key in (("", ""), ("?token=boss", "hand")):
                with house.guest(f"/monitor/R{token}") as late:
                    assert any(late.next()["AllDeck"]) is bool(key)
            assert second.heard


def test_hands_are_shown_when_the_round_is_over() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a, house.guest("/monitor/R") as watcher:
        a.say({"Kind": "Start"})
        a.play_on()
        assert any(watcher.until("Finish")["AllDeck"])
        assert len(watcher.heard) > 10
        assert not any(any(message["AllDeck"]) for message in watcher.heard[:-1])


def test_a_wrong_token_shows_nothing() -> None:
    for token in ("boss", ""):
        with house_of(SHORT, operator_token=token) as house, house.guest("/play/A/R?name=a"):
            house.seated("R", 1)
            with house.guest("/monitor/R?token=Boss") as stranger:
                assert stranger.closed()[0] == 1008 and stranger.heard == []


def test_at_an_open_table_everybody_who_looks_on_sees_all_hands() -> None:
    """As at neof5's tournament."""
    with (
        house_of(SHORT, open_hands=True) as house,
        house.guest("/play/A/R?name=a") as a,
        house.guest("/monitor/R") as watcher,
        house.guest("/play/A/R?name=b") as b,
    ):
        begun(house, a, b)
        assert all(watcher.until("Thinking")["AllDeck"])


# --- who is not let in


def test_who_cannot_be_let_in_is_told_why() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a, ExitStack() as stack:
        house.seated("R", 1)
        for path, said in {
            "/play/C/R?name=x": "class 'C' is unknown; allowed are A and B",
            "/play/a/R?name=x": "class 'a' is unknown; allowed are A and B",
            "/play/A/R_1?name=x": "room 'R_1' is not a valid name",
            "/play/A/?name=x": "room '' is not a valid name",
            "/play/B/R?name=x": "room R plays class A",
            "/nowhere": "there is no /nowhere; allowed are /play/{A|B}/{RoomID}",
        }.items():
            with house.guest(path) as guest:
                assert guest.next()["Message"].startswith(said)
                assert guest.closed()[0] == 1000
        with house.guest("/monitor/none") as guest:
            assert guest.closed() == (1000, "")
        with house.guest("/play/A/R?name=b") as b:
            house.seated("R", 2)
            late = stack.enter_context(house.guest("/play/A/R?name=c"))
            assert late.next() == {"Kind": "Exception", "Message": CLOSED}
            assert late.closed()[0] == 1000
            begun(house, a, b)


def test_the_neof5_preset_closes_a_full_room_without_a_word() -> None:
    """§2.2."""
    table = rules("A", "neof5", game__seats="2")
    with house_of(table) as house, house.guest("/play/A/R?name=a"), house.guest("/play/A/R?name=b"):
        house.seated("R", 2)
        with house.guest("/play/A/R?name=c") as late:
            assert late.closed() == (1000, "") and late.heard == []


def test_a_name_may_be_missing_or_anything() -> None:
    """§2.3: names need not be unique."""
    with house_of(rules("A", game__seats="3")) as house:
        for number, query in enumerate(("", "?name=%E7%8C%AB%22", f"?name={'x' * 100}")):
            client = Client(house.url(f"/play/A/R{query}"), rules("A", game__seats="3"))
            client.started()
            house.seated("R", number + 1)
        assert [chair.name for chair in house.room("R").chairs] == ["", '猫"', "x" * 32]


def test_who_goes_too_far_is_disconnected_and_may_come_back() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a, house.guest("/play/A/R?name=b") as b:
        begun(house, a, b)
        with suppress(ConnectionClosed):
            for _ in range(2000):
                b.say({"Kind": "Tweet", "Message": "!"})
        assert b.closed()[0] == 1008
        with house.guest("/play/A/R?name=b") as back:
            assert back.next()["YourNum"] == 1


def test_closing_ends_a_series_and_leaves_no_thread(tmp_path: Path) -> None:
    """The record stays, and verifies as far as it goes."""
    before = threads()
    with (
        house_of(SHORT, folder=tmp_path) as house,
        house.guest("/play/A/R?name=a") as a,
        house.guest("/play/A/R?name=b") as b,
    ):
        begun(house, a, b)
        house.rooms.close()
        assert a.closed()[0] == b.closed()[0] == 1001
    wait_until(lambda: threads() <= before)
    record = load(next(tmp_path.glob("R-*.jsonl")))
    done = verify(record, record.rules)
    assert done.difference is None and not done.complete


def test_a_full_disk_costs_the_record_and_the_room_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close = OpenDaifugo.close

    def full(opened: OpenDaifugo, result: Result | None) -> None:
        close(opened, result)
        raise BadInput("the journal cannot be written: No space left on device")

    monkeypatch.setattr(OpenDaifugo, "close", full)
    with house_of(SHORT, folder=tmp_path) as house, house.guest("/play/A/R?name=a") as a:
        for _ in range(2):
            a.say({"Kind": "Start"})
            a.play_on()
            assert house.room("R").wait(PATIENCE)
