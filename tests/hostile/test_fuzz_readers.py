"""Readers of foreign bytes refuse what they cannot read, and raise nothing else: some examples, the same every time.

`python -m scripts.fuzz_readers` tries as many as one likes.
"""

import pytest

from jantaku.table.ground.errors import BadInput
from scripts.fuzz_readers import fuzz
from scripts.fuzzing.readers import READERS, Reader

EXAMPLES = 40


@pytest.mark.parametrize("name", READERS)
def test_a_reader_refuses_what_it_cannot_read(name: str) -> None:
    fuzz(READERS[name], EXAMPLES)


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
