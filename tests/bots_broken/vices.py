"""What a program may do instead of answering. Each takes the right reply and its number, and gives what is written."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from tests.bots_broken.pace import LONG, SHORT

Vice = Callable[[bytes, int], bytes]
VICES: dict[str, Vice] = {}


def vice(function: Vice) -> Vice:
    """Give a vice its name on the command line."""
    VICES[function.__name__] = function
    return function


@vice
def none(reply: bytes, number: int) -> bytes:
    """No vice at all."""
    return reply


# --- ends


@vice
def exits(reply: bytes, number: int) -> bytes:
    print("I have had enough", file=sys.stderr)
    os._exit(3)


@vice
def killed(reply: bytes, number: int) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return reply


@vice
def leaves_a_child_at_the_pipe(reply: bytes, number: int) -> bytes:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os._exit(0)


@vice
def closes_its_input(reply: bytes, number: int) -> bytes:
    os.close(0)
    time.sleep(LONG * 20)
    return b""


@vice
def closes_its_output(reply: bytes, number: int) -> bytes:
    os.close(1)
    time.sleep(LONG * 20)
    return b""


# --- times


@vice
def thinks(reply: bytes, number: int) -> bytes:
    """In time."""
    time.sleep(SHORT)
    return reply


@vice
def thinks_too_long(reply: bytes, number: int) -> bytes:
    time.sleep(LONG)
    return reply


@vice
def is_silent(reply: bytes, number: int) -> bytes:
    return b""


@vice
def hangs(reply: bytes, number: int) -> bytes:
    """Never reads or writes again."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


@vice
def stops_in_the_middle_of_a_line(reply: bytes, number: int) -> bytes:
    return reply[:5]


@vice
def chatters_on_stderr(reply: bytes, number: int) -> bytes:
    for _ in range(100):
        sys.stderr.write("thinking " * 10_000 + "\n")
    return reply


@vice
def repeats_old_numbers(reply: bytes, number: int) -> bytes:
    """Lines of noise that never answer."""
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        with contextlib.suppress(BrokenPipeError):
            os.write(1, b'{"dapai":"m1","seq":%d}\n' % max(number - 1, 1))
        time.sleep(0.01)
    return b""


# --- lines


@vice
def answers_twice(reply: bytes, number: int) -> bytes:
    return reply + reply


@vice
def answers_before_it_is_asked(reply: bytes, number: int) -> bytes:
    return reply + b'{"dapai":"m1","seq":%d}\n' % (number + 1000)


@vice
def answers_with_blank_lines(reply: bytes, number: int) -> bytes:
    return b"\r\n \r\n" + reply.strip() + b"\r\n\n"


@vice
def writes_a_long_line(reply: bytes, number: int) -> bytes:
    return b'{"dapai":"' + b"m" * (20 << 20) + b'"}\n'


@vice
def writes_nul(reply: bytes, number: int) -> bytes:
    return b"\0" + reply


@vice
def writes_no_utf8(reply: bytes, number: int) -> bytes:
    return b'{"dapai":"\xff\xfe"}\n'


@vice
def writes_deep_json(reply: bytes, number: int) -> bytes:
    return b"[" * 200_000 + b"]" * 200_000 + b"\n"


@vice
def writes_words(reply: bytes, number: int) -> bytes:
    return b"let me think\n"


@vice
def writes_a_list(reply: bytes, number: int) -> bytes:
    return b"[1,2]\n"


@vice
def writes_a_wrong_type(reply: bytes, number: int) -> bytes:
    return b'{"dapai":5,"seq":%d}\n' % number


@vice
def writes_a_tile_that_is_none(reply: bytes, number: int) -> bytes:
    return b'{"dapai":"z9","seq":%d}\n' % number


@vice
def writes_two_actions(reply: bytes, number: int) -> bytes:
    return b'{"dapai":"m1","hule":"-","seq":%d}\n' % number


@vice
def cheats(reply: bytes, number: int) -> bytes:
    """Well said and not allowed: a kan of tiles that nobody can hold."""
    return b'{"gang":"m1111","seq":%d}\n' % number
