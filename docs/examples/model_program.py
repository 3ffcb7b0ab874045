"""A language model at the table: every decision is a prompt, and the command in MODEL prints the number of an option.

jantaku play --limit 60 --players "exec:python model_program.py?dialect=mjai-lines-actions&env.MODEL=CMD,dice,dice,dice"
"""

import json
import os
import re
import shlex
import subprocess
import sys

told, hand, me, in_riichi = [""], [""], 0, False


def chosen(options: list[dict[str, object]]) -> dict[str, object]:
    listed = "\n".join(f"{number} {json.dumps(option)}" for number, option in enumerate(options))
    prompt = f"Riichi mahjong, as mjai tells it; you are player {me}.\n{''.join(told)}Your hand: {' '.join(hand)}\n"
    run, asked = shlex.split(os.environ["MODEL"]), f"{prompt}Say one number:\n{listed}"
    said = subprocess.run(run, input=asked, capture_output=True, text=True).stdout
    return options[int(found[0]) % len(options)] if (found := re.search(r"\d{1,9}", said)) else options[-1]


for line in sys.stdin:
    event, told = json.loads(line), [*told, line]
    kind, mine, options = event["type"], event.get("actor") == me, event.get("possible_actions", [])
    if kind == "start_game":
        me = event["id"]
    elif kind == "start_kyoku":
        told, hand, in_riichi = [line], event["tehais"][me], False
    elif mine and kind == "tsumo":
        hand.append(event["pai"])
    elif mine and kind in ("dahai", "kakan", "chi", "pon", "daiminkan", "ankan"):
        for tile in [event["pai"]] if kind in ("dahai", "kakan") else event["consumed"]:
            hand.remove(tile)
    in_riichi = in_riichi or (mine and kind == "reach_accepted")
    if event.get("can_act", True):
        free = [tile for tile in hand if tile not in event.get("cannot_dahai", [])][-1 if in_riichi else 0 :]
        discards = [{"type": "dahai", "pai": tile, "tsumogiri": kind == "tsumo" and tile == hand[-1]} for tile in free]
        print(json.dumps(chosen(options + (discards if mine else [{"type": "none"}]))), flush=True)
