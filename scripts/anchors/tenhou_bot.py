"""Seats tenhou-python-bot, which knows Tenhou alone: `python tenhou_bot.py FOLDER` with `dialect=mjai-lines-actions`.

FOLDER is its `project`; it runs in an environment with its requirements, not in ours. Its tiles are numbers, four of a
kind: which of the four has come into sight is chosen here. Its seats are counted from its own.
"""

import json
import sys
from importlib import import_module
from typing import Any

KINDS = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNPFC")
RED = {16: "5mr", 52: "5pr", 88: "5sr"}
Event = dict[str, Any]
Allowed = dict[str, Event]
"""By type, a reply that is possible."""


class Bot:
    """The bot in one game: what it hears and what it answers."""

    def __init__(self, start: Event) -> None:
        self.me: int = start["id"]
        self.table = import_module("game.client").Client().table
        self.table.has_aka_dora = start["aka_flag"]
        self.player = self.table.player
        self.meld: Any = import_module("utils.decisions_logger").MeldPrint
        self.unseen: list[int] = []
        self.drawn = self.last = -1  # its draw; what a call is about
        self.given = -1  # the discard that it has made already, but that has not come back yet
        self.call: Any = None  # what it would call, and its discard then
        self.after_call: Any = None
        self.counted = False  # whether its next draw is counted already

    def hear(self, event: Event) -> Event:
        """Follow an event and return the reply, which counts if one is wanted."""
        heard = getattr(self, event["type"], None)
        allowed = {one["type"]: one for one in event.get("possible_actions", ())}
        reply: Event | None = heard(event, self.side(event.get("actor", self.me)), allowed) if heard else None
        return reply or {"type": "none"}

    def side(self, seat: int) -> int:
        return (seat - self.me) % 4

    def name(self, tile: int) -> str:
        return RED[tile] if tile in RED and self.table.has_aka_dora else KINDS[tile // 4]

    def seen(self, name: str) -> int:
        """Return the number of a tile that comes into sight."""
        tile = next(tile for tile in self.unseen if self.name(tile) == name)
        self.unseen.remove(tile)
        return tile

    def start_kyoku(self, event: Event, _side: int, _allowed: Allowed) -> None:
        self.unseen, self.counted, self.given = list(range(136)), False, -1
        number = "ESWN".index(event["bakaze"]) * 4 + event["kyoku"] - 1
        scores = [event["scores"][(self.me + side) % 4] // 100 for side in range(4)]
        dora = self.seen(event["dora_marker"])
        self.table.init_round(number, event["honba"], event["kyotaku"], dora, self.side(event["oya"]), scores)
        self.player.init_hand(sorted(self.seen(name) for name in event["tehais"][self.me]))

    def dora(self, event: Event, _side: int, _allowed: Allowed) -> None:
        self.table.add_dora_indicator(self.seen(event["dora_marker"]))

    def tsumo(self, event: Event, side: int, allowed: Allowed) -> Event | None:
        if side:
            return None
        self.drawn = self.seen(event["pai"])
        self.table.count_of_remaining_tiles -= not self.counted
        self.counted = False
        self.player.draw_tile(self.drawn)
        return self.turn(event, allowed) if event.get("can_act", True) else None

    def turn(self, event: Event, allowed: Allowed) -> Event:
        """Decide about a draw."""
        if "hora" in allowed and self.player.should_call_win(self.drawn, is_tsumo=True):
            return allowed["hora"]
        if "ryukyoku" in allowed and self.player.should_call_kyuushu_kyuuhai():
            return allowed["ryukyoku"]
        kan = self.player.should_call_kan(self.drawn, open_kan=False, from_riichi=self.player.in_riichi)
        word = {self.meld.KAN: "ankan", self.meld.SHOUMINKAN: "kakan"}.get(kan)
        for one in event.get("possible_actions", ()):
            if one["type"] == word and self.kind(one["consumed"][0]) == self.drawn // 4:
                return dict(one)
        if self.player.in_riichi:
            self.player.discard_tile(self.drawn, force_tsumogiri=True)
            return self.discard(self.drawn)
        self.given, riichi = self.player.discard_tile()
        return allowed["reach"] if riichi and "reach" in allowed else self.discard(self.given)

    def dahai(self, event: Event, side: int, allowed: Allowed) -> Event | None:
        if not side:
            self.own_dahai(event)
            return None
        self.last = self.seen(event["pai"])
        wins = "hora" in allowed and self.player.should_call_win(self.last, is_tsumo=False, enemy_seat=side)
        self.table.add_discarded_tile(side, self.last, event["tsumogiri"])
        if wins:
            return allowed["hora"]
        return self.calling(event, side, allowed) if {"chi", "pon", "daiminkan"} & set(allowed) else None

    def own_dahai(self, event: Event) -> None:
        """Follow its discard, which it has done itself unless something else was played for it."""
        if self.given >= 0 and self.name(self.given) != event["pai"]:
            self.player.discards.pop()
            self.player.tiles.append(self.given)
            self.table.revealed_tiles[self.given // 4] -= 1
            self.table.revealed_tiles_136.remove(self.given)
            self.given = -1
        if self.given < 0:
            tile = self.drawn if event["tsumogiri"] else self.held([event["pai"]])[0]
            self.table.add_discarded_tile(0, tile, event["tsumogiri"])
            self.player.tiles.remove(tile)
        self.given = self.drawn = -1

    def calling(self, event: Event, side: int, allowed: Allowed) -> Event | None:
        """Decide about kan, pon and chi, for which the tile must not count as seen."""
        self.table.revealed_tiles[self.last // 4] -= 1
        kan = "daiminkan" in allowed and self.player.should_call_kan(self.last, open_kan=True)
        self.call, self.after_call = (None, None) if kan else self.player.try_to_call_meld(self.last, side == 3)
        self.table.revealed_tiles[self.last // 4] += 1
        if kan:
            return allowed["daiminkan"]
        if self.call is None or self.call.type not in allowed:
            return None
        consumed = [self.name(tile) for tile in self.call.tiles if tile != self.last]
        return allowed[self.call.type] | {"consumed": consumed}

    def chi(self, event: Event, side: int, _allowed: Allowed) -> Event | None:
        if side:
            self.tell(event, side, event["type"], [self.seen(name) for name in event["consumed"]], self.last)
            return None
        tiles, discard = self.held(event["consumed"]), None
        if self.call is not None:
            own = [tile for tile in self.call.tiles if tile != self.last]
            if sorted(map(self.name, own)) == sorted(event["consumed"]):
                tiles, discard = own, self.after_call
        self.tell(event, 0, event["type"], tiles, self.last)
        self.player.tiles.append(self.last)
        return self.discard(self.player.discard_tile(discard)[0]) if event.get("can_act", True) else None

    pon = chi

    def daiminkan(self, event: Event, side: int, _allowed: Allowed) -> None:
        self.tell(event, side, self.meld.KAN, self.consumed(event, side), self.last)

    def ankan(self, event: Event, side: int, _allowed: Allowed) -> None:
        self.counted = not side
        self.tell(event, side, self.meld.KAN, self.consumed(event, side), None)

    def kakan(self, event: Event, side: int, allowed: Allowed) -> Event | None:
        kind = self.kind(event["pai"])
        if side:
            self.last = self.seen(event["pai"])
        else:
            self.last = next(tile for tile in self.player.closed_hand if tile // 4 == kind)
        wins = "hora" in allowed and self.player.should_call_win(self.last, False, side, is_chankan=True)
        others = [tile for tile in range(kind * 4, kind * 4 + 4) if tile != self.last]
        self.tell(event, side, self.meld.SHOUMINKAN, others, self.last)
        return allowed["hora"] if wins else None

    def reach(self, event: Event, side: int, _allowed: Allowed) -> Event | None:
        self.table.add_called_riichi_step_one(side)
        if side or not event.get("can_act", True):
            return None
        return self.discard(self.player.discard_tile()[0] if self.given < 0 else self.given)

    def reach_accepted(self, _event: Event, side: int, _allowed: Allowed) -> None:
        self.table.add_called_riichi_step_two(side)

    def kind(self, name: str) -> int:
        return KINDS.index(name[:2])

    def held(self, names: list[str]) -> list[int]:
        """Return tiles of its hand by their names."""
        hand, found = list(self.player.closed_hand), []
        for name in names:
            found.append(next(tile for tile in hand if self.name(tile) == name))
            hand.remove(found[-1])
        return found

    def discard(self, tile: int) -> Event:
        self.given = tile
        return {"type": "dahai", "actor": self.me, "pai": self.name(tile), "tsumogiri": tile == self.drawn}

    def consumed(self, event: Event, side: int) -> list[int]:
        """Return the tiles that a kan takes from a hand."""
        if side:
            return [self.seen(name) for name in event["consumed"]]
        kind = self.kind(event["consumed"][0])
        return [tile for tile in self.player.closed_hand if tile // 4 == kind]

    def tell(self, event: Event, side: int, word: str, tiles: list[int], called: int | None) -> None:
        every = sorted([*tiles, *([] if called is None else [called])])
        source = self.side(event["target"] if "target" in event else event["actor"])
        self.table.add_called_meld(side, self.meld(word, every, called is not None, called, side, source))


def main() -> None:
    """Play all games that come."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    import_module("utils.settings_handler").settings.PRINT_LOGS = False
    bot: Any = None
    for line in sys.stdin:
        event = json.loads(line)
        bot = Bot(event) if event["type"] == "start_game" else bot
        reply = bot.hear(event)
        if event.get("can_act", True):
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
