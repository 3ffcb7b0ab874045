"""One game of a script under one schedule: held against the model, and told again as a story.

    scripts/checks interleavings --seed 12 --script 'toy:2 mode=resident turn=1 reaction=1 | late:1 | default | …'

plays it, prints each line of `--log debug` and each hand-over from thread to thread, and in the end what is wrong.
"""

import argparse
import contextlib
import shlex
from collections.abc import Iterator, MutableMapping
from typing import Any

import structlog

from tests.simulation.acting import Played, play
from tests.simulation.drawn import schedule_of, script_of
from tests.simulation.laws import check
from tests.simulation.moments import Undecided
from tests.simulation.replacements import simulation
from tests.simulation.scripted import Refused, Script, read
from tests.simulation.world import World, here


def line_of(script: Script, seed: int) -> str:
    return f"scripts/checks interleavings --seed {seed} --script {shlex.quote(str(script))}"


@contextlib.contextmanager
def logging(level: int, *processors: Any) -> Iterator[None]:
    """Lines from that level on go to these, and nowhere else."""
    before = structlog.get_config() if structlog.is_configured() else None
    structlog.configure(processors=processors, wrapper_class=structlog.make_filtering_bound_logger(level))
    try:
        yield
    finally:
        structlog.reset_defaults()
        if before is not None:
            structlog.configure(**before)


def quiet() -> contextlib.AbstractContextManager[None]:
    return logging(50)


def tried(script: Script, seed: int) -> Played | str:
    """All that came of it, if that is right; else all that a person needs to find out why."""
    try:
        played = play(script, schedule_of(seed))
        check(script, played)
        return played
    except Exception as problem:
        story = [line for line in retold(script, seed) if "goes on" not in line]
        told = [f"{type(problem).__name__}: {problem}", "", *story, "", "with all hand-overs:", line_of(script, seed)]
        return "\n".join(told)


def retold(script: Script, seed: int) -> list[str]:
    """The story of each turn, and each hand-over of the baton, in lines with their moment."""
    world = World(schedule_of(seed))
    world.told = told = list[str]()

    def tell(_: Any, level: str, line: MutableMapping[str, Any]) -> str:
        event = line.pop("event")
        whose = here()
        at = "after it" if whose is None else f"{whose.time - 1000:.3f} s  {whose.running.name}"
        told.append(f"{at}: {event}  {' '.join(f'{name}={value!r}' for name, value in line.items())}")
        raise structlog.DropEvent

    with logging(0, tell):
        try:
            play(script, schedule_of(seed), world=world)
        except Exception as problem:
            told.append(f"it ends with {type(problem).__name__}: {problem}")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/checks interleavings", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seed", type=int, required=True, help="the number of the schedule")
    parser.add_argument("--script", help="the script's line; without it the script of that number")
    chosen = parser.parse_args()
    try:
        script = script_of(chosen.seed) if chosen.script is None else read(chosen.script)
        with simulation():
            print(f"{script}\n", *retold(script, chosen.seed), sep="\n", end="\n\n")
            with quiet():
                found = tried(script, chosen.seed)
    except (Refused, Undecided) as problem:
        parser.error(f"--script: {problem}")
    if isinstance(found, str):
        print(found)
        raise SystemExit(1)
    print("as the model says")


if __name__ == "__main__":
    main()
