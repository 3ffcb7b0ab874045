"""Players that are programs: any executable that speaks a dialect on its standard input and output."""

import json
import os
import shlex
import shutil
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.adapters.environment import SEED, environment
from jantaku.players.adapters.lives import Life, Lives
from jantaku.players.adapters.program import Program
from jantaku.players.sandbox.sandboxes import sandbox_for
from jantaku.players.sandbox.visible import of_python
from jantaku.table.ground import installation
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerFault, PlayerGone, PlayerNotReady, PlayerSilent
from jantaku.table.ground.foreign.names import file_name
from jantaku.table.ground.log import logger
from jantaku.table.ground.port import Action, Choice, DefaultPlayed, Evidence, Player, Question
from jantaku.table.languages.wire.dialect import KEPT, Dialect, Greeting, Heard, Talk, converse, evidence
from jantaku.table.languages.wire.dialects import DEFAULT, DIALECTS
from jantaku.table.languages.wire.native import Native
from jantaku.table.play.seating.guesses import file_meant, module_meant, program_meant
from jantaku.table.play.seating.loader import file_of, has_module, search_folders, source_of
from jantaku.table.play.seating.spec import PYTHONPATH, Terms, installed, one_of
from jantaku.table.riichi.events import HanchanEnd, HanchanStart, KyokuStart

NUMBER = "{id}"
"""Placeholder in a command for the player's number in the game, as its dialect counts."""
NO_GREETING = 0.3
"""Seconds for which a program without a greeting is watched at the start: enough for a broken one to fail."""
AGAIN = 5.0
"""Seconds that a program has to begin another game; after that a new one is started in its place."""


class Launch:
    """How one player of a match is started, and whether it may be restarted. Shared by its games."""

    def __init__(
        self,
        terms: Terms,
        name: str,
        command: list[str],
        dialect: Callable[[], Dialect],
        logs: Path | None,
        modules: Sequence[str] = (),
    ) -> None:
        self.terms, self.name, self.command, self.dialect = terms, name, command, dialect
        self._cwd = str(installation.here(Path(terms.cwd or "")))
        self._log = None if logs is None else logs / f"{file_name(name)}.stderr.txt"
        self._sandbox = sandbox_for(terms, name, command, logs, modules) if terms.sandbox == "on" else None
        self._failures = 0
        self.was_ready = False
        """Whether some program of this player has been ready: if none has, it may be broken for good."""
        self._lock = threading.Lock()
        self.lives = Lives()
        """Its programs between two games."""

    def keep(self) -> None:
        """Keep programs between games, except in a sandbox: there a program would remember walls that are played again,
        and its limits are per game."""
        if self.terms.restart != "always" and self._sandbox is None:
            self.lives.open()

    def end(self) -> None:
        self.lives.close()

    def __call__(self, seed: int) -> Player:
        """Make the player of one game."""
        return ProcessPlayer(self, seed)

    def words(self, player: int) -> list[str]:
        """The command for the player of that number in the game."""
        return [word.replace(NUMBER, str(player)) for word in self.command]

    def start(self, seed: int, player: int, due: int) -> Program:
        """Start the program for the player of that number; `due` is the number of replies that it owes before it is
        sent anything. Raises PlayerNotReady if it cannot or must not be started."""
        if self.refusal:
            raise PlayerNotReady(self.refusal)
        command = self.words(player)
        own = {key: value.replace(NUMBER, str(player)) for key, value in self.terms.env.items()}
        env = environment({SEED: str(seed), **own}, self.terms.inherit)
        if self._log is not None:
            self._log.parent.mkdir(parents=True, exist_ok=True)
        return Program(self.name, command, cwd=self._cwd, env=env, log=self._log, due=due, sandbox=self._sandbox)

    def failed(self) -> None:
        """Count a program that has ended before its game did."""
        with self._lock:
            self._failures += 1

    @property
    def refusal(self) -> str:
        """Why the program must not be restarted; empty if it may be."""
        failures = self._failures
        if failures and self.terms.restart == "never":
            return "the program ended in an earlier game and restart is never"
        if failures > self.terms.restarts:
            return f"the program ended {failures} times and restarts is {self.terms.restarts}"
        return ""


