"""mjai as bots of mjai.app and Mortal read it: ids, batches, replies, a riichi in two steps, three players."""

import json
from typing import Any

import pytest

from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import PlayerUnreadable
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialect import Dialect, Heard
from jantaku.table.languages.wire.dialects import dialects_of
from jantaku.table.languages.wire.mjai import Mjai, MjaiActions, MjaiLines, MjaiLinesActions
from jantaku.table.riichi import actions, events, ruleset
from jantaku.table.riichi.actions import KYUUSHU, NOTEN, PASS, RON, TENPAI, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.pieces.melds import ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.notation import parse_tile
from tests.kit.cases import cases, kept_cases
from tests.languages.wire.driving import MAJIANG, ask, game_of, question, tell
from tests.languages.wire.test_both_ways import Listed, Spy, played, read_back

START = events.HanchanStart(("a", "b", "c", "d"), 1, MAJIANG, 2)
"""Player 2 of a game that player 1 deals first: mjai's player 1."""
HANDS = (None, tuple(range(13)), None, None)
DEAL = events.KyokuStart(1, 0, 0, 0, 0, (25000, 26000, 24000, 25000), parse_tile("p9"), HANDS)

RIICHI = (Discard(0, riichi=True), Discard(1, tsumogiri=True, riichi=True), Discard(0), Discard(1, tsumogiri=True))


def m(text: str) -> int:
    return parse_tile(text)


def began(dialect: Dialect) -> Dialect:
    tell(dialect, START)
    greeting = dialect.greet()
    if greeting is not None:
        next(greeting)
        with pytest.raises(StopIteration):
            greeting.send(Heard(b'{"type":"none"}', dialect.due))
    tell(dialect, DEAL)
    return dialect


