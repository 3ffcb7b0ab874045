"""Hostile vices, beyond the broken ones in `jantaku.players.broken.programs`. The program `kit.wishes` has them."""

import contextlib
import fcntl
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from jantaku.players.broken.programs.vices import VICES, Saying

OWN: dict[str, frozenset[str]] = {}
"""The vices of this file by name, with their possible verdicts."""
SLEEPER = (sys.executable, "-c", "import time; time.sleep(3600)")


def _may(*verdicts: str) -> Callable[[Callable[[Saying], bytes]], Callable[[Saying], bytes]]:
    def kept(vice: Callable[[Saying], bytes]) -> Callable[[Saying], bytes]:
        name = vice.__name__.strip("_")
        VICES[name], OWN[name] = vice, frozenset(verdicts)
        return vice

    return kept


def _spoils(name: str, *verdicts: str) -> Callable[[Callable[[bytes], bytes]], None]:
    """Register a vice that only changes the bytes of the reply."""

    def kept(change: Callable[[bytes], bytes]) -> None:
        VICES[name], OWN[name] = (lambda saying: change(saying.reply)), frozenset(verdicts)

    return kept


UNREADABLE = ("malformed",)
_spoils("writes_utf16", *UNREADABLE)(lambda reply: reply.decode().encode("utf-16"))
_spoils("writes_a_byte_order_mark", "ok", *UNREADABLE)(lambda reply: b"\xef\xbb\xbf" + reply)
_spoils("writes_single_quotes", *UNREADABLE)(lambda reply: reply.replace(b'"', b"'"))
_spoils("writes_a_trailing_comma", *UNREADABLE)(lambda reply: reply.strip()[:-1] + b",}\n")
_spoils("writes_a_comment", *UNREADABLE)(lambda reply: b"/* x */" + reply)
_spoils("writes_two_objects_in_a_line", *UNREADABLE)(lambda reply: reply.strip() + reply)
_spoils("writes_half_of_it", *UNREADABLE)(lambda reply: reply[: len(reply) // 2] + b"\n")
_spoils("writes_it_twice_escaped", *UNREADABLE)(lambda reply: b'"' + reply.strip().replace(b'"', b'\\"') + b'"\n')
_spoils("writes_it_in_a_list_of_lists", *UNREADABLE)(lambda reply: b"[[" + reply.strip() + b"]]\n")
_spoils("writes_null", "illegal", *UNREADABLE)(lambda reply: b"null\n")
_spoils("writes_true", *UNREADABLE)(lambda reply: b"true\n")
_spoils("writes_a_number", *UNREADABLE)(lambda reply: b"7\n")
_spoils("writes_a_number_of_100000_digits", *UNREADABLE)(lambda reply: b"9" * 100_000 + b"\n")
_spoils("writes_nan", *UNREADABLE)(lambda reply: b'{"dapai":NaN}\n')
_spoils("writes_infinity", *UNREADABLE)(lambda reply: b'{"dapai":1e999999}\n')
_spoils("writes_a_lone_surrogate", *UNREADABLE)(lambda reply: b'{"dapai":"\\ud800","type":"dahai","pai":"\\ud800"}\n')
_spoils("writes_400000_braces", *UNREADABLE)(lambda reply: b'{"a":' * 400_000 + b"1" + b"}" * 400_000 + b"\n")
_spoils("writes_overlong_utf8", *UNREADABLE)(lambda reply: b'{"dapai":"\xc0\xad1"}\n')
_spoils("writes_escape_sequences", *UNREADABLE)(lambda reply: b"\x1b]0;pwned\x07\x1b[2J\n")
_spoils("writes_markup", *UNREADABLE)(lambda reply: b"[/x] [link=http://e]<img src=x onerror=alert(1)>\n")
_spoils("writes_line_separators", "ok", *UNREADABLE)(lambda reply: "\u2028\u2029\x85".encode() + reply)
_spoils("writes_spaces_around_it", "ok")(lambda reply: b" " * 100_000 + reply.strip() + b" " * 100_000 + b"\n")
_spoils("writes_the_longest_line", "ok", *UNREADABLE)(lambda reply: b" " * ((1 << 20) - len(reply)) + reply)
_spoils("writes_carriage_returns_only", "silent")(lambda reply: reply.strip() + b"\r")
_spoils("writes_a_form_feed_for_an_end", "silent")(lambda reply: reply.strip() + b"\f\v")


@_may("ok")
def writes_one_byte_at_a_time(saying: Saying) -> bytes:
    for byte in saying.reply:
        saying.send(bytes([byte]))
        time.sleep(0.001)
    return b""


@_may("malformed", "illegal", "silent", "gone")
def floods_as_fast_as_it_can(saying: Saying) -> bytes:
    lines = b'{"thinking":true}\n' * 4000
    until = time.monotonic() + 1
    while time.monotonic() < until:
        saying.send(lines)
    return saying.reply


@_may("ok", "malformed")
def answers_a_thousand_times(saying: Saying) -> bytes:
    return saying.reply * 1000


# --- what it does to its own process


@_may("silent")
def stops_itself(saying: Saying) -> bytes:
    os.kill(os.getpid(), signal.SIGSTOP)
    return saying.reply


@_may("silent")
def stops_its_group(saying: Saying) -> bytes:
    os.killpg(0, signal.SIGSTOP)
    return saying.reply


@_may("gone", "malformed", "silent", "illegal")
def becomes_an_echo(saying: Saying) -> bytes:
    """A table's line that comes back is no reply, or names a discard of another player."""
    os.execvp("cat", ["cat"])


@_may("silent", "gone")
def becomes_a_sleeper(saying: Saying) -> bytes:
    os.execvp(SLEEPER[0], list(SLEEPER))


@_may("gone")
def dies_of_its_memory(saying: Saying) -> bytes:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    return bytes(1 << 29)


@_may("gone")
def dies_of_its_stack(saying: Saying) -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


@_may("gone", "silent")
def closes_all_its_files(saying: Saying) -> bytes:
    os.closerange(0, 256)
    time.sleep(60)
    return b""


@_may("ok")
def closes_its_stderr(saying: Saying) -> bytes:
    os.close(2)
    return saying.reply


@_may("ok")
def makes_its_pipes_non_blocking(saying: Saying) -> bytes:
    for number in (0, 1):
        os.set_blocking(number, False)
    os.set_blocking(0, True)
    return saying.reply


@_may("ok")
def makes_its_pipes_tiny(saying: Saying) -> bytes:
    for number in (0, 1):
        fcntl.fcntl(number, 1031, 4096)  # F_SETPIPE_SZ
    return saying.reply


@_may("ok", "silent", "malformed", "gone")
def reads_its_own_output(saying: Saying) -> bytes:
    """Open the other end of a pipe by its name."""
    with contextlib.suppress(OSError):
        thief = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
        saying.send(saying.reply)
        with contextlib.suppress(BlockingIOError):
            os.read(thief, 1 << 16)
        os.close(thief)
        return b""
    return saying.reply


@_may("ok")
def writes_64_mebibytes_to_stderr(saying: Saying) -> bytes:
    for _ in range(64):
        os.write(2, b"\x1b[2J" * (1 << 18))
    return saying.reply


@_may("ok")
def ignores_every_signal(saying: Saying) -> bytes:
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=time.sleep, args=(3600,), daemon=False).start()
    return saying.reply


# --- what it starts


@_may("ok")
def has_300_children(saying: Saying) -> bytes:
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(3600)
    return saying.reply


@_may("ok")
def has_1000_threads(saying: Saying) -> bytes:
    with contextlib.suppress(RuntimeError):
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return saying.reply


@_may("ok")
def has_a_child_that_ignores_sigterm(saying: Saying) -> bytes:
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)
    return saying.reply


@_may("ok")
def has_children_that_have_children(saying: Saying) -> bytes:
    """Each parent exits at once, so that the descendants are orphans."""
    if os.fork() == 0:
        for _ in range(20):
            if os.fork():
                os._exit(0)
        time.sleep(3600)
    return saying.reply


@_may("ok", "malformed")
def has_a_child_that_answers_too(saying: Saying) -> bytes:
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            while True:
                os.write(1, b'{"seq":1}\n')
                time.sleep(0.05)
    return saying.reply


@_may("ok")
def has_a_child_in_another_session(saying: Saying) -> bytes:
    """The child leaves the process group and keeps the pipes: the one thing that may be left."""
    subprocess.Popen(SLEEPER, start_new_session=True)
    return saying.reply


@_may("ok")
def kills_the_guardian(saying: Saying) -> bytes:
    """Kill the process that would end it if the table could not."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            words = (entry.parent / "cmdline").read_bytes()
            if parent == os.getppid() and b"guardian.py" in words:
                os.kill(int(entry.parent.name), signal.SIGKILL)
    return saying.reply
