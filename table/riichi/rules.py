"""The rules of a riichi game as one frozen value. Every key is described here and nowhere else.

`to_toml` in `ruleset.py` writes a complete TOML file from these descriptions. In `presets/`, `tenhou.toml` has every
key; the other files have only the keys that differ. `ruleset.py` checks what a type cannot express, such as two keys
that exclude each other.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from jantaku.table.ground.presets import Section, key
from jantaku.table.riichi.choices import WORDS


def points(text: str) -> Meta:
    """Describe a rule key whose value is a number of points."""
    return key(text, ge=0, le=1_000_000, multiple_of=100)


Uma = Annotated[float, Meta(ge=-1000, le=1000)]


class GameRules(Section, frozen=True):
    length: Annotated[
        Literal["one", "until-win", "tonpu", "hanchan", "yonchan"],
        key(
            "one: one kyoku; until-win: one that is played again after every draw; tonpu: the East round; "
            "hanchan: East and South; yonchan: all four rounds"
        ),
    ]
    start_points: Annotated[int, points("points of every player at the start")]
    return_points: Annotated[
        int,
        points(
            "points from which the final score counts (返し); its distance from start_points, times the players, is "
            "the oka, which goes to rank 1"
        ),
    ]
    uma: Annotated[
        tuple[Uma, ...], key("added to the final score of each rank, in thousands, besides the oka", lengths=(3, 4))
    ]
    first_takes_rest: Annotated[
        bool, key("rank 1 scores minus the sum of the others, if it is not shared; uma[0] is then unused")
    ]
    score_rounding: Annotated[
        Literal["none", "half-up", "half-away"],
        key(
            "final scores of rank 2 to 4. none: they keep one decimal; half-up: they are rounded to whole numbers, an "
            "exact half up; half-away: the points are rounded to whole thousands before, an exact half away from zero"
        ),
    ]
    ties: Annotated[
        Literal["seat", "split"],
        key("equal points. seat: nearer to the first dealer ranks higher; split: the equal ones share uma and oka"),
    ]
    leftover_sticks: Annotated[
        Literal["first", "lost"],
        key("who is given the riichi sticks left at the end of the game: rank 1 (first) or nobody (lost)"),
    ]
    tobi: Annotated[bool, key("the game ends when somebody has less than 0 points")]
    extension: Annotated[
        Literal["none", "sudden-death", "renchan-first", "four-kyoku"],
        key(
            "nobody has extension_points after the last kyoku. none: the game ends; sudden-death: one more round, "
            "which ends when somebody has them; renchan-first: the same, but not while the dealer keeps the deal; "
            "four-kyoku: one more round to its end"
        ),
    ]
    extension_points: Annotated[int, points("points that somebody must have for the game to end in time")]
    agari_yame: Annotated[
        Literal["none", "win", "tenpai", "any"],
        key(
            "the dealer leads and keeps the deal in the last kyoku. none: play on; win: the game ends if he won; "
            "tenpai: also if an exhaustive draw kept him dealer; any: also if an abortive draw did"
        ),
    ]
    agari_yame_points: Annotated[int, points("points that such a leading dealer needs at least")]
    players: Annotated[
        Literal[3, 4], key("who play. 3: without 2m to 8m and without chi, with as many walls and winds as seats")
    ] = 4


def unit_of(length: str) -> str:
    """The word for a game of that `game.length`."""
    return "kyoku" if length in ("one", "until-win") else length


class TileRules(Section, frozen=True):
    red_m: Annotated[int, key("red fives among the four 5m", ge=0, le=4)]
    red_p: Annotated[int, key("red fives among the four 5p", ge=0, le=4)]
    red_s: Annotated[int, key("red fives among the four 5s", ge=0, le=4)]


class DoraRules(Section, frozen=True):
    ura: Annotated[bool, key("a winner in riichi also counts the tiles under the indicators")]
    kan: Annotated[bool, key("every kan opens another indicator")]
    kan_ura: Annotated[
        bool, key("ura dora also under the indicators that kans opened (needs ura and kan; goes off with either)")
    ]
    ankan_opens: Annotated[
        Literal["at-once", "after-discard"],
        key("when an ankan's indicator is opened: before the rinshan draw, or with the next discard or kan"),
    ]
    minkan_opens: Annotated[
        Literal["at-once", "after-discard"],
        key("when a daiminkan's or kakan's is opened: before the rinshan draw, or with the next discard or kan"),
    ]


class RiichiRules(Section, frozen=True):
    min_points: Annotated[int, points("points needed to declare riichi; 0: even below 0")]
    min_tiles: Annotated[
        int, key("tiles that must be left in the live wall; 4: one more draw for everybody", ge=0, le=70)
    ]
    ippatsu: Annotated[bool, key("ippatsu counts")]
    ankan: Annotated[
        Literal["never", "shape", "waits", "strict"],
        key(
            "ankan with the tile just drawn after riichi is allowed. shape: if no way to read the win is lost; "
            "waits: if no wait is lost; strict: if the waits stay and the triplet is one in every reading"
        ),
    ]


class CallRules(Section, frozen=True):
    kuikae: Annotated[
        Literal["forbidden", "suji", "free"],
        key(
            "the discard right after a chi or pon. forbidden: neither the called kind nor the other end of the run; "
            "suji: the other end may go; free: anything may go"
        ),
    ]
    kokushi_ankan: Annotated[bool, key("kokushi may rob an ankan")]
    pao: Annotated[
        tuple[Literal["daisangen", "daisuushi", "suukantsu"], ...],
        key("yakuman for which the player who fed the last meld is liable"),
    ]
    pao_covers: Annotated[
        Literal["own", "all"], key("what the liable player pays of several yakuman at once: his own, or all")
    ]
    pao_honba: Annotated[
        Literal["liable", "discarder"], key("who pays the honba of a ron when a third player is liable")
    ]
    kuikae_retry: Annotated[
        bool, key("who discards what kuikae forbids is told, and may choose again in time, in dialects that can say so")
    ] = False


class RonRules(Section, frozen=True):
    max_winners: Annotated[
        int,
        key("winners of one discard: 1 atamahane (nearest to the discarder), 2 double ron, 3 triple ron", ge=1, le=3),
    ]
    sanchahou: Annotated[
        bool, key("three claims abort the kyoku, whatever max_winners says; false: the nearest max_winners win")
    ]
    chankan_max_winners: Annotated[
        int, key("max_winners for a robbed kan; follows max_winners where only that is set", ge=1, le=3)
    ]
    chankan_sanchahou: Annotated[
        bool, key("sanchahou for a robbed kan as well (needs sanchahou, and follows it where only that is set)")
    ]
    honba: Annotated[
        Literal["nearest", "each"], key("multiple ron: the nearest winner alone is paid the honba, or each is")
    ]
    sticks: Annotated[
        Literal["nearest", "own-first"],
        key(
            "multiple ron. nearest: that winner takes all riichi sticks; own-first: each winner takes his own back "
            "and every other goes to the winner next after its declarer"
        ),
    ]


class AbortRules(Section, frozen=True):
    kyuushu: Annotated[bool, key("nine kinds of terminals and honours in the first draw may abort the kyoku")]
    suufon: Annotated[bool, key("four equal winds in the first go-round abort the kyoku")]
    suucha: Annotated[bool, key("the fourth riichi aborts the kyoku")]
    suukan: Annotated[
        Literal["never", "kan", "discard"],
        key(
            "four kans of several players abort the kyoku. kan: as soon as the fourth stands; discard: after the "
            "discard that follows it"
        ),
    ]
    renchan: Annotated[
        tuple[Literal["kyuushu", "suufon", "suucha", "suukan", "sanchahou"], ...],
        key("aborts after which the dealer stays"),
    ]


class DrawRules(Section, frozen=True):
    noten_penalty: Annotated[
        int, key("points that noten players pay to tenpai players in all; 0: none", ge=0, le=60_000, multiple_of=200)
    ]
    declare_tenpai: Annotated[bool, key("tenpai counts only if declared (a player in riichi always declares)")]
    own_four_is_tenpai: Annotated[
        bool, key("a hand is tenpai even if all four copies of its only wait lie in its own melds")
    ]
    nagashi_mangan: Annotated[bool, key("a river of uncalled terminals and honours is paid as a mangan")]
    nagashi_several: Annotated[
        Literal["sum", "nearest"],
        key("several such rivers. sum: all are paid; nearest: of two the seat nearer to the first dealer, three abort"),
    ]
    renchan: Annotated[
        Literal["none", "win", "tenpai", "always"],
        key("the dealer stays. win: if he won; tenpai: also if tenpai at an exhaustive draw; always: also if noten"),
    ]
    passed_honba: Annotated[
        Literal["add", "keep"], key("honba after a draw at which the dealer passes: one more, or as many as before")
    ] = "add"


class ScoreRules(Section, frozen=True):
    open_tanyao: Annotated[bool, key("tanyao counts in an open hand")]
    double_wind_fu: Annotated[Literal[2, 4], key("fu of a pair that is both seat and round wind")]
    kiriage: Annotated[bool, key("30 fu 4 han, 60 fu 3 han and 120 fu 2 han are mangan")]
    kazoe: Annotated[bool, key("13 han are a yakuman; false: sanbaiman")]
    several_yakuman: Annotated[bool, key("yakuman add up; false: one yakuman at the most")]
    double_yakuman: Annotated[
        tuple[Literal["daisuushi", "suuankou_tanki", "kokushi_13", "chuuren_9"], ...], key("yakuman that count twice")
    ]


class SanmaRules(Section, frozen=True):
    north: Annotated[
        Literal["nuki", "guest"],
        key(
            "where three play. nuki: a north may be set aside on the own turn (抜きドラ), which makes it a dora and "
            "draws a rinshan tile; guest: it is a wind that nobody has"
        ),
    ] = "nuki"
    tsumo_loss: Annotated[
        Literal["lost", "split"],
        key("the share that a fourth player would pay of a tsumo. lost: nobody pays it (ツモ損); split: the two do"),
    ] = "lost"


class ChomboRules(Section, frozen=True):
    payment: Annotated[
        Literal["mangan", "none"],
        key(
            "what the offender pays the others at once. mangan: what a mangan tsumo would have paid it, without honba; "
            "none: nothing"
        ),
    ] = "mangan"
    penalty: Annotated[
        int,
        key("points taken off the offender's final score, which nobody gains", ge=0, le=1_000_000, multiple_of=1000),
    ] = 0
    sticks: Annotated[
        Literal["returned", "stay"],
        key("riichi sticks placed in this kyoku. returned: to those who placed them; stay: on the table"),
    ] = "returned"
    honba: Annotated[
        Literal["keep", "add"],
        key("the same dealer deals again. keep: with as many honba as before; add: with one more"),
    ] = "keep"


class Rules(Section, frozen=True):
    """All rules of a game. Frozen; equal rules have equal hashes."""

    WORDS: ClassVar[Mapping[str, str]] = WORDS

    game: GameRules
    tiles: TileRules
    dora: DoraRules
    riichi: RiichiRules
    call: CallRules
    ron: RonRules
    abort: AbortRules
    draw: DrawRules
    score: ScoreRules
    chombo: ChomboRules = ChomboRules()
    sanma: SanmaRules = SanmaRules()