def messages(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def flushed(dialect: Dialect, *happened: events.Event) -> list[Any]:
    """What is sent when the seat is asked about the last of `happened`."""
    assert tell(dialect, *happened) == b"", "it waits until there is a question"
    return messages(next(dialect.ask(question(RON, PASS))))


def test_ids_count_from_the_first_dealer() -> None:
    ((start,),) = messages(tell(Mjai(), START))
    assert (start["type"], start["id"], start["names"]) == ("start_game", 1, ["b", "c", "d", "a"])
    assert (start["kyoku_first"], start["aka_flag"]) == (0, True)


def test_the_deal_hides_the_other_hands_and_counts_by_id() -> None:
    dialect = began(Mjai())
    ((deal, tsumo),) = flushed(dialect, events.Draw(1, m("m0")))
    assert deal == {
        "type": "start_kyoku",
        "bakaze": "E",
        "dora_marker": "9p",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "scores": [25000, 26000, 24000, 25000],
        "num_players": 4,
        "tehais": [["?"] * 13, [*(f"{n}m" for n in range(1, 10)), "1p", "2p", "3p", "4p"], ["?"] * 13, ["?"] * 13],
    }
    assert tsumo == {"type": "tsumo", "actor": 1, "pai": "5mr"}


def test_another_kyoku_turns_the_seats_and_not_the_ids() -> None:
    dialect = Mjai()
    deal = events.KyokuStart(2, 0, 1, 2, 1, (1, 2, 3, 4), 0, (tuple(range(13)), None, None, None))
    tell(dialect, START, deal)
    ((start, tsumo),) = flushed(dialect, events.Draw(0, 5))
    assert (start["kyoku"], start["oya"], start["scores"], start["honba"]) == (2, 1, [4, 1, 2, 3], 2)
    assert tsumo["actor"] == 1 and start["tehais"][1][0] == "1m"


def test_one_line_holds_all_that_has_happened_and_is_replied_to_once() -> None:
    dialect = began(Mjai())
    due = dialect.due
    (batch,) = flushed(dialect, events.Draw(0, None), events.TileDiscard(0, m("p8"), tsumogiri=True))
    assert [line["type"] for line in batch] == ["start_kyoku", "tsumo", "dahai"] and dialect.due == due + 1
    assert batch[1]["pai"] == "?" and batch[2] == {"type": "dahai", "actor": 0, "pai": "8p", "tsumogiri": True}


def test_line_by_line_only_the_event_that_is_asked_about_can_be_acted_on() -> None:
    dialect = began(MjaiLines())
    assert dialect.due == 0 and dialect.greet() is None
    lines = flushed(dialect, events.Draw(0, None), events.TileDiscard(0, m("p8"), riichi=True))
    assert [line["type"] for line in lines] == ["start_kyoku", "tsumo", "reach", "dahai"]
    assert [line.get("can_act", True) for line in lines] == [False, False, False, True] and dialect.due == 1


def test_the_end_of_a_kyoku_and_of_the_game_are_lines_of_their_own() -> None:
    dialect = began(Mjai())
    draw = events.Ryukyoku(events.DrawReason.SUUFON, (None,) * 4)
    assert tell(dialect, events.Draw(0, None), draw) == b""
    (last,) = messages(tell(dialect, DEAL))
    assert [line["type"] for line in last][-2:] == ["ryukyoku", "end_kyoku"]
    assert last[-2]["reason"] == "sufonrenta" and last[-2]["tehais"][0][0] == "?"
    end = messages(tell(dialect, draw, events.HanchanEnd((1, 2, 3, 4), (4, 3, 2, 1), (0, 0, 0, 0))))
    assert [line["type"] for line in end[0]] == ["start_kyoku", "ryukyoku", "end_kyoku"]
    assert end[1] == [{"type": "end_game", "scores": [2, 3, 4, 1]}]


def test_dora_comes_where_the_stream_has_it() -> None:
    """Specs 4.2: a daiminkan's indicator after the rinshan draw and before the discard."""
    dialect = began(Mjai())
    meld = daiminkan(m("m1"), 2, 0, 0, 0)
    (batch,) = flushed(
        dialect,
        events.Draw(0, None),
        events.TileDiscard(0, 0),
        events.MeldCall(2, meld),
        events.Draw(2, None, rinshan=True),
        events.Dora(m("z1")),
        events.TileDiscard(2, m("p1")),
    )
    kinds = [line["type"] for line in batch][3:]
    assert kinds == ["daiminkan", "tsumo", "dora", "dahai"]
    assert batch[3] == {"type": "daiminkan", "actor": 2, "target": 0, "pai": "1m", "consumed": ["1m"] * 3}


def test_a_riichi_that_is_not_offered_is_an_action_that_is_not_offered() -> None:
    dialect = began(Mjai())
    tell(dialect, events.Draw(1, 1))
    options = (Discard(0), Discard(1, tsumogiri=True))
    _, action = ask(dialect, question(*options), b'{"type":"reach","actor":1}')
    assert isinstance(action, Discard) and action.riichi and action not in options


# --- replies

TURN = (Discard(0), Discard(1, tsumogiri=True))
REACTION = (RON, PASS)
PON = pon(m("s9"), 1, m("s9"), m("s9"))


@cases(
    "reply, options, action",
    ({"type": "none"}, REACTION, PASS),
    ({"type": "dahai", "pai": "1m", "tsumogiri": False, "meta": {"q": 1}}, TURN, Discard(0)),
    ({"type": "dahai", "pai": "P", "tsumogiri": True}, TURN, Discard(m("z5"), tsumogiri=True)),
    ({"type": "hora", "target": 1}, TURN, TSUMO),
    ({"type": "hora", "target": 0, "pai": "5mr"}, REACTION, RON),
    ({"type": "ryukyoku"}, (KYUUSHU, *TURN), KYUUSHU),
    ({"type": "chi", "target": 0, "pai": "2m", "consumed": ["1m", "3m"]}, REACTION, Call(chi(1, 0, 2))),
    (
        {"type": "pon", "target": 3, "pai": "5p", "consumed": ["5pr", "5p"]},
        REACTION,
        Call(pon(m("p5"), 2, m("p0"), m("p5"))),
    ),
    (
        {"type": "daiminkan", "target": 0, "pai": "E", "consumed": ["E", "E", "E"]},
        REACTION,
        Call(daiminkan(27, 3, 27, 27, 27)),
    ),
    ({"type": "ankan", "consumed": ["E"] * 4}, TURN, Kan(ankan(27, 27, 27, 27))),
    ({"type": "kakan", "pai": "9s", "consumed": ["9s"] * 3}, (Kan(kakan(PON, 26)), *TURN), Kan(kakan(PON, 26))),
)
def test_a_reply_means_what_the_protocol_says(reply: Any, options: Any, action: actions.RiichiAction) -> None:
    dialect = began(Mjai())
    tell(dialect, events.Draw(1, 1))
    line = json.dumps({**reply, "actor": 1}).encode()
    assert ask(dialect, question(*options), line)[1] == action


def test_a_kakan_without_its_pon_is_the_one_that_is_offered() -> None:
    offered = Kan(kakan(PON, 26))
    _, action = ask(began(Mjai()), question(offered, *TURN), b'{"type":"kakan","actor":1,"pai":"9s"}')
    assert action == offered


@cases(
    "said, kept",
    ({"meta": {"q": [1, 2.5], "note": "x\u2028"}}, {"q": [1, 2.5], "note": "x\u2028"}),
    ({"log": "thought long"}, "thought long"),
    ({"log": None}, None),
    ({"comment": 1}, None),
)
@pytest.mark.parametrize("kind", [Mjai, MjaiLines])
def test_what_is_said_besides_is_kept_for_this_answer(kind: Any, said: Any, kept: Any) -> None:
    dialect = began(kind())
    tell(dialect, events.Draw(1, 1))
    ask(dialect, question(*TURN), json.dumps({"type": "dahai", "pai": "1m", "tsumogiri": False, **said}).encode())
    assert dialect.meta == kept
    tell(dialect, events.TileDiscard(1, 0), events.Draw(1, 2))
    ask(dialect, question(*TURN), b'{"type":"dahai","pai":"1m","tsumogiri":false}')
    assert dialect.meta is None, "that of an earlier answer is forgotten"


def test_what_is_said_with_the_discard_of_a_riichi_is_added_to_what_its_reach_says() -> None:
    dialect = began(Mjai())
    tell(dialect, events.Draw(1, 13))
    reach = b'{"type":"reach","actor":1,"meta":{"q_values":[1]}}'
    discard = b'{"type":"dahai","actor":1,"pai":"1m","tsumogiri":false,"meta":{"q_values":[2]}}'
    ask(dialect, question(Discard(0, riichi=True), Discard(13, tsumogiri=True)), reach, discard)
    assert dialect.meta == {"q_values": [1], "dahai": {"q_values": [2]}}


def test_a_kakan_that_is_not_offered_is_an_action_that_is_not_offered() -> None:
    dialect = began(Mjai())
    _, action = ask(dialect, question(*TURN), b'{"type":"kakan","actor":1,"pai":"9s","consumed":["9s","9s","9s"]}')
    assert action == Kan(kakan(pon(26, 1, 26, 26), 26)), "from nobody knows whom"


@kept_cases("line, why")
def test_what_is_no_reply_is_named(line: str, why: str) -> None:
    with pytest.raises(PlayerUnreadable, match=why):
        ask(began(Mjai()), question(Discard(2), Discard(2, tsumogiri=True), *TURN), line.encode())


@cases(
    "pai, options, action",
    ("1m", TURN, TURN[0]),
    ("2m", TURN, TURN[1]),
    ("3m", TURN, Discard(2)),  # not offered, whatever it means
    ("1m", RIICHI, RIICHI[2]),
)
def test_a_discard_without_tsumogiri_is_the_only_one_that_it_can_be(pai: str, options: Any, action: Discard) -> None:
    line = json.dumps({"type": "dahai", "actor": 1, "pai": pai}).encode()
    assert ask(began(Mjai()), question(*options), line)[1] == action


def test_a_call_without_a_target_is_of_the_last_discard() -> None:
    dialect = began(Mjai())
    tell(dialect, events.TileDiscard(2, 1))
    call = b'{"type":"pon","actor":1,"pai":"2m","consumed":["2m","2m"]}'
    assert ask(dialect, question(*REACTION), call)[1] == Call(pon(1, 1, 1, 1))
    tell(dialect, events.Draw(1, 1))
    assert ask(dialect, question(*TURN), call)[1] not in TURN, "in its own turn it is not offered"


# --- replies of two moves

DISCARD = b'{"type":"dahai","actor":1,"pai":"1m","tsumogiri":false}'


@pytest.mark.parametrize("kind", [Mjai, MjaiLines])
@cases(
    "reply", b'[{"type":"reach","actor":1},%s]' % DISCARD, b'{"type":"reach","actor":1,"pai":"1m","tsumogiri":false}'
)
def test_a_riichi_that_comes_with_its_discard_is_not_asked_for_it(kind: Any, reply: bytes) -> None:
    dialect = began(kind())
    tell(dialect, events.Draw(1, 1))
    _, action = ask(dialect, question(*RIICHI), reply)
    assert action == RIICHI[0]
    sent = flushed(dialect, events.TileDiscard(1, 0, riichi=True), events.Draw(2, None))
    happened = [line for one in sent for line in (one if kind is Mjai else [one])]
    assert [line["type"] for line in happened] == ["reach", "dahai", "tsumo"], "nothing was echoed before"


CHI = b'[{"type":"chi","actor":1,"target":0,"pai":"2m","consumed":["1m","3m"]},%s]' % DISCARD.replace(b"1m", b"4m")


@pytest.mark.parametrize("kind", [Mjai, MjaiLines])
def test_a_call_that_comes_with_its_discard_is_not_asked_for_it(kind: Any) -> None:
    dialect, called = began(kind()), chi(1, 0, 2)
    tell(dialect, events.TileDiscard(0, 1))
    assert ask(dialect, question(Call(called), PASS), CHI)[1] == Call(called)
    tell(dialect, events.MeldCall(1, called))
    due = dialect.due
    assert ask(dialect, question(Discard(3), Discard(5))) == (b"", Discard(3)) and dialect.due == due
    sent = flushed(dialect, events.TileDiscard(1, 3), events.Draw(2, None))
    assert json.dumps(sent).count('"chi"') == 1


def test_a_discard_that_came_with_a_call_which_was_overruled_is_dropped() -> None:
    dialect, called = began(Mjai()), chi(1, 0, 2)
    tell(dialect, events.TileDiscard(0, 1))
    ask(dialect, question(Call(called), PASS), CHI)
    tell(dialect, events.MeldCall(3, pon(1, 3, 1, 1)), events.TileDiscard(3, 9))
    assert ask(dialect, question(RON, PASS), b'{"type":"none"}')[1] == PASS
    tell(dialect, events.MeldCall(1, chi(9, 10, 11)))
    sent, _ = ask(dialect, question(Discard(0), Discard(5)), DISCARD)
    assert sent, "the discard after another call is asked for"


def test_tenpai_is_declared_without_asking() -> None:
    """mjai has no word for it."""
    assert ask(began(Mjai()), question(TENPAI, NOTEN)) == (b"", TENPAI)


# --- what may be replied, on request


def test_what_may_be_replied_is_listed_without_the_discards() -> None:
    """As gimite's server lists it for another's discard: to be sent back as it is."""
    dialect = began(MjaiActions())
    tell(dialect, events.Draw(0, None), events.TileDiscard(0, m("m2")))
    offered = (RON, Call(chi(m("m2"), m("m1"), m("m3"))), Call(pon(m("m2"), 3, m("m2"), m("m2"))), PASS)
    (batch,) = messages(next(dialect.ask(question(*offered))))
    called = {"actor": 1, "target": 0, "pai": "2m"}
    assert batch[-1]["possible_actions"] == [
        {"type": "hora", "actor": 1, "target": 0, "pai": "2m"},
        {"type": "pon", **called, "consumed": ["2m", "2m"]},
        {"type": "chi", **called, "consumed": ["1m", "3m"]},
    ]
    assert not any("possible_actions" in line for line in batch[:-1])


def test_a_riichi_is_listed_once_and_then_the_tiles_that_break_it() -> None:
    dialect = began(MjaiLinesActions())
    tell(dialect, events.Draw(1, 13))
    riichi = (Discard(0, riichi=True), Discard(13, tsumogiri=True, riichi=True))
    talk = dialect.ask(question(TSUMO, *riichi, *map(Discard, range(13)), Discard(13, tsumogiri=True)))
    asked = messages(next(talk))[-1]
    hora = {"type": "hora", "actor": 1, "target": 1, "pai": "5p"}
    assert asked["possible_actions"] == [hora, {"type": "reach", "actor": 1}]
    (echo,) = messages(talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due)))
    held = [*(f"{n}m" for n in range(1, 10)), *(f"{n}p" for n in range(1, 6))]
    assert echo == {"type": "reach", "actor": 1, "cannot_dahai": held[1:-1]}


