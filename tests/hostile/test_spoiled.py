"""Readers of foreign bytes refuse what they cannot read, and raise nothing else: some examples, the same every time.

`scripts/checks spoiled` tries 20,000 for each reader, or JANTAKU_EXAMPLES, that depend on JANTAKU_SEED.
"""

import os

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings

from jantaku.table.ground.errors import BadInput
from tests.hostile.readers import READERS, Reader
from tests.hostile.spoiling import spoiled

EXAMPLES = int(os.environ.get("JANTAKU_EXAMPLES", "40"))
SEED = os.environ.get("JANTAKU_SEED", "1") if "JANTAKU_EXAMPLES" in os.environ else None


def fuzz(reader: Reader, examples: int, seed: str | None = None) -> None:
    """Let it read that many examples. An error that it must not raise comes out, with the smallest bytes in a note."""

    @settings(max_examples=examples, database=None, derandomize=seed is None, suppress_health_check=list(HealthCheck))
    @given(spoiled(reader.samples(), reader.packed))
    def tried(content: bytes) -> None:
        try:
            reader.read(content)
        except reader.raises:
            return
        except BaseException as error:
            error.add_note(f"reads {content[:2000]!r}{'…' if len(content) > 2000 else ''}")
            raise

    tried = tried if seed is None else hypothesis.seed(int(seed))(tried)
    tried()


@pytest.mark.long
@pytest.mark.spoiled
@pytest.mark.daily
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("name", READERS)
def test_a_reader_refuses_what_it_cannot_read(name: str) -> None:
    fuzz(READERS[name], EXAMPLES, SEED)


def test_a_reader_that_raises_something_else_is_found_with_the_bytes_that_did_it() -> None:
    def read(content: bytes) -> None:
        if b"\xff" in content:
            raise KeyError(content)
        raise BadInput("always")

    with pytest.raises(KeyError) as raised:
        fuzz(Reader(lambda: [b"abc"], read), 500)
    assert "reads b'" in raised.value.__notes__[0]


@pytest.mark.parametrize("name", READERS)
def test_samples_are_right(name: str) -> None:
    reader = READERS[name]
    assert reader.samples()
    refused = 0
    for sample in reader.samples():
        try:
            reader.read(sample)
        except reader.raises:
            refused += 1
    assert refused < len(reader.samples())
