"""Bots in the table's process, in the three modes, and isolated: what they raise, return, change and leave behind."""

from collections.abc import Iterator
from pathlib import Path

from jantaku.players.broken.catalogue import Vice, vices
from scripts.attacks.kit import vices as _vices  # noqa: F401  # importing registers them, as `careless` does
from scripts.attacks.kit.attack import Attack, attack
from scripts.attacks.kit.careless import ODD
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.tables import HONEST, LIMIT, SEED, blamed_for, innocents_are_not_blamed, outcomes_in, seated

MODES = ("inline", "per-turn", "resident", "isolated")
NOT_INLINE = {"returns_what_compares_slowly"}
REPLACED = {
    "Thread.start": "lambda self: None",
    "Thread.join": "lambda self, timeout=None: None",
    "Event.wait": "lambda self, timeout=None: True",
    "Condition.wait": "lambda self, timeout=None: True",
}
"""Parts of `threading`, and what a bot replaces them with."""
QUICK = {"raises_what_exits_when_printed", "returns_a_trap"}

MODULES = {
    "raises SystemExit": "raise SystemExit(0)",
    "raises what cannot be printed": "class E(Exception):\n def __str__(self): raise SystemExit(0)\nraise E",
    "raises escape sequences": "raise ValueError('\\x1b]0;x\\x07\\x1b[2J')",
    "raises markup": "raise ValueError('[/x] [/bold]')",
    "is no Python": "def (",
    "has NUL in it": "x = 1\0",
    "is no UTF-8": "x = '\udcff'",
    "recurses": "def f(): f()\nf()",
    "imports itself": "import mine\nfrom mine import Nobody",
    "has no such class": "class Other: pass",
    "has a number for a class": "Bot = 7",
    "has a function for a class": "def Bot(question): return question.default",
    "has a class that cannot answer": "class Bot: answer = 7",
    "has a class whose looks raise": (
        "class M(type):\n def __getattribute__(c, n): raise SystemExit(n)\nclass Bot(metaclass=M): pass"
    ),
    "has looks that raise": "def __getattr__(name): raise SystemExit(name)",
    "prints": "print('thinking')\nraise ImportError",
}


def attacks() -> Iterator[Attack]:
    for mode in MODES:
        for name, source in REPLACED.items():
            yield attack(f"a bot, {mode}, replaces threading.{name}", replaces, mode, name, source)
        for vice in vices("bot", "scripts.").values():
            if vice.verdicts and (mode != "inline" or vice.name not in NOT_INLINE):
                yield attack(f"a bot, {mode}, {vice.name.replace('_', ' ')}", habit, vice, mode).but(
                    quick=vice.name in QUICK and mode in ("inline", "resident")
                )
        for name, verdicts in ODD.items():
            yield attack(f"a bot, {mode}, of the class {name}", odd, name, mode, verdicts)
        for what, source in MODULES.items() if mode in ("per-turn", "isolated") else ():
            yield attack(f"a bot, {mode}, whose module {what}", module, source, mode)


def _words(mode: str) -> tuple[list[str], str, float | None]:
    """Return the words of the command, the suffix of the player, and its limit."""
    if mode == "isolated":
        return [], "?name=a&isolate=process&clock.start=5", LIMIT
    return ["--threads", mode], "?name=a&clock.start=5", None if mode == "inline" else LIMIT


def habit(folder: Path, vice: Vice, mode: str) -> str:
    """Try one vice in the bot's first own turn: the game goes on, and only that bot is blamed."""
    words, terms, limit = _words(mode)
    verdicts = {*vice.at("turn")}
    if mode == "isolated" and "illegal" in verdicts:
        verdicts |= {"malformed"}  # its answer names an option of its own copy
    ran, outcomes = seated(f"{vice.does.__module__}:{vice.kind}{terms}", folder, *words, limit=limit, seconds=25)
    return blamed_for(ran, outcomes[0], verdicts)


def replaces(folder: Path, mode: str, name: str, source: str) -> str:
    """The game goes on, or a line names the place of the replacement; no other player is blamed, and it is no
    defect."""
    answer = f"threading.{name} = {source}; return question.default"
    code = f"import threading\nclass Bot:\n def hear(self, event): pass\n def answer(self, question): {answer}\n"
    (folder / "mine.py").write_text(code)
    words, terms, limit = _words(mode)
    clock = [] if limit is None else ["--limit", str(limit)]
    players = ",".join((f"mine.py:Bot{terms}", *HONEST))
    given = ("--json", "--length", "one", "--games", "2", "--seed", SEED, "--out", "out", *clock, *words)
    ran = jantaku("play", *given, "--players", players, cwd=folder, seconds=25).with_code(0, 2)
    if ran.code == 0:
        for outcome in outcomes_in(ran):
            innocents_are_not_blamed(ran, outcome)
        return "played on"
    if f"threading.{name} has been replaced by mine.py line 4, " not in ran.refused().err:
        raise ran.failed("it is not said what was replaced, and where")
    return "told"


def odd(folder: Path, name: str, mode: str, verdicts: frozenset[str]) -> str:
    """The bot is refused in a line that names it, or plays and is blamed."""
    words, terms, limit = _words(mode)
    clock = [] if limit is None else ["--limit", str(limit)]
    players = ",".join((f"scripts.attacks.kit.careless:{name}{terms}", *HONEST))
    given = ("play", "--json", "--length", "one", "--seed", SEED, "--out", "out", *clock, *words, "--players", players)
    ran = jantaku(*given, cwd=folder, seconds=25)
    if ran.code == 2 and "refused" in verdicts:
        if "player" not in ran.clean().err.splitlines()[-1]:
            raise ran.failed("the line does not name the player")
        return "refused"
    (outcome,) = outcomes_in(ran.fine())
    innocents_are_not_blamed(ran, outcome)
    return blamed_for(ran, outcome, verdicts)


def module(folder: Path, source: str, mode: str) -> None:
    """The module is refused in one line before any game."""
    (folder / "mine.py").write_bytes(source.encode(errors="surrogateescape"))
    words, terms, limit = _words(mode)
    clock = [] if limit is None else ["--limit", str(limit)]
    players = ",".join((f"mine:Bot{terms}", *HONEST))
    jantaku("play", "--length", "one", "--out", "out", *clock, *words, "--players", players, cwd=folder).refused()
