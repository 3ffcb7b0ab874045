"""Nets at the table: what a seat sees as numbers, many tables in one step, and answers from numbers."""

import os

# A net answers one observation at a time. numpy's OpenBLAS would have a thread a core for it, which wait for each other
# in every worker: a match of nets took eight times the CPU. numpy reads this when it is imported; a value that is set
# already stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
