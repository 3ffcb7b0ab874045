"""Seats a program that dials a server of the original mjai: `python over_tcp.py PROGRAM WORD…` with `dialect=mjsonp`.

It opens a port that only this machine reaches, starts the program with its address as the last word, and hands on each
line and its reply. Such programs end with their game: `restart=always`.
"""

import socket
import subprocess
import sys

HELLO = b'{"type":"hello","protocol":"mjsonp","protocol_version":3}\n'


def dialled(door: socket.socket, program: subprocess.Popen[bytes]) -> socket.socket:
    """Wait until the program dials. SystemExit if it ends before."""
    door.settimeout(0.1)
    while program.poll() is None:
        try:
            return door.accept()[0]
        except TimeoutError:
            pass
    raise SystemExit(f"{sys.argv[1]} ended before it dialled, with exit code {program.returncode}")


def main() -> None:
    """Play one game. What the program writes to its stdout is dropped: a log."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"mjsonp://127.0.0.1:{door.getsockname()[1]}/default"
        program = subprocess.Popen([*sys.argv[1:], address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        connection = dialled(door, program)
    connection.settimeout(None)
    with connection, connection.makefile("rwb") as lines:

        def replied(line: bytes) -> bytes:
            lines.write(line)
            lines.flush()
            return lines.readline()

        replied(HELLO)  # to which it says `join`
        for line in sys.stdin.buffer:
            if not (reply := replied(line)):
                break
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()
    program.wait()


if __name__ == "__main__":
    main()
