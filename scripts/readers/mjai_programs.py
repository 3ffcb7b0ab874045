"""Loads mjai logs with PyPI `mjai` (libriichi) or `riichienv`. Runs in their environment, without jantaku.

    python mjai_programs.py mjai|riichienv FILE

FILE: lines of {"name", "lines": [mjai line, …], "kyoku": [what is expected, …]}. Prints {"agree": kyoku, "explained":
{reason: kyoku}, "different": ["name kyoku n: …"]}.
"""

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

FLAGS = ("chankan", "double_riichi", "haitei", "houtei", "ippatsu", "riichi", "rinshan", "tsumo_first_turn")
KAN_OF_1M = [0, 1, 2, 3]
KEPT = ("tsumo", "player_wind", "round_wind", "honba", "riichi_sticks")


def main(program: str, file: str) -> None:
    """Load every log, and print."""
    agree, explained, different = 0, Counter[str](), []
    for text in Path(file).read_text("utf-8").splitlines():
        game = json.loads(text)
        for number, found in enumerate({"mjai": by_mjai, "riichienv": by_riichienv}[program](game), 1):
            if not found:
                agree += 1
            elif found.startswith("explained: "):
                explained[found.removeprefix("explained: ")] += 1
            else:
                different.append(f"{game['name']} kyoku {number}: {found}")
    print(json.dumps({"agree": agree, "explained": explained, "different": different}))


def by_mjai(game: dict[str, Any]) -> list[str]:
    """Return by kyoku what is wrong: the four hands and the points in libriichi at the end of the kyoku."""
    from mjai.mlibriichi.state import PlayerState  # type: ignore[import-not-found]

    states = [PlayerState(player) for player in range(4)]
    found: list[str] = []
    for line in game["lines"]:
        kind = json.loads(line)["type"]
        if kind == "start_kyoku":
            found.append("it did not come to an end")
        if kind in ("hora", "ryukyoku"):
            found[-1] = found[-1] and _other_hands(states, game["kyoku"][len(found) - 1])
        try:
            for state in states:
                state.update(line)
        except BaseException as error:  # a Rust panic is no Exception
            wrong = f"{line}: {error}"
            return [*found[:-1], wrong, *[wrong] * (len(game["kyoku"]) - len(found))]
    return found


def _other_hands(states: list[Any], expected: dict[str, Any]) -> str:
    for player, state in enumerate(states):
        if list(state.tehai) != expected["hands"][player]:
            return f"player {player} holds {list(state.tehai)}, not {expected['hands'][player]}"
    return ""


def by_riichienv(game: dict[str, Any]) -> list[str]:
    """Return by kyoku what is wrong: its decisions can be stepped through, and its wins have the same value."""
    from riichienv import MjaiReplay  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_text("\n".join(game["lines"]) + "\n", "utf-8")
        try:
            kyoku = list(MjaiReplay.from_jsonl(str(path), game.get("rule")).take_kyokus())
        except BaseException as error:
            return [f"{type(error).__name__}: {error}"] * len(game["kyoku"])
    if len(kyoku) != len(game["kyoku"]):
        return [f"it found {len(kyoku)} kyoku, not {len(game['kyoku'])}"] * len(game["kyoku"])
    return [_other_wins(one, expected) for one, expected in zip(kyoku, game["kyoku"], strict=True)]


def _other_wins(kyoku: Any, expected: dict[str, Any]) -> str:
    try:
        if not sum(1 for _ in kyoku.steps()):
            before = "explained: a kyoku that ends before the first discard has no step there"
            return "it found no decision" if expected["discards"] else before
        wins = list(kyoku.take_win_result_contexts())
    except BaseException as error:
        if "Replay desync" in str(error) and "action_type: Riichi" in str(error) and expected["poor"]:
            rules = "which know no riichi below 1000 points or at the end"
            return f"explained: its replay plays along by its own rules, {rules}"
        return f"{type(error).__name__}: {error}"
    told = expected["wins"]
    if [win.seat for win in wins] != [win["player"] for win in told]:
        return f"it found wins of {[win.seat for win in wins]}, not {[win['player'] for win in told]}"
    for win, one in zip(wins, told, strict=True):
        if other := _other_worth(win, one, expected["other_rules"]):
            return other
    return ""


def _other_worth(win: Any, told: dict[str, Any], rules: list[str]) -> str:
    """Return how its value of the hand differs: first with its own view of how the hand was won and of the indicators,
    then with the real ones."""
    if _same(win.actual, told):
        return ""
    wrong = [f"{flag} wrong" for flag in FLAGS if getattr(win.conditions, flag) != (flag in told["flags"])]
    flags = {flag: flag in told["flags"] for flag in FLAGS}
    kept = {name: getattr(win.conditions, name) for name in KEPT}
    dora = list(win.dora_indicators)[: told["indicators"]]
    if dora != list(win.dora_indicators):
        wrong.append("indicators twice")
    value = win.create_calculator().calc(
        win.agari_tile, dora, list(win.ura_indicators), type(win.conditions)(**flags, **kept)
    )
    if any(list(meld.tiles) == KAN_OF_1M for meld in win.melds):
        return "explained: its replay reads a closed kan as one of 1m, in its own logs too"
    if wrong and _same(value, told):
        return f"explained: its replay has {' and '.join(wrong)}; with that put right it agrees"
    if value.han > (told["fanshu"] or 99) and told["reds"] > 1:
        return "explained: majiang-core counts the dora of one red five a suit only, riichienv and we of each"
    if rules:
        return f"explained: by the record's rules there is {', '.join(rules)}"
    return f"player {win.seat}: {win.actual.han} han {win.actual.fu} fu ({value.han}, {value.fu} put right), not {told}"


def _same(value: Any, told: dict[str, Any]) -> bool:
    if told["damanguan"]:
        return bool(value.yakuman)
    return (value.han, value.fu) == (told["fanshu"], told["fu"])


if __name__ == "__main__":
    main(*sys.argv[1:])
