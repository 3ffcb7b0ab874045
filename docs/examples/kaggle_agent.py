"""An agent in Kaggle's form: it takes a win or a riichi where it can, and else discards what it drew or passes."""

from typing import Any

WANTED = ("hora", "reach")


def agent(observation: Any, configuration: Any) -> int:
    """The number of one of `observation.legalActions`, which are mjai objects."""
    legal = observation.legalActions
    for number, action in enumerate(legal):
        if action["type"] in WANTED:
            return number
    drawn = [number for number, action in enumerate(legal) if action.get("tsumogiri")]
    return drawn[0] if drawn else len(legal) - 1
