"""Examines another author's server: our players join it, follow the game by jantaku's engine, and check every message
against the card."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.check.conform.card import Card, card_of, kind_of, messages_in
from jantaku.table.check.conform.client import Check, TranscriptLine
from jantaku.table.check.conform.guest import Door, Guest, Parted, Stay, majiang_game, mjai_game
from jantaku.table.check.conform.troubles import TROUBLES
from jantaku.table.check.conform.words import MANNERS, misfits
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.play import seeds
from jantaku.table.play.roster import enlist
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules

BOTS = ("shanten", "caller", "shanten", "dice")
"""Our players there; together they take every kind of action."""
LAST = 6
"""Most pieces of evidence shown."""
_TRIED = ("unknown fields", "twice", "old number", "unknown", "no object", "malformed", "illegal", "late", "oversized")
"""Bad replies to try at a server, each in a game of its own, the harmless ones first."""
_SEED = "conform"


class Called:
    """A server under examination, with all conversations with it. `rules`: used to verify its games if it does not send
    its own."""

    def __init__(self, door: Door, seats: int, rules: Rules | None, token: str = "") -> None:
        self.door, self.seats, self.rules, self.token = door, seats, rules, token
        self.transcript: list[TranscriptLine] = []

    def game(self, check: str, bad: str = "") -> list[Guest]:
        """Play one game. With `bad`, the first seat replaces its reply to its first decision. PlayerGone if the server
        refuses one of our players."""
        entered = []
        for seat in range(self.seats):
            entrant = enlist(BOTS)[seat % len(BOTS)]
            bot = entrant.make(seeds.of_bot(_SEED, 0, seat))
            spoil = TROUBLES[bad] if bad and not seat else None
            name = f"conform-{seat + 1}"
            guest = Guest(self.door.dialect, name, bot, ruleset.DEFAULT if self.rules is None else "tenhou", spoil)
            try:
                entered.append((guest, self.door.enter(name, self.token)))
            except PlayerGone:
                for _, lines in entered:
                    lines.close()
                raise
        stays = [Stay(guest, lines, check) for guest, lines in entered]
        if bad:
            stays[0].join()
            for _, lines in entered[1:]:
                lines.close()
        for stay in stays:
            stay.join()
        guests = [guest for guest, _ in entered]
        for guest in guests:
            self.transcript += guest.transcript
        return guests


def called_on(server: Called, *, tries: bool) -> Iterator[Check]:
    """Yield every check of a server; with `tries` also its answers to bad replies. BadInput if it cannot be reached."""
    try:
        guests = server.game("game")
    except PlayerGone as gone:
        raise BadInput(str(gone)) from gone
    heard = sum(entry.by == "table" for entry in server.transcript)
    if not heard:
        raise BadInput(f"{server.door.address}: no game began: {guests[0].ended}")
    yield from _messages(server, card_of(server.door.dialect))
    offered = sum(guest.offered for guest in guests)
    for name in guests[0].troubles:
        found = [what for guest in guests for what in guest.troubles[name]]
        if name == "offers" and not offered:
            yield Check(name, "not reached", "it does not say what may be replied")
        else:
            yield Check(
                name, "failed" if found else "passed", f"{len(found)} times" if found else "", tuple(found[:LAST])
            )
    unfinished = [f"{guest.name}: {guest.ended}" for guest in guests if not guest.over]
    yield _passed("end", unfinished, "no end was told" if unfinished else "")
    yield _replayed(server, guests)
    if tries:
        for bad in _TRIED:
            yield _tried(server, bad)


def _passed(name: str, wrong: Sequence[str], about: str) -> Check:
    """Return a check that fails if there is anything in `wrong`."""
    return Check(name, "failed" if wrong else "passed", about, tuple(wrong[:LAST]))


def _messages(server: Called, card: Card) -> Iterator[Check]:
    """Check the kind and shape of every message."""
    manner = MANNERS[server.door.dialect]
    wrong: dict[str, list[str]] = {kind: [] for kind in card.messages}
    count = dict.fromkeys(card.messages, 0)
    strange: dict[str, str] = {}
    broken: list[str] = []
    for entry in server.transcript:
        if entry.by != "table":
            continue
        try:
            found = messages_in(entry.line.encode())
        except (ValueError, RecursionError):
            broken.append(entry.line[:400])
            continue
        for one in found:
            kind = kind_of(one, manner)
            if kind not in card.messages:
                strange.setdefault(kind, entry.line[:400])
                continue
            count[kind] += 1
            said = misfits(one, _for_others(card, kind), card.defs)
            wrong[kind] += [f"{why}: {entry.line[:400]}" for why in said]
    yield _passed("messages", broken, "no JSON object" if broken else "")
    for kind, line in strange.items():
        yield Check(f"message-{kind}", "noted", "the card does not know it", (line,))
    for kind, found_wrong in wrong.items():
        if not count[kind]:
            yield Check(f"message-{kind}", "not reached")
            continue
        yield _passed(f"message-{kind}", found_wrong, f"{count[kind]} of them")


def _for_others(card: Card, kind: str) -> dict[str, object]:
    """Return the shape of a message without the keys that only jantaku's servers send."""
    shape = card.messages[kind].shape
    ours = {key.rpartition(".")[2] for key in card.ours if key.rpartition(".")[0] in ("", kind)}

    def without(inside: dict[str, object]) -> dict[str, object]:
        properties = inside.get("properties")
        if not isinstance(properties, dict):
            return inside
        required = [key for key in inside.get("required", ()) if key not in ours]  # type: ignore[attr-defined]
        return {**inside, "required": required, "properties": {key: without(one) for key, one in properties.items()}}

    return without(shape)


