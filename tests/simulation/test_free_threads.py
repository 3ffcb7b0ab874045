"""The judge's tests on a Python whose threads run at once, where one is at hand. There nothing is simulated."""

import os
import shutil
import subprocess

import pytest

from tests.simulation.mutants.planting import ROOT

NAMES = ("python3.14t", "python3.13t")


@pytest.mark.whole
@pytest.mark.timeout(1800)
def test_the_judge_keeps_its_tests_where_threads_run_at_once() -> None:
    python = next((found for found in map(shutil.which, NAMES) if found), None)
    if python is None:
        pytest.skip(f"no free-threaded Python is on the PATH ({', '.join(NAMES)})")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHON_GIL": "0", "JANTAKU_PURE": "1"}
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/judge"]
    run = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if "No module named" in run.stdout + run.stderr:
        pytest.skip(f"{python} has not what jantaku requires: {(run.stdout + run.stderr).strip()[-200:]}")
    assert run.returncode == 0, run.stdout[-3000:]
