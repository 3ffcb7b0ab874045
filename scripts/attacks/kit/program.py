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
from pathlib import Path

from jantaku.players.broken.catalogue import add, beside, properly, vice
from jantaku.players.broken.programs.vices import Saying

SLEEPER = (sys.executable, "-c", "import time; time.sleep(3600)")
UNREADABLE = "malformed"
add("writes_utf16", lambda due: due.reply.decode().encode("utf-16"), program=UNREADABLE)
add("writes_a_byte_order_mark", lambda due: b"\xef\xbb\xbf" + due.reply, program="ok malformed")
add("writes_single_quotes", lambda due: due.reply.replace(b'"', b"'"), program=UNREADABLE)
add("writes_a_trailing_comma", lambda due: due.reply.strip()[:-1] + b",}\n", program=UNREADABLE)
add("writes_a_comment", lambda due: b"/* x */" + due.reply, program=UNREADABLE)
add("writes_two_objects_in_a_line", lambda due: due.reply.strip() + due.reply, program=UNREADABLE)
add("writes_half_of_it", lambda due: due.reply[: len(due.reply) // 2] + b"\n", program=UNREADABLE)
add("writes_it_twice_escaped", lambda due: b'"' + due.reply.strip().replace(b'"', b'\\"') + b'"\n', program=UNREADABLE)
add("writes_it_in_a_list_of_lists", lambda due: b"[[" + due.reply.strip() + b"]]\n", program=UNREADABLE)
add("writes_null", lambda due: b"null\n", program="illegal malformed")
add("writes_true", lambda due: b"true\n", program=UNREADABLE)
add("writes_a_number", lambda due: b"7\n", program=UNREADABLE)
add("writes_a_number_of_100000_digits", lambda due: b"9" * 100_000 + b"\n", program=UNREADABLE)
add("writes_nan", lambda due: b'{"dapai":NaN}\n', program=UNREADABLE)
add("writes_infinity", lambda due: b'{"dapai":1e999999}\n', program=UNREADABLE)
add("writes_a_lone_surrogate", lambda due: b'{"dapai":"\\ud800","type":"dahai","pai":"\\ud800"}\n', program=UNREADABLE)
add("writes_400000_braces", lambda due: b'{"a":' * 400_000 + b"1" + b"}" * 400_000 + b"\n", program=UNREADABLE)
add("writes_overlong_utf8", lambda due: b'{"dapai":"\xc0\xad1"}\n', program=UNREADABLE)
add("writes_escape_sequences", lambda due: b"\x1b]0;pwned\x07\x1b[2J\n", program=UNREADABLE)
add("writes_markup", lambda due: b"[/x] [link=http://e]<img src=x onerror=alert(1)>\n", program=UNREADABLE)
add("writes_line_separators", lambda due: "\u2028\u2029\x85".encode() + due.reply, program="ok malformed")
add("writes_spaces_around_it", lambda due: b" " * 100_000 + due.reply.strip() + b" " * 100_000 + b"\n", program="ok")
add("writes_the_longest_line", lambda due: b" " * ((1 << 20) - len(due.reply)) + due.reply, program="ok malformed")
add("writes_carriage_returns_only", lambda due: due.reply.strip() + b"\r", program="silent")
add("writes_a_form_feed_for_an_end", lambda due: due.reply.strip() + b"\f\v", program="silent")


@vice(program="ok")
def writes_one_byte_at_a_time(saying: Saying) -> bytes:
    for byte in saying.reply:
        saying.send(bytes([byte]))
        time.sleep(0.001)
    return b""


@beside(program="malformed illegal silent gone")
def floods_as_fast_as_it_can(saying: Saying) -> None:
    lines = b'{"thinking":true}\n' * 4000
    until = time.monotonic() + 1
    while time.monotonic() < until:
        saying.send(lines)


add("answers_a_thousand_times", lambda due: due.reply * 1000, program="ok malformed")


# --- what it does to its own process


add("stops_itself", properly(lambda due: os.kill(os.getpid(), signal.SIGSTOP)), program="silent")
add("stops_its_group", properly(lambda due: os.killpg(0, signal.SIGSTOP)), program="silent")


@vice(program="gone malformed silent illegal")
def becomes_an_echo(saying: Saying) -> bytes:
    """A table's line that comes back is no reply, or names a discard of another player."""
    os.execvp("cat", ["cat"])


@vice(program="silent gone")
def becomes_a_sleeper(saying: Saying) -> bytes:
    os.execvp(SLEEPER[0], list(SLEEPER))


@vice(program="gone")
def dies_of_its_memory(saying: Saying) -> bytes:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    return bytes(1 << 29)


@vice(program="gone")
def dies_of_its_stack(saying: Saying) -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


@vice(program="gone silent")
def closes_all_its_files(saying: Saying) -> bytes:
    os.closerange(0, 256)
    time.sleep(60)
    return b""


add("closes_its_stderr", properly(lambda due: os.close(2)), program="ok")


@beside(program="ok")
def makes_its_pipes_non_blocking(saying: Saying) -> None:
    for number in (0, 1):
        os.set_blocking(number, False)
    os.set_blocking(0, True)


@beside(program="ok")
def makes_its_pipes_tiny(saying: Saying) -> None:
    for number in (0, 1):
        fcntl.fcntl(number, 1031, 4096)  # F_SETPIPE_SZ


@vice(program="ok silent malformed gone")
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


@beside(program="ok")
def writes_64_mebibytes_to_stderr(saying: Saying) -> None:
    for _ in range(64):
        os.write(2, b"\x1b[2J" * (1 << 18))


@beside(program="ok")
def ignores_every_signal(saying: Saying) -> None:
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=time.sleep, args=(3600,), daemon=False).start()


# --- what it starts


@beside(program="ok")
def has_300_children(saying: Saying) -> None:
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(3600)


@beside(program="ok")
def has_1000_threads(saying: Saying) -> None:
    with contextlib.suppress(RuntimeError):
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


@beside(program="ok")
def has_a_child_that_ignores_sigterm(saying: Saying) -> None:
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)


@beside(program="ok")
def has_children_that_have_children(saying: Saying) -> None:
    """Each parent exits at once, so that the descendants are orphans."""
    if os.fork() == 0:
        for _ in range(20):
            if os.fork():
                os._exit(0)
        time.sleep(3600)


@beside(program="ok malformed")
def has_a_child_that_answers_too(saying: Saying) -> None:
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            while True:
                os.write(1, b'{"seq":1}\n')
                time.sleep(0.05)


@beside(program="ok")
def has_a_child_in_another_session(saying: Saying) -> None:
    """The child leaves the process group and keeps the pipes: the one thing that may be left."""
    subprocess.Popen(SLEEPER, start_new_session=True)


@beside(program="ok")
def kills_the_guardian(saying: Saying) -> None:
    """Kill the process that would end it if the table could not."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            words = (entry.parent / "cmdline").read_bytes()
            if parent == os.getppid() and b"guardian.py" in words:
                os.kill(int(entry.parent.name), signal.SIGKILL)
