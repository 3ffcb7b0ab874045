"""The tools of a model, over MCP: each call returns in time; an error is a text with what was wrong and what is
allowed."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import version
from jantaku.table.serve.model_seat import RULES, ModelGame, ModelSeat

WAIT = 20.0
"""Seconds after which a call returns even if it is not the model's move: MCP hosts abort longer calls."""
_ARGUMENTS = {
    "question": {"type": "integer", "description": "The number of the question that you answer, as it was shown."},
    "action": {"type": "string", "description": "The number of an option, or its words."},
}
_TOOLS = {
    "rules": "The rules in short, how tiles are written, and how to play. Read it first.",
    "start_game": "Sit down and begin a game. Returns the table when it is your move.",
    "see_table": "The table as it is: your hand, rivers, melds, dora, points, and the open question. Changes nothing.",
    "wait": f"Wait for your move, for {WAIT:g} seconds at the most, and see the table.",
    "act": "Answer the open question, then wait for your next move as wait does.",
}
"""By name, the description of each tool. Only `act` takes arguments."""


class Tools:
    """The tools, independent of the protocol."""

    def __init__(self, sitting: ModelGame, wait: float = WAIT) -> None:
        self._sitting, self._wait = sitting, wait

    def call(self, name: str, given: Mapping[str, Any]) -> str:
        """Return the text of a call. Raises BadInput, worded for the model, for an invalid call."""
        calls: dict[str, Callable[[], str]] = {
            "rules": lambda: RULES,
            "start_game": self._start,
            "see_table": lambda: self._seat().look(),
            "wait": lambda: self._seat().wait(self._wait),
            "act": partial(self._act, given),
        }
        if name not in calls:
            raise BadInput(f"there is no tool {name[:40]!r}; there are {', '.join(calls)}")
        return calls[name]()

    def _start(self) -> str:
        seat = self._sitting.begin()
        if seat is None:
            raise BadInput("a game is being played already; see_table shows it")
        return seat.wait(self._wait)

    def _act(self, given: Mapping[str, Any]) -> str:
        needs = 'act needs question, the number of the open question, and action, as {"question": 3, "action": "1"}'
        number, action = given.get("question"), given.get("action")
        if isinstance(number, str) and number.strip().isdecimal():
            number = int(number[:9])
        if isinstance(action, int) and not isinstance(action, bool):
            action = str(action)
        if not isinstance(number, int) or isinstance(number, bool) or not isinstance(action, str):
            raise BadInput(f"nothing was played: {needs}; see_table shows the question")
        self._seat().act(number, action)
        return self._seat().wait(self._wait)

    def _seat(self) -> ModelSeat:
        if self._sitting.seat is None:
            raise BadInput("no game was begun: call start_game")
        return self._sitting.seat


def server_of(tools: Tools) -> Server[Any]:
    """Return an MCP server with these tools."""

    async def listed(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(name) for name in _TOOLS])

    async def called(context: Any, params: Any) -> CallToolResult:
        call = partial(tools.call, params.name, params.arguments or {})
        try:
            text, failed = await anyio.to_thread.run_sync(call, abandon_on_cancel=True), False
        except BadInput as problem:
            text, failed = str(problem), True
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=failed)

    return Server(
        "jantaku",
        version=version(),
        instructions="A seat at a table of riichi mahjong: call rules, then start_game.",
        on_list_tools=listed,
        on_call_tool=called,
    )


def _tool(name: str) -> Tool:
    properties = _ARGUMENTS if name == "act" else {}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=name, description=_TOOLS[name], input_schema=schema)


def serve(sitting: ModelGame) -> None:
    """Serve a model over standard input and output until it leaves."""

    async def run() -> None:
        server = server_of(Tools(sitting))
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        sitting.close()
