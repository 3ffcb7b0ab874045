"""The folder of a match: what is kept outlives anything, and what is not ours is never touched."""

import gc
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine, Times
from jantaku.table.arena.match.hanchan import PlayedHanchan, give_up
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store, refuse_other
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi import ruleset
from tests.arena.match.matches import contents, line, play_match, resumed, small_plan
from tests.kit.cases import cases

ROOT = Path(__file__).parents[3]


def interrupted(folder: Path, after: int) -> Store[MatchPlan]:
    """A match with `after` hanchan in its folder, as a kill leaves it."""
    plan = small_plan()
    store = Store.create(folder, plan)
    played = Here(plan, store.places).run(plan.jobs())
    for _ in range(after):
        store.keep(next(played))
    played.close()
    store.close()
    return store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the same match, never interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "match"
    play_match(folder, small_plan())
    return contents(folder)


def test_half_a_line_at_the_end_is_as_good_as_none(tmp_path: Path, whole: dict[str, bytes]) -> None:
    interrupted(tmp_path / "match", 5)
    for name in ("journal.jsonl", "times.jsonl"):
        path = tmp_path / "match" / name
        path.write_bytes(path.read_bytes()[:-20])
    assert resumed(tmp_path / "match") == whole


def test_results_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    interrupted(tmp_path / "match", 12)
    (tmp_path / "match" / "results.json").mkdir()
    store = Store.resume(tmp_path / "match")
    with pytest.raises(BadInput, match=r"results\.json.*: cannot be written: Is a directory"):
        conduct(store, Here(store.plan, store.places), Stopping(store.plan))
    store.close()