class ProcessPlayer:
    """One game of a player that is a program. Implements `Remote`."""

    listens = True

    def __init__(self, launch: Launch, seed: int) -> None:
        self._launch, self._seed = launch, seed
        self._dialect = launch.dialect()
        self._stale = 0
        self._opening: list[Any] = []
        """What it has heard before it was ready."""
        self._ready = self._over = False
        self.catches_up = False
        """Whether all that it hears before it must be ready is past and wants no reply: see `between.CatchesUp`."""
        self._held: Any = None
        """The last event heard: it is sent with the question about it, or when another is heard."""
        self._lock = threading.Lock()
        """Guards the next three: `close` may be called while the seat's thread starts or abandons a program."""
        self._closed = False
        self._program: Program | None = None
        self._last: Program | None = None
        """The program, or the last one."""
        self._said = b""
        """The last line that it sent since the open question was put."""
        self._sent = deque[bytes](maxlen=KEPT)
        """What it was sent last in this kyoku."""
        self._kept = False
        """Whether the program has played another game before this one."""
        self._down: PlayerFault = PlayerNotReady("it was not started")
        """The error to raise while there is no program."""

    @property
    def stale(self) -> int:
        return self._stale + self._dialect.stale

    def hear(self, event: Any) -> None:
        """Send an event. The first event starts the program; a new kyoku may restart it."""
        if (kind := type(event)) is HanchanStart or not self._ready:
            self._opening.append(event)
            if kind is HanchanStart:
                self._begin(self._take(event))
            if kind is HanchanStart or self.catches_up:
                return
        self._tell_held(None, event)
        if kind is KyokuStart:
            self._begin_again()
            self._sent.clear()
        elif kind is HanchanEnd:
            self._tell_held(None)
            self._over = True

    def defaulted(self, played: DefaultPlayed) -> None:
        if self._program is not None and (data := self._dialect.default_played(played)):
            self._send(self._program, data)

    def _tell_held(self, question: Question | None, following: Any = None) -> None:
        """Send the event that is held, with `question` if it is asked about; `following` is held in its place."""
        held, self._held = self._held, following
        if held is not None and self._program is not None and (data := self._dialect.tell(held, question)):
            self._send(self._program, data)

    def _send(self, program: Program, data: bytes) -> None:
        if data:
            self._sent.append(data)
        program.send(data, self._dialect.due)

    def start(self, seconds: float | None) -> None:
        """Wait until the program is ready. One that has ended, but was ready in an earlier game, may be restarted with
        the next kyoku; otherwise PlayerNotReady is raised."""
        until = Deadline(seconds)
        try:
            if self._kept and not self._is_ready(Deadline(AGAIN if seconds is None else min(AGAIN, seconds / 2))):
                self._start_instead()
            if not self._kept:
                self._greet(until)
            if self.catches_up:
                self._tell_opening()
        except PlayerFault as fault:
            self._fall(fault)
            if not isinstance(fault, PlayerGone) or isinstance(self._down, PlayerGone) or not self._launch.was_ready:
                self.close()
                raise PlayerNotReady(str(fault), limit=fault.limit) from fault
        self._ready = self._launch.was_ready = True
        del self._opening[1:]

    def _tell_opening(self) -> None:
        """Send everything that was heard; the last event is held, as it may be asked about."""
        self._held, self._dialect.past = None, self.catches_up
        for event in self._opening[1:]:
            self._tell_held(None, event)
        self._dialect.past = False

    def _is_ready(self, until: Deadline) -> bool:
        """Whether a program that has played before also takes part in this game."""
        try:
            self._greet(until)
        except PlayerFault as fault:
            warning = logger(player=self._launch.name).warning
            warning("did not begin a second game: from now on it is started for every game", reason=str(fault))
            return False
        return True

    def _greet(self, until: Deadline) -> None:
        """Wait until the program has shown that it is ready. Raises PlayerFault if it does not."""
        program, greeting, left = self._program, self._dialect.greet(), until.left
        if program is None:
            raise self._down
        if greeting is not None:
            try:
                self._converse(greeting, until)
            except PlayerSilent:
                raise PlayerSilent("it did not reply to the start of the game in time") from None
        elif program.gone_within(min(NO_GREETING, left or NO_GREETING)):
            raise program.gone()
        if left is not None:
            program.wait_while(self._dialect.is_behind, until)

    def _start_instead(self) -> None:
        """End a program that has not begun another game, and tell a new one everything so far."""
        self._launch.lives.refuse()
        with self._lock:
            program, self._program, self._kept = self._program, None, False
        if program is not None:
            program.stop(at_once=True)
        self._begin(None)
        if not self.catches_up:
            self._tell_opening()

    def answer(self, question: Question) -> Action:
        """Return the program's answer. Raises PlayerGone only if the program does not come back in this game."""
        self._said = b""
        self._tell_held(question)
        if self._program is None:
            raise self._down
        try:
            action: Action = self._converse(self._dialect.ask(question), Deadline(question.seconds, question.more))
        except PlayerGone as gone:
            self._fall(gone)
            raise self._down from gone
        return action

    def remark(self) -> object:
        return self._dialect.meta

    def explain(self, choice: Choice) -> Evidence:
        return evidence(self._dialect, choice, self._said, "" if self._last is None else self._last.log.told())

    def sent(self) -> list[str]:
        return [text for data in tuple(self._sent) for text in self._dialect.messages(data)]

    def computed(self) -> float:
        """CPU seconds of the program; a restarted one begins at 0."""
        return 0.0 if (program := self._program) is None else program.computed()

    def close(self) -> None:
        """Release the program. One that has played to the end may be kept for another game."""
        with self._lock:
            closed, self._closed = self._closed, True
            program = self._program
        if closed or program is None:  # the program may play another game already
            return
        life = Life(program, self._launch.words(self._dialect.me), self._dialect)
        if not (self._ready and self._over and self._launch.lives.keep(life)):
            program.stop()

    def _converse(self, talk: Talk | Greeting, until: Deadline) -> Any:
        """Run a talk with the program to its end, until `until` at the latest."""
        program = self._program
        assert program is not None

        def receive() -> Heard:
            heard = program.receive(until)
            self._said = heard.line
            return heard

        return converse(talk, lambda data: self._send(program, data), receive)

    def _begin_again(self) -> None:
        """At a new kyoku, restart a program that has ended since the last one, if that is allowed."""
        if self._program is not None and self._program.gone_within(0):
            self._fall(self._program.gone())
        if self._program is None and not isinstance(self._down, PlayerGone):
            self._begin(None)

    def _take(self, start: HanchanStart) -> Life | None:
        """Return a program that can go on from an earlier game; None if there is none."""
        dialect = self._launch.dialect()
        dialect.tell(start)  # tells the dialect the player's number
        return self._launch.lives.take(self._launch.words(dialect.me))

    def _begin(self, life: Life | None) -> None:
        """Start the program, unless `life` goes on, and send it the beginning of the game. If the game was closed
        meanwhile, the program is stopped again."""
        self._stale += self._dialect.stale
        self._dialect = dialect = self._launch.dialect() if life is None else life.dialect.again()
        dialect.ours["seed"] = str(self._seed)
        due = dialect.due
        opening = dialect.tell(self._opening[0])
        try:
            program = self._launch.start(self._seed, dialect.me, due) if not life else life.program
        except PlayerNotReady as problem:
            self._down = problem
            return
        self._send(program, opening)
        with self._lock:
            self._program = self._last = program
            self._kept, closed = life is not None, self._closed
        if closed:
            program.stop(at_once=True)

    def _fall(self, fault: PlayerFault) -> None:
        """Note that there is no program any more, until the next kyoku or for good. Not counted as failures: the end of
        the game, and a program that ends with its last game while this one begins."""
        with self._lock:
            program, self._program = self._program, None
            closed = self._closed
        if program is None:
            return
        program.stop(at_once=True)
        if not closed and (self._ready or not self._kept):
            self._launch.failed()
        if self._launch.terms.restart == "next-kyoku" and not self._launch.refusal and not closed:
            self._down = PlayerFault(f"{fault}; it is started again with the next kyoku", limit=fault.limit)
        else:
            self._down = PlayerGone(str(fault), limit=fault.limit)


