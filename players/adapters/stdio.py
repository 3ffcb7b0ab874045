"""The standard input and output of a program that is a player."""

import os
import sys
from typing import BinaryIO


def protocol_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of messages and replies, unbuffered. From now on everything else that is printed goes to
    stderr: a bot's output would otherwise mix with its replies."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    sys.stdout.flush()
    os.dup2(2, 1)
    return sys.stdin.buffer, out
