"""A headless Chromium driven over its own pipe: no driver, no port, no library. Threads may use its pages at the same
time, one thread per page."""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowRight": 39}
"""Keys with an effect of their own, and their virtual key codes."""
PATIENCE = 150.0
"""Seconds in which a browser must answer, even on a busy machine."""
WIDEST_PHONE = 500
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage"),
    # A covered page is drawn and its timers run, as on a device of its own.
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),
    "--disable-backgrounding-occluded-windows",
    "--force-prefers-reduced-motion",  # what is looked at stands still; a test of movement asks for it
)
# The browser reads commands from descriptor 3 and writes to 4.
_LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


PROGRAM = chromium()


class BrowserGone(Exception):
    """The browser or the page has ended."""


class BrowserPipe:
    """The process of a browser, and its messages: an answer goes to its caller, an event to its page."""

    def __init__(self, program: str, profile: Path) -> None:
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        command = [sys.executable, "-c", _LAUNCH, str(read_commands), str(write_answers), program, *FLAGS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(read_commands)
        os.close(write_answers)
        self.pages: dict[str | None, BrowserPage] = {}
        """Pages by session."""
        self._lock = threading.Lock()
        self._number = 0
        self._waiting: dict[int, queue.SimpleQueue[Any]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(PATIENCE)
        os.close(self._commands)
        os.close(self._answers)

    def call(self, session: str | None, method: str, params: dict[str, Any]) -> Any:
        answer: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.send(session, method, params, answer)
        try:
            told = answer.get(timeout=PATIENCE)
        except queue.Empty:
            raise BrowserGone(f"no answer to {method} in {PATIENCE:g} s") from None
        if told is None:
            raise BrowserGone("the browser has gone")
        assert "error" not in told, told["error"]
        return told["result"]

    def send(
        self, session: str | None, method: str, params: dict[str, Any], answer: "queue.SimpleQueue[Any] | None" = None
    ) -> None:
        """Send a command without waiting for its answer, which is put into `answer`."""
        with self._lock:
            self._number += 1
            message = {"id": self._number, "method": method, "params": params}
            if session is not None:
                message["sessionId"] = session
            if answer is not None:
                self._waiting[self._number] = answer
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._commands, data) :]

    def _read(self) -> None:
        buffer = bytearray()
        while part := os.read(self._answers, 1 << 20):
            buffer += part
            *texts, rest = buffer.split(b"\0")
            buffer = bytearray(rest)
            for text in texts:
                self._take(json.loads(text))
        for answer in list(self._waiting.values()):
            answer.put(None)

    def _take(self, told: Any) -> None:
        if (answer := self._waiting.pop(told.get("id"), None)) is not None:
            answer.put(told)
        elif (page := self.pages.get(told.get("sessionId"))) is not None:
            page.heard(told)


class BrowserPage:
    def __init__(self, pipe: BrowserPipe, context: str | None = None) -> None:
        self.pipe = pipe
        self.context = context
        """The browser context, which has its own storage; None: the default context of the profile."""
        self.errors: list[str] = []
        """Exceptions of the page."""
        self.received: list[str] = []
        """Messages received over its WebSockets since `listen`."""
        self._session: str | None = None
        self._target = ""
        self._is_phone = False
        self._loads: queue.SimpleQueue[None] = queue.SimpleQueue()

    def opened(self) -> None:
        where = {} if self.context is None else {"browserContextId": self.context}
        wish = {"url": "about:blank", "newWindow": True, **where}
        self._target = self.pipe.call(None, "Target.createTarget", wish)["targetId"]
        wanted = {"targetId": self._target, "flatten": True}
        self._session = self.pipe.call(None, "Target.attachToTarget", wanted)["sessionId"]
        self.pipe.pages[self._session] = self
        self.call("Page.enable")
        self.call("Runtime.enable")

    def another(self, *, apart: bool = False) -> "BrowserPage":
        """Open another page of the same browser. `apart`: with a storage of its own, as on another device."""
        context = self.pipe.call(None, "Target.createBrowserContext", {})["browserContextId"] if apart else self.context
        page = BrowserPage(self.pipe, context)
        page.opened()
        return page

    def close(self) -> None:
        self.pipe.pages.pop(self._session, None)
        self.pipe.call(None, "Target.closeTarget", {"targetId": self._target})

    def kill(self) -> None:
        """End the page's process at once, so that the page cannot notice."""
        self.pipe.send(self._session, "Page.crash", {})
        self.close()

    def heard(self, told: Any) -> None:
        if told["method"] == "Page.loadEventFired":
            self._loads.put(None)
        elif told["method"] == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["params"]["exceptionDetails"]))
        elif told["method"] == "Network.webSocketFrameReceived":
            self.received.append(told["params"]["response"]["payloadData"])

    def listen(self) -> None:
        self.call("Network.enable")

    def call(self, method: str, **params: Any) -> Any:
        return self.pipe.call(self._session, method, params)

    def sized(self, width: int, height: int) -> None:
        """Set the size of its window; a narrow one is a phone, which is touched."""
        phone = self._is_phone = width < WIDEST_PHONE
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def sleep(self) -> None:
        """Freeze the page like a phone that is put away: no script runs."""
        self.call("Page.setWebLifecycleState", state="frozen")

    def wake(self) -> None:
        """Unfreeze the page like a phone that is taken out again."""
        self.call("Page.setWebLifecycleState", state="active")
        window = self.pipe.call(None, "Browser.getWindowForTarget", {"targetId": self._target})["windowId"]
        for state in ("minimized", "normal"):
            self.pipe.call(None, "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})

    def open(self, address: str, width: int, height: int) -> None:
        """Open an address in a window of that size and wait until it is loaded."""
        self.sized(width, height)
        # A new fragment alone loads nothing, so leave the page first.
        for page in ("about:blank", address):
            self._forget_loads()
            self.call("Page.navigate", url=page)
            self._wait_for_load()

    def leave(self, script: str) -> None:
        """Run a script that makes the page go to another one, and wait until that is loaded."""
        self._forget_loads()
        self.ask(f"void setTimeout(() => {script})")  # delayed, so that the answer comes before the page goes
        self._wait_for_load()

    def ask(self, script: str) -> Any:
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
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

    def click(self, x: float, y: float) -> None:
        if self._is_phone:
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _forget_loads(self) -> None:
        while not self._loads.empty():
            self._loads.get()

    def _wait_for_load(self) -> None:
        try:
            self._loads.get(timeout=PATIENCE)
        except queue.Empty:
            raise BrowserGone(f"nothing was loaded in {PATIENCE:g} s") from None


class Browser(BrowserPage):
    def __init__(self, program: str, profile: Path) -> None:
        super().__init__(BrowserPipe(program, profile))

    def __enter__(self) -> "Browser":
        self.opened()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.pipe.close()
