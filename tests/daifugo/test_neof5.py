"""The messages of neof5: the samples of §4.2 byte for byte, the history, requests, and the size (§12.1)."""

import contextlib
import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.cards import CARDS
from jantaku.table.daifugo.events import Board, Step
from jantaku.table.daifugo.game import DaifugoGame
from jantaku.table.daifugo.neof5 import (
    Kind,
    PutRequest,
    Refused,
    StartRequest,
    TweetRequest,
    parse_request,
    snapshot,
    tell,
)
from jantaku.table.ground.errors import BadInput
from tests.daifugo.walk import cards, game_of, history, play, rules
from tests.kit.cases import cases, kept_cases

HANDS = ("C3 C4 H5 S5 D6 S7 C7 D8 CJ DQ CK", "S3 CA SA C5 DA H0 D0 C0 S0 SQ S2", "H6 HA H4 D4 HK")
PLAYS = (
    "S3", "H6", "S7", "", "HA", "", "", "H4 D4", "H5 S5", "CA SA", "", "", "C5", "HK", "", "", "D6", "DA", "",
    "H0 D0 C0 S0", "", "SQ", "C4", "", "C3", "", "C7", "", "D8", "", "CJ", "", "DQ", "", "CK",
)  # fmt: skip
WHOLE = (
    "1-[S3] 2-[H6] 0-[S7] 1-PASS 2-[HA] 0-PASS 1-PASS / 2-[H4 D4] 0-[H5 S5] 1-[CA SA] 2-PASS 0-PASS / 1-[C5] 2-[HK] "
    "2-AGARI 0-PASS 1-PASS / 0-[D6] 1-[DA] 0-PASS / 1-[H0 D0 C0 S0] 0-PASS / 1-[SQ] 0-[C4] 1-PASS / 0-[C3] 1-PASS / "
    "0-[C7] 1-PASS / 0-[D8] 1-PASS / 0-[CJ] 1-PASS / 0-[DQ] 1-PASS / 0-[CK] 0-AGARI"
)
"""The game of §11's TEST 2, from which the samples of §4.2 are."""
NAMES = ("alpha", "beta", "gamma")


@pytest.fixture(scope="module")
def game() -> DaifugoGame:
    played = game_of(rules("A", game__seats="3", series__rounds="1"), *HANDS)
    play(played, *PLAYS)
    return played


def sent(game: DaifugoGame, seat: int | None) -> list[str]:
    """What a seat is sent. Plays stand in the samples as they were sent, not in ascending order."""
    board, found = Board(), []
    for event in game.events:
        for kind in tell(board, event, "once"):
            found.append(snapshot(kind, board, NAMES, seat).decode())
            if kind is Kind.THINKING and board.turn == seat:
                found.append(snapshot(Kind.PROCESS_TURN, board, NAMES, seat).decode())
    return found


def player(name: str, count: int) -> str:
    return f'{{"Name":"{name}","HavingCardCount":{count},"Ranking":0,"OrderOfFinish":0}}'


def test_the_first_messages_are_those_of_the_page_byte_for_byte(game: DaifugoGame) -> None:
    """§4.2: members, their order, no spaces."""
    info = f'"PlayerInfo":[{player("alpha", 0)},{player("beta", 0)},{player("gamma", 0)}]'
    said = sent(game, 0)
    assert said[0] == (
        f'{{"YourNum":0,"Kind":"Start","Teban":0,"IsKakumei":false,{info},"Deck":"","Ba":[],"Yama":"","History":[]}}'
    )
    info = f'"PlayerInfo":[{player("alpha", 5)},{player("beta", 5)},{player("gamma", 5)}]'
    assert said[1] == (
        f'{{"YourNum":0,"Kind":"CardDistributed","Teban":0,"IsKakumei":false,{info},"Deck":"C3 C4 H5 S5 D6","Ba":[],'
        '"Yama":"","History":[]}'
    )
    assert sent(game, None)[1] == (
        f'{{"YourNum":0,"Kind":"CardDistributed","Teban":0,"IsKakumei":false,{info},"AllDeck":["C3 C4 H5 S5 D6",'
        '"S3 CA SA C5 DA","H6 HA H4 D4 HK"],"Ba":[],"Yama":"","History":[]}'
    )


