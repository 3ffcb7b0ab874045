"""The observations `mortal-1`, `mortal-2` and `mortal-3`: planes of 34 columns and a mask of 46 numbers.

Written from a description of the planes, and compared byte for byte with `mlibriichi` of PyPI's `mjai` 0.2.1, whose
digests stand in `tests/data/encoders`. `docs/encoders.md` has the table of planes and what each map loses.
"""

from jantaku.table.learn.mortal.layout import planes as planes
from jantaku.table.learn.mortal.numbers import actions_of as actions_of
from jantaku.table.learn.mortal.numbers import number_of as number_of
from jantaku.table.learn.mortal.numbers import second_of as second_of
from jantaku.table.learn.mortal.seat import MortalSeat as MortalSeat
