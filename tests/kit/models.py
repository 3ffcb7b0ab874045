"""A simple player at the seat of a language model: it knows the table from texts alone."""

from collections.abc import Iterator

from jantaku.table.serve.model_server import Tools
from scripts.doors.model import OVER, answer_of


def played(tools: Tools, text: str) -> Iterator[str]:
    """Yield every text of a game that is played to its end."""
    yield text
    while OVER not in text:
        said = answer_of(text)
        text = tools.call("wait", {}) if said is None else tools.call("act", {"question": said[0], "action": said[1]})
        yield text
