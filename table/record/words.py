"""Decisions as words: a discard `m1`, `m1_`, `m1*`, `m1_*`, a meld in Majiang notation, or one of `WORDS`."""

from functools import cache
from typing import Any

from table.port import Action
from table.record.items import reply
from table.riichi import actions

WORDS: dict[Any, str] = {
    actions.Tsumo: "tsumo",
    actions.Ron: "ron",
    actions.Kyuushu: "kyuushu",
    actions.Pass: "pass",
    actions.Tenpai: "tenpai",
    actions.Noten: "noten",
}


@cache
def word_of(action: Action) -> str:
    """The word for an action; every action that a seat has at one time has another one."""
    return WORDS.get(type(action)) or next(iter(reply(action).values()))
