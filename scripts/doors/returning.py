"""The doors that are tried with returns: a client breaks off at a random moment of a hanchan and comes back."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from scripts.doors import pipes
from scripts.doors.guests import ArenaBot, Discarder, Mind, Partner, Program, converse
from scripts.doors.hand import Item
from scripts.doors.line import Line, Resumed, SocketIoLine, WebSocketLine, logged_in
from scripts.doors.serving import PATIENCE, ROOM, Server, Tally

OTHERS = "shanten,caller"
RETURNER, PARTNER = "returner", "partner"
ENDS = {"hule", "pingju", "jieju", "hora", "ryukyoku", "end_kyoku", "end_game"}
"""Messages at which a client does not leave: after the last of them there is no game to come back to."""
SOON = 2.0
"""Seconds after the end of a game in which its last messages come."""
GAMES = 4
"""Hanchan of one run in which a program is killed."""

Sit = Callable[[Server], tuple[Line, Mind]]


class ServedDoor(NamedTuple):
    """A door of the server. `sit` makes a guest of a name; a second call comes back under the same name. `refused`:
    this door lets nobody back into a game."""

    name: str
    sit: Callable[[str], Sit]
    refused: bool = False


def _room(name: str) -> Sit:
    query = f"name={name}&key=secret-{name}"
    return lambda server: (WebSocketLine(f"ws://127.0.0.1:{server.port('ws')}/play/{ROOM}?{query}"), Discarder())


def _mjsonp(name: str) -> Sit:
    def sit(server: Server) -> tuple[Line, Mind]:
        program = Program(server.port("mjsonp"), name, ROOM)
        return program, program

    return sit


def _riichilab(name: str) -> Sit:
    def sit(server: Server) -> tuple[Line, Mind]:
        address = f"ws://127.0.0.1:{server.port('ws')}/ws/ranked?name={name}"
        return WebSocketLine(address, Authorization=f"Bearer secret-{name}"), ArenaBot()

    return sit


def _netplay(name: str) -> Sit:
    cookie: list[str] = []

    def sit(server: Server) -> tuple[Line, Mind]:
        port, room = server.port("netplay"), "" if cookie else ROOM
        cookie[:] = cookie or [logged_in(port, name)]
        return SocketIoLine(port, cookie[0], room), Discarder()

    return sit


SERVED = (
    ServedDoor("room", _room),
    ServedDoor("netplay", _netplay),
    ServedDoor("mjsonp", _mjsonp),
    ServedDoor("riichilab", _riichilab, refused=True),
)
PROGRAMS: dict[str, tuple[pipes.Spec, float]] = {
    "mjai": (pipes.lines("mjai"), 0.005),
    "mjai-lines": (pipes.lines("mjai-lines"), 0.001),
    "akagi": (pipes.akagi, 0.005),
    "submission": (pipes.submission, 0.005),
    "mortal": (pipes.mortal, 0.001),
}
"""By name: the program, and the share of its lines at which it is killed, about once per hanchan."""


# --- connections


class Break:
    """A hanchan in which a guest leaves at the message with that number, or the next one within a kyoku, and comes
    back."""

    def __init__(self, server: Server, door: ServedDoor, moment: int, *, politely: bool) -> None:
        self._server, self._door, self._moment, self._politely = server, door, moment, politely
        self._left, self._back = threading.Event(), threading.Event()
        self.heard = 0
        self.trouble = ""

    def play(self) -> bool:
        """Play it. Return whether the guest left and there was a game to come back to."""
        games = self._server.over
        sit = self._door.sit(RETURNER)
        partner = threading.Thread(target=self._partner, daemon=True)
        line, mind = sit(self._server)
        partner.start()
        left = converse(line, mind, lambda number, message: self._leaves(line, number, message))
        if left:
            left = self._return(sit, games)
        else:
            line.close()
        self._back.set()
        partner.join(PATIENCE)
        self._server.wait_for(games + 1)
        return left

    def _partner(self) -> None:
        line, mind = self._door.sit(PARTNER)(self._server)
        waiting = Partner(mind, lambda: self._left.is_set() and self._back.wait(PATIENCE))
        converse(line, waiting)
        if not waiting.over:
            self.trouble = "its partner did not hear the end of the game"
        with suppress(OSError):
            line.close()

    def _leaves(self, line: Line, number: int, message: Item) -> bool:
        self.heard = number
        is_end = ENDS & message.keys() or message.get("type") in ENDS
        if not self._moment or number < self._moment or is_end:
            return False
        self._left.set()
        (line.close if self._politely else line.cut)()
        return True

    def _return(self, sit: Sit, games: int) -> bool:
        """Come back to the game after `games` games. Return whether it was still in progress."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self._server.over > games:
                return False
            line, mind = sit(self._server)
            with self._no_longer_than_the_game(line, games):
                resumed = Resumed(line)
            if not resumed.refusal or (self._door.refused and resumed.first):
                break
            line.close()
            time.sleep(0.02)
        if self._door.refused:
            if resumed.refusal != "This bot is already connected to a game":
                self.trouble = f"it was told {resumed.first} instead of being refused"
            return True
        self._back.set()
        converse(resumed, mind)
        if not mind.over:
            self.trouble = "it did not hear the end of the game to which it came back"
        with suppress(OSError):
            line.close()
        return True

    @contextmanager
    def _no_longer_than_the_game(self, line: Line, games: int) -> Iterator[None]:
        """Hang up soon after the game's end: a guest that is too late would wait for the next game, and block the next
        guests."""
        heard = threading.Event()

        def watch() -> None:
            while not heard.wait(0.05):
                if self._server.over > games and not heard.wait(SOON):
                    line.close()
                    return

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield
        finally:
            heard.set()
            watching.join()


