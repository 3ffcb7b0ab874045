"""What the operator's log says of those that were not let in."""

import threading

from jantaku.table.foreign.traces import bounded
from jantaku.table.log import escaped, logger
from jantaku.table.server.net.limits import Allowance

_LONGEST = 200
"""Characters of anything that a stranger may have said."""


class Refusals:
    """A line for each refusal, at a bounded rate: attackers could flood the log. Thread-safe."""

    def __init__(self) -> None:
        self._allowance = Allowance(20, 0.2)
        self._untold = 0
        self._lock = threading.Lock()

    def tell(self, of: str, reason: str, *, path: str = "", admit: str = "", event: str = "refused") -> None:
        """Somebody `of` this address was refused; with the option `admit` it would not have been."""
        with self._lock:
            if not self._allowance.take():
                self._untold += 1
                return
            untold, self._untold = self._untold, 0
        about = {"of": of, "path": path, "reason": reason, "admit": admit}
        words = {key: escaped(bounded(text, _LONGEST)) for key, text in about.items() if text}
        logger().warning(event, **words, **({"untold": untold} if untold else {}))