def executable(terms: Terms, name: str, logs: Path | None) -> Launch:
    try:
        command = shlex.split(terms.bot.partition(":")[2])
    except ValueError as error:  # an unclosed quotation
        raise BadInput(f"player {name}: {terms.bot!r} cannot be read: {error}") from None
    if not command:
        raise BadInput(f"player {name}: {terms.bot!r} does not name a program; write for example exec:node bot.js")
    where, paths = _folder(terms, name), {**os.environ, **terms.env}.get("PATH")
    found = shutil.which(os.path.join(where, command[0]) if os.sep in command[0] else command[0], path=paths)
    if found is None:
        hint = (written := program_meant(command[0])) and f"; write {written}"
        raise BadInput(f"player {name}: there is no program {command[0]}, or it is not executable{hint}")
    command[0] = os.path.abspath(found)
    dialect = DEFAULT if terms.dialect is None else terms.dialect
    one_of(dialect, DIALECTS, f"player {name}: dialect")
    return Launch(terms, name, command, DIALECTS[dialect].side, logs)


def _folder(terms: Terms, name: str) -> str:
    """The folder that a program is started in. Raises BadInput if it does not exist."""
    where = str(installation.here(Path(terms.cwd or "")))
    if not os.path.isdir(where):
        raise BadInput(f"player {name}: cwd: there is no folder {where}")
    return where


