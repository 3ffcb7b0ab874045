"""A dialect talked to without any program: what is told comes out, what is said goes in."""

from typing import Any

from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.languages.wire.dialect import Dialect, Heard
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules

MAJIANG = ruleset.resolve("majiang").rules


def game_of(seed: str = "23", rules: Rules = MAJIANG, first_dealer: int = 1) -> RiichiGame:
    return RiichiGame(rules, walls_from(seed, 0, rules), tuple("abcd"[: rules.game.players]), first_dealer)


def question(*options: Action, default: Action | None = None) -> Question:
    """A question with these options; the last is the default unless another is given."""
    return Question(7, 0, Choice(options, options[-1] if default is None else default))


def ask(dialect: Dialect, put: Question, *lines: bytes) -> tuple[bytes, Action]:
    """Put a question and let the player say `lines`, one after another: what was sent, and the answer."""
    talk, sent = dialect.ask(put), b""
    try:
        sent += next(talk)
        for line in lines:
            sent += talk.send(Heard(line, dialect.due))
    except StopIteration as end:
        return sent, end.value
    raise AssertionError("the question is still open")


def told(dialect: Dialect, game: RiichiGame, player: int, until: Any = None) -> list[bytes]:
    return [dialect.tell(game.masked(index, player)) for index in range(len(game.events))]


def tell(dialect: Dialect, *happened: Event) -> bytes:
    return b"".join(dialect.tell(event) for event in happened)
