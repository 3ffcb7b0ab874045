"""The encoders `mortal-1` to `mortal-3`: mlibriichi's bytes, numbers that come back, arrays that are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.learn.mortal import MortalSeat, actions_of, number_of, planes, second_of
from jantaku.table.learn.mortal.numbers import Offers
from jantaku.table.play.stepped import Hanchan
from jantaku.table.riichi.actions import Call, Discard, Kan, Noten
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.encoders.__main__ import Comparison, SeatWatch
from scripts.encoders.games import BOTS, play

DIGESTS = Path(__file__).parents[1] / "data" / "encoders" / "mlibriichi.json"
"""What mlibriichi says of games of ours, kept by the run of `scripts.encoders` that found no difference."""
SHORT = with_settings(preset("tenhou"), {"game.length": "one"})
GAMES = (0, 1, 2, 3, 5, 7)


class Kept:
    """The other program's digests, kyoku after kyoku and seat after seat."""

    def __init__(self) -> None:
        self._left = iter(json.loads(DIGESTS.read_text("utf-8"))["digests"])

    def ask(self, player: int, story: list[Any], raw: int | None = None) -> Any:
        assert raw is None, "an observation differs; python -m scripts.encoders says which plane"
        return next(self._left)


def test_every_observation_and_mask_has_the_bytes_of_mlibriichi() -> None:
    comparison = Comparison(Kept(), tells=False)
    for number in GAMES:
        play(SHORT, number, list(BOTS), [SeatWatch(player, comparison) for player in range(4)])
    assert comparison.count > 1000 and comparison.different == 0
    assert set(comparison.kinds) == {"turn", "claim", "riichi", "kan"}


class Numbers:
    """A watch that checks that the numbers of every choice come back as its options."""

    def __init__(self) -> None:
        self.choices = 0

    def hear(self, event: Event) -> None:
        """Nothing is kept."""

    def asked(self, choice: Choice, given: Any) -> None:
        if isinstance(choice.default, Noten):
            return
        self.choices += 1
        offers = Offers(choice)
        back = {option for number in offers.numbers(riichi=False, kan=False) for option in actions_of(choice, number)}
        assert back == set(choice.options)
        for option in choice.options:
            assert option in actions_of(choice, number_of(option))
            if (second := second_of(option)) is not None:
                riichi = isinstance(option, Discard)
                assert option in actions_of(choice, second, riichi=riichi, kan=not riichi)


def test_numbers_of_every_choice_mean_its_options_and_nothing_else() -> None:
    watches = [Numbers() for _ in range(4)]
    play(preset("tenhou"), 1, list(BOTS), watches)
    assert sum(watch.choices for watch in watches) > 500


def test_of_equal_options_the_red_five_is_taken_and_the_drawn_tile_discarded() -> None:
    game = Hanchan(seed="11")
    taken = 0
    while game.question and taken < 3:
        choice = game.question.choice
        for number in range(42):
            found = actions_of(choice, number)
            if len(found) > 1 and isinstance(found[0], Discard) and not found[0].riichi:
                assert found[0].tsumogiri
                taken += 1
            if len(found) > 1 and isinstance(found[0], Call | Kan):
                assert max(found[0].meld.own) >= 34
        game.answer()
    assert taken == 3


@pytest.mark.parametrize(("version", "count"), [(1, 938), (2, 942), (3, 934)])
def test_every_plane_has_a_meaning_of_its_own(version: int, count: int) -> None:
    told = planes(version)
    assert len(told) == len(set(told)) == count and MortalSeat(version).shape == (count, 34)


def asked(version: int = 3) -> tuple[MortalSeat, Choice]:
    """An encoder that has heard a deal and the first draw, and the first question."""
    game = Hanchan(seed="2")
    assert game.question is not None
    seat = MortalSeat(version)
    for index in range(len(game.game.events)):
        seat.hear(game.game.masked(index, game.question.player))
    return seat, game.question.choice


@pytest.mark.parametrize(
    ("obs", "mask", "why"),
    [
        (np.zeros((934, 34), np.float64), np.zeros(46, np.bool_), "obs is float64 of shape"),
        (np.zeros((942, 34), np.float32), np.zeros(46, np.bool_), r"obs is float32 of shape \(942, 34\)"),
        (np.zeros((34, 934), np.float32).T, np.zeros(46, np.bool_), "obs is not C-contiguous"),
        (np.zeros((934, 34), np.float32), np.zeros(47, np.bool_), r"mask is bool of shape \(47,\)"),
        ([], np.zeros(46, np.bool_), "obs is a list"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_before_anything_is_written(obs: Any, mask: Any, why: str) -> None:
    seat, choice = asked()
    with pytest.raises(BadInput, match=why):
        seat.observe(choice, obs, mask)
    assert not np.any(mask) and not np.any(obs)


def test_what_cannot_be_encoded_is_said_in_a_line() -> None:
    obs, mask = np.zeros((934, 34), np.float32), np.zeros(46, np.bool_)
    with pytest.raises(BadInput, match="mortal-4 is not known; allowed are mortal-1, mortal-2, mortal-3"):
        MortalSeat(4)
    with pytest.raises(BadInput, match="mortal-3 is asked before a deal"):
        MortalSeat(3).observe(asked()[1], obs, mask)
    seat, choice = asked()
    with pytest.raises(BadInput, match="the second question of a kan needs a choice that offers it"):
        seat.observe(choice, obs, mask, kan=True)
    three = Hanchan("tenhou-3p", seed="1")
    with pytest.raises(BadInput, match="mortal-3 encodes games of 4 players; 3 play here"):
        MortalSeat(3).hear(three.game.masked(0, 0))