def test_after_a_call_the_barred_discards_are_listed() -> None:
    dialect = began(MjaiLinesActions())
    call = events.MeldCall(1, chi(m("m4"), m("m2"), m("m3")))
    tell(dialect, events.Draw(0, None), events.TileDiscard(0, m("m4")), call)
    allowed = [Discard(tile) for tile in range(13) if tile not in (1, 2, 3, 0)]
    *_, asked = messages(next(dialect.ask(question(*allowed))))
    assert (asked["type"], asked["cannot_dahai"]) == ("chi", ["1m", "4m"])


@pytest.mark.parametrize("kind", [Mjai, MjaiLines])
def test_reach_is_echoed_and_then_its_discard_is_asked_for(kind: Any) -> None:
    dialect = began(kind())
    tell(dialect, events.Draw(1, 1))
    due = dialect.due
    talk = dialect.ask(question(*RIICHI))
    next(talk)
    echo = talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    reach = {"type": "reach", "actor": 1}
    assert messages(echo) == ([[reach]] if kind is Mjai else [reach]) and dialect.due == due + 2
    with pytest.raises(StopIteration) as answer:
        talk.send(Heard(b'{"type":"dahai","actor":1,"pai":"1m","tsumogiri":false}', dialect.due))
    assert answer.value.value == RIICHI[0]
    (*_, last) = flushed(dialect, events.TileDiscard(1, 0, riichi=True), events.Riichi(1), events.Draw(2, None))
    kinds = [line["type"] for line in last] if kind is Mjai else ["dahai", "reach_accepted", "tsumo"]
    assert kinds == ["dahai", "reach_accepted", "tsumo"], "the echo is not repeated"


