"""Random positions for both judges, and random games with checks of everything that must hold."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.daifugo.cards import CARDS, HIDDEN, NAMES
from jantaku.table.daifugo.events import Agari, Board, Exchange, Nagare, RoundStart, SeriesEnd
from jantaku.table.daifugo.game import DaifugoGame, deals_from
from jantaku.table.daifugo.journals.record import SECRETS, lines_of, load, reply, verify
from jantaku.table.daifugo.journals.replay import header_of
from jantaku.table.daifugo.legal import Reason, legal_plays, refusal
from jantaku.table.daifugo.neof5 import history_texts, parse_history
from jantaku.table.daifugo.plays import Put
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.records.journal.writer import JournalWriter
from tests.daifugo import brute
from tests.daifugo.walk import rules
from tests.records.replay.tamperings import forged

WORDS = {
    None: "OK",
    Reason.RANKS_DIFFER: "DIFF",
    Reason.COUNT_DIFFERS: "CNT",
    Reason.NOT_STRONGER: "WEAK",
    Reason.NOT_KAIDAN: "NO_KAIDAN",
    Reason.TRICK_IS_NO_KAIDAN: "BA_NO_KAIDAN",
}
STALLED = 1000
"""More turns than any round of 53 cards can take."""

FORMS = [(letter, length) for letter in "AB" for length in ("same", "any")]
_RULES = {(letter, length): rules(letter, kaidan__length=length) for letter, length in FORMS}


def texts(cards: Sequence[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def random_set(chance: random.Random) -> list[int]:
    """Return cards that are nearly a play: of one rank, in a row or random, with or without the joker."""
    size = chance.choice((1, 1, 2, 2, 3, 3, 4, 5))
    kind = chance.random()
    if kind < 0.4:
        rank = chance.randrange(13)
        cards = chance.sample([rank * 4 + suit for suit in range(4)], min(size, 4))
    elif kind < 0.85:
        size = max(size, 3)
        low, suit = chance.randrange(14 - size), chance.randrange(4)
        cards = [(low + step) * 4 + suit for step in range(size)]
    else:
        cards = chance.sample(range(CARDS), size)
    if chance.random() < 0.25:
        cards[chance.randrange(len(cards))] = 52
    if chance.random() < 0.1:
        cards[chance.randrange(len(cards))] = chance.randrange(CARDS)
    chance.shuffle(cards)
    return cards


def check_legality(cases: int, seed: int) -> int:
    """Compare the reasons of both judges in that many cases. AssertionError with the case in which they differ."""
    chance = random.Random(seed)
    for _ in range(cases):
        letter, length = chance.choice(FORMS)
        top = [] if chance.random() < 0.15 else random_set(chance)
        cards, revolution = random_set(chance), chance.random() < 0.5
        ours = WORDS[refusal(_RULES[letter, length], top, cards, revolution)]
        theirs = brute.verdict(letter, length == "same", texts(top), texts(cards), revolution)
        case = f"class {letter} {length}, {texts(cards)} on {texts(top)}, revolution {revolution}"
        assert ours == theirs, f"{case}: we say {ours}, brute force {theirs}"
    return cases


def check_offers(hands: int, seed: int) -> int:
    """Compare the offered plays with those found by trying all subsets, for that many random hands."""
    chance = random.Random(seed)
    for _ in range(hands):
        letter, length = chance.choice(FORMS)
        hand = sorted(chance.sample(range(CARDS), chance.randrange(1, 10)))
        top: list[int] = []
        while top == [] and chance.random() < 0.85:
            candidate = random_set(chance)
            if refusal(_RULES[letter, length], (), candidate, False) is None:
                top = candidate
        revolution = chance.random() < 0.5
        ours = legal_plays(_RULES[letter, length], hand, top, revolution)
        theirs = brute.all_plays(letter, length == "same", texts(hand), texts(top), revolution)
        assert len(ours) == len(set(ours)) and all(list(play) == sorted(play) for play in ours)
        case = f"class {letter} {length}, hand {texts(hand)} on {texts(top)}, revolution {revolution}"
        assert {frozenset(texts(play)) for play in ours} == theirs, case
    return hands


def check_game(table: Rules, seed: int, folder: Path | None) -> int:
    """Play one series at random and check after every event; verify its record if there is a folder. Return the number
    of turns."""
    chance = random.Random(seed)
    names = [f"p{seat}" for seat in range(table.game.seats)]
    game = DaifugoGame(table, deals_from(str(seed), 0, table.game.seats), names)
    path = None if folder is None else folder / f"fuzz-{seed}.jsonl"
    journal = (
        None
        if path is None
        else JournalWriter(path, header_of(game, str(seed), 0, "test"), lines_of, reply, secrets=SECRETS)
    )
    try:
        turns = _played(game, chance, journal)
    finally:
        if journal is not None:
            journal.close()
    assert sorted(game.events[-1].places) == list(range(1, game.seats + 1))
    if path is not None:
        _check_record(path)
    return turns


def _played(game: DaifugoGame, chance: random.Random, journal: JournalWriter | None) -> int:
    views = [Board() for _ in range(game.seats)]
    seen = turns = in_round = 0
    while True:
        seen = _heard(game, views, seen, journal)
        turn = game.turn()
        if turn is None:
            return turns
        in_round = 0 if not game.board.history else in_round + 1
        assert in_round < STALLED, "the round does not end"
        assert turn.choice.default in turn.choice.options and len(set(turn.choice.options)) == len(turn.choice.options)
        action = chance.choice(turn.choice.options)
        assert isinstance(action, Put)
        turns += 1
        if journal is not None:
            journal.answers(turns, [Answer(turn.seat, turns * game.seats + turn.seat, action, Verdict.OK)])
        game.act(action)
        game.rule((None,) * game.seats)


def _heard(game: DaifugoGame, views: Sequence[Board], seen: int, journal: JournalWriter | None) -> int:
    new = game.events[seen:]
    if journal is not None:
        journal.events(new)
    for index in range(seen, len(game.events)):
        for seat, view in enumerate(views):
            game.masked(index, seat).apply(view)
    full = game.board
    cards = [*full.pile, *(card for play in full.trick for card in play), *(c for hand in full.hands for c in hand)]
    assert sorted(cards) == list(range(CARDS)), "cards are lost or doubled"
    for seat, view in enumerate(views):
        assert [len(hand) for hand in view.hands] == [len(hand) for hand in full.hands]
        assert view.hands[seat] == full.hands[seat]
        for other in set(range(game.seats)) - {seat}:
            known = {card for card in view.hands[other] if card != HIDDEN}
            # A seat may know only those cards of another hand that it gave away in the exchange.
            assert not known or known == _given(game, seat, other) & set(full.hands[other])
        assert (view.trick, view.pile, view.history, view.turn) == (full.trick, full.pile, full.history, full.turn)
        assert (view.revolution, view.ranks, view.places) == (full.revolution, full.ranks, full.places)
    if any(isinstance(event, Nagare | Agari | SeriesEnd) for event in new):
        assert parse_history(history_texts(full.history)) == full.history
        _check_implied(full)
    return len(game.events)


def _given(game: DaifugoGame, giver: int, taker: int) -> set[int]:
    """Return the cards that one seat gave another in this round's exchange."""
    for event in reversed(game.events):
        if isinstance(event, Exchange):
            return {card for gift in event.gifts if (gift.giver, gift.taker) == (giver, taker) for card in gift.cards}
        if isinstance(event, RoundStart):
            break
    return set()


def _check_implied(board: Board) -> None:
    """Check that 場 and 山 are exactly what the history implies (§4.1)."""
    trick: list[tuple[int, ...]] = []
    pile: list[int] = []
    for step in board.history:
        if step.kind == "nagare":
            pile += [card for play in trick for card in play]
            trick = []
        elif step.kind == "play" and step.cards:
            trick.append(step.cards)
    assert trick == board.trick and pile == board.pile


def _check_record(path: Path) -> None:
    record = load(path)
    done = verify(record, record.rules)
    assert done.difference is None and done.complete, f"{path}: {done.difference}"


def changed(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """Return a copy of a journal with changed lines and matching digests."""
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    change(lines)
    copy = path.with_name("changed.jsonl")
    copy.write_bytes(forged(b"".join(msgspec.json.encode(line) + b"\n" for line in lines)))
    return copy
