"""Samples from records: certain answers with what was seen, in an order that follows from the seed alone."""

import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.samples import SampleRows, Samples, _Shuffle, joined, read_samples
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.offers import offers
from jantaku.table.riichi.ruleset import preset
from tests.kit.command import Jantaku
from tests.kit.records import TONPU, keep_games

LOG = Path(__file__).parents[1] / "data" / "logs" / "mortal_two_kyoku.mjson"
SLIPS = """
from jantaku import RiichiPlayer


class Slips(RiichiPlayer):
    def answer(self, question):
        if len(question.options) > 1 and self.board.live % 3 == 0:
            raise ValueError("a slip")
        return question.default
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five tonpu: journals beside 牌譜."""
    folder = tmp_path_factory.mktemp("logs")
    assert len(keep_games(folder, ("caller", "shanten", "caller", "dice"), TONPU, seed="3", games=5)) == 5
    return folder


def whole(samples: Samples) -> SampleRows:
    return joined(list(samples))


def same(one: SampleRows, other: SampleRows) -> bool:
    """Whether rows are equal to the bit, so that unknown values are."""
    both = zip(msgspec.structs.astuple(one), msgspec.structs.astuple(other), strict=True)
    return all(a.dtype == b.dtype and np.array_equal(bits(a), bits(b)) for a, b in both)


def bits(values: Any) -> Any:
    return np.ascontiguousarray(values).view(f"u{values.itemsize}")


@pytest.mark.long
def test_a_journals_samples_are_its_decisions(logs: Path) -> None:
    for path in sorted(logs.glob("*.jsonl")):
        record = read_any(path).record
        rows, found = read_samples(path, "jantaku-1").rows, list(decisions(record))
        assert rows is not None
        assert rows.label.tolist() == [one.number for one in found]
        assert rows.player.tolist() == [one.player for one in found]
        assert [set(np.flatnonzero(mask)) for mask in rows.mask] == [set(one.numbers) for one in found]
        assert rows.obs[:, 0].tolist() == [one.view.seat for one in found]
        assert rows.last.sum() == 4 and sorted(rows.rank[rows.last].tolist()) == [1, 2, 3, 4]
        assert rows.points[rows.last].sum() == pytest.approx(0, abs=1e-3)


@pytest.mark.long
def test_a_record_without_answers_gives_the_same_but_for_passes_that_are_not_certain(logs: Path) -> None:
    left_out = 0
    for journal in sorted(logs.glob("*.jsonl")):
        told, guessed = (read_samples(path, "jantaku-1").rows for path in (journal, journal.with_suffix(".json")))
        assert told is not None and guessed is not None
        all_told = [(row.tobytes(), label) for row, label in zip(told.obs, told.label.tolist(), strict=True)]
        certain = [(row.tobytes(), label) for row, label in zip(guessed.obs, guessed.label.tolist(), strict=True)]
        rest = iter(all_told)
        assert all(one in rest for one in certain)  # in the same order
        left_out += len(all_told) - len(certain)
    assert left_out > 0


def test_every_label_is_allowed_and_means_the_answer_of_the_record(logs: Path) -> None:
    path = min(logs.glob("*.jsonl"))
    encoder = encoder_of("mortal-3")
    rows = read_samples(path, "mortal-3").rows
    assert rows is not None and rows.mask[np.arange(len(rows)), rows.label].all()
    place = seconds = 0
    for offer in offers(read_any(path).record):
        action = offer.choice.options[offer.options.index(offer.answer)]
        labels = encoder.labels(offer.choice, action)
        if rows.label[place : place + len(labels)].tolist() != labels:
            continue  # a journal knows of claims that were overruled
        first, *second = labels
        meant = encoder.options(offer.choice, second[0] if second else first, first if second else None)
        assert action in meant
        place, seconds = place + len(labels), seconds + len(second)
    assert seconds > 0


@pytest.mark.long
@pytest.mark.parametrize(("encoder", "games"), [("jantaku-1", 5), ("mortal-2", 2)])
def test_the_order_follows_from_the_seed_whatever_the_workers(logs: Path, encoder: str, games: int) -> None:
    """A row of Mortal's takes a hundred kilobytes; two games already have more than twice what the buffer holds."""
    files = sorted(logs.glob("*.jsonl"))[:games]

    def read(**more: Any) -> SampleRows:
        return whole(Samples(files, encoder=encoder, batch=100, buffer=200, **more))

    first, plain = read(seed=1), read()
    assert len(plain) > 2 * 200
    assert same(first, read(seed=1, workers=2))
    assert same(plain, read(workers=2)) and not same(first, plain)
    assert not same(first, read(seed=2))
    order = [np.lexsort((rows.player, rows.label, rows.obs.reshape(len(rows), -1).sum(1))) for rows in (first, plain)]
    assert np.array_equal(first.label[order[0]], plain.label[order[1]])


def labelled(rows: SampleRows | None) -> list[tuple[int, bytes, int]]:
    assert rows is not None
    return [(int(rows.player[n]), rows.obs[n].tobytes(), int(rows.label[n])) for n in range(len(rows))]


@pytest.mark.long
def test_a_record_that_breaks_off_has_no_answers_but_those_it_shows(tmp_path: Path) -> None:
    lines = LOG.read_text("utf-8").splitlines(keepends=True)
    all_told = labelled(read_samples(LOG, "jantaku-1", preset("tenhou")).rows)
    short = tmp_path / "short.mjson"
    guessed = 0
    for end in range(20, len(lines) - 1, 7):
        short.write_text("".join(lines[:end]), "utf-8")
        found = read_samples(short, "jantaku-1", preset("tenhou"))
        certain = labelled(found.rows)
        rest = iter(all_told)
        assert all(one in rest for one in certain)
        guessed += len(list(offers(read_any(short).record, preset("tenhou")))) - len(certain)
    assert guessed > 0