def test_another_seats_riichi_is_told_as_a_whole() -> None:
    dialect = began(Mjai())
    (batch,) = flushed(dialect, events.Draw(0, None), events.TileDiscard(0, 3, riichi=True))
    assert [line["type"] for line in batch][2:] == ["reach", "dahai"]


def test_after_a_riichi_that_came_to_nothing_the_kyoku_is_told_again_without_it() -> None:
    """The discard did not come in time, or the record goes on without it: its player must not believe in a riichi. A
    later one is echoed again."""
    dialect = began(Mjai())
    tell(dialect, events.Draw(0, None), events.TileDiscard(0, 3, riichi=True), events.Riichi(0), events.Draw(1, 1))
    talk = dialect.ask(question(*RIICHI))
    ((*_, before),) = [messages(next(talk))]
    talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    talk.close()
    due = dialect.due
    (batch,) = flushed(
        dialect, events.TileDiscard(1, 1, tsumogiri=True), events.Draw(1, 2), events.TileDiscard(1, 0, riichi=True)
    )
    assert batch[: len(before)] == before, "the same words as when it happened"
    assert [line["type"] for line in batch[len(before) :]] == ["dahai", "tsumo", "reach", "dahai"]
    assert dialect.due == due + 1, "it is replied to once"


def test_line_by_line_what_is_told_again_asks_for_nothing() -> None:
    dialect = began(MjaiLines())
    tell(dialect, events.Draw(1, 1))
    talk = dialect.ask(question(*RIICHI))
    next(talk)
    talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    talk.close()
    lines = flushed(dialect, events.TileDiscard(1, 1, tsumogiri=True), events.Draw(2, None), events.TileDiscard(2, 5))
    assert [line["type"] for line in lines] == ["start_kyoku", "tsumo", "dahai", "tsumo", "dahai"]
    assert [line.get("can_act") for line in lines] == [False] * 4 + [None]


