"""The scenes show what their words promise, and scripts are read strictly."""

import pytest

from jantaku.players.base import Happening
from jantaku.table.check.exam.items import SCENES, Scene
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.actions import DISCARDS, PASS, RON, TSUMOGIRI, Kan
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.ruleset import preset
from jantaku.table.testing.scripts import Actor, scripts
from tests.check.exam.defective import Sound
from tests.kit.cases import cases


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
    (scene,) = (scene for scenes in SCENES.values() for scene in scenes if scene.about.startswith(about))
    bot = Notes()
    assert scene.play(lambda seed: bot, preset("tenhou"), Clock(), 0).failure is None
    assert bot.before is not None
    return bot.before


@cases("about, events")
def test_the_question_comes_right_after_what_the_scene_is_about(about: str, events: str) -> None:
    """S-55, S-56, S-57, S-61."""
    wanted = events.split()
    assert heard_before_the_question(about)[-len(wanted) :] == wanted


@pytest.mark.parametrize(
    ("about", "events"),
    [
        ("a riichi whose discard", "TileDiscard Win KyokuStart"),
        ("the own kakan is robbed", "OwnKan Win KyokuStart"),
        ("somebody robs", "OwnKan Win KyokuStart"),
        ("two win on the own discard", "TileDiscard Win Win KyokuStart"),
        ("two others win", "TileDiscard Win Win KyokuStart"),
        ("three claim", "TileDiscard Ryukyoku KyokuStart"),
        ("somebody else aborts", "Draw Ryukyoku KyokuStart"),
    ],
)
def test_a_result_is_heard_before_the_question_of_the_next_kyoku(about: str, events: str) -> None:
    """S-36, S-58, S-73, S-87, S-88: no stick, no rinshan tile, every winner."""
    heard, wanted = heard_before_the_question(about), events.split()
    start = len(heard) - heard[::-1].index("KyokuStart")
    assert heard[start - len(wanted) : start] == wanted


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.about for scenes in SCENES.values() for scene in scenes]
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
    assert actor.script.trouble == f"script: the word {word} is not among what the seat may do: m1 m6_"
    assert actor.answer(question) == question.default, "the script has ended there"


@pytest.mark.parametrize("word", ["m1-23", "z555=", "z5555=", "ron", "pass"])
def test_a_word_for_a_reaction_waits_through_own_turns(word: str) -> None:
    actor = Actor(scripts(f"東{word}")[0])
    assert actor.answer(turn(DISCARDS[0], TSUMOGIRI[5])) == TSUMOGIRI[5]
    assert actor.script.trouble == ""


@pytest.mark.parametrize("text", ["m1", "東", "東m1 中m1"])
def test_what_is_no_word_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput, match="is no word; a word is one of 東南西北"):
        scripts(text)
