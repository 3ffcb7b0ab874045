"""The exam: sound bots pass, each of ten seeded defects fails in its own item, and its scenes show what they
promise."""

import pytest

from jantaku.players.base import Happening
from jantaku.players.broken.stuck import Stuck
from jantaku.table.check.exam.exam import ITEMS, NAMES, WHOLE, Mark, Paper, examine, items_of
from jantaku.table.check.exam.items import SCENES, Maker, Scene
from jantaku.table.ground.errors import BadInput, PlayerNotReady, TableFault
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.riichi.actions import DISCARDS, PASS, RON, SET_ASIDE, TSUMOGIRI, Kan, Ron, Tsumo
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.pieces.tiles import NORTH
from jantaku.table.riichi.ruleset import PRESETS, preset, with_settings
from jantaku.table.testing.scripts import Actor, scripts
from tests.check.exam.defective import DEFECTS, Sound
from tests.kit.cases import kept_cases

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
    """T-24: no north is set aside right after a pon."""
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


class Notes(Sound):
    """Keeps what it had heard when it was asked for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.before: list[str] | None = None

    def hear(self, event: Happening) -> None:
        super().hear(event)
        self.heard.append(type(event).__name__)

    def answer(self, question: Question) -> Action:
        if self.before is None:
            self.before = self.heard[:]
        return question.default


def heard_before_the_question(about: str) -> list[str]:
    (scene,) = (scene for scenes in SCENES[4].values() for scene in scenes if scene.about.startswith(about))
    bot = Notes()
    assert scene.play(lambda seed: bot, preset("tenhou"), Clock(), 0).failure is None
    assert bot.before is not None
    return bot.before


@kept_cases("about, events")
def test_the_question_comes_right_after_what_the_scene_is_about(about: str, events: str) -> None:
    """S-55, S-56, S-57, S-61."""
    wanted = events.split()
    assert heard_before_the_question(about)[-len(wanted) :] == wanted


@kept_cases("about, events")
def test_a_result_is_heard_before_the_question_of_the_next_kyoku(about: str, events: str) -> None:
    """S-36, S-58, S-73, S-87, S-88: no stick, no rinshan tile, every winner."""
    heard, wanted = heard_before_the_question(about), events.split()
    start = len(heard) - heard[::-1].index("KyokuStart")
    assert heard[start - len(wanted) : start] == wanted


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.about for scenes in SCENES[4].values() for scene in scenes]
    assert len(set(names)) == len(names)


def test_a_scene_that_comes_to_another_question_is_our_defect() -> None:
    scene = Scene(about="wrong", seat="東", hands=("m123456789p11s78",), draws="z1", offered="tsumo")
    with pytest.raises(TableFault, match="wrong"):
        scene.play(lambda seed: Sound(), preset("tenhou"), Clock(), 0)


def turn(*options: Action) -> Question:
    return Question(1, 0, Choice(options, options[-1]))


def test_words_of_a_seat_are_said_in_order_each_when_it_is_offered() -> None:
    actor = Actor(scripts("東.*2 東ron 東m1 北m9")[0])
    ankan = Kan(parse_meld("m1111"))
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[5])) == TSUMOGIRI[5]
    assert actor.answer(turn(RON, PASS)) == PASS, "its turn comes first"
    assert actor.answer(turn(ankan, DISCARDS[0], TSUMOGIRI[6])) == TSUMOGIRI[6]
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[7])) == TSUMOGIRI[7], "a ron is waited for"
    assert actor.answer(turn(RON, PASS)) == RON
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[8])) == DISCARDS[0]
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[9])) == TSUMOGIRI[9], "there is no word left"
    assert actor.script.trouble == ""


@pytest.mark.parametrize("word", ["m1111", "z555-5", "m2_", "m1*", "tsumo", "kyuushu"])
def test_a_word_for_the_own_turn_that_is_not_offered_there_is_trouble_and_nobodys_fault(word: str) -> None:
    actor = Actor(scripts(f"東{word} 東m1")[0])
    question = turn(DISCARDS[0], TSUMOGIRI[5])
    assert actor.answer(question) == question.default
    assert actor.script.trouble == f"script: the seat may not do {word}; it may: m1 m6_"
    assert actor.answer(question) == question.default, "the script has ended there"


@pytest.mark.parametrize("word", ["m1-23", "z555=", "z5555=", "ron", "pass"])
def test_a_word_for_a_reaction_waits_through_own_turns(word: str) -> None:
    actor = Actor(scripts(f"東{word}")[0])
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[5])) == TSUMOGIRI[5]
    assert actor.script.trouble == ""


@pytest.mark.parametrize("text", ["m1", "東", "東m1 中m1"])
def test_what_is_no_word_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput, match="is not a word; a word is one of 東南西北"):
        scripts(text)
