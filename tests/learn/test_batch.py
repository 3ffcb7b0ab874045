"""Many tables in one step: games of the seed, hidden claims, rewards that add up, and errors that name their place."""

from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import BadInput, PlayerFault
from jantaku.table.judge.judge import Judge
from jantaku.table.learn.batch import Batch, BatchRows
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.riichi.events import Ryukyoku
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import cases

SHORT = with_settings(preset("tenhou"), {"game.length": "one"})


def by_dice(chance: np.random.Generator, mask: Any) -> Any:
    """A random action that each mask allows; 0 for a row without any."""
    return np.where(mask, chance.random(mask.shape), -1.0).argmax(1)


def steps(batch: Batch, rows: BatchRows) -> Iterator[int]:
    """Play by dice, and yield the number of rows before each step."""
    chance = np.random.default_rng(1)
    while True:
        count = batch.observe(rows)
        yield count
        batch.step(by_dice(chance, rows.mask[:count]))


def ends(tables: int, games: int, among: Set[int] | None = None, **more: Any) -> dict[tuple[int, int], float]:
    """By game and player what was gained in the first games (or those `among` them), each row's action chosen by its
    game, player and hand."""
    batch, wanted = Batch(tables, **more), set(range(games)) if among is None else among
    rows, gained, over = batch.rows(), dict[tuple[int, int], float](), set[tuple[int, int]]()
    learners = batch.most_rows // tables
    while sum(game in wanted for game, _ in over) < len(wanted) * learners:
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
    return {key: round(points, 3) for key, points in gained.items() if key[0] in wanted}


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3p"])
def test_games_are_the_same_however_many_tables_play(rules: str) -> None:
    law = with_settings(preset(rules), {"game.length": "one"})
    assert ends(1, 4, rules=law) == ends(3, 4, rules=law) == ends(4, 4, rules=law)


def test_the_default_everywhere_is_the_game_that_the_judge_plays_with_bots_that_throw_what_they_draw() -> None:
    batch = Batch(1, rules=SHORT, seed="7", reward="points")
    rows = batch.rows()
    table = batch._tables[0]
    while not table.game.over:
        batch.observe(rows)
        table.take([row.choice.default for row in table.rows if row.choice])
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
                assert len({int(rows.obs[row][12]) for row in mine}) == 1  # the tile that was discarded
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


