"""Who won what, and how every player's answers were judged: a journal read with the standard library.

`python read_journal.py games/game-0000.jsonl`
"""

import json
import sys
from collections import Counter
from pathlib import Path

header, *lines = (json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines())
names, dealer = header["player"], header["qijia"]
verdicts: dict[str, Counter[str]] = {name: Counter() for name in names}
jushu = 0
for line in lines:
    if deal := line.get("qipai"):
        jushu = deal["jushu"]
    elif win := line.get("hule"):
        winner = names[(dealer + jushu + win["l"]) % 4]
        print(f"{winner} wins {win['defen']}: {', '.join(yaku['name'] for yaku in win['hupai'])}")
    elif draw := line.get("pingju"):
        print(f"nobody wins: {draw['name']}")
    for answer in line.get("answers", ()):
        verdicts[names[answer["seat"]]][answer["verdict"]] += 1
for name, counts in verdicts.items():
    print(f"{name}: {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}")
