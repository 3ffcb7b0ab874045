"""A program's inbox, its backlog and its end. Below it lies a simulated kernel; what it says is a script."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from unittest import mock

from jantaku.players.adapters import lives, process
from jantaku.players.adapters.lives import Life, Lives
from jantaku.players.adapters.process import ProcessPlayer
from jantaku.players.adapters.program import Program, running
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerFault, PlayerGone, PlayerSilent
from jantaku.table.languages.wire.native import Native
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import HanchanStart
from tests.simulation.kernel import Kernel, Process, beneath
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World


def started() -> Program:
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

    def script(process: Process) -> None:
        for seconds in (1.0, 0.0):
            line = process.hear()
            process.think(seconds)
            process.say(line)
        process.hear()

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"one\n", 1)
        first = received(program, 1.0)
        assert first in ("one", "silent")
        world.sleep(0.2)  # what came behind the deadline lies in the pipe
        program.send(b"two\n", 2)
        left = [program.receive(Deadline(5.0)) for _ in range(1 + (first == "silent"))]
        assert [heard.line for heard in left] == ([b"one", b"two"] if first == "silent" else [b"two"])
        assert not (len(left) == 2 and left[0].due != 1), "what came before a question is no reply to it"
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


def unheard(world: World) -> None:
    def script(process: Process) -> None:
        process.say(b"one")
        process.say(process.hear())

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"two\n", 1)
        world.sleep(1.0)
        assert [received(program, 0.1) for _ in range(2)] == ["one", "two"], "a line is lost"
        assert received(program, None) == "the program has ended with exit code 0"
        over(world, kernel, program)


def just_ending(world: World) -> None:
    """It ends in the moment in which it is stopped."""
    with beneath(world, lambda process: process.think(0.5)) as kernel:
        program = started()
        world.sleep(0.5)
        program.stop(at_once=True)
        assert received(program, None) in ("the program was stopped", "the program has ended with exit code 0")
        over(world, kernel, program)


def buried(world: World) -> None:
    """It ends by itself as a signal is sent to it; each signal takes a while. It has no thread for its pipes."""
    with beneath(world, lambda process: process.think(0.5)) as kernel, mock.patch.object(Program, "_launch"):
        send, program = kernel.killpg, started()

        def slowly(group: int, number: int) -> None:
            world.sleep(0.1)
            send(group, number)

        with mock.patch.object(kernel, "killpg", slowly):
            threads = Together(world, program._bury)
            world.sleep(0.55)
            program.kill()
            threads.join()
        assert program._process.returncode is not None


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
    heard: list[bytes] = []

    def script(process: Process) -> None:
        process.think(0.5)
        while line := process.hear():
            heard.append(line)

    sent = [f"message {number}".encode() for number in range(4)]
    with beneath(world, script) as kernel:
        program = started()
        for number, line in enumerate(sent[:-1]):
            program.send(line + b"\n", number)
        world.sleep(0.5)  # as it begins to read
        program.send(sent[-1] + b"\n", len(sent))
        world.sleep(1.0)
        assert heard == sent, "a line is lost, or comes twice, or too late"
        over(world, kernel, program)
        assert program._process.returncode == 0, "it was told by the end of its input, and had time"


def parting(world: World) -> None:
    """It is stopped with a backlog, and reads in time."""
    heard: list[bytes] = []

    def script(process: Process) -> None:
        process.think(0.3)
        while line := process.hear():
            heard.append(line)

    with beneath(world, script) as kernel:
        program = started()
        program.send(b"the end of the game\nand goodbye\n", 1)
        over(world, kernel, program)
        assert program._process.returncode == 0 and heard == [b"the end of the game", b"and goodbye"]


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


START = HanchanStart(("a", "b", "c", "d"), 0, ruleset.resolve("tenhou").rules, 0)
MAINS: tuple[tuple[str, str, Callable[[World], None], int, int], ...] = (
    ("a program's inbox", "each line once, in order; what came before a question is none to it", asked, 1, 2),
    ("a program's last words", "a line before its end is heard, then how it ended", last_words, 1, 2),
    ("a program that ends unheard", "the same", unheard, 1, 2),
    ("a program that ends as it is stopped", "no pid is used after its end", just_ending, 1, 2),
    ("a program stopped with a backlog", "hears it to the end", parting, 1, 2),
    ("a program that is stopped twice", "its seat is let go, nothing of it is left", stopped, 1, 2),
    ("a program that heeds nothing", "the same, by SIGKILL, and no pid is used after its end", stubborn, 1, 2),
    ("a program that closes its output", "is ended, with that reason", mute, 1, 2),
    ("a program's backlog", "each line comes, once, in order", slow, 1, 2),
    ("a program at rest", "is one that has replied, or is ended", rest, 1, 2),
)
PARTS = [Part(*one, delays=True, draws=100) for one in MAINS]
PARTS += [Part("a signal to a program that ends", "no pid is used after its end", buried, 1, 2, (Program._bury,), True)]


class Kept:
    """What `ProcessPlayer` and `Lives` need of a program: it notes its end."""

    def __init__(self) -> None:
        self.stops = 0
        self.log = SimpleNamespace(told=str)

    def send(self, data: bytes, due: int) -> None: ...

    def stop(self, *, at_once: bool = False) -> None:
        self.stops += 1

    def wait_while(self, unfinished: object, until: Deadline) -> bool:
        """See `Program.wait_while`: it is at rest."""
        return True

    def join(self, seconds: float) -> bool:
        return True


class Launched:
    def __init__(self, world: World) -> None:
        self._world = world
        self.name, self.was_ready, self.refusal = "bot", True, ""
        self.terms = SimpleNamespace(restart="never")
        self.lives, self.failures = Lives(), 0
        self.dialect = Native
        self.programs: list[Kept] = []

    def words(self, player: int) -> list[str]:
        return ["bot"]

    def start(self, seed: int, player: int, due: int) -> Kept:
        """See `Launch.start`. It takes a moment."""
        self._world.sleep(0.1)
        self.programs.append(Kept())
        return self.programs[-1]

    def failed(self) -> None:
        self.failures += 1


def player_of(launch: Launched) -> ProcessPlayer:
    return ProcessPlayer(launch, 1)  # type: ignore[arg-type]


def closed_at_start(world: World) -> None:
    """The game is over while the program starts."""
    launch = Launched(world)
    player = player_of(launch)
    player._opening.append(START)
    threads = Together(world, lambda: player._begin(None))
    world.sleep(0.1)
    player.close()
    threads.join()
    assert [bool(one.stops) for one in launch.programs] == [True], "a program is left behind"


def closed_twice(world: World) -> None:
    """Two close the same game, whose program may play another: it is kept once."""
    launch = Launched(world)
    launch.lives.open()
    player, program = player_of(launch), Kept()
    player._program = player._last = program  # type: ignore[assignment]
    player._ready = player._over = True
    threads = Together(world, player.close, player.close)
    threads.join()
    assert len(launch.lives._idle) == 1 and not program.stops


def fallen(world: World) -> None:
    """Its program ends while the game is closed: it is stopped, and ends no other game."""
    launch = Launched(world)
    player, program = player_of(launch), Kept()
    player._program = player._last = program  # type: ignore[assignment]
    player._ready = True
    threads = Together(world, player.close, lambda: player._fall(PlayerFault("it has ended")))
    threads.join()
    assert program.stops >= 1 and player._program is None and launch.failures <= 1


def handed_on(world: World, *, ends: bool = False) -> None:
    """Two games want the one program that is at rest; or one, and all is closed."""
    lives, program = Lives(), Kept()
    lives.open()
    assert lives.keep(Life(program, ["bot"], Native()))  # type: ignore[arg-type]
    took: list[Life | None] = []
    threads = Together(world, lambda: took.append(lives.take(["bot"])))
    if ends:
        lives.close()
    else:
        took.append(lives.take(["bot"]))
    threads.join()
    taken = [one for one in took if one is not None]
    assert len(taken) + program.stops == 1, "it plays one game, or is ended"
    lives.close()
    assert not lives.keep(Life(program, ["bot"], Native())), "nothing is kept any more"  # type: ignore[arg-type]


PARTS += [
    Part("a game closed while its program starts", "no program is left behind", closed_at_start, 1, 3, (process,)),
    Part("a game closed twice", "its program is kept once", closed_twice, 1, 2, (ProcessPlayer.close, lives)),
    Part("a program that ends as its game is closed", "it is stopped", fallen, 1, 2, (process,)),
    Part("a program for two games", "plays one of them", handed_on, 2, 3, (lives,)),
    Part("a program at the end of all", "plays, or is ended", partial(handed_on, ends=True), 2, 3, (lives,)),
]