def isolated(terms: Terms, name: str, logs: Path | None) -> Launch:
    """The transport of a Python bot with `isolate = "process"`: its module is imported in that process, not here."""
    if terms.dialect is not None:
        raise BadInput(f'player {name}: dialect: a bot with isolate = "process" has no dialect; leave dialect away')
    _folder(terms, name)
    bot, file, (module, colon, _) = terms.bot, file_of(terms.bot), terms.bot.partition(":")
    if file is not None:
        if not installation.here(file).is_file():
            raise BadInput(f"player {name}: there is no file {file}{file_meant(terms.bot, file)}")
        # the process may have another working folder
        bot = f"{installation.here(file)}{terms.bot[terms.bot.rindex('.py') + 3 :]}"
    elif not colon:
        one_of(terms.bot, installed(), f"player {name}")
    elif not has_module(terms):
        where = "" if terms.cwd is None else f" in {terms.cwd},"
        hint = module_meant(terms.bot, module)
        told = f"there is no module {module}{where} here or among the installed packages{hint and f'; {hint}'}"
        raise BadInput(f"player {name}: {told}")
    first, last = search_folders(terms)
    folders = {"first": first, "last": last if colon and file is None else []}
    # ASCII, whatever the names of folders are
    bot = json.dumps({"bot": bot, "args": terms.args, "lots": terms.lots, **folders})
    command = installation.command_of("jantaku.players.adapters.isolated", bot)
    # Without the bot's folders: Python itself would import from there while it starts, sitecustomize.py for example.
    env = {**terms.env, PYTHONPATH: os.pathsep.join(installation.search_path())}
    modules = sorted({*of_python(source_of(terms)), *first}) if terms.sandbox == "on" else ()
    return Launch(msgspec.structs.replace(terms, env=env), name, command, Native, logs, modules)
