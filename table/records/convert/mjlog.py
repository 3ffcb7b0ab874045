"""Tenhou's own logs (mjlog, XML) are read, whole games or as far as a broken file goes.

The rules are Tenhou's, changed by what the log tells: its head has red fives, open tanyao and the length; a lobby of
its own may change more without a word, of which the course and the end of the game show points at the start, length and
uma.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages import mjlog
from jantaku.table.languages.facts import EndFact
from jantaku.table.languages.mjai.speaker import DIALECTS as DIALECTS
from jantaku.table.records.convert.completion import assumed
from jantaku.table.records.convert.following import Builder, Imported
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.flow.hanchan import by_rank, final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.rules import Rules

_RANKED_LOBBY = "0"


def read_mjlog(path: Path, content: bytes) -> Imported:
    """Read a log. Raises BadInput, with kyoku and tag, if it is invalid; a file that breaks off is read up to there,
    and a note says so."""
    try:
        tags, broken = mjlog.tags_of(content)
        head = mjlog.head_of(tags)
        end = mjlog.final_of(tags, head.players)
    except BadInput as error:
        raise error.within(str(path)) from None
    built = _built_log(tags, head, path)
    deals = [builder.deal for builder in built]
    dealer = (deals[0].dealer - deals[0].kyoku) % head.players if deals else 0
    record = Record(path, head.names, dealer, [])
    imported = Imported(record, ended=end is not None, final=end)
    imported.take(built)
    for number, deal in enumerate(deals, 1):
        if (dealer + deal.kyoku) % head.players != deal.dealer:
            raise BadInput(f"player {deal.dealer} deals, and it is the turn of another", f"{path} kyoku {number}")
    if deals:
        record.rules = rules_told(head, deals, end)
        if end is not None and (uma := _uma(record.rules, end, dealer)) != list(record.rules.game.uma):
            record.rules = ruleset.with_settings(record.rules, {"game.uma": str(uma)})
            imported.notes.append(f"uma {uma}, as its final scores have it")
    if head.own_rules:
        imported.notes.append("its lobby has its own rules (csrule), which are not read")
    if broken:
        imported.notes.append(f"the file breaks off ({broken}): {len(deals)} kyoku are read, the rest is missing")
    return imported


def _built_log(tags: Sequence[mjlog.Tag], head: mjlog.LogHead, path: Path) -> list[Builder]:
    built = []
    for number, part in enumerate(mjlog.kyoku_in(tags), 1):
        place = f"{path} kyoku {number}"
        built.append(builder := Builder(place))
        try:
            for fact in mjlog.facts_of(part, head):
                builder.add(fact)
        except BadInput as error:
            raise error if error.place[:1] == (place,) else error.within(place) from None
    return built


def rules_told(head: mjlog.LogHead, deals: Sequence[KyokuStart], end: EndFact | None) -> Rules:
    """Return the rules of a game with this head, these deals and this end."""
    rules = ruleset.preset(assumed(head.players))
    hanchan = bool(head.kind & mjlog.HANCHAN) or (head.lobby != _RANKED_LOBBY and _outlasts_a_tonpu(deals, rules))
    changes = {"game.length": "hanchan" if hanchan else "tonpu", "game.start_points": str(deals[0].scores[0])}
    # Some tables give final scores with a decimal; the others have rounded them.
    decimals = end is not None and any(tenths % 10 for tenths in end.tenths or ())
    changes["game.score_rounding"] = "none" if decimals else "half-away"
    if head.kind & mjlog.NO_REDS:
        changes |= {"tiles.red_m": "0", "tiles.red_p": "0", "tiles.red_s": "0"}
    if head.kind & mjlog.NO_OPEN_TANYAO:
        changes["score.open_tanyao"] = "false"
    return ruleset.with_settings(rules, changes)


def _outlasts_a_tonpu(deals: Sequence[KyokuStart], rules: Rules) -> bool:
    """Whether a tonpu would have ended earlier: private lobbies may change the length without saying so in the head."""
    enough, seats = rules.game.extension_points, len(deals[0].scores)
    numbered = [(deal.round_wind * seats + deal.kyoku, deal) for deal in deals]
    passed = [now for before, now in pairwise(numbered) if before[0] < now[0]]
    late = any(number >= seats and max(deal.scores) >= enough for number, deal in passed)
    return late or numbered[-1][0] >= 2 * seats


def _uma(rules: Rules, end: EndFact, dealer: int) -> list[float]:
    """The uma that leads to these final scores: all but that of rank 1, which takes the rest, follow from them."""
    seats = len(end.scores)
    plain = msgspec.structs.replace(rules.game, uma=(0.0,) * seats)
    bare = final(Standing(0, 0, 0, end.scores, 0), msgspec.structs.replace(rules, game=plain), dealer).tenths
    assert end.tenths is not None, "a log tells both"
    _, *others = by_rank(end.scores, dealer)
    rest = [(end.tenths[player] - bare[player]) / 10 for player in others]
    return [-sum(rest), *rest]
