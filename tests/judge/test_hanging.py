"""What pytest-timeout says of a table that hangs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HANGS = """
import threading
from jantaku.table.judge.judge import Judge
from tests.judge.players import Writer
from tests.kit.toy import ToyGame

def test_hangs():
    never = Writer(lambda question: threading.Event().wait())
    Judge(ToyGame(turns=1), [never, Writer(), Writer(), Writer()], mode="per-turn").run()
"""


@pytest.mark.long
@pytest.mark.parametrize("pure", ["0", "1"])
def test_a_time_out_of_pytest_names_the_seats_that_wait_and_in_plain_python_the_line(tmp_path: Path, pure: str) -> None:
    (tmp_path / "test_hangs.py").write_text(HANGS)
    words = ["-p", "no:cacheprovider", "-p", "pytest_timeout", "--timeout", "1", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *words]
    env = os.environ | {"JANTAKU_PURE": pure, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    stacks = re.split(r"~+ Stack of (T1-s\d-t1) \(\d+\) ~+", ran.stdout + ran.stderr)
    by_thread = dict(zip(stacks[1::2], stacks[2::2], strict=True))
    assert sorted(by_thread) == ["T1-s0-t1", "T1-s1-t1", "T1-s2-t1", "T1-s3-t1"], ran.stdout
    assert "never = Writer" in by_thread["T1-s0-t1"]
    for name in ("T1-s1-t1", "T1-s2-t1", "T1-s3-t1"):
        assert "in wait" in by_thread[name]
        if pure == "1":
            assert "in other_target\n    event.wait()" in by_thread[name]
