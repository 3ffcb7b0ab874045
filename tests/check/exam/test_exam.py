"""The exam: sound bots pass, and each of ten seeded defects fails in its own item."""

import pytest

from jantaku.players.broken.stuck import Stuck
from jantaku.table.check.exam.exam import ITEMS, NAMES, WHOLE, Mark, Paper, examine, items_of
from jantaku.table.check.exam.items import SCENES, Maker
from jantaku.table.ground.errors import BadInput, PlayerNotReady
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.riichi.actions import PASS, SET_ASIDE, Ron, Tsumo
from jantaku.table.riichi.pieces.tiles import NORTH
from jantaku.table.riichi.ruleset import PRESETS, preset, with_settings
from tests.check.exam.defective import DEFECTS, Sound

CLOCK = Clock(turn=30, reaction=30)


def marks(make: Maker, *items: str, rules: str = "tenhou", clock: Clock = CLOCK) -> dict[str, Mark]:
    paper = Paper(make, preset(rules), clock, "test", 1, items or ITEMS)
    return {mark.item: mark for mark in examine(paper)}


def failed(found: dict[str, Mark]) -> list[str]:
    return [item for item, mark in found.items() if not mark.passed]


@pytest.mark.parametrize("name", ["shanten", "caller", "dice", "tsumogiri"])
def test_our_bots_pass(name: str) -> None:
    found = marks(bot_maker(name))
    assert tuple(found) == ITEMS
    assert failed(found) == [], found
    assert all(mark.asked for mark in found.values())


@pytest.mark.long
@pytest.mark.parametrize("rules", [name for name in PRESETS if preset(name).game.players == 4])
def test_every_scene_puts_the_question_that_it_is_about_under_every_preset(rules: str) -> None:
    """A scene that comes to another question than it says raises TableFault."""
    assert failed(marks(lambda seed: Sound(), *SCENES[4], rules=rules)) == []


@pytest.mark.parametrize("rules", [name for name in PRESETS if preset(name).game.players == 3])
def test_every_scene_for_three_puts_its_question_under_every_preset_for_three(rules: str) -> None:
    """T-24 to T-37, T-51: norths set aside and won on, the last tile, the lost share."""
    assert failed(marks(lambda seed: Sound(), *SCENES[3], rules=rules)) == []


@pytest.mark.parametrize("name", ["shanten", "caller"])
def test_our_bots_pass_where_three_play(name: str) -> None:
    found = marks(bot_maker(name), *SCENES[3], *WHOLE, rules="tenhou-3p")
    assert failed(found) == [], found
    assert all(mark.asked for mark in found.values())


class SetsAsideWheneverItHoldsANorth(Sound):
    """nuki: looks at its hand and not at what may be done."""

    def defect(self, question: Question) -> Action | None:
        own = PASS not in question.options
        return SET_ASIDE if own and self.hand.counts[NORTH] else None


def test_a_north_set_aside_where_that_is_not_allowed_fails_in_the_item_about_norths() -> None:
    """T-24: not right after a pon."""
    mark = marks(lambda seed: SetsAsideWheneverItHoldsANorth(), "nuki", rules="tenhou-3p")["nuki"]
    assert mark.about == "no north is set aside right after a pon"
    assert mark.failure is not None
    assert (mark.failure.seat, mark.failure.verdict, mark.failure.answer) == ("南", "illegal", "<SetAside>")


def test_items_are_those_of_the_rules() -> None:
    assert items_of(preset("tenhou")) == ITEMS
    assert set(NAMES) == {*ITEMS, *SCENES[3]}
    assert items_of(preset("tenhou-3p"), ("hanchan", "nuki")) == ("nuki", "hanchan")
    with pytest.raises(BadInput, match="--item: nuki is not examined under these rules"):
        items_of(preset("tenhou"), ("nuki",))


@pytest.mark.long
@pytest.mark.parametrize("item", SCENES[4])
def test_a_seeded_defect_fails_in_its_scripted_item_and_in_no_other(item: str) -> None:
    found = marks(lambda seed: DEFECTS[item](seed=seed), *SCENES[4])
    assert failed(found) == [item]
    mark = found[item]
    assert mark.about in {scene.about for scene in SCENES[4][item]}
    assert mark.failure is not None
    assert mark.failure.heard


@pytest.mark.parametrize("item", ["joined", "hanchan"])
def test_a_defect_that_no_single_kyoku_shows_fails_in_a_whole_hanchan(item: str) -> None:
    assert failed(marks(lambda seed: DEFECTS[item](seed=seed), *SCENES[4])) == []
    assert failed(marks(lambda seed: DEFECTS[item](seed=seed), item)) == [item]


