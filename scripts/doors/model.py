"""A scripted model at the seat of `jantaku mcp`: it plays from texts alone, over the official client of MCP."""

import random
import re
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from scripts.doors.hand import CALLS, Pauses

QUESTION = re.compile(r"^Question (\d+): .*\n((?:  \d+ .*\n?)+)", re.MULTILINE)
OVER = "No move is to be made"
_USUAL = ("pass", "discard")


def answer_of(text: str, chance: random.Random | None = None) -> tuple[int, str] | None:
    """Return its answer: a win, or the tile it has just drawn; with `chance` also riichi, and now and then a call. None
    if nothing is asked."""
    if (found := QUESTION.search(text)) is None:
        return None
    words = [line.split(maxsplit=1)[1] for line in found[2].strip().splitlines()]
    wanted = [word for word in words if word.startswith(("tsumo", "ron"))]
    if chance is not None:
        wanted += [word for word in words if word.startswith("riichi")]
        wanted += [word for word in words if not word.startswith(_USUAL) and chance.random() < CALLS]
    drawn = [word for word in words if word.startswith(_USUAL) and ("drawn" in word or word == "pass")]
    return int(found[1]), [*wanted, *drawn, words[0]][0]


def play(address: str, name: str, seed: int, pauses: Pauses) -> None:
    """Play one game in a room through `jantaku mcp`, started as by a host of models. AssertionError if that fails."""
    program = StdioServerParameters(command=sys.executable, args=["-m", "jantaku", "mcp", address, "--name", name])
    chance = random.Random(seed)

    async def talk() -> None:
        async with Client(program) as client:
            tool, given, text = "start_game", dict[str, object](), ""
            while OVER not in text:
                result = await client.call_tool(tool, given)
                (content,) = result.content
                assert isinstance(content, TextContent)
                text = content.text
                assert not result.is_error, text
                said = answer_of(text, chance)
                if said is not None:
                    await anyio.to_thread.run_sync(pauses.think)
                tool, given = ("wait", {}) if said is None else ("act", {"question": said[0], "action": said[1]})
            assert "the game is over" in text, text

    anyio.run(talk)
