"""Attacks by programs in every dialect: what they write, what they do to their process, what they start."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jantaku.players.broken.catalogue import VICES, vices
from jantaku.table.languages.wire.dialects import DIALECTS
from scripts.attacks.kit import program as program  # importing registers its vices
from scripts.attacks.kit.attack import Attack, Skipped, attack
from scripts.attacks.kit.command import environment, jantaku
from scripts.attacks.kit.tables import HONEST, blamed_for, innocents_are_not_blamed, outcomes_in, seated
from scripts.attacks.kit.wishes import NUMBERS, WISHES
from scripts.environments import PYTHON

LEAVES = {"has_a_child_in_another_session"}
"""Vices that may leave a process behind because it has left the process group, as documented."""
QUICK = {"writes_utf16", "stops_itself"}
BY_BYTES = ("writes_", "floods_", "answers_")
"""Beginnings of vices that are tried in every dialect; what a program does to its own process is tried in two."""
TWO = ("majiang", "mjai-lines")
NOTHING = ("writes_null", "floods_as_fast_as_it_can", "with a key that nobody knows")
"""What says nothing in Majiang: in the own turn that is the default discard, as majiang-core takes it."""

STRANGERS = {
    "cat": "exec:cat",
    "true": "exec:true",
    "false": "exec:false",
    "yes": "exec:yes",
    "a sleeper": "exec:sleep 1000",
    "endless zeros": "exec:cat /dev/zero",
    "endless noise": "exec:cat /dev/urandom",
    "three megabytes of zeros": "exec:head -c 3000000 /dev/zero",
    "a shell that kills itself": "exec:sh -c 'kill -9 $$'",
    "a shell that stops itself": "exec:sh -c 'kill -STOP $$'",
    "a shell that closes its input": "exec:sh -c 'exec 0<&-; sleep 1000'",
    "a shell that closes its output": "exec:sh -c 'exec 1>&-; sleep 1000'",
    "a shell that leaves a reader": "exec:sh -c 'sleep 1000 & exit 0'",
    "an endless line": "exec:sh -c 'while :; do printf x; done'",
    "an endless tree": "exec:sh -c 'while :; do echo {; done'",
    "a terminal's commands": "exec:printf \\033]0;x\\007\\033[2J",
}
"""Programs that are not players. A program that does not become ready does not play."""


def attacks() -> Iterator[Attack]:
    for dialect in DIALECTS:
        for name, vice in vices("program", "scripts.").items():
            if vice.verdicts and (dialect in TWO or name.startswith(BY_BYTES)):
                yield attack(f"a program in {dialect} {name.replace('_', ' ')}", spoiled, name, dialect).but(
                    leaves=name in LEAVES, quick=name in QUICK and dialect == "majiang"
                )
        for name, wish in WISHES.get(dialect, {}).items():
            yield attack(f"a program in {dialect} answers {name}", wished, dialect, name, wish)
        for name, command in STRANGERS.items() if dialect in TWO else ():
            yield attack(f"{name} is seated as a player in {dialect}", stranger, command, dialect).but(seconds=60.0)
    for number in NUMBERS:
        yield attack(f"a reply whose number is {number[:40]} is taken for the answer", numbered, number)
    yield attack("every reply has a number that is none, and nobody waits for long", always_numbered)
    for name, content in UNSTARTABLE.items():
        yield attack(f"a player is {name}", unstartable, name, content)


def spoiled(folder: Path, vice: str, dialect: str) -> str:
    """Try one vice in the first own turn."""
    return _hostile(folder, f"{vice} turn {dialect}", dialect, *VICES["program"][vice].at("turn"), *_too(dialect, vice))


def _too(dialect: str, name: str) -> tuple[str, ...]:
    return ("ok",) if dialect == "majiang" and name in NOTHING else ()


def wished(folder: Path, dialect: str, name: str, wish: Any) -> str:
    """Send a reply that can be read and must not be played."""
    (folder / "wish.json").write_text(json.dumps(wish))
    return _hostile(folder, f"writes_the_file turn {dialect}", dialect, "malformed", "illegal", *_too(dialect, name))


def numbered(folder: Path, number: str) -> None:
    """Send the right action with an invalid number: it is no answer, and must not be `ok`."""
    (folder / "wish.json").write_text(number)
    _hostile(folder, "numbers_it_so turn majiang", "majiang", "malformed", "silent")


def always_numbered(folder: Path) -> str:
    """Send an invalid number with every reply; three seconds for each question would be too long."""
    (folder / "wish.json").write_text("-1")
    return _hostile(folder, "numbers_it_so every-1 majiang", "majiang", "malformed", "silent")


def _hostile(folder: Path, words: str, dialect: str, *verdicts: str) -> str:
    program = f"exec:{PYTHON} -m scripts.attacks.kit.wishes {words}"
    path = environment({})["PYTHONPATH"]
    ran, outcomes = seated(
        f"{program}?name=a&dialect={dialect}&clock.max_faults=1&clock.bank=3", folder, env={"PYTHONPATH": path}
    )
    return blamed_for(ran, outcomes[0], verdicts)


def stranger(folder: Path, command: str, dialect: str) -> None:
    """The program is refused in one line, or gets defaults and the blame; the game ends in time either way."""
    player = f"{command}?name=a&dialect={dialect}&clock.start=1&clock.max_faults=1"
    words = ("play", "--json", "--length", "one", "--limit", "1", "--out", "out")
    ran = jantaku(*words, "--players", ",".join((player, *HONEST)), cwd=folder, seconds=30).with_code(0, 1, 2)
    if ran.code == 0:
        (outcome,) = outcomes_in(ran)
        innocents_are_not_blamed(ran, outcome)
        blamed_for(ran, outcome, {"gone", "malformed", "illegal", "silent", "late"})


UNSTARTABLE = {
    "a file that may not be executed": (0o644, b"#!/bin/sh\nexit 0\n"),
    "a script without an interpreter": (0o755, b"#!/no/such/interpreter\n"),
    "an empty file": (0o755, b""),
    "a file of noise": (0o755, bytes(range(256)) * 64),
    "a program for another machine": (0o755, b"\x7fELF\x02\x01\x01" + bytes(57)),
    "a script that calls itself": (0o755, b"#!./bot\n"),
    "a folder": (0o755, None),
    "a name that is not there": (0, None),
}


def unstartable(folder: Path, name: str, content: tuple[int, bytes | None]) -> None:
    """The program is refused in one line, whatever the reason."""
    mode, text = content
    if text is not None:
        (folder / "bot").write_bytes(text)
        (folder / "bot").chmod(mode)
    elif mode:
        (folder / "bot").mkdir()
    words = ("play", "--length", "one", "--limit", "1", "--out", "out")
    players = ",".join(("exec:./bot?clock.start=2", *HONEST))
    ran = jantaku(*words, "--players", players, cwd=folder, seconds=30)
    if ran.code == 0 and text == b"":
        raise Skipped("this system runs an empty file as a script")
    ran.with_code(1, 2)