def test_ten_items_have_a_defect_each() -> None:
    assert tuple(DEFECTS) == ITEMS
    assert len(ITEMS) == 10


def test_the_failing_exchange_says_what_was_asked_and_what_was_said() -> None:
    """S-50: the called kind may not go."""
    failure = marks(lambda seed: DEFECTS["kuikae"](seed=seed), "kuikae")["kuikae"].failure
    assert failure is not None
    assert (failure.where, failure.seat) == ("東1局0本場", "南")
    assert (failure.verdict, failure.answer) == ("illegal", "<Discard m3>")
    assert "<Discard m3>" not in failure.options
    assert "<Discard z1>" in failure.options
    assert failure.heard[-1] == "<MeldCall 南 chi m3-45>"
    text = "\n".join(failure.lines())
    assert "options  <Discard m4>" not in text  # those tiles are in the meld
    assert "answer   <Discard m3>" in text
    assert "verdict  illegal after" in text


def test_a_fault_while_hearing_names_the_event() -> None:
    failure = marks(lambda seed: DEFECTS["double-ron"](seed=seed), "double-ron")["double-ron"].failure
    assert failure is not None
    assert failure.verdict == "gone"
    assert "RuntimeError: the kyoku is over already" in failure.reason
    assert failure.heard[-1].startswith("<Win ")
    assert failure.options == ()


def test_hidden_tiles_are_hidden_in_the_failing_exchange() -> None:
    failure = marks(lambda seed: DEFECTS["kyuushu"](seed=seed), "kyuushu")["kyuushu"].failure
    assert failure is not None
    draws = [item for item in failure.heard if item.startswith("<Draw ")]
    assert draws
    for draw in draws:
        assert ("hidden" in draw) == (f"<Draw {failure.seat} " not in draw), draw


def test_a_stuck_bot_fails_in_every_item_and_the_exam_comes_to_its_end() -> None:
    """`joined` is left out: there it would have a minute to catch up."""
    bots: list[Stuck] = []

    def make(seed: int) -> Stuck:
        bots.append(Stuck(seed=seed))
        return bots[-1]

    items = [item for item in ITEMS if item != "joined"]
    try:
        found = marks(make, *items, clock=Clock(turn=0.02, reaction=0.02, margin=0.01))
        assert failed(found) == items
        assert {mark.failure.verdict for mark in found.values() if mark.failure} == {"silent"}
        assert len(bots) == len(items), "an item ends with the first exchange that fails"
    finally:
        for bot in bots:
            bot.let_go()


class Claims(Sound):
    def answer(self, question: Question) -> Action:
        return self.find(question, Ron, Tsumo) or question.default


@pytest.mark.parametrize("winners", ["1", "2", "3"])
def test_a_bot_that_claims_every_win_is_paid_for_each_or_loses_it_to_a_nearer_one(winners: str) -> None:
    """S-36, S-43: with 頭ハネ a claim in time may win nothing, and that is nobody's fault."""
    rules = with_settings(preset("tenhou"), {"ron.max_winners": winners, "ron.sanchahou": "false"})
    paper = Paper(lambda seed: Claims(seed=seed), rules, CLOCK, "test", 3, ("furiten", "last-tile", "hanchan"))
    assert all(mark.passed for mark in examine(paper))


class NoSuchProgram(Sound):
    """A player elsewhere that never becomes ready."""

    stale = 0

    def start(self, seconds: float | None) -> None:
        raise PlayerNotReady("the program has ended with exit code 3")

    def close(self) -> None:
        pass


def test_a_player_that_does_not_start_is_bad_input_and_no_failed_item() -> None:
    with pytest.raises(BadInput, match="not ready: the program has ended with exit code 3"):
        marks(lambda seed: NoSuchProgram(), "kan")


def test_a_player_that_starts_once_and_never_again_fails_in_the_item() -> None:
    players = iter([Sound()])
    found = marks(lambda seed: next(players, None) or NoSuchProgram(), "kan")["kan"]
    assert found.failure is not None
    assert (found.parts, found.failure.verdict) == (2, "start_failed")


class Chatters(Sound):
    stale = 2

    def start(self, seconds: float | None) -> None:
        pass

    def close(self) -> None:
        pass


def test_replies_that_answer_nothing_fail_although_every_question_was_answered() -> None:
    failure = marks(lambda seed: Chatters(), "kyuushu")["kyuushu"].failure
    assert failure is not None
    assert failure.verdict == "stale"
    assert "2 replies" in failure.reason


def test_an_exam_with_the_same_seed_asks_the_same_questions() -> None:
    first, again = (marks(lambda seed: Sound(), "joined", "hanchan") for _ in range(2))
    assert [mark.asked for mark in first.values()] == [mark.asked for mark in again.values()]
