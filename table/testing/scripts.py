"""What seats say in a scripted kyoku, word by word:

    東. 南m1_ 東z6* 西pass

A word is a wind and what that seat answers: `.` the default (ツモ切り), a discard (`m1`, `m1_` ツモ切り, `m1*`, `m1_*`
with riichi), a meld in Majiang notation, `tsumo`, `ron`, `setaside` (a north, with three players), `kyuushu`, `tenpai`,
`noten` or `pass`.

A number after `*` repeats a word: `南.*17`. Words of one seat are used in order. A word for the seat's own turn waits
for that turn, a reaction until it is offered; meanwhile the seat answers the default.
"""

import re
from collections.abc import Iterable

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.words import word_of

DEFAULT = "."
_WORD = re.compile(rf"([{WINDS}])(.+?)(?:\*(\d+))?")
_REACTION = re.compile(r"ron|pass|[mpsz]\d+[-+=]\d*")
_KAKAN = re.compile(r"[mpsz]\d{3}[-+=]\d")


class Script:
    """The words of one seat, used in that seat's thread. A word that does not fit is not the player's fault: `trouble`
    keeps it, and the script ends there."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = list(words)
        self.trouble = ""

    def say(self, question: Question) -> Action | None:
        """Return the script's answer to this question; None when all its words are used."""
        if not self._words:
            return None
        word = self._words[0]
        turn = PASS not in question.options
        if word == DEFAULT and turn:
            self._words.pop(0)
            return question.default
        for option in question.options:
            if word_of(option) == word:
                self._words.pop(0)
                return option
        if turn and not _is_reaction(word):
            offered = " ".join(map(word_of, question.options))
            self.trouble = f"script: the seat may not do {word}; it may: {offered}"
            self._words.clear()
        return question.default


class Actor:
    """A player that follows a script, and answers the default afterwards."""

    listens = False

    def __init__(self, script: Script) -> None:
        self.script = script

    def hear(self, event: object) -> None:
        """Does nothing: the script does not depend on events."""

    def answer(self, question: Question) -> Action:
        """Return the next word's action, or the default."""
        said = self.script.say(question)
        return question.default if said is None else said


def scripts(text: str) -> list[Script]:
    """Parse `text` into the scripts of the seats. BadInput for unknown words."""
    words: list[list[str]] = [[], [], [], []]
    for word in text.split():
        match = _WORD.fullmatch(word)
        if match is None:
            raise BadInput(
                f"script: “{word}” is not a word; a word is one of {WINDS} and what that seat says, as in 東m1_"
            )
        words[WINDS.index(match[1])] += [match[2]] * int(match[3] or 1)
    return [Script(said) for said in words]


def _is_reaction(word: str) -> bool:
    return bool(_REACTION.fullmatch(word)) and not _KAKAN.fullmatch(word)
