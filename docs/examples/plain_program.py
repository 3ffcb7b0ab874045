"""A player that knows nothing of jantaku: standard library only, Majiang's messages over stdin and stdout.

It discards what it draws. `jantaku play --players "exec:python plain_program.py,shanten,shanten,dice"`
"""

import json
import sys

seat = -1
for line in sys.stdin:
    message = json.loads(line)
    reply = {}
    if deal := message.get("qipai"):
        seat = next(at for at, hand in enumerate(deal["shoupai"]) if hand)  # the others' hands are empty texts
    elif (draw := message.get("zimo")) and draw["l"] == seat:
        reply = {"dapai": draw["p"] + "_"}
    if "seq" in message:
        print(json.dumps(reply | {"seq": message["seq"]}), flush=True)