def test_a_lost_row_or_time_is_made_again_from_what_is_before_it(tmp_path: Path, whole: dict[str, bytes]) -> None:
    folder = tmp_path / "match"
    interrupted(folder, 5)
    (folder / "games.sqlite").unlink()
    times = (folder / "times.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "times.jsonl").write_bytes(b"".join(times[:-2]))
    assert resumed(folder) == whole
    assert len((folder / "times.jsonl").read_bytes().splitlines()) == 13


def test_a_damaged_database_is_made_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    interrupted(tmp_path / "match", 5)
    (tmp_path / "match" / "games.sqlite").write_bytes(b"no database" * 100)
    assert resumed(tmp_path / "match") == whole


@pytest.mark.long
def test_a_hanchan_that_is_kept_leaves_but_its_number_in_memory(tmp_path: Path) -> None:
    plan = small_plan(sets=1000)
    store = Store.create(tmp_path / "match", plan)
    jobs = plan.jobs()

    def keep(count: int) -> None:
        for job in islice(jobs, count):
            names = tuple(plan.names[index] for index in job.seating)
            told = line(job.game, job.set, names, (1, 2, 3, 4))
            store.keep(PlayedHanchan(job, told, TimeLine(job.game, names, tuple(Times(counts={}) for _ in names)), {}))

    keep(100)
    tracemalloc.start()
    keep(300)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    store.close()
    assert held < 300 * 300, "bytes"


def test_what_was_being_played_is_dropped_and_played_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    folder = tmp_path / "match"
    interrupted(folder, 5)
    scratch = places_in(folder, small_plan()).scratch
    scratch.mkdir(parents=True)
    (scratch / "game-0005.jsonl").write_bytes(b"half a hanchan")
    (folder / "records" / "game-0006.jsonl").write_bytes(b"records without a line")
    assert resumed(folder) == whole
    assert not scratch.exists()


def cut(path: Path, size: int) -> None:
    """As a power cut may leave a file that was being written to disk."""
    path.write_bytes(path.read_bytes()[:size])


def emptied_at_its_end(path: Path) -> None:
    """The same on a file system that notes the size first."""
    content = path.read_bytes()
    path.write_bytes(content[:-400] + bytes(400))


@pytest.mark.long
@pytest.mark.parametrize("finished", [False, True])
@cases(
    "name, lose",
    ("game-0003.jsonl", Path.unlink),
    ("game-0003.jsonl", lambda path: cut(path, 0)),
    ("game-0003.jsonl", lambda path: cut(path, 4096)),
    ("game-0003.jsonl", emptied_at_its_end),
    ("game-0003.json", Path.unlink),
    ("game-0003.json", lambda path: cut(path, 0)),
    ("game-0003.json", lambda path: cut(path, 1000)),
    ("game-0003.json", emptied_at_its_end),
)
def test_a_finished_hanchan_whose_record_is_lost_is_played_again(
    tmp_path: Path, whole: dict[str, bytes], name: str, lose: Callable[[Path], None], finished: bool
) -> None:
    folder = tmp_path / "match"
    interrupted(folder, 5)
    if finished:
        assert resumed(folder) == whole
    lose(folder / "records" / name)
    store = Store.resume(folder)
    assert store.again == (3,) and store.kept == set(range(12 if finished else 5)) - {3}
    store.close()
    assert resumed(folder) == whole
    store = Store.resume(folder)
    assert store.again == () and len(list(store.times())) == 12
    store.close()


def test_a_hanchan_that_left_no_record_is_not_missed(tmp_path: Path) -> None:
    plan = small_plan()
    store = Store.create(tmp_path / "match", plan)
    store.keep(give_up(plan, next(iter(plan.jobs())), None, "made up"))
    store.close()
    store = Store.resume(tmp_path / "match")
    assert (store.kept, store.again) == ({0}, ())
    store.close()


def test_half_a_record_of_a_hanchan_that_was_given_up_is_all_that_is_expected(tmp_path: Path) -> None:
    plan = small_plan()
    store = Store.create(tmp_path / "match", plan)
    job = next(iter(plan.jobs()))
    play_match(tmp_path / "whole", plan)
    shutil.copy(tmp_path / "whole" / "records" / "game-0000.jsonl", store.places.scratch)
    cut(store.places.scratch / "game-0000.jsonl", 3000)
    store.keep(give_up(plan, job, store.places.scratch, "made up"))
    store.close()
    store = Store.resume(tmp_path / "match")
    assert (store.kept, store.again) == ({0}, ())
    store.close()


def test_a_match_without_its_folder_of_records_is_left_as_it_is(tmp_path: Path) -> None:
    """Somebody took it away; what its lines say is all that is left."""
    folder = tmp_path / "match"
    interrupted(folder, 5)
    shutil.rmtree(folder / "records")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(BadInput, match=r"match/records is missing, .* nothing was changed"):
        Store.resume(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_broken_line_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    interrupted(folder, 5)
    lines = (folder / "journal.jsonl").read_bytes().split(b"\n")
    lines[3] = lines[3][:30]
    (folder / "journal.jsonl").write_bytes(b"\n".join(lines))
    before = (folder / "journal.jsonl").read_bytes()
    with pytest.raises(BadInput, match=r"journal.jsonl line 4: broken: .*; nothing was changed"):
        Store.resume(folder)
    assert (folder / "journal.jsonl").read_bytes() == before


def test_a_hanchan_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    interrupted(folder, 2)
    lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "journal.jsonl").write_bytes(b"".join([*lines, lines[1]]))
    with pytest.raises(BadInput, match="line 4: hanchan 0 is listed twice"):
        Store.resume(folder)


def test_the_journal_of_another_match_is_refused(tmp_path: Path) -> None:
    interrupted(tmp_path / "one", 2)
    play_match(tmp_path / "two", small_plan(seed=6, sets=1))
    (tmp_path / "two" / "journal.jsonl").replace(tmp_path / "one" / "journal.jsonl")
    with pytest.raises(BadInput, match="line 1: belongs to another match"):
        Store.resume(tmp_path / "one")


def test_a_folder_with_a_match_or_anything_else_is_not_written_to(tmp_path: Path) -> None:
    interrupted(tmp_path / "match", 1)
    with pytest.raises(BadInput, match="holds a match of dice, tsumogiri already; go on with that one by jantaku"):
        Store.create(tmp_path / "match", small_plan())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="is not empty"):
        Store.create(tmp_path / "mine", small_plan())
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("content", [b"", b'{"se\xe9d": 1}', b"[" * 100_000, b"null"])
def test_a_damaged_plan_is_named(content: bytes, tmp_path: Path) -> None:
    interrupted(tmp_path / "match", 1)
    (tmp_path / "match" / "match.json").write_bytes(content)
    with pytest.raises(BadInput, match=r"match\.json: is not the plan of a match"):
        Store.resume(tmp_path / "match")


