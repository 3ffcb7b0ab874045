"""Draws the conversations of table and player: `python -m scripts.transcripts` updates docs/dialects.md.

It shows the same kyoku in every dialect, by the code that plays: our own bot as a program
(`jantaku.players.adapters.client`) answers what the dialect (`jantaku.table.languages.wire`) says.
"""

import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jantaku.players.adapters.client import Mind, serve
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialect import Dialect, Heard
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.laws import bring_up_to_date

PAGE = Path(__file__).parents[1] / "docs" / "transcripts.md"
COMMAND = "scripts.transcripts"
RULES = with_settings(preset("majiang"), {"game.length": "one"})
SEED = "78"
"""Seed of a kyoku that the player, at 東, wins by ron after a riichi."""
OPENING, ENDING = 8, 6
"""Lines shown at the beginning and at the end of the transcript."""
HEAD, TAIL = 100, 120
"""Characters shown of a long line at its beginning and end: the end says what is asked, and what may be replied."""


class Witness(Shanten):
    """Keeps its events and questions, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[Any] = []

    def hear(self, event: Any) -> None:
        self.met.append(event)
        super().hear(event)

    def answer(self, question: Question) -> Action:
        self.met.append(question)
        return super().answer(question)


class Talkers:
    """Both ends of one seat, and their conversation: `(from the table, line)` in order."""

    def __init__(self, dialect: Dialect) -> None:
        self.said: list[tuple[bool, str]] = []
        self._dialect = dialect
        self._unread: list[Heard] = []

    def write(self, line: bytes) -> None:
        """Take the program's reply."""
        self.said.append((False, line.decode().strip()))
        self._unread.append(Heard(line.strip(), self._dialect.due))

    def told(self, met: list[Any]) -> Iterator[bytes]:
        """Yield what the table says, line by line; between two lines the program replies."""
        for one, then in itertools.pairwise([*met, None]):
            if not isinstance(one, Question):
                yield from self._lines(self._dialect.tell(one, then if isinstance(then, Question) else None))
                continue
            talk = self._dialect.ask(one)
            data = next(talk)
            try:
                while True:
                    yield from self._lines(data)
                    data = talk.send(self._unread.pop(0))
            except StopIteration:
                pass

    def _lines(self, data: bytes) -> Iterator[bytes]:
        for line in data.splitlines():
            self.said.append((True, line.decode()))
            yield line


def met() -> list[Any]:
    game = RiichiGame(RULES, walls_from(SEED, 0, RULES), ("you", "b", "c", "d"))
    witness = Witness()
    Judge(game, [witness, Shanten(), Shanten(), Shanten()], mode="inline").run()
    return witness.met


def conversation(name: str) -> list[tuple[bool, str]]:
    """Return every line of the kyoku in a dialect: whether the table says it, and its text."""
    talkers = Talkers(DIALECTS[name].side())
    serve(Mind(Shanten()), DIALECTS[name].reader("majiang"), talkers.told(met()), talkers)
    return talkers.said


def drawn() -> str:
    """Return one transcript for each dialect, as Markdown."""
    parts = []
    for name in DIALECTS:
        parts += [f"## {name}", "", "```text", *_shown(conversation(name)), "```", ""]
    return "\n".join(parts[:-1])


def _shown(said: list[tuple[bool, str]]) -> Iterator[str]:
    """Yield the first lines; every reply that does more than discard, with what it answers; the question after `reach`;
    and the last lines."""
    kept = {*range(OPENING), *range(len(said) - ENDING, len(said))}
    for at, (is_table, line) in enumerate(said):
        if not is_table and _tells(line):
            kept |= {at - 1, at, *(range(at, _reply_after(said, at) + 1) if '"reach"' in line else ())}
    before = -1
    for at in sorted(kept):
        if at > before + 1:
            yield f"  … {at - before - 1} lines …"
        is_table, line = said[at]
        cut = line if len(line) <= HEAD + TAIL else f"{line[:HEAD]} … {line[-TAIL:]}"
        yield f"{'→' if is_table else '←'} {cut}"
        before = at


def _reply_after(said: list[tuple[bool, str]], at: int) -> int:
    """Return the index of the player's next line."""
    return next(later for later in range(at + 1, len(said)) if not said[later][0])


def _tells(reply: str) -> bool:
    return bool(re.search(r'\*"|fulou|gang|hule|reach|chi|pon|kan|hora', reply))


def main() -> int:
    return bring_up_to_date(PAGE, drawn(), COMMAND)


if __name__ == "__main__":
    sys.exit(main())
