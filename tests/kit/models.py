"""A simple player at the seat of a language model: it knows the table from texts alone."""

import re
from collections.abc import Iterator

from jantaku.table.serve.model_server import Tools

QUESTION = re.compile(r"^Question (\d+): .*\n((?:  \d+ .*\n?)+)", re.MULTILINE)
OVER = "No move is to be made"
_USUAL = ("pass", "discard")


def answer_of(text: str) -> tuple[int, str] | None:
    """Return its answer: a win, or the tile it has just drawn. None if nothing is asked."""
    if (found := QUESTION.search(text)) is None:
        return None
    words = [line.split(maxsplit=1)[1] for line in found[2].strip().splitlines()]
    wanted = [word for word in words if word.startswith(("tsumo", "ron"))]
    drawn = [word for word in words if word.startswith(_USUAL) and ("drawn" in word or word == "pass")]
    return int(found[1]), [*wanted, *drawn, words[0]][0]


def played(tools: Tools, text: str) -> Iterator[str]:
    """Yield every text of a game that is played to its end."""
    yield text
    while OVER not in text:
        said = answer_of(text)
        text = tools.call("wait", {}) if said is None else tools.call("act", {"question": said[0], "action": said[1]})
        yield text
