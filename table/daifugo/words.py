"""Plays and their consequences as text, for log lines."""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.table.daifugo.actions import Put
from jantaku.table.daifugo.cards import cards_text
from jantaku.table.daifugo.events import Thinking
from jantaku.table.ground.port import Action


class DaifugoWords:
    """Implements `jantaku.table.ground.game.Words`."""

    round: Final = "round"

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players

    def action(self, action: Action) -> str:
        assert isinstance(action, Put)
        return cards_text(action.cards) or "pass"

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Any]) -> tuple[str, str]:
        happened = [type(event).__name__.lower() for event in new if not isinstance(event, Thinking)]
        return ", ".join(happened) or "next turn", "nobody reacts in this game"
