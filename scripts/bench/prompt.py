"""A program that answers at once: `python prompt.py [FILE]`. Discards what it draws and passes, in the dialect mjai.

Standard library only. It also writes its input to FILE, so that a bare pipe can be fed with the same lines.
"""

import json
import sys


def main() -> None:
    """Answer every line until the input ends."""
    kept = open(sys.argv[1], "wb") if len(sys.argv) > 1 else None  # noqa: SIM115  # until the end
    me, drawn = 0, None
    out = sys.stdout
    for line in sys.stdin.buffer:
        if kept is not None:
            kept.write(line)
            kept.flush()
        for event in json.loads(line):
            kind = event["type"]
            if kind == "start_game":
                me = event["id"]
            drawn = event["pai"] if kind == "tsumo" and event["actor"] == me else None
        reply = '{"type":"none"}'
        if drawn is not None:
            reply = json.dumps({"type": "dahai", "actor": me, "pai": drawn, "tsumogiri": True})
        out.write(reply + "\n")
        out.flush()


if __name__ == "__main__":
    main()
