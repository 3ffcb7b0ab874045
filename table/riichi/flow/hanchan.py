"""From kyoku to kyoku and to the end of the game: rounds, renchan, honba, overtime, ranks, final points.

Scores are by player id here. A player's seat in a kyoku is (id - first dealer - kyoku) mod the number of players.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from jantaku.table.riichi.events import HanchanEnd, PerSeat
from jantaku.table.riichi.flow.standing import KyokuResult, Standing
from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.seats import by_player, player_of, seat_of
from jantaku.table.riichi.rules import GameRules, Rules

ROUNDS = {"one": 0, "until-win": 0, "tonpu": 1, "hanchan": 2, "yonchan": 4}
"""Rounds of each game length; a game of one kyoku has none to go through."""
MOST_ROUNDS = 4
"""No game goes on after the round of north."""


def opening(rules: Rules) -> Standing:
    """East 1 (S-10, S-13)."""
    points, players = rules.game.start_points, rules.game.players
    last = max(ROUNDS[rules.game.length] * players - 1, 0)
    return Standing(0, 0, 0, (points,) * players, last, chombos=(0,) * players)


def dealer_of(standing: Standing, first_dealer: int) -> int:
    """Player id of the dealer of the next kyoku (S-96)."""
    return player_of(standing.kyoku, first_dealer, len(standing.scores))


def next_standing(before: Standing, result: KyokuResult, rules: Rules, first_dealer: int) -> tuple[Standing, bool]:
    """Where the game stands after a kyoku, and whether it is over (S-92 to S-97)."""
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
    if after.number > after.last:  # nobody has enough: overtime
        after = msgspec.structs.replace(after, last=after.last + _extends_by(rules.game))
    return after, False


def _extends_by(game: GameRules) -> int:
    """By how many kyoku the planned end moves when overtime begins or goes on."""
    return {"renchan-first": 1, "four-kyoku": game.players}.get(game.extension, 0)


def _honba(before: int, stays: bool, result: KyokuResult, rules: Rules) -> int:
    """One more with the same dealer and after every draw, unless the rules keep them there; else none (S-93). Dealing
    again after a chombo is a matter of its own."""
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
    """What the kyoku has decided (S-94); where only a win ends the game, every draw is played again."""
    if rules.game.length == "one":
        return False
    return not result.won if rules.game.length == "until-win" else result.dealer_stays


def _ends_now(after: Standing, rules: Rules) -> bool:
    """Somebody is below zero, or the planned last kyoku is over and overtime has no claim."""
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
    """アガリやめ, 聴牌やめ: in the last kyoku the dealer who stays leads with enough points (S-95)."""
    game = rules.game
    if after.number != after.last or game.agari_yame == "none" or result.offender is not None:
        return False
    if (result.abortive and game.agari_yame != "any") or (not result.won and game.agari_yame == "win"):
        return False
    leader = by_rank(after.scores, first_dealer)[0]
    return leader == dealer and after.scores[leader] >= game.agari_yame_points


def by_rank(scores: Sequence[int], first_dealer: int) -> list[int]:
    """Player ids from first to last; of equals the one nearer to the first dealer is higher (S-131)."""
    players = len(scores)
    return sorted(range(players), key=lambda player: (-scores[player], seat_of(player, first_dealer, players)))


def final(standing: Standing, rules: Rules, first_dealer: int) -> HanchanEnd:
    """Ranks, leftover sticks and final points (S-130 to S-132)."""
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
    """Uma of each rank in points; the first also has the oka, what all paid in above the start."""
    uma = [Fraction(str(value)) for value in rules.game.uma]
    oka = Fraction(rules.game.players * (rules.game.return_points - rules.game.start_points), 1000)
    return uma[0] + oka, *uma[1:]


def _tied(order: Sequence[int], scores: Sequence[int]) -> list[list[int]]:
    """The order in groups of equal points."""
    groups: list[list[int]] = []
    for player in order:
        if groups and scores[groups[-1][0]] == scores[player]:
            groups[-1].append(player)
        else:
            groups.append([player])
    return groups


def _tenths(score: int, bonus: Fraction, game: GameRules) -> int:
    """The final score in tenths: points from the return on, and uma and oka.

    Where it is a whole number, an exact half goes up; or it is the player's points that are rounded, away from
    zero: 22500 counts as 23 and -500 as -1.
    """
    if game.score_rounding == "half-away":
        score = (abs(score) + 500) // 1000 * (1000 if score > 0 else -1000)
    parts = 100 * bonus.denominator  # of a tenth: whole numbers, for fractions take far longer
    tenths = (score - game.return_points) * bonus.denominator + 1000 * bonus.numerator
    if game.score_rounding == "half-up":
        return (tenths + 5 * parts) // (10 * parts) * 10
    whole, rest = divmod(tenths, parts)
    return whole + (2 * rest > parts or (2 * rest == parts and whole % 2 == 1))
