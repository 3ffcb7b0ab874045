"""The same match on a Ray cluster of two nodes: identical files, warm bots, dead actors are replaced, and nothing is
left on the nodes."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.table.ground.installation import pip_install
from scripts.pace import SOON
from tests.arena.match.bots import FLAG
from tests.arena.match.matches import contents, play_match, small_plan
from tests.kit.command import Jantaku

ROOT = Path(__file__).parents[3]
MISSING = importlib.util.find_spec("ray") is None and os.environ.get("CI") != "true"
needs_ray = pytest.mark.skipif(MISSING, reason="Ray, the extra “ray”, is not installed")


class Cluster:
    """What was played on the cluster, and what it said. `scratch` is where its nodes have their temporary folders."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "tests.arena.match.ray_cluster", str(folder)],
            cwd=ROOT,
            env=env_in(scratch),
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        self.folder, self.told, self.scratch = folder, run.stdout, scratch


def env_in(scratch: Path) -> dict[str, str]:
    """An environment in which Ray, which keeps its logs, and we put everything temporary into this folder. Its workers
    give way to every other process of a machine unless they are told not to: beside other tests they would starve."""
    folders = {"PYTHONPATH": str(ROOT), "TMPDIR": str(scratch), "RAY_TMPDIR": str(scratch)}
    return {**os.environ, **folders, "RAY_worker_niceness": "0"}


def left_in(scratch: Path) -> list[Path]:
    """What we have left there a moment after the end."""
    until = time.monotonic() + SOON
    while (left := list(scratch.glob("jantaku-*"))) and time.monotonic() < until:
        time.sleep(0.01)
    return left


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    """A temporary folder with a path so short that Ray can have sockets in it."""
    with tempfile.TemporaryDirectory(prefix="jantaku-ray-", ignore_cleanup_errors=True) as place:
        yield Path(place)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, scratch: Path) -> Cluster:
    """One for all tests: to start and stop it takes most of the time."""
    return Cluster(tmp_path_factory.mktemp("ray"), scratch)


@needs_ray
@pytest.mark.slow
@pytest.mark.timeout(600)
class TestOnTwoNodes:
    """One process plays for all of these."""

    def test_a_match_ends_with_the_files_of_a_match_here(
        self, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "2 nodes" in cluster.told
        monkeypatch.setenv(FLAG, str(tmp_path / "signed"))
        play_match(tmp_path / "here", small_plan(["tests.arena.match.bots:Signs", "dice"]))
        assert contents(cluster.folder / "warm-1") == contents(tmp_path / "here")

    def test_an_actor_that_dies_is_replaced_and_its_hanchan_played_again(
        self, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert (cluster.folder / "flag").exists(), "one has died"
        monkeypatch.setenv(FLAG, str(cluster.folder / "flag"))
        play_match(tmp_path / "here", small_plan(["tests.arena.match.bots:DiesOnce", "dice"]))
        assert contents(cluster.folder / "died") == contents(tmp_path / "here")

    @pytest.mark.parametrize("tables", [1, 2])
    def test_bots_stay_warm_in_as_many_actors_as_their_needs_leave_room_for(
        self, cluster: Cluster, tables: int
    ) -> None:
        """Twelve hanchan, and on each of the two nodes so many processes that have played them."""
        processes = (cluster.folder / f"signed-{tables}").read_text().split()
        assert len(set(processes)) == 2 * tables
        assert contents(cluster.folder / f"warm-{tables}") == contents(cluster.folder / "warm-1")

    def test_a_table_that_no_node_has_room_for_is_refused(self, cluster: Cluster) -> None:
        assert "a table of this match takes 1.5 cpus and 0 gpus; no node of the cluster has them" in cluster.told

    def test_nothing_is_left_on_a_node_after_an_end_a_death_or_ctrl_c(self, cluster: Cluster) -> None:
        assert "its journal grows\nstopped\n" in cluster.told
        assert (cluster.scratch / "ray").is_dir(), "the nodes have their temporary folders there"
        assert left_in(cluster.scratch) == []


@needs_ray
def test_who_asks_for_what_no_node_has_is_told_before_anything_is_made(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "match.toml").write_text(
        '[match]\nformat = "1v3"\nplayers = ["dice", "caller"]\non = "ray"\nout = "matches/one"\n'
        "[resources]\ndice = { cpus = 900 }\n"
    )
    monkeypatch.chdir(tmp_path)
    ray = importlib.import_module("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    monkeypatch.setattr(ray, "nodes", lambda: [{"Alive": True, "Resources": {"CPU": 64.0}}])
    ran = jantaku("match", "match.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "[resources]: a table of this match takes 900.75 cpus and 0 gpus; no node" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["match.toml"]


@needs_ray
def test_an_address_without_a_cluster_is_told_before_anything_is_made(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.\nAnd more.")

    monkeypatch.setattr(importlib.import_module("jantaku.table.arena.match.workers.on_ray").ray, "init", refuse)
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    words = ("--players", "dice,dice", "--format", "1v3", "--on", "ray", "--out", str(tmp_path / "match"))
    ran = jantaku("match", *words)
    assert (ran.code, ran.err) == (2, "jantaku: RAY_ADDRESS = auto: Could not find any running Ray instance.\n")
    assert not (tmp_path / "match").exists()


@needs_ray
def test_an_actor_that_is_killed_while_it_is_made_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any moment: whoever removes the folder is there before it is."""
    on_ray = importlib.import_module("jantaku.table.arena.match.workers.on_ray")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = on_ray._gone_with_us
    seen: list[bool] = []

    def keep(folder: Path) -> object:
        seen.append(folder.exists())
        return kept(folder)

    monkeypatch.setattr(on_ray, "_gone_with_us", keep)
    table = on_ray._Table(small_plan())
    assert seen == [False] and [path.is_dir() for path in tmp_path.iterdir()] == [True]
    table._table.__exit__(None, None, None)
    table._keeper.stdin.close()
    assert left_in(tmp_path) == []


@pytest.fixture
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Ray were not installed."""
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "jantaku.table.arena.match.workers.on_ray", raising=False)


@pytest.mark.usefixtures("no_ray")
def test_without_ray_it_is_said_how_to_get_it_and_nothing_is_written(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "dice,dice", "--format", "1v3", "--on", "ray", "--out", str(tmp_path / "match"))
    ran = jantaku("match", *words)
    assert (ran.code, ran.err) == (2, f"jantaku: --on ray needs ray, which is not installed: {pip_install('ray')}\n")
    assert not (tmp_path / "match").exists()
