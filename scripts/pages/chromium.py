"""A headless Chromium driven over its own pipe: no driver, no port, no library."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CODES = {"Enter": 13, "Escape": 27, "Tab": 9}
"""Keys that do something by themselves, with the number by which a browser knows them."""
# The browser reads commands from descriptor 3 and writes to 4.
_LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """The browser's path, or None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


PROGRAM = chromium()


class Browser:
    """One page of a browser, to be used with `with`."""

    def __init__(self, program: str, profile: Path) -> None:
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            "--disable-dev-shm-usage",
        ]
        command = [sys.executable, "-c", _LAUNCH, str(read_commands), str(write_answers), program, *flags]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        """What the page threw."""

    def __enter__(self) -> "Browser":
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def call(self, method: str, **params: Any) -> Any:
        """One command of the DevTools protocol and its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            told = self._read()
            if told.get("id") == self._number:
                assert "error" not in told, told["error"]
                return told["result"]

    def open(self, address: str, width: int, height: int) -> None:
        """Open a page in a window of that size and wait until it is loaded."""
        phone = width < 500
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        # A link to a position only changes the fragment, which loads nothing: begin anew.
        for page in ("about:blank", address):
            self.call("Page.navigate", url=page)
            self._wait_for_load()

    def leave(self, script: str) -> None:
        """Run what makes the page go to another one, and wait until that is loaded."""
        self.ask(f"void setTimeout(() => {script})")  # later, so that the answer comes before the page is gone
        self._wait_for_load()

    def ask(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        """One key down and up."""
        text = {"text": {"Enter": "\r"}.get(key, key)} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=CODES.get(key, 0),
                modifiers=8 * shift,
                **text if kind == "keyDown" else {},
            )

    def _wait_for_load(self) -> None:
        while self._read().get("method") != "Page.loadEventFired":
            pass

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            part = os.read(self._answers, 1 << 20)
            assert part, "the browser has gone"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        told = json.loads(text)
        if told.get("method") == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["params"]["exceptionDetails"]))
        return told
