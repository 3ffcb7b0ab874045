"""A program's inbox, its backlog and its end. Below it lies a simulated kernel; what it says is a script."""

from collections.abc import Callable

from jantaku.players.adapters.program import Program
from jantaku.players.adapters.running import running
from jantaku.table.clock import Deadline
from jantaku.table.errors import PlayerGone, PlayerSilent
from tests.simulation.kernel import Kernel, Process, beneath
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World


def started() -> Program:
    """A program of the kernel beneath."""
    return Program("bot", ["bot"], cwd=None, env={}, log=None)


def over(world: World, kernel: Kernel, program: Program) -> None:
    """Whatever came before: nothing of it is left."""
    program.stop()
    assert program.join(9.0), "a thread of it is left"
    world.sleep(1.0)
    assert not world.at_large and not kernel.open_ends and program not in running
    assert program._process.returncode is not None


def received(program: Program, seconds: float | None) -> str:
    """What comes within so many seconds."""
    try:
        return program.receive(Deadline(seconds)).line.decode()
    except PlayerSilent:
        return "silent"
    except PlayerGone as gone:
        return str(gone)


def asked(world: World) -> None:
    """Two questions; the reply to the first comes at its deadline."""
    said: list[bytes] = []

    def script(process: Process) -> None:
        for seconds in (1.0, 0.0):
            line = process.hear()
            process.think(seconds)
            process.say(line)
            said.append(line)
        process.hear()

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"one\n", 1)
        first = received(program, 1.0)
        assert first in ("one", "silent")
        early = bool(said)
        program.send(b"two\n", 2)
        left = [program.receive(Deadline(5.0)) for _ in range(1 + (first == "silent"))]
        assert [heard.line for heard in left] == ([b"one", b"two"] if first == "silent" else [b"two"])
        assert not (early and len(left) == 2 and left[0].due != 1), "what came before a question is no reply to it"
        assert left[-1].due == 2 and received(program, 0.5) == "silent"
        over(world, kernel, program)


def last_words(world: World) -> None:
    """It answers, and ends at once."""

    def script(process: Process) -> None:
        process.say(process.hear())

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"one\n", 1)
        assert received(program, 5.0) == "one", "a line is lost"
        assert received(program, None) == "the program has ended with exit code 0"
        program.send(b"two\n", 2)
        assert program.gone_within(0)
        over(world, kernel, program)


def stopped(world: World, *, heeds: bool = True) -> None:
    """It is stopped from elsewhere, twice, while its seat waits for it; its input's end is nothing to it."""

    def script(process: Process) -> None:
        process.hear()
        process.think(9.0)
        process.say(b"late")

    with beneath(world, script, heeds=heeds) as kernel:
        program = started()
        program.send(b"one\n", 1)
        found: list[str] = []
        threads = Together(world, lambda: found.append(received(program, None)), lambda: program.stop(at_once=True))
        began = world.time
        program.stop()
        threads.join()
        assert found == ["the program was stopped"]
        over(world, kernel, program)
        assert world.time - began < 4.0


def stubborn(world: World) -> None:
    stopped(world, heeds=False)


def mute(world: World) -> None:
    """It closes its output and lives on."""

    def script(process: Process) -> None:
        process.say(process.hear())
        process.close()
        while process.hear():
            pass

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"one\n", 1)
        assert received(program, None) == "one"
        assert received(program, None) == "the program has closed its output", "who ended it"
        over(world, kernel, program)


def slow(world: World) -> None:
    """More is sent than its pipe holds, and it does not read at once."""
    heard: list[bytes] = []

    def script(process: Process) -> None:
        process.think(0.5)
        while line := process.hear():
            heard.append(line)
        process.say(b"end")

    sent = [f"message {number}".encode() for number in range(4)]
    with beneath(world, script) as kernel:
        program = started()
        for number, line in enumerate(sent):
            program.send(line + b"\n", number)
        world.sleep(1.0)
        over(world, kernel, program)
    assert heard == sent, "a line is lost, or comes twice"


def rest(world: World) -> None:
    """Between two games it is waited for until it has replied to all; another thread ends it meanwhile, or not."""

    def script(process: Process) -> None:
        process.say(process.hear())
        process.hear()

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"end\n", 1)
        rested: list[bool] = []
        threads = Together(
            world, lambda: rested.append(program.wait_while(lambda waiting: not list(waiting), Deadline(5.0)))
        )
        world.sleep(0.0)
        program.stop()
        threads.join()
        assert not rested[0] or received(program, 0.0) == "end"
        over(world, kernel, program)


MAINS: tuple[tuple[str, str, Callable[[World], None], int, int], ...] = (
    ("a program's inbox", "each line once, in order; what came before a question is none to it", asked, 1, 2),
    ("a program's last words", "a line before its end is heard, then how it ended", last_words, 1, 2),
    ("a program that is stopped twice", "its seat is let go, nothing of it is left", stopped, 1, 2),
    ("a program that heeds nothing", "the same, by SIGKILL, and no pid is used after its end", stubborn, 1, 2),
    ("a program that closes its output", "is ended, with that reason", mute, 1, 2),
    ("a program's backlog", "each line comes, once, in order", slow, 1, 2),
    ("a program at rest", "is one that has replied, or is ended", rest, 1, 2),
)
PARTS = [Part(*one, delays=True) for one in MAINS]
