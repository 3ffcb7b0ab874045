"""What every test shares: the marks `peer`, `pure` and `simulated`, and hypothesis without a stopwatch."""

import functools
import inspect
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from jantaku.table import core
from tests.kit.command import cwd as cwd  # fixtures for every folder
from tests.kit.command import jantaku as jantaku
from tests.kit.records import game_folder as game_folder
from tests.kit.records import journal as journal
from tests.kit.records import record as record

PEER_MODULES = Path(__file__).parent / "peer" / "node_modules"
LONG = ("whole", "mutants", "hostile", "kills", "spoiled", "strangers")
"""Marks of tests that take minutes: they run only where `-m` names them, but for those that are marked `daily`, too."""

# The journals of running games are kept there; a test that kills a game leaves one. What is made of bots' folders, too.
_STATE = tempfile.TemporaryDirectory(prefix="jantaku-tests-")
os.environ["XDG_STATE_HOME"] = _STATE.name
os.environ["XDG_CACHE_HOME"] = os.path.join(_STATE.name, "cache")

# Workers, and bots in processes of their own, import bots of the tests. In this spelling the clone is not taken for
# the working folder, which other processes of ours do not see.
sys.path.append(str(Path(__file__).parent / os.pardir))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script's background command (&) ignores SIGINT, and so would all that tests start and send it to.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is not a failure; pytest-timeout ends what hangs.
hypothesis.settings.register_profile("jantaku", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("jantaku")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes."""
    unnamed = {mark for mark in LONG if mark not in config.option.markexpr}
    kept, out = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        (out if unnamed & marks and "daily" not in marks else kept).append(item)
    config.hook.pytest_deselected(items=out)
    items[:] = kept


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A `peer` test without its peer is skipped, saying why; in CI it fails. `pure` ones need plain Python, and so do
    `simulated` ones."""
    if core == "compiled" and any(item.get_closest_marker(name) is not None for name in ("pure", "simulated")):
        pytest.skip("the core is compiled; JANTAKU_PURE=1 runs it as plain Python")
    if item.get_closest_marker("peer") is None:
        return
    missing = _missing_peer()
    if missing and os.environ.get("CI") == "true":
        pytest.fail(missing, pytrace=False)
    if missing:
        pytest.skip(missing)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test marked `simulated` runs in simulated machines."""
    mark = pyfuncitem.get_closest_marker("simulated")
    if mark is None:
        return None
    from tests.kit import simulated

    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    simulated.run(functools.partial(pyfuncitem.obj, **given), **mark.kwargs)
    return True


@pytest.fixture(autouse=True, scope="module")
def path_of_its_own() -> Iterator[None]:
    """A bot's file is found in its folder from its loading on: for the next module of tests it is not."""
    before = sys.path[:]
    yield
    sys.path[:] = before


def _missing_peer() -> str:
    if shutil.which("node") is None:
        return "node is not on the PATH"
    wanted = json.loads((PEER_MODULES.parent / "package.json").read_text("utf-8"))["dependencies"]
    missing = [name for name in wanted if not (PEER_MODULES / name).is_dir()]
    return f"{', '.join(missing)} not in {PEER_MODULES}; scripts/test installs that" if missing else ""


@pytest.fixture
def peer_modules() -> Path:
    """The folder from which node can require what tests/peer/package.json names (for tests marked `peer`)."""
    return PEER_MODULES
