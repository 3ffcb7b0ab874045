"""A riichi client over WebSocket that knows nothing of jantaku: mjai, and every drawn tile goes.

`python room_client.py "ws://127.0.0.1:8766/play/club?name=first&dialect=mjai"`
"""

import json
import sys

from websockets.sync.client import connect

me = -1
with connect(sys.argv[1], compression=None) as table:
    for text in table:
        event = json.loads(text)[-1]  # the events since the last message; the last is what is asked about
        reply: dict[str, object] = {"type": "none"}
        if event["type"] == "start_game":
            me = event["id"]
        elif event["type"] == "tsumo" and event["actor"] == me:
            reply = {"type": "dahai", "pai": event["pai"], "tsumogiri": True}
        elif event["type"] == "end_game":
            print("points:", event["scores"])
        table.send(json.dumps(reply))
