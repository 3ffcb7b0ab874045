"""The standard input and output of a program that is a player."""

import os
import sys
from typing import BinaryIO


def protocol_streams() -> tuple[BinaryIO, BinaryIO]:
    """Where messages come from and replies go to, unbuffered.

    From now on everything else that is printed goes to stderr: a bot that prints while it thinks would
    otherwise talk in between its own replies.
    """
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    sys.stdout.flush()
    os.dup2(2, 1)
    return sys.stdin.buffer, out
