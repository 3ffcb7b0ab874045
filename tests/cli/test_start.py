"""What a start loads: a command that draws nothing, asks nobody and starts no process waits for none of the libraries
that do."""

import subprocess
import sys
from pathlib import Path

from tests.kit.cases import cases

LOADED = """
import sys
before = set(sys.modules)
from jantaku.table.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(*{name.partition(".")[0] for name in set(sys.modules) - before}, file=sys.stderr)
"""
DRAWING, LOGGING, OTHERS = {"rich"}, {"structlog"}, {"asyncio", "multiprocessing", "numpy", "websockets"}
READING = {"difflib", "hashlib", "json", "mahjong", "subprocess", "tomllib"}


@cases(
    "words, needless",
    ("--help", DRAWING | LOGGING | OTHERS | READING),
    ("play --length one --seed 1 --out games", DRAWING | LOGGING | OTHERS),
    ("play --length one --seed 1 --games 2 --quiet --out games", DRAWING | LOGGING | OTHERS),
)
def test_a_start_loads_nothing_that_the_command_does_not_use(tmp_path: Path, words: str, needless: set[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, *words.split()], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    loaded = set(ran.stderr.split())
    assert "click" in loaded
    assert not needless & loaded
