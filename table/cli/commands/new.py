"""`jantaku new`: writes a first bot and its test, both of which work unchanged."""

import contextlib
import keyword
import os
import sys
from importlib.resources import files
from pathlib import Path

from jantaku.table.cli.options import CommandOptions, argument
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import here, pip_install, told, typed

EPILOG = """Examples:

\b
  jantaku new mybot.py
  jantaku new bots/careful.py
"""
TEMPLATE, CLASS = "jantaku.players.first.bot", "MyBot"
"""Module and class of the bot that is copied."""
_TAKEN = {"jantaku", *sys.stdlib_module_names}


class NewOptions(CommandOptions):
    file: Path = argument("FILE.py")


@NewOptions.command(epilog=EPILOG)
def command(options: NewOptions) -> None:
    """Write a bot into FILE.py and its test beside it.

    The bot plays and its test passes as they are written.
    """
    bot = here(options.file)
    name = bot.stem
    _refuse(options.file, name)
    test = bot.with_name(f"test_{bot.name}")
    kind = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    begun: list[Path] = []
    try:
        for path, source in ((bot, "bot.py"), (test, "test_bot.py")):
            begun.append(path)
            text = (files("jantaku.players") / "first" / source).read_text("utf-8")
            for old, new in ((TEMPLATE, name), (CLASS, kind), ("mybot", name)):
                text = text.replace(old, new)
            path.write_text(text, "utf-8")
    except OSError as error:
        for path in begun:  # on a full disk half of it is there
            with contextlib.suppress(OSError):
                path.unlink()
        raise BadInput(f"{told(begun[-1])} cannot be written: {error.strerror}; nothing was written") from error
    shown = told(bot)
    say(f"wrote {shown} and {told(test)}")
    say(f"next: {typed(f'play --players {shown},shanten,caller,dice --length one')}")
    say(f"      pytest {told(test)}  ({pip_install(package='pytest pytest-timeout')}, if they are missing)")
    say(f"      {typed(f'exam {shown} --hanchan 5')}")


def _refuse(file: Path, name: str) -> None:
    """Raise BadInput for a file that cannot be written, or that its test could not import."""
    if file.suffix != ".py":
        raise BadInput(f"{file}: a bot in Python is a file FILE.py, for example {file.stem or 'mybot'}.py")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise BadInput(f"{file}: its test could not import it; allowed are letters, digits and _, as in mybot.py")
    if name in _TAKEN:
        raise BadInput(f"{file}: a module {name} exists already in Python or jantaku; choose another name")
    for path in (here(file), here(file).with_name(f"test_{file.name}")):
        if os.path.lexists(path):  # do not write through a dangling link either
            raise BadInput(f"{told(path)} exists already; nothing was written")
    if not here(file).parent.is_dir():
        raise BadInput(f"{file}: there is no folder {file.parent}")
