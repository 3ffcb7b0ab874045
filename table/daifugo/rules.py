"""The rules of a 大富豪 series as one frozen value. Every key is described here and nowhere else.

The keys are the questions that neof5 left open, and the points in which its tournament differs from its page. Plain
defects of neof5 (a pair of the same card twice, two jokers, a table that hangs) are not offered.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from jantaku.table.ground import presets
from jantaku.table.ground.presets import Section, key

DEFAULT = "strict"
"""The preset that a rule file without a `preset` key starts from."""

PRESETS: Mapping[str, str] = {
    "strict": "What the page of neof5 says; where it is silent, what is common: 10 seconds a turn, a kaidan is "
    "answered by one of its length, points by place, and everybody begins each series as 平民.",
    "neof5": "What the tournament of neof5 did: 30 seconds a turn, a kaidan may be answered by one of any length, "
    "points by 階級, ranks are kept from series to series, no AGARI in the history, and one CardSwapped for each pair "
    "of players who exchange.",
}
"""The presets by name, each with what distinguishes it."""

FEWEST, MOST = 2, 6


class ClassRules(Section, frozen=True):
    letter: Annotated[
        Literal["A", "B"],
        key("the class. A: single cards and cards of one rank; B: also kaidan (階段) and forbidden finishes (反則)"),
    ]
    seats: Annotated[int, key("players at the table", ge=FEWEST, le=MOST)]


class KaidanRules(Section, frozen=True):
    length: Annotated[
        Literal["any", "same"],
        key("a kaidan is answered by a stronger one of any length, or of the same length only (class B)"),
    ]


class FinishRules(Section, frozen=True):
    revolution: Annotated[
        Literal["after", "before"],
        key(
            "whether 2 or 3 is the forbidden last card (class B) is judged after the revolution that this very play "
            "causes, or as it stood before it"
        ),
    ]


class SeriesRules(Section, frozen=True):
    rounds: Annotated[int, key("rounds of one series, each from a deal to the last holder of cards", ge=1, le=1000)]
    points: Annotated[
        Literal["rank", "place"],
        key(
            "points of a round. rank: 5 4 3 2 0 for 大富豪 富豪 平民 貧民 大貧民; place: 5 4 3 2 1 by place and 0 for "
            "the last. They differ with 3, 4 and 6 seats"
        ),
    ]
    carry: Annotated[
        bool, key("a further series in the same room begins with the ranks of the last one; false: all are 平民")
    ]


class RoomRules(Section, frozen=True):
    turn_limit: Annotated[
        float,
        Meta(
            description="seconds for a turn where nothing else is said; then the default is played: a pass, or the "
            "weakest single card for the leader",
            ge=0,
        ),
    ]
    auto_start: Annotated[
        bool,
        key("a series begins when the last seat is taken; Start begins one earlier, with COM players, in any case"),
    ]
    agari_in_history: Annotated[bool, key("the history of messages holds n-AGARI")]
    swapped: Annotated[
        Literal["once", "each"], key("CardSwapped is sent once after all exchanges, or after each pair's")
    ]
    full: Annotated[
        Literal["close", "exception"],
        key("a client that finds no free seat is disconnected, without a message or with an Exception first"),
    ]


class Rules(Section, frozen=True):
    """All rules of a series and of the room that it is played in. Frozen; equal rules have equal hashes."""

    game: ClassRules
    kaidan: KaidanRules
    finish: FinishRules
    series: SeriesRules
    room: RoomRules


def _nothing_to_refuse(rules: Rules, where: str) -> None:
    """Accept all rules: any two values go together."""


FILES = presets.Presets(Rules, __package__, "daifugo", PRESETS, DEFAULT, _nothing_to_refuse)
"""The presets, and the reader of rule files."""
