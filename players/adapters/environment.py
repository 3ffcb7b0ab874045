"""The environment of a program that plays: listed variables of the table's own, and what its player's terms add.

The table's own environment may hold tokens, keys and addresses that a seated program has no business with.
"""

import os
from collections.abc import Iterable, Mapping

SEED = "JANTAKU_SEED"
"""Tells a program the seed that a bot here would be made with."""
INHERIT = "JANTAKU_INHERIT"
"""In the table's environment: names, between commas, of more variables that every program gets."""
_PLACES = "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP SYSTEMROOT LANG LANGUAGE TZ TERM"
_LIBRARIES = """VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONIOENCODING PYTHONHASHSEED PYTHONWARNINGS
PYTHONDONTWRITEBYTECODE NODE_PATH NODE_OPTIONS JAVA_HOME GEM_PATH RUBYLIB PERL5LIB LD_LIBRARY_PATH"""
_DEVICES = "OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS CUDA_VISIBLE_DEVICES"
_CORE = "JANTAKU_PURE"
PASSED = frozenset(" ".join((_PLACES, _LIBRARIES, _DEVICES, _CORE)).split())
"""These are passed on, and those that begin with LC_."""


def environment(given: Mapping[str, str], inherit: Iterable[str] = ()) -> dict[str, str]:
    """What a program gets: what is passed on, the variables of ours that `inherit` or JANTAKU_INHERIT name, and `given`
    over all of them."""
    wanted = PASSED.union(inherit, filter(None, map(str.strip, os.environ.get(INHERIT, "").split(","))))
    kept = {name: value for name, value in os.environ.items() if name in wanted or name.startswith("LC_")}
    return {**kept, "PYTHONUNBUFFERED": "1", **given}
