"""A headless Chromium driven over its own pipe: no driver, no port, no library. Its pages may be used by threads at
once, each page by one."""

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
"""Keys that do something by themselves, with the number by which a browser knows them."""
PATIENCE = 150.0
"""Seconds in which a browser answers, however busy the machine is."""
WIDEST_PHONE = 500
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage"),
    # A page that another one lies over is drawn, and its timers run, as on a device of its own.
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),
    "--disable-backgrounding-occluded-windows",
)
# The browser reads commands from descriptor 3 and writes to 4.
_LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_FEW_PICTURES = "window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 60)"


def chromium() -> str | None:
    """The browser's path, or None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


PROGRAM = chromium()


class BrowserGone(Exception):
    """The browser, or the page, is not there any more."""


class BrowserPipe:
    """The process of a browser, and its messages: each answer goes to who asked, each event to the page it is of."""

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
        """By session."""
        self._lock = threading.Lock()
        self._number = 0
        self._waiting: dict[int, queue.SimpleQueue[Any]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """Kill the browser, with the processes of its pages."""
        if sys.platform == "win32":
            raise NotImplementedError
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(PATIENCE)
        os.close(self._commands)
        os.close(self._answers)

    def call(self, session: str | None, method: str, params: dict[str, Any]) -> Any:
        """One command of the DevTools protocol and its result. BrowserGone if none can come."""
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
        """One command whose answer nobody may be waiting for."""
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
    """One page of a browser."""

    def __init__(self, pipe: BrowserPipe, context: str | None = None) -> None:
        self.pipe = pipe
        self.context = context
        """The storage that it has, None: that of the browser's profile."""
        self.errors: list[str] = []
        """What the page threw."""
        self.received: list[str] = []
        """Every message that came over its WebSockets, since `listen`."""
        self._session: str | None = None
        self._target = ""
        self._is_phone = False
        self._loads: queue.SimpleQueue[None] = queue.SimpleQueue()

    def opened(self) -> None:
        """Open it, empty."""
        where = {} if self.context is None else {"browserContextId": self.context}
        self._target = self.pipe.call(None, "Target.createTarget", {"url": "about:blank", "newWindow": True, **where})[
            "targetId"
        ]
        wanted = {"targetId": self._target, "flatten": True}
        self._session = self.pipe.call(None, "Target.attachToTarget", wanted)["sessionId"]
        self.pipe.pages[self._session] = self
        self.call("Page.enable")
        self.call("Runtime.enable")

    def another(self, *, apart: bool = False) -> "BrowserPage":
        """Another page of the same browser; `apart`: as on another device, with a storage of its own."""
        context = self.pipe.call(None, "Target.createBrowserContext", {})["browserContextId"] if apart else self.context
        page = BrowserPage(self.pipe, context)
        page.opened()
        return page

    def close(self) -> None:
        """Close the tab."""
        self.pipe.pages.pop(self._session, None)
        self.pipe.call(None, "Target.closeTarget", {"targetId": self._target})

    def kill(self) -> None:
        """The process of the page ends at once: the page does not notice."""
        self.pipe.send(self._session, "Page.crash", {})
        self.close()

    def heard(self, told: Any) -> None:
        """An event of this page."""
        if told["method"] == "Page.loadEventFired":
            self._loads.put(None)
        elif told["method"] == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["params"]["exceptionDetails"]))
        elif told["method"] == "Network.webSocketFrameReceived":
            self.received.append(told["params"]["response"]["payloadData"])

    def listen(self) -> None:
        """Keep what comes over WebSockets from now on."""
        self.call("Network.enable")

    def call(self, method: str, **params: Any) -> Any:
        """One command of the DevTools protocol and its result."""
        return self.pipe.call(self._session, method, params)

    def sized(self, width: int, height: int) -> None:
        """The size of its window; a narrow one is that of a phone, which is touched."""
        phone = self._is_phone = width < WIDEST_PHONE
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def calm(self) -> None:
        """From now on as a slow device of a person who wants less motion: it has few pictures to draw."""
        wanted = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        self.call("Emulation.setEmulatedMedia", features=wanted)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=_FEW_PICTURES)

    def sleep(self) -> None:
        """As a phone that was put away: nothing runs in the page any more."""
        self.call("Page.setWebLifecycleState", state="frozen")

    def wake(self) -> None:
        """As a phone that was taken out again."""
        self.call("Page.setWebLifecycleState", state="active")
        window = self.pipe.call(None, "Browser.getWindowForTarget", {"targetId": self._target})["windowId"]
        for state in ("minimized", "normal"):
            self.pipe.call(None, "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})

    def open(self, address: str, width: int, height: int) -> None:
        """Open an address in a window of that size and wait until it is loaded."""
        self.sized(width, height)
        # A link to a position only changes the fragment, which loads nothing: begin anew.
        for page in ("about:blank", address):
            self._forget_loads()
            self.call("Page.navigate", url=page)
            self._wait_for_load()

    def leave(self, script: str) -> None:
        """Run what makes the page go to another one, and wait until that is loaded."""
        self._forget_loads()
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

    def click(self, x: float, y: float) -> None:
        """A click of the mouse there, or a tap of a finger on a phone."""
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
    """A browser and its first page, to be used with `with`."""

    def __init__(self, program: str, profile: Path) -> None:
        super().__init__(BrowserPipe(program, profile))

    def __enter__(self) -> "Browser":
        self.opened()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.pipe.close()
