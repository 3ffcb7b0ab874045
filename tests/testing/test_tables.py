"""What a bot's author writes: seat it, spoil it, ask it about a position."""

import re
import threading
from typing import Any

import pytest

from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question, Verdict, remote_of
from jantaku.table.judge.turn.discard import DiscardEvent
from jantaku.table.riichi.actions import DISCARDS, SET_ASIDE
from jantaku.table.testing import crashing, slow, stuck
from jantaku.table.testing.hampered import release_all
from jantaku.table.testing.tables import PlayedBotGame, Tables
from tests.check.exam.defective import SwapsWhatItCalled
from tests.kit.cases import cases, kept_cases

TENPAI = "m123456789p11s78"


def test_a_sound_bot_is_sound(jantaku_table: Tables) -> None:
    played = jantaku_table(Shanten(), "tsumogiri", "caller", limit=None)
    played.assert_sound()
    played.assert_verdicts("ok")
    played.assert_within(60)
    assert played.names == ("Shanten", "tsumogiri-1", "caller-2", "dice-3")
    assert [answer.seat for answer in played.of(0)] == [0] * played.verdicts()[Verdict.OK]


@cases(
    "words, events, threads",
    ({}, 1, 4),
    ({"threads": "per-turn"}, 1, 4),
    ({"threads": "resident"}, 0, 0),
    ({"threads": "inline"}, 0, 0),
)
def test_a_table_plays_every_turn_around_an_event_unless_another_mode_is_wanted(
    jantaku_table: Tables, monkeypatch: pytest.MonkeyPatch, words: dict[str, str], events: int, threads: int
) -> None:
    """S-40: an event and four threads a turn. Every mode plays the same game."""
    made: list[int] = []
    make, started = DiscardEvent.__init__, list[str]()

    def making(event: DiscardEvent, turn: int, act: Any) -> None:
        made.append(turn)
        make(event, turn, act)

    def starting(thread: threading.Thread) -> None:
        if re.fullmatch(r"T1-s\d-t\d+", thread.name):
            started.append(thread.name)
        start(thread)

    start = threading.Thread.start
    monkeypatch.setattr(DiscardEvent, "__init__", making)
    monkeypatch.setattr(threading.Thread, "start", starting)
    played = jantaku_table(Shanten(), limit=None, **words)  # type: ignore[arg-type]
    turns = played.result.turns
    assert turns > 10 and (len(made), len(started)) == (turns * events, turns * threads)
    assert played.game.events[-1] == jantaku_table(Shanten(), limit=None).game.events[-1]


def test_a_mode_that_there_is_not_and_a_clock_without_threads_are_refused(jantaku_table: Tables) -> None:
    with pytest.raises(BadInput, match="threads: 'fast' is not known; allowed are per-turn, resident, inline"):
        jantaku_table(Shanten(), threads="fast")
    with pytest.raises(BadInput, match="inline cannot keep a clock"):
        jantaku_table(Shanten(), threads="inline")


def test_the_margin_is_named_where_a_limit_has_run_out(jantaku_table: Tables) -> None:
    played = jantaku_table(stuck(Shanten()), limit=0.05, margin=0.1)
    said = r"silent after \d+\.\d\d s of 0\.05 s and a margin of 0\.10 s, played "
    with pytest.raises(AssertionError, match=said):
        played.assert_sound()


def test_a_stuck_bot_is_cut_off_and_harms_nobody(jantaku_table: Tables) -> None:
    played = jantaku_table(stuck(Shanten(), after=2), limit=0.5, margin=0.0)
    played.assert_cut_off(after=0.5)
    assert played.of(0)[0].verdict.good
    assert played.result.left_behind == ("T1-s0-t5",)
    assert played.names[0] == "stuck Shanten"
    release_all()
    for thread in threading.enumerate():
        if thread.name == "T1-s0":
            thread.join(10)
            assert not thread.is_alive()


def test_a_crashing_bot_is_gone_from_the_question_on_at_which_it_crashes(jantaku_table: Tables) -> None:
    played = jantaku_table(crashing(Shanten(), KeyError("m0"), after=1), limit=None)
    assert [answer.verdict for answer in played.of(0)][:2] == ["ok", "gone"]
    assert "KeyError: 'm0'" in played.of(0)[1].reason
    played.assert_verdicts("ok", "gone")
    for seat in (1, 2, 3):
        played.assert_sound(seat)


def test_the_same_seed_plays_the_same_game(jantaku_table: Tables) -> None:
    first, again, other = (jantaku_table(Shanten(), limit=None, seed=seed) for seed in (3, 3, 4))
    assert first.game.events == again.game.events
    assert first.game.events != other.game.events


class Nonsense(Tsumogiri):
    def answer(self, question: Question) -> Action:
        return "m1"


def refused(played: PlayedBotGame, name: str, *words: object) -> str:
    with pytest.raises(AssertionError) as refusal:
        getattr(played, name)(*words)
    return str(refusal.value)


def test_a_failed_assertion_says_who_what_how_often_and_why(jantaku_table: Tables) -> None:
    played = jantaku_table(Nonsense(), limit=5)
    count = len(played.of(0))
    text = refused(played, "assert_sound")
    assert text.startswith(
        f"seat 0 (Nonsense) has a verdict that is not ok or ok_margin in {count} of {count} questions:\n"
    )
    assert ": malformed after 0.0" in text
    assert "s of 5.00 s and a margin of 0.10 s, played " in text
    assert "'m1' is not an action of this game" in text
    assert text.endswith(f"  … and {count - 5} more")


