"""Short helpers for tests: cards from text, rules by letter; and driving a game by hand: hands as text, plays as
text, what was sent as (kind, board)."""

from collections.abc import Sequence

from jantaku.table.daifugo.cards import parse_cards
from jantaku.table.daifugo.events import Board, Hands
from jantaku.table.daifugo.game import DaifugoGame
from jantaku.table.daifugo.neof5 import Kind, history_texts, tell
from jantaku.table.daifugo.plays import Put
from jantaku.table.daifugo.rules import FILES, Rules


def hands_of(*texts: str) -> Hands:
    return tuple(cards(text) for text in texts)


def game_of(table: Rules, *hands: str, ranks: Sequence[int] | None = None) -> DaifugoGame:
    dealt = hands_of(*hands)
    return DaifugoGame(table, lambda number: dealt, [f"p{seat}" for seat in range(len(hands))], ranks)


def play(game: DaifugoGame, *plays: str) -> None:
    """Play for whoever is on turn; `default` takes the default. AssertionError if it is not among the options."""
    for text in plays:
        turn = game.turn()
        assert turn is not None, f"{text}: the game is over"
        action = turn.choice.default if text == "default" else Put(tuple(sorted(cards(text))))
        assert action in turn.choice.options, f"{text}: not offered to seat {turn.seat}"
        game.act(action)
        game.rule((None,) * game.seats)


def history(game: DaifugoGame) -> str:
    return " ".join(history_texts(game.board.history))


def said(game: DaifugoGame, start: int = 0) -> list[Kind]:
    """Every kind of message that everybody is sent for the events from `start` on."""
    board = Board()
    found = []
    for index, event in enumerate(game.events):
        kinds = list(tell(board, event, game.rules.room.swapped))
        if index >= start:
            found += kinds
    return found


def cards(text: str) -> tuple[int, ...]:
    """Return cards in the order of the text."""
    return parse_cards(text)


def rules(letter: str = "A", preset: str = "strict", **texts: str) -> Rules:
    """Return a preset's rules for class `letter`; keys are given with `__` for the dot."""
    keys = {key.replace("__", "."): text for key, text in texts.items()}
    return FILES.with_settings(FILES.preset(preset), {"game.letter": letter, **keys})
