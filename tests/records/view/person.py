"""A scripted person: plays on the page on which people play, in a real browser, by clicks, taps or keys.

    with Browser(PROGRAM, profile) as browser:
        person = ScriptedPerson(browser, size=PHONE, clumsy=0.2, keys=False, seed=7)
        person.sit("http://127.0.0.1:8766/sit/club", "Hanako")
        person.play()

It sees only what is on the screen, and chooses at random. A clumsy person also clicks disabled tiles, presses keys
without effect, and forges messages.
"""

import json
import random
from collections import Counter
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from tests.kit.cases import text_of
from tests.kit.chromium import PATIENCE, BrowserPage

KEYS = {"hule": "w", "riichi": "r", "pon": "p", "chi": "c", "pass": "n", "daopai": "q", "penuki": "b"}
"""The key of the first button of each action; other buttons are reached with Tab."""
TILES, BUTTONS, START = "#hand .pick", "#actions button", "#start"
SUBMIT, GO_ON = "#entry button", "#go-on"
TIRED = 200
"""Steps after which a person gives up on one question."""
# Runs before the page: keeps its connections and messages, so that `forge` can send one.
_LISTENING = text_of("pages/person_listening.js")
# Reads nothing that forces a new layout, which would take most of a game's time.
_SCENE = text_of("pages/person_scene.js")
_PLACE = text_of("pages/person_place.js")
_FOCUSED = "(([selector, number]) => document.querySelectorAll(selector)[number] === document.activeElement)"


class PersonStuck(Exception):
    """Nothing goes on, or something on the screen cannot be reached. The message quotes the screen."""


class Seen(msgspec.Struct, frozen=True):
    """What a person sees. `state`: turn, result, over, moved, resting, entry, start, or empty if there is nothing to
    do. `tiles` with whether each may be discarded, `acts` with the text of each button, and three lines of text."""

    state: str
    question: int
    tiles: tuple[tuple[str | None, bool], ...]
    acts: tuple[tuple[str, str], ...]
    word: str
    why: str
    told: str

    @property
    def asked(self) -> tuple[object, ...]:
        return self.question, self.tiles, self.acts


