"""The environment and the standard streams of a program that plays.

Its environment is an allow-list of the table's own variables, and the variables of its player's terms.

The table's own environment may contain tokens, keys and addresses that a seated program must not see.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import BinaryIO

SEED = "JANTAKU_SEED"
"""The variable with the seed of the bot, as an in-process bot would get it."""
INHERIT = "JANTAKU_INHERIT"
"""The variable of the table's environment with comma-separated names of more variables that every program gets."""
_PLACES = "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP SYSTEMROOT LANG LANGUAGE TZ TERM"
_LIBRARIES = """VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONIOENCODING PYTHONHASHSEED PYTHONWARNINGS
PYTHONDONTWRITEBYTECODE NODE_PATH NODE_OPTIONS JAVA_HOME GEM_PATH RUBYLIB PERL5LIB LD_LIBRARY_PATH"""
_DEVICES = "OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS CUDA_VISIBLE_DEVICES"
_CORE = "JANTAKU_PURE"
PASSED = frozenset(" ".join((_PLACES, _LIBRARIES, _DEVICES, _CORE)).split())
"""Variables that are passed on, besides those that begin with LC_."""


def environment(given: Mapping[str, str], inherit: Iterable[str] = ()) -> dict[str, str]:
    """Return the environment of a program: the variables that are passed on, those named by `inherit` or
    JANTAKU_INHERIT, and `given`, which takes precedence."""
    wanted = PASSED.union(inherit, filter(None, map(str.strip, os.environ.get(INHERIT, "").split(","))))
    kept = {name: value for name, value in os.environ.items() if name in wanted or name.startswith("LC_")}
    return {**kept, "PYTHONUNBUFFERED": "1", **given}


def protocol_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of messages and replies, unbuffered. From now on everything else that is printed goes to
    stderr: a bot's output would otherwise mix with its replies."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    sys.stdout.flush()
    os.dup2(2, 1)
    return sys.stdin.buffer, out