def test_each_assertion_fails_where_it_should(jantaku_table: Tables) -> None:
    good = jantaku_table(Shanten(), limit=60)
    assert "was never cut off" in refused(good, "assert_cut_off", 60)
    assert "another limit than 0.2 s" in refused(good, "assert_cut_off", 0.2)
    assert "more than -1 s" in refused(good, "assert_within", -1)
    assert "a verdict that is not gone" in refused(good, "assert_verdicts", "gone")
    with pytest.raises(ValueError, match="no verdicts: slow; they are cpu, forbidden, gone, illegal"):
        good.assert_verdicts("slow")


def test_harm_to_others_is_not_overlooked(jantaku_table: Tables) -> None:
    played = jantaku_table(stuck(Shanten()), Nonsense(), limit=0.2)
    assert refused(played, "assert_cut_off", 0.2).startswith("seat 1 (Nonsense) has harm from it in")


@pytest.mark.parametrize("players", [[], ["dice"] * 5])
def test_a_table_seats_one_to_four(jantaku_table: Tables, players: list[str]) -> None:
    with pytest.raises(BadInput, match="allowed are 1 to 4"):
        jantaku_table(*players)


def test_a_bot_is_asked_about_a_picture(jantaku_table: Tables) -> None:
    asked = jantaku_table.ask(Shanten(), hands=[TENPAI], draws="s9")
    assert (asked.word, asked.verdict) == ("tsumo", "ok"), asked
    assert "s9_" in asked.options


def test_a_bot_is_asked_after_what_a_script_says(jantaku_table: Tables) -> None:
    """S-77: what was let go in riichi may be drawn."""
    picture = {"hands": ["", TENPAI], "draws": "z1 z1 s9 z2 z3 s6", "hidden": "s69"}
    asked = jantaku_table.ask("shanten", seat="南", script="南z1_* 南pass", **picture)  # type: ignore[arg-type]
    assert asked.options == ("tsumo", "s6_")
    assert asked.word == "tsumo"


def test_an_illegal_answer_to_a_picture_has_no_word_and_says_why(jantaku_table: Tables) -> None:
    """S-50: kuikae."""
    asked = jantaku_table.ask(
        SwapsWhatItCalled(), seat="南", hands=["", "m3456p123s123z112"], draws="m3", script="南m3-45"
    )
    assert (asked.word, asked.verdict, asked.said) == ("", "illegal", "m3")
    assert str(asked).startswith("asked ")
    assert "it said m3 (illegal: " in str(asked)


def test_a_stuck_bot_is_asked_in_vain(jantaku_table: Tables) -> None:
    asked = jantaku_table.ask(stuck(Shanten()), hands=[TENPAI], draws="s9", limit=0.05)
    assert (asked.word, asked.verdict) == ("", "silent")
    assert "it said nothing" in str(asked)


@kept_cases("words, message")
def test_a_picture_or_script_that_cannot_be_is_bad(jantaku_table: Tables, words: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        jantaku_table.ask(Shanten(), **words)  # type: ignore[arg-type]


class FarAway(Tsumogiri):
    stale = 3
    done: tuple[str, ...] = ()

    def start(self, seconds: float | None) -> None:
        self.done += ("start",)

    def close(self) -> None:
        self.done += ("close",)


def test_a_player_elsewhere_stays_one_when_it_is_slowed_down(jantaku_table: Tables) -> None:
    inside = FarAway()
    outside = slow(inside, 0)
    assert remote_of(outside) is inside
    played = jantaku_table(outside, limit=None)
    assert inside.done == ("start", "close")
    assert played.result.seats[0].stale == 3


class Holds(Tsumogiri):
    def answer(self, question: Question) -> Action:
        return DISCARDS[0]


def test_a_slow_bot_answers_as_the_one_inside(jantaku_table: Tables) -> None:
    assert jantaku_table.ask(slow(Holds(), 0.01), hands=["m1"]).word == "m1"


class SetsAsideAnything(Tsumogiri):
    """It says that it sets a north aside, whatever it holds."""

    def answer(self, question: Question) -> Action:
        return SET_ASIDE


def test_three_sit_down_where_the_rules_say_so(jantaku_table: Tables) -> None:
    played = jantaku_table(Shanten(), rules="tenhou-3p", limit=None)
    played.assert_sound()
    assert played.names == ("Shanten", "dice-1", "dice-2")


def test_a_north_that_may_not_be_set_aside_is_that_seats_fault_alone(jantaku_table: Tables) -> None:
    played = jantaku_table(SetsAsideAnything(), "tsumogiri", rules="tenhou-3p", limit=None)
    assert played.verdicts()[Verdict.ILLEGAL] and not played.verdicts(1).get(Verdict.ILLEGAL)
    four = jantaku_table(SetsAsideAnything(), rules="tenhou", limit=None)
    assert set(four.verdicts()) == {Verdict.ILLEGAL}


def test_a_bot_is_asked_whether_it_sets_a_north_aside(jantaku_table: Tables) -> None:
    asked = jantaku_table.ask("shanten", hands=["m19p147s258z12355"], draws="z4", rules="tenhou-3p")
    assert "setaside" in asked.options and asked.word == "setaside"
    with pytest.raises(BadInput, match="allowed are 東, 南, 西"):
        jantaku_table.ask("shanten", seat="北", rules="tenhou-3p")