def test_a_folder_that_a_kill_left_before_there_was_a_plan_can_be_used(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    (folder / "records").mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b'{"jantaku_match":1,"pl')
    play_match(folder, small_plan(sets=1))


def test_two_processes_do_not_write_to_one_folder(tmp_path: Path) -> None:
    interrupted(tmp_path / "match", 1)
    first = Store.resume(tmp_path / "match")
    with pytest.raises(BadInput, match="another jantaku process is playing in this folder"):
        Store.resume(tmp_path / "match")
    first.close()
    Store.resume(tmp_path / "match").close()


@cases(
    "change, words",
    ({"seed": 6}, "seed: 5 there, 6 here"),
    ({"players": ("dice", "caller")}, 'players: .* there, .*"caller".* here'),
    ({"walls": "per-seat"}, 'walls: "shared" there, "per-seat" here'),
    ({"length": "tonpu"}, 'rules.game.length: "one" there, "tonpu" here'),
)
def test_another_match_does_not_go_on_in_this_folder(tmp_path: Path, change: dict[str, str], words: str) -> None:
    interrupted(tmp_path / "match", 1)
    with pytest.raises(BadInput, match=f"holds another match: .*{words}"):
        refuse_other(tmp_path / "match", small_plan(**change))


def test_the_rows_are_the_lines(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    plan = small_plan()
    play_match(folder, plan)
    texts = (folder / "journal.jsonl").read_bytes().splitlines()[1:]
    lines = [msgspec.json.decode(text, type=HanchanSummary) for text in texts]
    base = sqlite3.connect(folder / "games.sqlite")
    games = base.execute("SELECT game, wall_set, seed, rules, ended, print FROM games ORDER BY game").fetchall()
    assert games == [(one.game, one.set, one.seed, ruleset.digest(plan.rules), 1, one.print) for one in lines]
    seats = base.execute("SELECT game, player, score, rank, points, faults FROM seats ORDER BY game, place").fetchall()
    assert seats == [
        (one.game, one.players[n], one.scores[n], one.ranks[n], one.points[n], "{}") for one in lines for n in range(4)
    ]
    base.close()


@pytest.mark.long
@pytest.mark.parametrize(("room", "full"), [(3_000, "games.sqlite"), (18_000, "report.html")])
def test_a_full_disk_is_told_and_takes_nothing(tmp_path: Path, whole: dict[str, bytes], room: int, full: str) -> None:
    """A limit on the size of files makes the kernel refuse in the same places as a full disk."""
    folder = tmp_path / "match"
    interrupted(folder, 1)

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    words = ["-B", "-m", "jantaku", "match", "--resume", str(folder), "--workers", "0"]
    run = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, preexec_fn=little_room)
    assert run.returncode == 2, run.stderr
    assert f"{full}: cannot be written" in run.stderr and "Traceback" not in run.stderr
    assert resumed(folder) == whole


def test_a_folder_that_cannot_be_made_is_named() -> None:
    with pytest.raises(BadInput, match=r"/proc/no: cannot be written"):
        Store.create(Path("/proc/no/match"), small_plan())