def test_after_reach_comes_nothing_but_a_discard() -> None:
    dialect = began(Mjai())
    tell(dialect, events.Draw(1, 1))
    with pytest.raises(PlayerUnreadable, match="after reach comes dahai"):
        ask(dialect, question(*RIICHI), b'{"type":"reach","actor":1}', b'{"type":"none","actor":1}')


RULES = ruleset.resolve("tenhou-3p").rules


@pytest.mark.parametrize("name", dialects_of(3))
def test_a_seat_reads_back_all_that_it_was_told(name: str) -> None:
    kinds = set().union(*(read_back(name, played(RULES, player), player) for player in range(3)))
    assert {events.NorthAside, events.MeldCall, events.Win, events.Ryukyoku, events.Riichi} <= kinds


@pytest.mark.parametrize("name", ["mjai", "mjai-lines"])
def test_every_option_can_be_replied_with(name: str) -> None:
    spies = [Spy(name, seed) for seed in range(3)]
    played(RULES, 29, *spies)
    said = set().union(*(spy.said for spy in spies))
    assert {actions.SetAside, actions.Discard, actions.Call, actions.Pass, actions.Tsumo} <= said


def test_a_north_that_may_be_set_aside_is_listed_and_there_is_no_chi() -> None:
    players = [Listed() for _ in range(3)]
    played(RULES, 29, *players)
    listed = set().union(*(player.listed for player in players))
    assert "nukidora" in listed and "chi" not in listed


