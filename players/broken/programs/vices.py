"""Misbehaviour in place of an answer: each function gets the proper reply and returns the bytes to write."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from jantaku.table.ground.clock import Deadline
from jantaku.table.languages.wire.talk import Reader
from jantaku.table.riichi.actions import Discard, Kan
from jantaku.table.riichi.pieces.melds import ankan
from jantaku.table.riichi.pieces.tiles import TILES

SHORT = 0.1
"""Seconds of a pause after which the answer is still in time."""


class Saying(NamedTuple):
    """The right reply to a message with its number, the dialect, the options, and a number of seconds that exceeds the
    limit."""

    reply: bytes
    number: int
    reader: Reader
    dialect: str
    options: tuple[Any, ...]
    too_long: float
    send: Callable[[bytes], object]
    """Writes some bytes at once."""

    def instead(self, message: dict[str, Any]) -> bytes:
        """Return that message as the reply, with the right number."""
        return msgspec.json.encode({**message, "seq": self.number} if self.number else message) + b"\n"


Vice = Callable[[Saying], bytes]
VICES: dict[str, Vice] = {}


def vice(function: Vice) -> Vice:
    """Register a vice under its name on the command line."""
    VICES[function.__name__] = function
    return function


@vice
def none(saying: Saying) -> bytes:
    """Commit no fault."""
    return saying.reply


# --- ends of the process


@vice
def exits(saying: Saying) -> bytes:
    print("I have had enough", file=sys.stderr)
    os._exit(3)


@vice
def killed(saying: Saying) -> bytes:
    if sys.platform == "win32":
        raise NotImplementedError
    os.kill(os.getpid(), signal.SIGKILL)
    return saying.reply


@vice
def leaves_a_child_at_the_pipe(saying: Saying) -> bytes:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os._exit(0)


@vice
def closes_its_input(saying: Saying) -> bytes:
    os.close(0)
    time.sleep(saying.too_long * 20)
    return b""


@vice
def closes_its_output(saying: Saying) -> bytes:
    os.close(1)
    time.sleep(saying.too_long * 20)
    return b""


# --- timing


@vice
def thinks(saying: Saying) -> bytes:
    """Pause, but answer in time."""
    time.sleep(SHORT)
    return saying.reply


@vice
def thinks_too_long(saying: Saying) -> bytes:
    time.sleep(saying.too_long)
    return saying.reply


@vice
def is_silent(saying: Saying) -> bytes:
    return b""


@vice
def hangs(saying: Saying) -> bytes:
    """Stop reading and writing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


@vice
def stops_in_the_middle_of_a_line(saying: Saying) -> bytes:
    return saying.reply[:5]


@vice
def chatters_on_stderr(saying: Saying) -> bytes:
    for _ in range(100):
        sys.stderr.write("thinking " * 10_000 + "\n")
    return saying.reply


@vice
def repeats_old_numbers(saying: Saying) -> bytes:
    """Write lines that never answer."""
    return _repeat(saying, b'{"dapai":"m1","seq":%d}\n' % max(saying.number - 1, 1))


# --- contents of lines


@vice
def answers_twice(saying: Saying) -> bytes:
    return saying.reply * 2


@vice
def answers_before_it_is_asked(saying: Saying) -> bytes:
    return saying.reply + b'{"dapai":"m1","seq":%d}\n' % (saying.number + 1000)


@vice
def answers_with_blank_lines(saying: Saying) -> bytes:
    return b"\r\n \r\n" + saying.reply.strip() + b"\r\n\n"


@vice
def writes_a_long_line(saying: Saying) -> bytes:
    return b'{"dapai":"' + b"m" * (20 << 20) + b'"}\n'


@vice
def writes_nul(saying: Saying) -> bytes:
    return b"\0" + saying.reply


@vice
def writes_no_utf8(saying: Saying) -> bytes:
    return b'{"dapai":"\xff\xfe"}\n'


@vice
def writes_deep_json(saying: Saying) -> bytes:
    return b"[" * 200_000 + b"]" * 200_000 + b"\n"


@vice
def writes_words(saying: Saying) -> bytes:
    return b"let me think\n"


@vice
def writes_a_list(saying: Saying) -> bytes:
    return b"[1,2]\n"


@vice
def floods(saying: Saying) -> bytes:
    """Write log lines instead of replies, and never answer."""
    return _repeat(saying, b"still thinking\n")


@vice
def writes_a_wrong_type(saying: Saying) -> bytes:
    return saying.instead(_discard(saying, 5))


@vice
def writes_a_tile_that_is_none(saying: Saying) -> bytes:
    return saying.instead(_discard(saying, "z9"))


@vice
def writes_two_actions(saying: Saying) -> bytes:
    """Two actions at once; for the dialect whose replies are keys."""
    return saying.instead({"dapai": "m1", "hule": "-"})


@vice
def speaks_for_another_seat(saying: Saying) -> bytes:
    """Another seat's action; for the dialects whose replies name a seat."""
    reply = msgspec.json.decode(saying.reply)
    return saying.instead({**reply, "actor": (reply["actor"] + 1) % 4})


@vice
def cheats(saying: Saying) -> bytes:
    """A well-formed but illegal action: a kan of tiles that no seat can hold."""
    return saying.reader.write(Kan(ankan(0, 0, 0, 0)), saying.number)


@vice
def discards_what_others_hold(saying: Saying) -> bytes:
    """A well-formed action that would be legal in another seat."""
    wishes = (Discard(tile) for tile in range(TILES))
    return saying.reader.write(next(wish for wish in wishes if wish not in saying.options), saying.number)


def _repeat(saying: Saying, line: bytes) -> bytes:
    until = Deadline(saying.too_long)
    while not until.over:
        saying.send(line)
        time.sleep(0.01)
    return b""


def _discard(saying: Saying, tile: object) -> dict[str, Any]:
    match saying.dialect:
        case "majiang":
            return {"dapai": tile}
        case "majiang-2015":
            return {"type": "dapai", "data": tile}
    return {"type": "dahai", "pai": tile, "tsumogiri": False}
