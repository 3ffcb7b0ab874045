"""Vices of programs, and what they share with clients: each function gets the proper reply, and returns the bytes to
write instead, None for nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.port import Action
from jantaku.table.languages.wire.reader import Reader
from tests.broken import bots as bots  # registers what programs and bots have in common
from tests.broken.catalogue import (
    ENDS,
    FINE,
    GONE,
    NO_ACTION,
    SILENT,
    SILENT_ONCE,
    UNREADABLE,
    Due,
    add,
    beside,
    vice,
)

NUMBERED, NAMED = ("majiang",), ("mjai", "mjai-lines")
"""The dialects whose replies have numbers and keys, and those whose replies name a seat."""


class Saying(Due, frozen=True, kw_only=True):
    """What is due from a program or client."""

    reply: bytes
    number: int
    reader: Reader
    dialect: str
    send: Callable[[bytes], object]
    """Writes some bytes at once."""
    client: Any = None
    """The client over WebSocket; None for a program."""

    def with_action(self, action: Action) -> bytes:
        """Return the message that names this action."""
        return self.reader.write(action, self.number)

    def numbered(self, more: int) -> bytes:
        """Return a discard with another number than the message's."""
        return b'{"dapai":"m1","seq":%d}\n' % max(self.number + more, 1)

    def instead(self, message: dict[str, Any]) -> bytes:
        """Return that message as the reply, with the right number."""
        return msgspec.json.encode({**message, "seq": self.number} if self.number else message) + b"\n"


add("none", lambda due: due.reply, talker=FINE)


# --- ends of the process


@vice(program=ENDS)
def exits(saying: Saying) -> bytes:
    print("I have had enough", file=sys.stderr)
    os._exit(3)


@beside(program=ENDS)
def killed(saying: Saying) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    os.kill(os.getpid(), signal.SIGKILL)


@vice(program=ENDS)
def leaves_a_child_at_the_pipe(saying: Saying) -> bytes:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os._exit(0)


def _closes(pipe: int, saying: Saying) -> None:
    os.close(pipe)
    time.sleep(saying.too_long * 20)


# a closed input shows when it is written to again
add("closes_its_input", lambda due: _closes(0, due), program=("silent", "silent", "gone silent", "start_failed"))
add("closes_its_output", lambda due: _closes(1, due), program=ENDS)


# --- timing


add("is_silent", lambda due: None, talker=SILENT_ONCE)
add("stops_in_the_middle_of_a_line", lambda due: due.reply[:5], program=SILENT_ONCE)


@vice(program=SILENT)
def hangs(saying: Saying) -> bytes:
    """Stop reading and writing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


@beside(program=FINE)
def chatters_on_stderr(saying: Saying) -> None:
    for _ in range(100):
        sys.stderr.write("thinking " * 10_000 + "\n")


def _repeat(saying: Saying, line: bytes) -> None:
    until = Deadline(saying.too_long)
    while not until.over:
        saying.send(line)
        time.sleep(0.01)


_FLOODS = ("malformed", "malformed", "malformed", "start_failed")
add("floods", lambda due: _repeat(due, b"still thinking\n"), talker=_FLOODS)
add("repeats_old_numbers", lambda due: _repeat(due, due.numbered(-1)), talker=("silent",) * 4, dialects=NUMBERED)


# --- contents of lines


add("answers_twice", lambda due: due.reply * 2, talker=FINE)
add("answers_before_it_is_asked", lambda due: due.reply + due.numbered(1000), talker=FINE, dialects=NUMBERED)
add("answers_with_blank_lines", lambda due: b"\r\n \r\n" + due.reply.strip() + b"\r\n\n", program=FINE)
add("writes_a_long_line", lambda due: b'{"dapai":"' + b"m" * (20 << 20) + b'"}\n', program=UNREADABLE)
add("writes_nul", lambda due: b"\0" + due.reply, talker=UNREADABLE)
# WebSocket itself forbids what is no UTF-8, and a client's messages are short
add("writes_no_utf8", lambda due: b'{"dapai":"\xff\xfe"}\n', program=UNREADABLE, client=GONE)
add("writes_deep_json", lambda due: b"[" * 200_000 + b"]" * 200_000 + b"\n", program=UNREADABLE, client=GONE)
add("writes_words", lambda due: b"let me think\n", talker=UNREADABLE)
add("writes_a_list", lambda due: b"[1,2]\n", talker=UNREADABLE)
add("writes_a_wrong_type", lambda due: due.instead(_discard(due, 5)), talker=NO_ACTION)
add("writes_a_tile_that_is_none", lambda due: due.instead(_discard(due, "z9")), talker=NO_ACTION)
add("writes_two_actions", lambda due: due.instead({"dapai": "m1", "hule": "-"}), talker=UNREADABLE, dialects=NUMBERED)


@vice(program=UNREADABLE, dialects=NAMED)
def speaks_for_another_seat(saying: Saying) -> bytes:
    """Another seat's action."""
    reply = msgspec.json.decode(saying.reply)
    return saying.instead({**reply, "actor": (reply["actor"] + 1) % 4})


def _discard(saying: Saying, tile: object) -> dict[str, Any]:
    match saying.dialect:
        case "majiang":
            return {"dapai": tile}
        case "majiang-2015":
            return {"type": "dapai", "data": tile}
    return {"type": "dahai", "pai": tile, "tsumogiri": False}
