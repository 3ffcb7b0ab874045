"""Running the command as a person does, in this process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from table.cli import main as cli


class Ran(NamedTuple):
    """What a person sees of one command."""

    code: int
    out: str
    err: str


Jantaku = Callable[..., Ran]


@pytest.fixture
def jantaku(capsys: pytest.CaptureFixture[str]) -> Jantaku:
    """Runs the command in this process, as `python -m table` does."""

    def run(*words: str) -> Ran:
        with pytest.raises(SystemExit) as left:
            cli.main(words)
        printed = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, printed.out, printed.err)

    return run