def _replayed(server: Called, guests: Sequence[Guest]) -> Check:
    """Verify the whole game by jantaku's rules, if all its seats were ours."""
    if server.seats < 4:
        return Check("replayed", "not reached", "only with all four seats ours the whole game is known")
    streams = [[entry.line for entry in guest.transcript if entry.by == "table"] for guest in guests]
    is_majiang = server.door.dialect.startswith("majiang")
    if server.door.dialect == "majiang-2015":
        return Check("replayed", "not reached", "this dialect does not tell a whole game")
    try:
        content = majiang_game(streams) if is_majiang else mjai_game(streams)
    except Parted as parted:
        return Check("replayed", "failed", f"the seats were told different games: {parted}")
    except msgspec.DecodeError as error:
        return Check("replayed", "not reached", f"a message cannot be read: {error}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_bytes(content)
        try:
            rules = server.rules or _told(streams)
            read = read_any(path, rules)
            done = verify(read.record, read.record.rules or ruleset.preset(ruleset.DEFAULT))
        except BadInput as problem:
            return Check("replayed", "failed", str(problem).replace(str(path), "the game"))
    if done.difference is not None:
        about = f"not as the rules have it at {done.difference}"
        if rules is None:
            return Check("replayed", "noted", f"{about}; no rules were told, --rules does", tuple(read.notes[:LAST]))
        return Check("replayed", "failed", about, tuple(read.notes[:LAST]))
    return Check("replayed", "passed", f"{done.amount}, identical")


def _told(streams: Sequence[Sequence[str]]) -> Rules | None:
    """Return the rules that a jantaku server sends, None if it sends none."""
    for line in streams[0][:2]:
        for one in messages_in(line.encode()):
            told = one.get("jantaku") or one.get("kaiju", {}).get("jantaku") or {}
            if "rules" in told:
                return msgspec.convert(told["rules"], Rules)
    return None


def _tried(server: Called, bad: str) -> Check:
    """Note how a server answers one bad reply, beside what jantaku does."""
    name, ours = f"after-{bad.replace(' ', '-')}", card_of(server.door.dialect).troubles.get(bad)
    if ours is None:
        return Check(name, "not reached", "this dialect has no way to say it")
    try:
        first = server.game(name, bad)[0]
    except PlayerGone as gone:
        return Check(name, "not reached", str(gone))
    if first.after is None:
        return Check(name, "not reached", first.ended)
    came = first.after or [first.ended]
    about = f"{ours.comes}: {'the game goes on' if first.after else first.ended}; ours plays {ours.played}"
    return Check(name, "noted", about, (*(f"← {line}" for line in first.sent), *(f"→ {line[:400]}" for line in came)))
