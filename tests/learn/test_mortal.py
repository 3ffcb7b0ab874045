"""The observations mortal-1 to mortal-3."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.mortal import MortalSeat, actions_of, number_of, planes, second_of
from jantaku.table.learn.mortal.numbers import KAN, RIICHI, Offers
from jantaku.table.riichi.actions import NOTEN, PASS, RON, TENPAI, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.riichi.pieces.melds import ankan, chi, pon
from jantaku.table.riichi.pieces.tiles import KIND, RED_S, TILE
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import cases
from tests.learn.eventful import play

ROOT = Path(__file__).parent.parent.parent
FROZEN: dict[str, list[Any]] = json.loads((ROOT / "tests" / "data" / "encoders" / "mortal.json").read_text("utf-8"))
SIZES = {1: 938, 2: 942, 3: 934}


class Encoded:
    """One player's encoders. What they make of a kyoku is added to `found` when it is over: a digest by version of each
    observation, planes and mask."""

    def __init__(self, found: list[list[str]], kinds: Counter[str]) -> None:
        self._found, self._kinds, self._kyoku = found, kinds, list[list[str]]()
        self._seats = [MortalSeat(version) for version in SIZES]
        self._obs = [np.zeros(seat.shape, np.float32) for seat in self._seats]
        self._mask = np.zeros(46, np.bool_)

    def hear(self, event: Event) -> None:
        for seat in self._seats:
            seat.hear(event)
        if isinstance(event, KyokuStart | HanchanEnd):
            self._found += self._kyoku
            self._kyoku = []

    def asked(self, choice: Choice, given: Action) -> None:
        if NOTEN in choice.options:
            return
        offers = Offers(choice)
        self._observe(choice, "claim" if offers.claims else "turn")
        if offers.kans:
            self._observe(choice, "kan", KAN)
        if isinstance(given, Discard) and given.riichi:
            self._observe(choice, "riichi", RIICHI)

    def _observe(self, choice: Choice, kind: str, first: int | None = None) -> None:
        self._kinds[kind] += 1
        digests = []
        for seat, obs in zip(self._seats, self._obs, strict=True):
            seat.observe(choice, obs, self._mask, first)
            digests.append(hashlib.sha1(obs.tobytes() + self._mask.tobytes()).hexdigest()[:16])
        self._kyoku.append(digests)


class Looking:
    """Asks an encoder at every question of its seat, and checks what holds for all observations."""

    def __init__(self, version: int) -> None:
        self.seat, self.count = MortalSeat(version), 0
        self.obs, self.mask = np.full(self.seat.shape, np.nan, np.float32), np.ones(46, np.bool_)

    def hear(self, event: Event) -> None:
        self.seat.hear(event)

    def asked(self, choice: Choice, given: Action) -> None:
        if NOTEN in choice.options:
            return
        self.seat.observe(choice, self.obs, self.mask)
        assert self.obs.min() >= 0 and self.obs.max() <= 1
        allowed = {number for number in range(46) if self.mask[number]}
        assert allowed == {number_of(option) for option in choice.options}
        for number in range(46):
            assert bool(actions_of(choice, number)) == bool(self.mask[number])
        assert self.obs[:4].sum() == self.seat.board.hands[self.seat.board.seat_known() or 0].size
        self.count += 1


@pytest.mark.parametrize("game", FROZEN)
def test_a_game_is_encoded_byte_for_byte_as_mlibriichi_encodes_it(game: str) -> None:
    rules, number = game.split()
    found, kinds = list[list[str]](), Counter[str]()
    play(preset(rules), int(number), [Encoded(found, kinds) for _ in range(4)])
    digests = [hashlib.sha256("".join(one).encode()).hexdigest()[:16] for one in zip(*found, strict=True)]
    assert [len(found), *digests] == FROZEN[game]
    assert min(kinds[kind] for kind in ("turn", "claim")) > 0


def test_the_games_that_are_compared_have_every_kind_of_question() -> None:
    kinds = Counter[str]()
    play(preset("tenhou"), 2, [Encoded([], kinds) for _ in range(4)])
    assert kinds.keys() == {"turn", "claim", "kan", "riichi"}


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([1, 2, 3]))
def test_values_lie_between_0_and_1_and_the_mask_is_that_of_the_options(number: int, version: int) -> None:
    watches = [Looking(version) for _ in range(4)]
    play(preset("tenhou"), number, watches)
    assert all(watch.count for watch in watches)


@pytest.mark.parametrize("version", SIZES)
def test_every_plane_has_a_meaning_of_its_own(version: int) -> None:
    names = planes(version)
    assert len(names) == len(set(names)) == SIZES[version] == MortalSeat(version).shape[0]


def test_a_version_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="mortal-4 is not known; allowed are mortal-1, mortal-2, mortal-3"):
        MortalSeat(4)


@cases(
    "obs, mask, words",
    (
        np.ones((934, 33), np.float32),
        np.ones(46, np.bool_),
        "obs is float32 .934, 33.; allowed is a numpy array of float32",
    ),
    (np.ones((934, 34), np.float32), np.ones(46, np.int8), "mask is int8 .46,.; allowed is a numpy array of bool"),
)
def test_other_arrays_are_refused_before_anything_is_written(obs: Any, mask: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        MortalSeat(3).observe(Choice((PASS,), PASS), obs, mask)
    assert np.all(obs == 1) and np.all(mask)


def test_a_question_before_the_deal_is_refused() -> None:
    with pytest.raises(BadInput, match="before a deal"):
        MortalSeat(3).observe(Choice((PASS,), PASS), np.zeros((934, 34), np.float32), np.zeros(46, np.bool_))


def test_a_game_of_three_is_refused() -> None:
    with pytest.raises(BadInput, match="games of 4 players; 3 play here"):
        MortalSeat(1).hear(HanchanStart(("a", "b", "c"), 0, preset("tenhou-3p")))


def test_tenpai_has_no_number() -> None:
    with pytest.raises(BadInput, match="Tenpai has no number from 0 to 45"):
        Offers(Choice((TENPAI, NOTEN), NOTEN))


def test_a_chi_takes_the_red_five_first_and_its_number_says_where_the_called_tile_lies() -> None:
    plain, red = (Call(chi(TILE["s4"], five, TILE["s6"])) for five in (TILE["s5"], RED_S))
    choice = Choice((plain, red, PASS), PASS)
    assert number_of(plain) == number_of(red) == 38
    assert actions_of(choice, 38) == (red, plain) and actions_of(choice, 39) == ()
    called = [number_of(Call(chi(TILE[one], *(TILE[two] for two in own)))) for one, own in CHIS.items()]
    assert called == [39, 40]


CHIS = {"m5": ("m4", "m6"), "m6": ("m4", "m5")}


def test_riichi_and_kans_take_a_second_number() -> None:
    kans = Kan(ankan(*[TILE["z1"]] * 4)), Kan(ankan(*[TILE["m9"]] * 4))
    riichi = Discard(TILE["p0"], riichi=True), Discard(TILE["z7"], riichi=True, tsumogiri=True)
    plain = Discard(TILE["z7"], tsumogiri=True)
    choice = Choice((TSUMO, *kans, *riichi, plain), plain)
    assert actions_of(choice, 37) == (riichi[1], riichi[0]) and actions_of(choice, 42) == kans
    assert actions_of(choice, 35, 37) == riichi[:1] and actions_of(choice, 27, 42) == kans[:1]
    assert [second_of(each) for each in (*kans, *riichi, plain)] == [27, 8, 35, 33, None]
    assert actions_of(choice, 33) == (plain,) and actions_of(choice, 27) == ()


def test_wins_calls_and_passes_have_the_numbers_of_mortal() -> None:
    five = Call(pon(TILE["z5"], 2, TILE["z5"], TILE["z5"]))
    assert [number_of(each) for each in (RON, TSUMO, PASS, five)] == [43, 43, 45, 41]
    assert KIND[TILE["s0"]] == 22 and number_of(Discard(TILE["s0"])) == 36


def test_the_page_shows_code_that_runs() -> None:
    page = (ROOT / "docs" / "encoders.md").read_text("utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    assert names["mask"][number_of(names["action"])]
