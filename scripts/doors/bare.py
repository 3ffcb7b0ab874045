"""The bare transport: `python -m scripts.doors.bare KIND FILE` sends the messages of a file one after another and waits
for a reply to each. Nothing else happens. It prints its port, and at the end the seconds of each as JSON.

KIND: websocket, tcp, socketio, pipe (which starts `echo` itself), or echo, which replies over standard input and output
as the file says. FILE: JSON, a list of messages and their replies.
"""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import socketio
from aiohttp import web
from websockets.asyncio.server import ServerConnection, serve

from scripts.doors.line import BASE

Texts = list[str]


def told(times: list[float]) -> None:
    """Print how long each took."""
    print(json.dumps(times), flush=True)


def websocket(messages: Texts) -> None:
    """Talk over WebSocket, with the library that the table's server uses."""

    async def run() -> None:
        done, times = asyncio.Event(), list[float]()

        async def visit(connection: ServerConnection) -> None:
            for message in messages:
                began = time.perf_counter()
                await connection.send(message)
                await connection.recv()
                times.append(time.perf_counter() - began)
            done.set()

        async with serve(visit, "127.0.0.1", 0, compression=None) as server:
            print(next(iter(server.sockets)).getsockname()[1], flush=True)
            await done.wait()
        told(times)

    asyncio.run(run())


def tcp(messages: Texts) -> None:
    """Exchange lines over a socket."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        connection, _ = server.accept()
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            told(_timed(messages, connection.sendall, connection.makefile("rb").readline))


def pipe(messages: Texts, file: str) -> None:
    """Exchange lines over the pipes of a program."""
    words = [sys.executable, "-m", "scripts.doors.bare", "echo", file]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as program:
        to, back = program.stdin, program.stdout
        assert to is not None
        assert back is not None
        back.readline()
        print(0, flush=True)
        told(_timed(messages, to.write, back.readline))
        to.close()


def _timed(messages: Texts, send: Callable[[bytes], Any], receive: Callable[[], bytes]) -> list[float]:
    times = []
    for message in messages:
        began = time.perf_counter()
        send(message.encode() + b"\n")
        receive()
        times.append(time.perf_counter() - began)
    return times


def echo(replies: Texts) -> None:
    """Answer each line with the next reply."""
    print("ready", flush=True)
    for reply, line in zip(replies, sys.stdin, strict=False):
        json.loads(line)
        sys.stdout.write(reply + "\n")
        sys.stdout.flush()


def socket_io(messages: Texts) -> None:
    """Exchange events over Socket.IO, with the libraries that net play uses."""

    async def run() -> None:
        server = socketio.AsyncServer(async_mode="aiohttp")
        app = web.Application()
        server.attach(app, socketio_path=f"{BASE}/socket.io")
        came, here = asyncio.Event(), asyncio.Event()
        server.on("GAME", lambda connection, reply: came.set())
        server.on("ROOM", lambda connection, room: here.set())
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        print(runner.addresses[0][1], flush=True)
        await here.wait()
        times = []
        for message in map(json.loads, messages):
            began = time.perf_counter()
            await server.emit("GAME", message)
            await came.wait()
            came.clear()
            times.append(time.perf_counter() - began)
        await server.emit("END")
        await runner.cleanup()
        told(times)

    asyncio.run(run())


def main(kind: str, file: str) -> None:
    pairs = json.loads(Path(file).read_text("utf-8"))
    messages, replies = [json.dumps(one) for one, _ in pairs], [json.dumps(one) for _, one in pairs]
    if kind == "echo":
        echo(replies)
    elif kind == "pipe":
        pipe(messages, file)
    else:
        {"websocket": websocket, "tcp": tcp, "socketio": socket_io}[kind](messages)


if __name__ == "__main__":
    main(*sys.argv[1:])