def connections(door: ServedDoor, place: Path, *, times: int, seed: int) -> tuple[str, bool]:
    """Break off that many times at a door; return the row, and whether all is as it should be."""
    chance, broken, longest, troubles = random.Random(f"{seed} {door.name}"), 0, 0, list[str]()
    began = time.monotonic()
    with Server(place, games=None, players=f"ws,ws,{OTHERS}", seed=seed) as server:
        while broken < times:
            moment = chance.randint(1, longest) if longest else 0
            attempt = Break(server, door, moment, politely=chance.random() < 0.5)
            broken += attempt.play()
            longest = max(longest, attempt.heard)
            if attempt.trouble:
                troubles.append(f"message {moment}: {attempt.trouble}")
    tally = Tally(place, server.said)
    others = [name for name, verdict in tally.faults if (name, verdict) != (RETURNER, "gone")]
    good = not troubles and not others and tally.verified == tally.games
    came = "refused as told, its game ended" if door.refused else "came back and heard the end"
    told = f"{broken - len(troubles)} of {broken} {came} (of {longest} messages, seed {seed})"
    return "\n".join([_row(told, tally, time.monotonic() - began), *troubles, *tally.wrong]), good


# --- processes


def processes(name: str, place: Path, *, times: int, seed: int) -> tuple[str, bool]:
    """Kill a program that many times; it is started again for the next kyoku. Return the row, and whether all is
    well."""
    spec, share = PROGRAMS[name]
    place.mkdir(parents=True, exist_ok=True)
    notes, said, runs, began = place / "notes", "", 0, time.monotonic()
    env = {"JANTAKU_DOORS_END": f"{share} {times} {notes}"}
    notes.touch()
    while notes.read_text("utf-8").split().count("died") < times:
        player = spec(place)
        player += f"{'&' if '?' in player else '?'}name={RETURNER}&restart=next-kyoku&restarts=1000"
        given = "".join(f"&env.{key}={value}" for key, value in env.items())
        others = ["shanten", "caller", "dice"]
        said += pipes.played(place / f"run-{runs}", [player + given, *others], GAMES, seed + runs, {})
        runs += 1
    tally = Tally(place, said)
    others_blamed = [one for one in tally.faults if one != (RETURNER, "gone")]
    back = tally.returns[RETURNER]
    good = not others_blamed and tally.verified == tally.games == runs * GAMES and back > 0
    told = f"killed {times} times, answered again in {back} of these games (seed {seed})"
    return "\n".join([_row(told, tally, time.monotonic() - began), *tally.wrong]), good


def _row(told: str, tally: Tally, seconds: float) -> str:
    games = f"{tally.verified} of {tally.games} records verify"
    return f"{told}; {games}; faults: {tally.told()}; {seconds:.0f} s"


def names() -> Sequence[str]:
    """Return the names of all rows."""
    return [*(door.name for door in SERVED), *PROGRAMS]


def attempt(name: str, place: Path, *, times: int, seed: int) -> tuple[str, bool]:
    """Run a row."""
    door = next((door for door in SERVED if door.name == name), None)
    if door is None:
        return processes(name, place, times=times, seed=seed)
    return connections(door, place, times=times, seed=seed)
