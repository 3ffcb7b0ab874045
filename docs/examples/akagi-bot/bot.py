"""A bot as Akagi and mjai.app start it: a line is a JSON array of events, and every line is replied to."""

import json
import os
import sys

me = int(sys.argv[1])
with open(os.environ["AKAGI_BOT_CONFIG"], encoding="utf-8") as file:
    settings = json.load(file)
print(f"playing {settings['style']}", file=sys.stderr)

for line in sys.stdin:
    last = json.loads(line)[-1]
    reply: dict[str, object] = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == me:
        reply = {"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(reply), flush=True)