class ScriptedPerson:
    def __init__(
        self, page: BrowserPage, *, size: tuple[int, int], seed: int, clumsy: float = 0.0, keys: bool = False
    ) -> None:
        self.page, self.size = page, size
        self.clumsy = clumsy
        """Share of its moves before which it tries something impossible."""
        self.keys = keys
        """Whether it plays by keyboard only."""
        self.did: Counter[str] = Counter()
        """Counts its moves, its clicks, and its blunders by kind."""
        self.address = ""
        self._chance = random.Random(seed)
        self._tired = (0, 0)

    # --- at the door

    def sit(self, address: str, name: str = "") -> Seen:
        """Open the page of a seat, and enter a name if it asks for one."""
        self.address = address
        self._open(address)
        scene = self.look()
        if scene.state == "entry":
            self.page.ask("document.querySelector('#name').value = ''")
            if self.keys:
                self._tab_to("#name", 0)
            else:
                self.reach("#name")
            self.page.call("Input.insertText", text=name)
            self.page.press("Enter") if self.keys else self.reach(SUBMIT)
            scene = self.look(anything=True)
        return scene

    def start(self) -> None:
        self._tab_to(START, 0, enter=True) if self.keys else self.reach(START)

    @property
    def link(self) -> str:
        room = urlsplit(self.address).path.rsplit("/", 1)[-1]
        seat = json.loads(self.page.ask(f"localStorage.getItem('jantaku.seat.' + decodeURIComponent('{room}'))"))
        return f"{self.address.partition('#')[0]}#{urlencode(seat)}"

    def come_back(self, page: BrowserPage, link: str) -> None:
        """Continue on another page, by the seat's link."""
        self.page = page
        self._open(link)

    def _open(self, address: str) -> None:
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source=_LISTENING)
        self.page.open(address, *self.size)

    # --- at the table

    def look(self, *, anything: bool = False) -> Seen:
        """Return what is on the screen as soon as there is something to do; `anything`: at once. PersonStuck if nothing
        comes."""
        waits = json.dumps(not anything)
        seen = self.page.ask(_SCENE.replace("WAITS", waits).replace("SECONDS", str(PATIENCE / 2)))
        if seen is None:
            raise PersonStuck(f"there is nothing to do: {self._screen()}")
        return msgspec.convert(seen, Seen, strict=False)

    def play(self) -> None:
        while self.step():
            pass

    def step(self) -> bool:
        """Do one thing. Return False if the game is over."""
        scene = self.look()
        if scene.state == "over":
            return False
        last, steps = self._tired
        self._tired = (scene.question, steps + 1 if last == scene.question else 0)
        if steps > TIRED:
            raise PersonStuck(f"question {last} does not end: {self._screen()}")
        if self._chance.random() < self.clumsy:
            self.blunder(scene)
        self._do(scene)
        return True

    def _do(self, scene: Seen) -> None:
        match scene.state:
            case "turn":
                self.move(scene)
            case "result":
                self.page.press("Enter") if self.keys else self.reach(GO_ON)
            case "moved" | "resting":
                self.reach("[data-act=here], [data-act=back]")
            case "entry":
                raise PersonStuck(f"it is not let in: {self._screen()}")
            case _:
                self.start()

    def move(self, scene: Seen) -> None:
        self.did["moves"] += 1
        tiles = [number for number, (_, can) in enumerate(scene.tiles) if can]
        acts = [number for number, (act, _) in enumerate(scene.acts)]
        wins = [number for number in acts if scene.acts[number][0] == "hule"]
        if wins and self._chance.random() < 0.9:
            self._press(wins[0], scene)
        elif acts and (not tiles or self._chance.random() < len(acts) / (len(acts) + 4)):
            self._press(self._chance.choice(acts), scene)
        elif tiles:
            self._discard(self._chance.choice(tiles), scene)

    def _press(self, number: int, scene: Seen) -> None:
        act = scene.acts[number][0]
        first = [name for name, _ in scene.acts].index(act) == number
        if not self.keys:
            self.reach(BUTTONS, number)
        elif act in KEYS and first:
            self.page.press(KEYS[act])
        else:
            self._tab_to(BUTTONS, number, enter=True)

    def _discard(self, number: int, scene: Seen) -> None:
        if not self.keys:
            self.reach(TILES, number)
            return
        if number == len(scene.tiles) - 1 and self._chance.random() < 0.5:
            self.page.press("d")
            return
        for _ in scene.tiles:
            self.page.press("ArrowRight")
            if self.page.ask(f"{_FOCUSED}({json.dumps([TILES, number])})"):
                break
        self.page.press("Enter")

    # --- what is not possible

    def blunder(self, scene: Seen) -> None:
        kind = self._chance.choice(["dark", "late", "forged", "garbage", "key"])
        self.did[kind] += 1
        dark = [number for number, (tile, can) in enumerate(scene.tiles) if tile and not can]
        if kind == "dark" and dark and scene.state == "turn":
            self.reach(TILES, self._chance.choice(dark))
        elif kind == "late":
            self.forge({"question": scene.question - self._chance.randint(1, 8), "reply": {"dapai": "m1"}})
        elif kind == "forged":
            replies: list[Any] = [{"dapai": "z9"}, {"hule": "m19"}, {"fulou": "m123"}, {"gang": []}, [], None]
            reply = self._chance.choice(replies)
            self.forge({"question": scene.question, "reply": reply})
        elif kind == "garbage":
            garbage: Any = self._chance.choice([None, [], "x", {"back": 1}, {"start": ["dice"]}, {"reply": {}}])
            self.forge(garbage)
        else:
            self.page.press(self._chance.choice(["x", "ArrowLeft", "Tab", "z"]))

    def forge(self, message: Any) -> None:
        """Send a message on the page's connection, as from the browser's console."""
        self.page.ask(
            f"spied.sockets.at(-1)?.readyState === 1 && spied.sockets.at(-1).send({json.dumps(json.dumps(message))})"
        )

    # --- with hands

    def reach(self, selector: str, number: int = 0) -> None:
        """Click or tap the middle of an element. PersonStuck if something covers it."""
        place = self.page.ask(f"{_PLACE}({json.dumps([selector, number])})")
        if place is None:
            return  # it has disappeared meanwhile
        x, y, free = place
        if not free:
            if self.page.ask(f"{_PLACE}({json.dumps([selector, number])})?.[2] === false"):
                raise PersonStuck(f"something lies over {selector} {number} at {x:g}, {y:g}: {self._screen()}")
            return
        self.did["clicks"] += 1
        self.page.click(x, y)

    def _tab_to(self, selector: str, number: int, *, enter: bool = False) -> None:
        for _ in range(TIRED):
            if self.page.ask(f"{_FOCUSED}({json.dumps([selector, number])})"):
                if enter:
                    self.page.press("Enter")
                return
            self.page.press("Tab")
        raise PersonStuck(f"Tab does not lead to {selector} {number}: {self._screen()}")

    @property
    def heard(self) -> list[tuple[str, Any]]:
        """Messages of the table besides the game since the page was loaded: refusals, defaults."""
        return [tuple(one) for one in self.page.ask("spied.heard")]

    @property
    def choice(self) -> Any:
        return self.page.ask("spied.choice")

    def _screen(self) -> str:
        return " ".join(str(self.page.ask("document.querySelector('main').innerText")).split())[:400]
