"""The child process of one of our rows: `python -m scripts.bench.worker ROW POLICY WARM-UP [SWITCH-INTERVAL]`."""

import sys

from jantaku.table import core
from scripts.bench.bursts import serve
from scripts.bench.games import counted
from scripts.bench.rows import PLAYS, SPEED

if __name__ == "__main__":
    row, policy, warm_up, *switch = sys.argv[1:]
    if switch:
        sys.setswitchinterval(float(switch[0]))
    serve(PLAYS[row](policy), int(warm_up), counted(policy) if row in SPEED else None, core)