def test_a_process_turn_is_the_one_of_the_page(game: DaifugoGame) -> None:
    """§4.2."""
    info = f'"PlayerInfo":[{player("alpha", 11)},{player("beta", 10)},{player("gamma", 4)}]'
    first = next(text for text in sent(game, 0) if '"ProcessTurn"' in text)
    assert first == (
        f'{{"YourNum":0,"Kind":"ProcessTurn","Teban":0,"IsKakumei":false,{info},"Deck":"C3 C4 H5 S5 D6 C7 S7 D8 CJ DQ '
        'CK","Ba":["S3","H6"],"Yama":"","History":["1-[S3]","2-[H6]"]}'
    )


def test_the_finish_carries_the_new_ranks(game: DaifugoGame) -> None:
    """§4.2, §3.4; the loser's cards are seen by spectators only."""
    last = json.loads(sent(game, 0)[-1])
    assert last["Kind"] == "Finish" and last["IsKakumei"] is True and last["Ba"] == ["CK"]
    assert [(info["Ranking"], info["OrderOfFinish"]) for info in last["PlayerInfo"]] == [(0, 2), (-2, 3), (2, 1)]
    assert json.loads(sent(game, None)[-1])["AllDeck"] == ["", "S2", ""]


def test_the_kinds_come_in_the_documented_order(game: DaifugoGame) -> None:
    """§11: the beginning as seat 0 sees it; §3.2: what follows from a play."""
    kinds = [(message["Kind"], message["Teban"]) for message in map(json.loads, sent(game, 0))]
    assert [kind for kind, _ in kinds[:5]] == ["Start", *["CardDistributed"] * 4]
    assert kinds[4:12] == [
        ("CardDistributed", 1), ("Thinking", 1), ("CardsArePut", 1), ("Thinking", 2), ("CardsArePut", 2),
        ("Thinking", 0), ("ProcessTurn", 0), ("CardsArePut", 0),
    ]  # fmt: skip
    words = [kind for kind, _ in kinds]
    at = words.index("Kakumei")
    assert words[at - 1 : at + 2] == ["CardsArePut", "Kakumei", "Thinking"]
    assert words[-3:] == ["CardsArePut", "Agari", "Finish"]
    assert words.count("Agari") == 2  # never for the last holder


def test_the_history_of_the_self_test_is_the_one_of_the_original(game: DaifugoGame) -> None:
    """§11 TEST 2. Sets are in ascending order where nobody says in which they were sent."""
    ascending = WHOLE.replace("H4 D4", "D4 H4").replace("H0 D0 C0 S0", "C0 D0 H0 S0")
    assert history(game) == ascending
    entries = re.findall(r"\d-\[[^]]*\]|\S+", WHOLE)
    assert neof5.history_texts(neof5.parse_history(entries)) == entries


def test_without_agari_the_history_is_that_of_the_tournament() -> None:
    """§7.3."""
    steps = [Step("play", 2, cards("HK")), Step("agari", 2), Step("play", 0), Step("nagare")]
    assert neof5.history_texts(steps) == ["2-[HK]", "2-AGARI", "0-PASS", "/"]
    assert neof5.history_texts(steps, agari=False) == ["2-[HK]", "0-PASS", "/"]


@given(
    st.lists(
        st.one_of(
            st.just(Step("nagare")),
            st.builds(lambda seat: Step("agari", seat), st.integers(0, 5)),
            st.builds(
                lambda seat, held: Step("play", seat, tuple(held)),
                st.integers(0, 5),
                st.lists(st.integers(0, CARDS - 1), max_size=5, unique=True),
            ),
        )
    )
)
def test_every_history_parses_back_to_itself(steps: list[Step]) -> None:
    assert neof5.parse_history(neof5.history_texts(steps)) == steps


