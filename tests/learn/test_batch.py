"""Many tables in one step: games of the seed, hidden claims, rewards that add up, and errors that name their place."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import Judge
from jantaku.table.learn.batch import Batch, BatchRows
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import preset, with_settings

SHORT = with_settings(preset("tenhou"), {"game.length": "one"})


def by_dice(chance: np.random.Generator, mask: Any) -> Any:
    """A random action that each mask allows; 0 for a row without any."""
    return np.where(mask, chance.random(mask.shape), -1.0).argmax(1)


def steps(batch: Batch, rows: BatchRows, seed: int = 1) -> Iterator[int]:
    """Play by dice, and yield the number of rows before each step."""
    chance = np.random.default_rng(seed)
    while True:
        count = batch.observe(rows)
        yield count
        batch.step(by_dice(chance, rows.mask[:count]))


def ends(tables: int, games: int, **more: Any) -> dict[tuple[int, int], float]:
    """By game and player what was gained in the first games, each row's action chosen by its game, player and hand."""
    batch = Batch(tables, **more)
    rows, gained, over = batch.rows(), dict[tuple[int, int], float](), set[tuple[int, int]]()
    while sum(game < games for game, _ in over) < games * batch.seats:
        count = batch.observe(rows)
        actions = []
        for row in range(count):
            key = int(rows.game[row]), int(rows.player[row])
            gained[key] = gained.get(key, 0.0) + float(rows.reward[row])
            if rows.done[row]:
                over.add(key)
            allowed = np.flatnonzero(rows.mask[row])
            actions.append(int(allowed[int(rows.obs[row].sum()) % len(allowed)]) if len(allowed) else 0)
        batch.step(np.array(actions))
    return {key: round(points, 3) for key, points in gained.items() if key[0] < games}


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3p"])
def test_games_are_the_same_however_many_tables_play(rules: str) -> None:
    law = with_settings(preset(rules), {"game.length": "one"})
    assert ends(1, 4, rules=law) == ends(3, 4, rules=law) == ends(4, 4, rules=law)


def test_the_default_everywhere_is_the_game_that_the_judge_plays_with_bots_that_throw_what_they_draw() -> None:
    batch = Batch(1, rules=SHORT, seed="7", reward="points")
    rows = batch.rows()
    table = batch._tables[0]
    while table.open:
        batch.observe(rows)
        table.answer([choice.default for _, choice in table.open])
    first, order = seat_draw("7", 0, 4)
    game = RiichiGame(SHORT, walls_from("7", 0, SHORT), tuple(f"player {place}" for place in order), first)
    Judge(game, [Tsumogiri() for _ in range(4)], mode="inline").run()
    assert table.game.events == game.events


@pytest.mark.parametrize(("reward", "total"), [("kyoku", None), ("points", 0.0), ("rank", 0.0)])
def test_rewards_add_up(reward: str, total: float | None) -> None:
    gained = ends(2, 3, rules=SHORT, reward=reward)
    for game in range(3):
        summed = sum(points for (number, _), points in gained.items() if number == game)
        assert summed <= 1e-3 if total is None else summed == pytest.approx(total, abs=1e-3)  # sticks may be left


def test_claims_on_one_discard_are_rows_of_one_step_that_see_the_same_table() -> None:
    batch = Batch(8, rules=SHORT, seed="5")
    rows, several = batch.rows(), 0
    for step, count in enumerate(steps(batch, rows)):
        tables = rows.table[:count]
        for table in set(tables[np.bincount(tables, minlength=8)[tables] > 1].tolist()):
            mine = np.flatnonzero(tables == table)
            if not rows.done[mine[0]]:
                several += 1
                assert len({int(rows.obs[row][11]) for row in mine}) == 1  # the tile that was discarded
                assert all(rows.mask[row].sum() > 1 for row in mine)
        if step > 400:
            break
    assert several > 5


def test_every_row_has_an_option_or_is_the_end_of_a_game_and_the_next_game_is_dealt() -> None:
    batch = Batch(4, rules=SHORT)
    rows, done = batch.rows(), 0
    for count in steps(batch, rows):
        assert (rows.mask[:count].any(1) != rows.done[:count]).all()
        done += int(rows.done[:count].sum())
        if done >= 24:
            break
    assert rows.game[:count].max() >= 4


def test_an_action_that_is_not_allowed_is_refused_with_its_place_and_nothing_is_played() -> None:
    batch = Batch(3, rules=SHORT)
    rows = batch.rows()
    count = batch.observe(rows)
    actions = rows.mask[:count].argmax(1)
    actions[1] = wrong = int(np.flatnonzero(~rows.mask[1])[0])
    before = [str(table.game.kyoku.board) for table in batch._tables]
    with pytest.raises(BadInput, match=rf"table 1, player \d: {wrong} \(.*\) is not allowed; the mask has \d+ \("):
        batch.step(actions)
    assert [str(table.game.kyoku.board) for table in batch._tables] == before


def test_where_it_is_wished_an_action_that_is_not_allowed_costs_a_reward() -> None:
    batch = Batch(1, rules=SHORT, illegal=-5.0)
    rows = batch.rows()
    batch.observe(rows)
    player, wrong = int(rows.player[0]), int(np.flatnonzero(~rows.mask[0])[0])
    batch.step(np.array([wrong]))
    for count in steps(batch, rows):
        mine = np.flatnonzero(rows.player[:count] == player)
        if len(mine):
            assert rows.reward[mine[0]] <= -5.0
            break


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        (np.zeros(2, np.int64), r"actions are int64 \(2,\); allowed are whole numbers \(1,\)"),
        (np.zeros(1), r"actions are float64 \(1,\)"),
        ([], "actions are float64"),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, why: str) -> None:
    batch = Batch(1, rules=SHORT)
    batch.observe(batch.rows())
    with pytest.raises(BadInput, match=why):
        batch.step(actions)


def test_what_cannot_be_a_batch_is_refused() -> None:
    with pytest.raises(BadInput, match="tables = 0; allowed is 1 or more"):
        Batch(0)
    with pytest.raises(BadInput, match="reward = “win”; allowed are kyoku, points, rank, or a function"):
        Batch(1, reward="win")
    with pytest.raises(BadInput, match="there are 2 rows, and buffers for 1; make 8"):
        Batch(2).observe(BatchRows.of(1))
