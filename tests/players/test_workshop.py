"""What pip makes for a player in the sandbox is made in one, too: a package that is built in spite of all reaches
nothing outside."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.folders.environment import python_for
from jantaku.players.folders.needs import Requirements
from jantaku.table.ground.errors import BadInput
from tests.players.driving import needs_bwrap
from tests.players.packages import LUCKY, NAME, own_pip, sdist, serving, source, wheel

pytestmark = needs_bwrap


class Place:
    """A server with a wheel that is harmless, and with a package that writes to `outside` and to the user's home, and
    reads a secret, while it is built."""

    def __init__(self, folder: Path, address: str, reports: list[Any]) -> None:
        self.address, self.reports = address, reports
        self.files, self.outside, self.secret = folder / "files", folder / "outside", folder / "secret"
        self.at_home = Path.home() / f"{NAME}-{os.getpid()}"
        self.secret.write_text("wall")
        self.index = self.files / "simple" / LUCKY
        self.index.mkdir(parents=True)
        code = source(folder / "source", [self.outside, self.at_home], [self.secret, Path.home()], f"{address}/said")
        self.sdist = sdist(self.files, code)

    def make(self, *packages: str, confined: bool = True) -> str:
        needs = Requirements((f"--index-url {self.address}/simple",), packages, "", "test")
        return python_for(needs, lambda text: None, confined=confined)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name, value in own_pip().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("JANTAKU_TOKEN", "secret")
    tmp_path.chmod(0o755)
    (tmp_path / "files").mkdir()
    with serving(tmp_path / "files") as (address, reports):
        made = Place(tmp_path, address, reports)
        yield made
        made.at_home.unlink(missing_ok=True)


def environments(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "cache" / "jantaku" / "environments").iterdir())


def test_a_wheel_comes_over_the_network_into_the_environment(place: Place) -> None:
    wheel(place.index)
    python = Path(place.make(LUCKY))
    assert list(python.parents[1].glob("lib/*/site-packages/jantaku_lucky.py"))
    assert os.access(python, os.X_OK)


def test_a_package_that_puts_an_interpreter_over_the_environments_is_refused(place: Place, tmp_path: Path) -> None:
    """Its links would be followed to see what the bot needs."""
    wheel(place.index, script="python")
    with pytest.raises(BadInput, match="a package has replaced its Python interpreter"):
        place.make(LUCKY)
    assert environments(tmp_path) == []


@pytest.mark.parametrize("way", ["a wheel names its address", "its path is given to pip"])
def test_a_package_that_is_built_reaches_nothing_outside_and_is_not_installed(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """pip builds what a wheel of a stranger's index asks for by its address; a path no line of requirements can name,
    so it is given to pip behind the reader's back."""
    if way == "a wheel names its address":
        wheel(place.index, f"{NAME} @ {place.address}/{place.sdist.name}")
        wanted = LUCKY
    else:
        monkeypatch.setenv("PIP_FIND_LINKS", str(place.files))  # the sandbox shows it
        wanted = str(place.sdist)
    with pytest.raises(BadInput, match="its environment cannot be made: pip: "):
        place.make(wanted)
    (said,) = place.reports
    assert not place.outside.exists() and not place.at_home.exists()
    assert said["seen"][str(place.secret)] == "FileNotFoundError"
    assert "JANTAKU_TOKEN" not in said["variables"] and said["processes"] < 10
    assert environments(tmp_path) == []


@pytest.mark.long
def test_the_same_package_reaches_everything_where_nothing_confines_it(place: Place) -> None:
    """So the tests above can fail. A player that is not in the sandbox may do as much itself."""
    wheel(place.index, f"{NAME} @ {place.address}/{place.sdist.name}")
    with pytest.raises(BadInput):
        place.make(LUCKY, confined=False)
    (said,) = place.reports
    assert set(said["written"].values()) == {"written"} and place.outside.exists()
    assert said["seen"][str(place.secret)] == "wall" and "JANTAKU_TOKEN" in said["variables"]


def test_no_word_among_the_packages_is_an_option_to_pip(place: Place, tmp_path: Path) -> None:
    sdist(place.index, tmp_path / "source")
    with pytest.raises(BadInput, match="pip: ERROR: Invalid requirement: '--no-binary=:all:'"):
        place.make("--no-binary=:all:", NAME)
    assert place.reports == []


def test_an_sdist_of_an_index_is_not_built(place: Place, tmp_path: Path) -> None:
    (evil := place.index.parent / NAME).mkdir()
    sdist(evil, tmp_path / "source")
    with pytest.raises(BadInput, match=f"pip: ERROR: .*{NAME}"):
        place.make(NAME)
    assert place.reports == []
