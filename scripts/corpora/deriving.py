"""Infers replies from what happened, for sources that do not record them: only claims that won are known."""

from collections.abc import Sequence

from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.actions import RiichiAction
from jantaku.table.riichi.pieces.melds import MeldKind
from scripts.corpora.record import Decision, Play


def derived_decisions(facts: Sequence[Fact]) -> tuple[Decision, ...]:
    """Return what the facts after each play tell about the seats' replies to it."""
    happened = [fact for fact in facts if not isinstance(fact, events.Riichi)]
    decisions = []
    for place, fact in enumerate(happened):
        if isinstance(fact, Play):
            decisions.append(_decision(fact, happened[place + 1 :]))
    return tuple(decisions)


def _decision(play: Play, later: Sequence[Fact]) -> Decision:
    if isinstance(play, events.TileDiscard | events.OwnKan | events.NorthAside):
        return _reactions(play.seat, later)
    if isinstance(play, events.MeldCall) and play.meld.kind == MeldKind.DAIMINKAN:
        return Decision()
    return Decision(replies={play.seat: own_action(later[0])})


def own_action(fact: Fact) -> RiichiAction:
    """Return the turn seat's action that makes `fact` happen. ValueError if no action of its own does."""
    if isinstance(fact, events.TileDiscard):
        return actions.Discard(fact.tile, fact.tsumogiri, fact.riichi)
    if isinstance(fact, events.OwnKan):
        return actions.Kan(fact.meld)
    if isinstance(fact, events.NorthAside):
        return actions.SET_ASIDE
    if isinstance(fact, WinFact):
        return actions.TSUMO
    if isinstance(fact, DrawFact):
        return actions.KYUUSHU
    raise ValueError(f"{fact} does not follow a seat's own turn")


def _reactions(source: int, later: Sequence[Fact]) -> Decision:
    first = later[0]
    others = [seat for seat in range(4) if seat != source]
    if isinstance(first, WinFact):
        return Decision(replies={fact.seat: actions.RON for fact in later if isinstance(fact, WinFact)})
    if isinstance(first, events.MeldCall):
        return Decision(replies={first.seat: actions.Call(first.meld)})
    if isinstance(first, DrawFact) and first.reason == "sanchahou":
        return Decision(replies=dict.fromkeys(others, actions.RON))
    if isinstance(first, DrawFact) and first.hands is not None:
        return Decision(tenpai=frozenset(seat for seat, hand in enumerate(first.hands) if hand is not None))
    return Decision()
