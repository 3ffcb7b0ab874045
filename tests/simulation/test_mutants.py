"""The simulation finds planted faults: see `mutants.planting`. Here is what holds of their tables without a run."""

import pytest

from tests.simulation.mutants.planting import NONE, ROOT, Mutant, found, mutants

pytestmark = pytest.mark.pure
ALL = mutants()


def test_each_mutant_changes_one_place() -> None:
    for mutant in ALL:
        assert (ROOT / mutant.file).read_text("utf-8").count(mutant.old) == 1, f"{mutant.file}: {mutant.why}"
        assert mutant.old != mutant.new
    assert len({(one.file, one.old, one.new) for one in ALL}) == len(ALL)


@pytest.mark.mutants
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mutant", [NONE, *ALL], ids=lambda mutant: f"{mutant.file}: {mutant.why}")
def test_a_mutant_is_found_unless_it_is_explained(mutant: Mutant) -> None:
    by = found(mutant)
    assert bool(by) != bool(mutant is NONE or mutant.equivalent), by or "it has survived"
