"""Compiles the core before something long begins, like `scripts/compile`."""

import os
import subprocess
import sys
from pathlib import Path

from jantaku.table import core

COMPILE = Path(__file__).with_name("compile")


def compile_first() -> None:
    """Compile the core and restart this process, if it runs as plain Python and nobody asked for that. If the core
    cannot be compiled, go on: the results are the same."""
    asks = {"-h", "--help"} & set(sys.argv)
    if core == "compiled" or asks or os.environ.get("JANTAKU_PURE", "0") != "0":
        return
    if subprocess.run([COMPILE]).returncode == 0:
        os.execv(sys.executable, sys.orig_argv)
