"""Has the core compiled before something long begins, as `scripts/compile` does."""

import os
import subprocess
import sys
from pathlib import Path

from jantaku.table import core

COMPILE = Path(__file__).with_name("compile")


def compile_first() -> None:
    """Compile the core and begin this process anew, if it runs as plain Python and nobody has asked for that. Where it
    cannot be compiled this goes on: the results are the same."""
    asks = {"-h", "--help"} & set(sys.argv)
    if core == "compiled" or asks or os.environ.get("JANTAKU_PURE", "0") != "0":
        return
    if subprocess.run([COMPILE]).returncode == 0:
        os.execv(sys.executable, sys.orig_argv)
