"""A simple player at the seat of a language model: it knows the table from texts alone."""

import re
from collections.abc import Iterator

from players.models.server import Tools

QUESTION = re.compile(r"^Question (\d+): .*\n((?:  \d+ .*\n?)+)", re.MULTILINE)
OVER = "No move is to be made"


def answer_of(text: str) -> tuple[int, str] | None:
    """What it says: a win, else no call, else what it has just drawn. None where nothing is asked."""
    if (found := QUESTION.search(text)) is None:
        return None
    words = [line.split(maxsplit=1)[1] for line in found[2].strip().splitlines()]
    best = next((word for word in words if word.startswith(("tsumo", "ron"))), None)
    drawn = (word for word in words if word.startswith(("pass", "discard")) and ("drawn" in word or word == "pass"))
    return int(found[1]), best or next(drawn, words[0])


def played(tools: Tools, text: str) -> Iterator[str]:
    """Every text of a game that is played to its end."""
    yield text
    while OVER not in text:
        said = answer_of(text)
        text = tools.call("wait", {}) if said is None else tools.call("act", {"question": said[0], "action": said[1]})
        yield text
