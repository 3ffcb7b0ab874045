"""Runs the command like a user, in this process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from jantaku.table.cli import main as cli


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Jantaku = Callable[..., Ran]


@pytest.fixture
def jantaku(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Jantaku]:
    """Run the command in this process, as `python -m jantaku` does. Bots written for one test are unloaded after it."""
    monkeypatch.setattr(sys, "path", sys.path[:])

    def run(*words: str) -> Ran:
        with pytest.raises(SystemExit) as left:
            cli.main(words)
        printed = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, printed.out, printed.err)

    yield run
    unload(tmp_path_factory.getbasetemp())


@pytest.fixture
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a test works, empty at its beginning."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def unload(scratch: Path) -> None:
    """Forget the modules in this folder, and no other ones: half of a package that is imported anew beside its other
    half has two of everything that it keeps."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(scratch)):
            del sys.modules[name]