@cases(
    "actions, why",
    (np.zeros(2, np.int64), r"actions are int64 \(2,\); allowed are whole numbers \(1,\)"),
    (np.zeros(1), r"actions are float64 \(1,\)"),
    ([], "actions are float64"),
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
        Batch(2).observe(BatchRows.of(encoder_of("jantaku-1"), 1))
    with pytest.raises(BadInput, match=r"part = \(2, 2\); allowed is"):
        Batch(1, part=(2, 2))
    with pytest.raises(
        BadInput, match=r"encoder = “mortal-9”; did you mean mortal-3\? allowed are jantaku-1, mortal-1"
    ):
        Batch(1, encoder="mortal-9")
    with pytest.raises(BadInput, match="encoder: mortal-3 encodes games of 4 players; 3 play by these rules"):
        Batch(1, encoder="mortal-3", rules="tenhou-3p")
    with pytest.raises(BadInput, match="players: 2 given; 4 play by these rules"):
        Batch(1, players=["learner", "dice"])
    with pytest.raises(BadInput, match="players: there is no learner; allowed are bots and at least one “learner”"):
        Batch(1, players=["dice"] * 4)
    with pytest.raises(BadInput, match="players: exec:python3: a batch plays with Python bots"):
        Batch(1, players=["learner", "exec:python3", "dice", "dice"])
    with pytest.raises(BadInput, match="table = 2; allowed is one of 0, 1"):
        Batch(2).reset(2)


def test_rows_of_two_processes_are_those_of_one() -> None:
    whole = ends(4, 4, rules=SHORT)
    parts = [ends(2, 4, rules=SHORT, part=(part, 2), among={part, part + 2}) for part in (0, 1)]
    assert parts[0] | parts[1] == whole


def test_bots_answer_their_own_questions_and_only_learners_have_rows() -> None:
    batch = Batch(4, rules=SHORT, players=["shanten", "learner", "caller", "dice"])
    rows, done = batch.rows(), 0
    for count in steps(batch, rows):
        assert (rows.player[:count] == 1).all()
        done += int(rows.done[:count].sum())
        if done >= 8:
            break


def test_games_with_bots_are_the_same_however_many_tables_play() -> None:
    players = ["learner", "shanten", "dice", "learner"]
    assert ends(1, 3, rules=SHORT, players=players) == ends(3, 3, rules=SHORT, players=players)


def test_a_bot_that_fails_is_named_with_its_table(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(
        "from jantaku import RiichiPlayer\nclass Broken(RiichiPlayer):\n"
        "    def answer(self, question):\n        return 1 / 0\n"
    )
    batch = Batch(1, rules=SHORT, players=["learner", f"{bot}:Broken", "dice", "dice"])
    with pytest.raises(PlayerFault, match=r"table 0, player 1: Broken failed: ZeroDivisionError"):
        for _ in steps(batch, batch.rows()):
            pass


def test_paired_games_share_their_walls_and_everybody_sits_everywhere() -> None:
    batch = Batch(8, rules=SHORT, paired=True, seed="3")
    walls = [table.game.walls[0].tiles for table in batch._tables]
    assert walls[0] == walls[1] == walls[2] == walls[3] != walls[4]
    assert sorted(table.order for table in batch._tables[:4]) == sorted({table.order for table in batch._tables})
    assert {table.order[0] for table in batch._tables[:4]} == {0, 1, 2, 3}
    assert walls[4] == walls_from("3", 1, SHORT)(batch._tables[4].game.standing).tiles


def test_a_table_can_be_reset_to_any_game() -> None:
    batch = Batch(2, rules=SHORT)
    rows = batch.rows()
    first = batch.observe(rows)
    before = rows.obs[:first].copy()
    for _, _ in zip(range(9), steps(batch, rows), strict=False):
        pass
    batch.reset(0, 0)
    batch.reset(1, 1)
    assert batch.observe(rows) == first
    assert (rows.obs[:first] == before).all()
    batch.reset(1)
    batch.observe(rows)
    assert rows.game[rows.table == 1].tolist() == [3]


@pytest.mark.long
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_riichi_and_a_kan_of_mortals_numbers_are_two_rows(version: int) -> None:
    batch = Batch(8, encoder=f"mortal-{version}", seed="2", players=["learner"] * 4)
    rows, again = batch.rows(), {37: 0, 42: 0}
    assert rows.obs.shape == (32, *encoder_of(f"mortal-{version}").shape) and rows.mask.shape == (32, 46)
    for _ in range(900):
        count = batch.observe(rows)
        mask = rows.mask[:count]
        actions = np.where(mask[:, 43], 43, mask.argmax(1))
        for number in again:
            actions = np.where(mask[:, number] & ~mask[:, 43], number, actions)
        batch.step(actions)
        for number in again:
            again[number] += sum(row.first == number for table in batch._tables for row in table.rows)
    assert again[37] > 0


def test_an_action_of_mortals_numbers_that_is_not_allowed_is_told_in_words() -> None:
    batch = Batch(1, encoder="mortal-3")
    batch.observe(batch.rows())
    with pytest.raises(BadInput, match=r"table 0, player \d: 43 \(win\) is not allowed; the mask has \d+ \(discard m"):
        batch.step(np.array([43]))


@pytest.mark.long
def test_where_an_encoder_has_no_number_for_tenpai_it_is_declared() -> None:
    law = with_settings(preset("mleague"), {"game.length": "one"})
    batch, done, declared = Batch(8, rules=law, encoder="mortal-3"), 0, 0
    rows = batch.rows()
    for count in steps(batch, rows):
        done += int(rows.done[:count].sum())
        over = [table.game.events[-2] for table in batch._tables if table.game.over]
        declared += sum(isinstance(event, Ryukyoku) and any(event.hands) for event in over)
        if done >= 160 and declared:
            break
    assert declared > 0
