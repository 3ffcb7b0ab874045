"""From one kyoku to the next and to the end of the game: rounds, renchan, honba, overtime, ranks, final points.

Scores are by player id here. A player's seat in a kyoku is (id - first dealer - kyoku) mod the number of players.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from jantaku.table.riichi.events import HanchanEnd, PerSeat
from jantaku.table.riichi.flow.outcome import KyokuResult, Standing
from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.seats import by_player, player_of, seat_of
from jantaku.table.riichi.rules import GameRules, Rules

ROUNDS = {"one": 0, "until-win": 0, "tonpu": 1, "hanchan": 2, "yonchan": 4}
"""Rounds of each game length. A game of one kyoku has no rounds."""
MOST_ROUNDS = 4
"""No game goes on after the north round."""


def opening(rules: Rules) -> Standing:
    """The standing before the first kyoku, East 1 (S-10, S-13)."""
    points, players = rules.game.start_points, rules.game.players
    last = max(ROUNDS[rules.game.length] * players - 1, 0)
    return Standing(0, 0, 0, (points,) * players, last, chombos=(0,) * players)


def dealer_of(standing: Standing, first_dealer: int) -> int:
    """The player id of the next kyoku's dealer (S-96)."""
    return player_of(standing.kyoku, first_dealer, len(standing.scores))


def next_standing(before: Standing, result: KyokuResult, rules: Rules, first_dealer: int) -> tuple[Standing, bool]:
    """Return the standing after a kyoku, and whether the game is over (S-92 to S-97)."""
    stays = _dealer_stays(result, rules)
    dealer = dealer_of(before, first_dealer)
    after = Standing(
        number=before.number if stays else before.number + 1,
        honba=_honba(before.honba, stays, result, rules),
        sticks=result.sticks,
        scores=by_player(result.scores, dealer),
        last=before.last,
        again=before.again + 1 if result.offender is not None and rules.chombo.honba == "keep" else 0,
        chombos=_chombos(before.chombos, result, dealer),
    )
    if _ends_now(after, rules) or (stays and _dealer_stops(after, result, rules, first_dealer, dealer)):
        return after, True
    if after.number > after.last:  # no player has enough points: overtime
        after = msgspec.structs.replace(after, last=after.last + _extends_by(rules.game))
    return after, False


def _extends_by(game: GameRules) -> int:
    """How many kyoku are added to the planned end when overtime begins or goes on."""
    return {"renchan-first": 1, "four-kyoku": game.players}.get(game.extension, 0)


def _honba(before: int, stays: bool, result: KyokuResult, rules: Rules) -> int:
    """The next honba (S-93): one more if the dealer stays or after a draw, unless the rules keep it; otherwise 0. After
    a chombo, `chombo.honba` decides."""
    if result.offender is not None:
        return before + (rules.chombo.honba == "add")
    if stays:
        return before + 1
    return 0 if result.won else before + (rules.draw.passed_honba == "add")


def _chombos(before: PerSeat, result: KyokuResult, dealer: int) -> PerSeat:
    if result.offender is None:
        return before
    players = len(result.scores)
    offender = player_of(result.offender, dealer, players)
    return tuple([count + (player == offender) for player, count in enumerate(before[:players])])


def _dealer_stays(result: KyokuResult, rules: Rules) -> bool:
    """Whether the dealer stays (S-94). In a game until the first win, every draw is played again."""
    if rules.game.length == "one":
        return False
    return not result.won if rules.game.length == "until-win" else result.dealer_stays


def _ends_now(after: Standing, rules: Rules) -> bool:
    """Whether a player is below zero, or the planned last kyoku is over and there is no overtime."""
    game = rules.game
    if game.tobi and min(after.scores) < 0:
        return True
    if after.number <= after.last:
        return False
    longest = min(ROUNDS[game.length] + 1, MOST_ROUNDS) * game.players - 1
    if after.number > longest or game.extension == "none" or not ROUNDS[game.length]:
        return True
    return max(after.scores) >= game.extension_points


