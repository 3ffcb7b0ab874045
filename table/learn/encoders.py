"""The encoders by name.

encoder = encoder_of("mortal-3")
seat, (obs, mask) = encoder.seat(), encoder.buffers()
for event in heard:
    seat.hear(event)
seat.observe(choice, obs, mask)
action = encoder.meant(choice, number)
"""

from typing import Final

import numpy as np

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import did_you_mean
from jantaku.table.learn import own
from jantaku.table.learn.encoding import NetEncoder
from jantaku.table.learn.mortal import MortalSeat, actions_of
from jantaku.table.learn.mortal.layout import VERSIONS, starts
from jantaku.table.learn.mortal.numbers import KAN, RIICHI, number_of, second_of
from jantaku.table.riichi.pieces.tiles import KINDS, NAMES

_CALLS: Final = ("chi low", "chi middle", "chi high", "pon", "kan", "win", "kyuushu", "pass")
_WORDS: Final = (*(f"discard {tile}" for tile in NAMES), "riichi", *_CALLS)


def _mortal(version: int) -> NetEncoder:
    return NetEncoder(
        name=f"mortal-{version}",
        shape=(starts(version)["end"], KINDS),
        dtype=np.float32,
        words=_WORDS,
        seat=lambda: MortalSeat(version),
        options=actions_of,
        number=number_of,
        second=second_of,
        seconds=(RIICHI, KAN),
    )


ENCODERS: Final = {one.name: one for one in (own.ENCODER, *map(_mortal, VERSIONS))}


def encoder_of(name: str) -> NetEncoder:
    """Return the encoder of that name. Raises BadInput for a name that there is not."""
    if name not in ENCODERS:
        raise BadInput(f"encoder = “{name}”; {did_you_mean(name, ENCODERS)}allowed are {', '.join(ENCODERS)}")
    return ENCODERS[name]
