"""Readers of foreign bytes refuse what they cannot read, and raise nothing else: some examples, the same every time.

`scripts/checks spoiled` tries 20,000 for each reader, or JANTAKU_EXAMPLES, that depend on JANTAKU_SEED.
"""

import copy
import gzip
import json
import os
import random
from collections.abc import Callable, Sequence
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from tests.hostile.readers import READERS, Reader

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


Spoil = Callable[[random.Random, bytes], bytes]
PIECES = (
    b"\0", b"\n", b"\r", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\xff", b"\xef\xbb\xbf",
    b"NaN", b"1e999", b"-",
    b"\\ud800", b"[" * 2000, b"9" * 5000, b"\x1b[2J", b"null", b"true", b"\x1f\x8b", b"=", b"'''", b"\r\n\r\n", b": ",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 4, 9, 136, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308, "", " ", "m1", "m0",
    "z8",
    "x9", "m1_*", "1m", "5mr",
    "?", "\x1b[2J", "\ud800", "\0", "m" + "1" * 500, "a" * 5000, [], {}, [[]], [None], [1, "a", {}],
    {"l": 0, "p": "m1"}, {"type": "dahai"}, [0] * 200, "m1111", "m1-23", "m123p456s789z1122", "0-[S3]", "Jo",
)  # fmt: skip
MOST = 4
"""Most spoiled places."""


def spoiled(samples: Sequence[bytes], packed: bool = False) -> st.SearchStrategy[bytes]:
    """Return a strategy: one of the samples, spoiled as text, as lines or as the JSON in them."""
    spoils = [_cut, _doubled, _with_a_piece, _flipped, _values, _values, _lines, _keys]
    spoils += [_packed, _packed_badly] if packed else []

    def spoil(rng: random.Random) -> bytes:
        content = rng.choice(samples)
        for _ in range(rng.randint(1, MOST)):
            content = rng.choice(spoils)(rng, content)
        return content

    return st.integers(0, 2**64 - 1).map(lambda seed: spoil(random.Random(seed)))


def _span(rng: random.Random, content: bytes) -> tuple[int, int]:
    begin = rng.randint(0, len(content))
    return begin, min(len(content), begin + rng.choice((1, 2, 8, 60, 1000, 10**6)))


def _cut(rng: random.Random, content: bytes) -> bytes:
    begin, end = _span(rng, content)
    return content[:begin] + content[end:]


def _doubled(rng: random.Random, content: bytes) -> bytes:
    begin, end = _span(rng, content)
    return content[:end] + content[begin:end] + content[end:]


def _with_a_piece(rng: random.Random, content: bytes) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + rng.choice(PIECES) + content[at:]


def _flipped(rng: random.Random, content: bytes) -> bytes:
    if not content:
        return b"\xff"
    at = rng.randrange(len(content))
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _lines(rng: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"".join(lines)


def _packed(rng: random.Random, content: bytes) -> bytes:
    return gzip.compress(content, 1)


def _packed_badly(rng: random.Random, content: bytes) -> bytes:
    return _flipped(rng, gzip.compress(content, 1))[: rng.choice((30, 1000, 10**6))]


def _values(rng: random.Random, content: bytes) -> bytes:
    """Replace a value somewhere in the JSON, or copy one from another place."""
    return _edited(rng, content, lambda holder, key, whole: holder.__setitem__(key, _other(rng, whole)))


def _keys(rng: random.Random, content: bytes) -> bytes:
    def edit(holder: Any, key: Any, whole: Any) -> None:
        if rng.random() < 0.5:
            del holder[key]
        elif isinstance(holder, dict):
            holder[rng.choice(("x", "type", "\x1b", "l", ""))] = holder[key]
        else:
            holder.insert(key, copy.deepcopy(holder[key]))

    return _edited(rng, content, edit)


def _other(rng: random.Random, whole: Any) -> Any:
    if rng.random() < 0.7:
        return copy.deepcopy(rng.choice(VALUES))
    holder, key = _place(rng, whole)
    return copy.deepcopy(whole if holder is None else holder[key])


def _place(rng: random.Random, whole: Any) -> tuple[Any, Any]:
    """Return a random place in a JSON value: its container and key."""
    holder, key, value = None, None, whole
    while isinstance(value, dict | list) and value and (holder is None or rng.random() < 0.8):
        holder = value
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        value = value[key]
    return holder, key


def _edited(rng: random.Random, content: bytes, edit: Callable[[Any, Any, Any], object]) -> bytes:
    """Return the bytes with one line of JSON edited, or with the whole edited if it is one JSON value."""
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        whole = json.loads(lines[at])
    except (ValueError, RecursionError):
        return content
    holder, key = _place(rng, whole)
    if holder is None:
        whole = rng.choice(VALUES)
    else:
        edit(holder, key, whole)
    lines[at] = json.dumps(whole).encode()
    return b"\n".join(lines)
