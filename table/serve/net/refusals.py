"""Logs refused visitors for the operator."""

import threading

from jantaku.table.ground.foreign.traces import bounded
from jantaku.table.ground.log import escaped, logger
from jantaku.table.serve.net.limits import Allowance

_LONGEST = 200
"""Most characters of any text that a stranger may have sent."""


class Refusals:
    """Logs a line per refusal, at a bounded rate, because attackers could flood the log. Thread-safe."""

    def __init__(self) -> None:
        self._allowance = Allowance(20, 0.2)
        self._untold = 0
        self._lock = threading.Lock()

    def tell(self, of: str, reason: str, *, path: str = "", admit: str = "", event: str = "refused") -> None:
        """Log that a visitor from the address `of` was refused; the option `admit` would have admitted it."""
        with self._lock:
            if not self._allowance.take():
                self._untold += 1
                return
            untold, self._untold = self._untold, 0
        about = {"of": of, "path": path, "reason": reason, "admit": admit}
        words = {key: escaped(bounded(text, _LONGEST)) for key, text in about.items() if text}
        logger().warning(event, **words, **({"untold": untold} if untold else {}))