def _dealer_stops(after: Standing, result: KyokuResult, rules: Rules, first_dealer: int, dealer: int) -> bool:
    """アガリやめ, 聴牌やめ: whether the dealer, who stays in the last kyoku, leads with enough points (S-95)."""
    game = rules.game
    if after.number != after.last or game.agari_yame == "none" or result.offender is not None:
        return False
    if (result.abortive and game.agari_yame != "any") or (not result.won and game.agari_yame == "win"):
        return False
    leader = by_rank(after.scores, first_dealer)[0]
    return leader == dealer and after.scores[leader] >= game.agari_yame_points


def by_rank(scores: Sequence[int], first_dealer: int) -> list[int]:
    """Player ids from first to last. Of equal scores, the player nearer to the first dealer ranks higher (S-131)."""
    players = len(scores)
    return sorted(range(players), key=lambda player: (-scores[player], seat_of(player, first_dealer, players)))


def final(standing: Standing, rules: Rules, first_dealer: int) -> HanchanEnd:
    """Compute ranks, leftover sticks and final points (S-130 to S-132)."""
    order = by_rank(standing.scores, first_dealer)
    tenths = [0] * len(order)
    scores = list(standing.scores)
    groups = _tied(order, scores) if rules.game.ties == "split" else [[player] for player in order]
    if rules.game.leftover_sticks == "first":
        scores[order[0]] += standing.sticks * STICK
    bonus = rank_bonus(rules)
    place = 0
    for group in groups:
        shared = bonus[place]
        if len(group) > 1:
            shared = sum(bonus[place : place + len(group)], Fraction(0)) / len(group)
        for player in group:
            tenths[player] = _tenths(scores[player], shared, rules.game)
        place += len(group)
    if rules.game.first_takes_rest and len(groups[0]) == 1:
        tenths[order[0]] = -sum(tenths[player] for player in order[1:])
    for player, count in enumerate(standing.chombos[: len(order)]):
        tenths[player] -= count * rules.chombo.penalty // 100
    ranks = [order.index(player) + 1 for player in range(len(order))]
    return HanchanEnd(tuple(scores), tuple(ranks), tuple(tenths))


@lru_cache(8)
def rank_bonus(rules: Rules) -> tuple[Fraction, ...]:
    """The uma of each rank, in thousands of points. The first also gets the oka: what all players paid above their
    start."""
    uma = [Fraction(str(value)) for value in rules.game.uma]
    oka = Fraction(rules.game.players * (rules.game.return_points - rules.game.start_points), 1000)
    return uma[0] + oka, *uma[1:]


def _tied(order: Sequence[int], scores: Sequence[int]) -> list[list[int]]:
    """Group `order` by equal scores."""
    groups: list[list[int]] = []
    for player in order:
        if groups and scores[groups[-1][0]] == scores[player]:
            groups[-1].append(player)
        else:
            groups.append([player])
    return groups


def _tenths(score: int, bonus: Fraction, game: GameRules) -> int:
    """The final score in tenths: the points above `return_points`, plus uma and oka. `half-up` rounds the final score
    to a whole number, an exact half up; `half-away` rounds the player's points to whole thousands, an exact half away
    from zero: 22500 counts as 23 and -500 as -1."""
    if game.score_rounding == "half-away":
        score = (abs(score) + 500) // 1000 * (1000 if score > 0 else -1000)
    parts = 100 * bonus.denominator  # in fractions of a tenth, so that all are integers: Fraction takes far longer
    tenths = (score - game.return_points) * bonus.denominator + 1000 * bonus.numerator
    if game.score_rounding == "half-up":
        return (tenths + 5 * parts) // (10 * parts) * 10
    whole, rest = divmod(tenths, parts)
    return whole + (2 * rest > parts or (2 * rest == parts and whole % 2 == 1))