def test_what_the_table_played_for_a_bot_that_failed_is_no_sample(jantaku: Jantaku, tmp_path: Path) -> None:
    bot = tmp_path / "slips.py"
    bot.write_text(SLIPS, "utf-8")
    players = f"{bot}:Slips,dice,dice,dice"
    jantaku("play", "--players", players, "--length", "one", "--seed", "1", "--quiet", "--out", str(tmp_path))
    path = next(tmp_path.glob("*.jsonl"))
    found = list(decisions(read_any(path).record))
    own = [one.number for one in found if one.verdict == "ok"]
    rows = read_samples(path, "jantaku-1").rows
    assert rows is not None and rows.label.tolist() == own and len(own) < len(found)


def test_no_more_rows_are_held_than_the_buffer_has() -> None:
    shuffle = _Shuffle(50, np.random.default_rng(1))
    given = taken = 0
    seen: list[int] = []
    for count in (7, 30, 200, 1, 49, 50, 51):
        out = shuffle.drawn(numbered(given, count))
        given += count
        taken += sum(map(len, out))
        assert given - taken <= 50
        seen += [int(number) for rows in out for number in rows.label]
    assert given - taken == 50
    seen += [int(number) for rows in shuffle.rest(20) for number in rows.label]
    assert sorted(seen) == list(range(given)) and seen != sorted(seen)


def numbered(first: int, count: int) -> SampleRows:
    columns: list[Any] = [np.arange(first, first + count) for _ in SampleRows.__struct_fields__]
    return SampleRows(*columns)


def test_the_data_set_of_the_page_reads_every_sample_once(logs: Path) -> None:
    pytest.importorskip("torch", reason="torch is no part of the extra “learn”")
    page = (Path(__file__).parents[2] / "docs" / "samples.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(import torch.*?)\n\ndata = ", page, re.DOTALL)
    found: dict[str, Any] = {}
    exec(compile(code, "samples.md", "exec"), found)
    read = list(found["RecordSamples"](logs, seed=1))
    assert sum(len(label) for _, _, label in read) == len(whole(Samples([logs])))


def test_batches_have_their_size(logs: Path) -> None:
    samples = Samples([logs], seed=4, batch=64, buffer=500)
    sizes = [len(rows) for rows in samples]
    assert set(sizes[:-1]) == {64} and 0 < sizes[-1] <= 64
    assert samples.read == len(samples.files) == 5 and samples.said == [] and samples.code == 0


@pytest.mark.long
def test_the_parts_of_several_processes_are_the_whole(logs: Path) -> None:
    parts = [whole(Samples([logs], part=(part, 2))) for part in (0, 1)]
    assert sum(map(len, parts)) == len(whole(Samples([logs])))
    assert not {*parts[0].game.tolist()} & {*parts[1].game.tolist()}


@pytest.mark.long
def test_only_the_samples_of_one_player_are_taken(logs: Path) -> None:
    mine, everything = whole(Samples([logs], player="shanten")), whole(Samples([logs]))
    names = [read_any(path).record.names for path in Samples([logs]).files]
    wanted = [names[game][player] == "shanten" for game, player in zip(everything.game, everything.player, strict=True)]
    assert same(mine, everything.taken(np.array(wanted)))


@pytest.mark.long
def test_files_hold_what_was_read(jantaku: Jantaku, logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = jantaku("samples", str(logs), str(out), "--rows", "700", "--seed", "9")
    assert done.code == 0 and "samples of 5 records" in done.err
    parts = [SampleRows(**np.load(path)) for path in sorted(out.glob("*.npz"))]
    assert {len(part) for part in parts[:-1]} == {700}
    assert same(joined(parts), whole(Samples([logs], seed=9, batch=700)))
    about = msgspec.json.decode((out / "about.json").read_bytes())
    assert about["rows"] == sum(map(len, parts)) and about["encoder"] == "jantaku-1"
    again = jantaku("samples", str(logs), str(out))
    assert again.code == 2 and "exists already; name a new folder" in again.err


def test_what_cannot_be_read_is_named_and_the_rest_is_taken(jantaku: Jantaku, logs: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    done = jantaku("samples", str(broken), str(logs), str(tmp_path / "out"))
    assert done.code == 2 and f"left out: {broken}" in done.err and (tmp_path / "out" / "00000.npz").exists()
    alone = jantaku("samples", str(broken), str(tmp_path / "none"))
    assert alone.code == 2 and "nothing was written" in alone.err and not (tmp_path / "none").exists()
    wrong = jantaku("samples", str(logs), str(tmp_path / "none"), "--encoder", "mortal-5")
    assert wrong.code == 2 and "encoder = “mortal-5”" in wrong.err
    with pytest.raises(BadInput, match="batch and buffer are 1 or more"):
        Samples([logs], batch=0)


def test_a_game_of_three_is_left_out_where_the_encoder_knows_four(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ["--rules", "tenhou-3p", "--players", "dice,dice,dice", "--length", "one", "--quiet"]
    assert jantaku("play", *words, "--out", str(tmp_path)).code == 0
    found = read_samples(next(tmp_path.glob("*.jsonl")), "mortal-3")
    assert found.rows is None and "mortal-3 encodes games of 4 players; 3 play" in found.said
    assert whole(Samples([tmp_path])).obs.shape[1:] == (577,)
