"""Every decision of a record, with what the player saw, could do and did, one JSON object a line.

`python decisions.py games/game-0000.jsonl > decisions.jsonl`
"""

import sys
from pathlib import Path

import msgspec

from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.decisions import decisions

for decision in decisions(read_any(Path(sys.argv[1])).record):
    row = {"player": decision.player, "view": decision.view, "options": decision.options, "answer": decision.answer}
    print(msgspec.json.encode(row).decode())
