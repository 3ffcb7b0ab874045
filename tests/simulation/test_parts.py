"""Each small part keeps its promise in every order of its threads. docs/threads.md says what they are.

The usual run takes each up to `Part.bound` preemptions; `-m whole` up to `Part.whole`, and prints what it has played.
"""

import time

import pytest

from tests.simulation.parts import PARTS
from tests.simulation.parts.exploring import Part, explored

pytestmark = pytest.mark.pure


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_keeps_its_promise_in_every_order(part: Part) -> None:
    assert explored(part, part.bound) > 1


@pytest.mark.whole
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_keeps_its_promise_with_more_preemptions(part: Part) -> None:
    began = time.process_time()
    count = explored(part, part.whole)
    print(f"| {part.name} | {part.promise} | {part.whole} | {count:,} | {time.process_time() - began:.1f} s |")