@pytest.mark.parametrize("entry", ["", "PASS", "1-", "1-[]", "1-[XX]", "12-PASS", "1-PASSED", "//"])
def test_what_is_no_entry_of_a_history_is_refused(entry: str) -> None:
    with pytest.raises(BadInput):
        neof5.parse_history(["0-PASS", entry])


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_player_sees_in_a_snapshot_all_that_the_board_holds(game: DaifugoGame, seat: int) -> None:
    board = Board()
    for event in game.events:
        for kind in tell(board, event, "once"):
            shown = neof5.parse_message(snapshot(kind, board, NAMES, seat))
            assert isinstance(shown, neof5.Snapshot)
            seen = neof5.board_of(shown)
            assert seen.hands[seat] == board.hands[seat] and seen.trick == board.trick and seen.pile == board.pile
            assert (seen.revolution, seen.ranks, seen.places) == (board.revolution, board.ranks, board.places)
            assert seen.history == board.history and seen.turn == board.turn


@cases(
    "text, request_",
    ('{"Kind":"Put","Cards":"S3 D3"}', PutRequest(cards("S3 D3"))),
    ('{"Cards":"S3D3","Kind":"Put"}', PutRequest(cards("S3 D3"))),
    ('{"Kind":"Put","Cards":""}', PutRequest(())),
    ('{"Kind":"Put","Cards":"H1 JK"}', PutRequest(cards("HA JK"))),
    ('{"Kind":"Tweet","Message":"こんにちわ。"}', TweetRequest("こんにちわ。")),
    ('{"Kind":"Start"}', StartRequest()),
    ('{"Kind":"Start","More":[1]}', StartRequest()),
)
def test_requests_are_understood(text: str, request_: Any) -> None:
    """§5.1."""
    assert parse_request(text) == request_


@kept_cases(
    "text, said",
    ("[" * 100_000, "JSONオブジェクトではありません"),
    ('{"Kind":"\ud800"}', "JSONオブジェクトではありません"),
)
def test_what_cannot_be_understood_has_its_exception(text: str, said: str) -> None:
    """§5.2, §7.1 #15."""
    with pytest.raises(Refused) as refused:
        parse_request(text)
    assert str(refused.value).startswith(said)


@given(st.text())
def test_no_text_of_a_player_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(Refused):
        parse_request(text)


def test_tweets_and_exceptions_are_the_ones_of_the_page() -> None:
    """§4.1, §4.2."""
    assert neof5.tweet("こんにちわ。", 0).decode() == '{"Kind":"Tweet","Message":"こんにちわ。","PlayerNum":0}'
    text = '{"Kind":"Exception","Message":"強いカードではありません。"}'
    assert neof5.exception("強いカードではありません。").decode() == text


def test_the_longest_message_stays_below_what_a_real_client_bears() -> None:
    """§12.1: 53 plays of one card with five passes after each, six long names that JSON has to escape."""
    board = Board()
    board.sit(6)
    for card in range(CARDS):
        board.history += [Step("play", 0, (card,)), *(Step("play", seat) for seat in range(1, 6)), Step("nagare")]
    board.history += [Step("agari", seat) for seat in range(6)]
    board.pile = list(range(CARDS))
    for name in ("\u732b" * 200, '"' * 200, "\x01" * 200):
        assert len(snapshot(Kind.FINISH, board, [name] * 6, None)) < neof5.LONGEST
    assert len(neof5.tweet("\x01" * 5000, 5)) < neof5.LONGEST


def test_a_message_that_is_none_is_refused_by_the_client() -> None:
    for text in ("", "3", '{"Kind":"Thinking"}', '{"Kind":"Tweet"}'):
        with pytest.raises(BadInput, match="not a message of neof5"):
            neof5.parse_message(text)
    board = Board()
    board.sit(1)
    shown = neof5.parse_message(json.dumps({**json.loads(snapshot(Kind.PROCESS_TURN, board, ["a"], 0)), "YourNum": 9}))
    assert isinstance(shown, neof5.Snapshot)
    with pytest.raises(BadInput, match="not a message of neof5: YourNum is 9"):
        neof5.board_of(shown)
    assert msgspec.json.decode(neof5.put(cards("S3 H3"))) == {"Kind": "Put", "Cards": "S3 H3"}
