"""`python -m scripts.people`: clicks and seconds to a first discard, by `jantaku play --human` and on a phone, by link.

That the page holds is checked by `scripts/checks people`.
"""

import tempfile
from pathlib import Path

from scripts.people import starting

if __name__ == "__main__":
    for measure in (starting.alone, starting.by_link):
        with tempfile.TemporaryDirectory(prefix="jantaku-people-") as place:
            print(measure(Path(place)))