@pytest.mark.parametrize("kind", ["nukidora", "kita"])
def test_both_words_for_a_north_are_understood(kind: str) -> None:
    dialect, game = MjaiLines(), game_of("1", RULES)
    for index in range(len(game.events)):
        dialect.tell(game.masked(index, 0))
    put = question(actions.SET_ASIDE, actions.Discard(1))
    _, action = ask(dialect, put, b'{"type":"%s","actor":%d,"pai":"N"}' % (kind.encode(), dialect.me))
    assert action == actions.SET_ASIDE


@pytest.mark.parametrize("said", [actions.SET_ASIDE, actions.Call(chi(1, 2, 3)), actions.Discard(1)])
def test_what_is_not_allowed_is_the_fault_of_the_seat(said: Any) -> None:
    """A north that is not there, chi, and the second of characters."""

    class Forger(Shanten):
        forged = False

        def answer(self, asked: Question) -> Any:
            if not self.forged and said not in asked.options:
                self.forged = True
                return said
            return super().answer(asked)

    seats = Forger(), Shanten(), Shanten()
    result = Judge(game_of("1", RULES), seats, mode="inline").run()
    faults = [{verdict: n for verdict, n in seat.verdicts.items() if verdict != Verdict.OK} for seat in result.seats]
    assert faults == [{Verdict.ILLEGAL: 1}, {}, {}]
