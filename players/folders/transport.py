"""The transport of `folder:PATH`: a bot's folder or zip as a player."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.adapters.process import NUMBER, Launch
from jantaku.players.folders.akagi import settings_of
from jantaku.players.folders.archive import digest_of, unpack
from jantaku.players.folders.cache import Tell, made
from jantaku.players.folders.environment import python_for
from jantaku.players.folders.needs import needs_of
from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.log import announcer
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.seating.spec import Terms, one_of

ENTRIES = {"bot.py": "mjai", "mortal.py": "mjai-lines"}
"""For each entry point, its dialect: bots for Akagi and mjai.app, and Mortal."""
_CLEAN = {"PYTHONPATH": "", "PYTHONHOME": "", "VIRTUAL_ENV": ""}
"""The table's search path must not reach the bot; an empty variable counts as unset."""
_IGNORED = ("__MACOSX",)


def folder(terms: Terms, name: str, logs: Path | None) -> Launch:
    """The transport of `folder:PATH`. The bot is started anew for every game, as in the arena that it comes from."""
    tell = announcer(f"player {name}")
    path = installation.here(Path(terms.bot.partition(":")[2]))
    if terms.cwd is not None:
        raise BadInput(f"player {name}: cwd: a bot that is a folder starts in that folder; leave cwd away")
    try:
        home = _unpacked(path, tell) if path.is_file() else _home(path)
        confined = terms.sandbox == "on"
        entry = _entry_of(home)
        dialect = ENTRIES[entry] if terms.dialect is None else terms.dialect
        one_of(dialect, DIALECTS, "dialect")
        python = python_for(needs_of(home), tell, confined=confined)
        settings = settings_of(home, terms.args)
        file = None if settings is None else _kept(settings, tell)
    except BadInput as problem:
        raise BadInput(f"player {name}: {problem}") from None
    except OSError as error:
        raise BadInput(f"player {name}: {error.filename or path}: {error.strerror or error}") from None
    own = {**_CLEAN, "AKAGI_PLAYER_ID": NUMBER, **_config(home, file), **terms.env}
    changed = msgspec.structs.replace(
        terms,
        cwd=str(home),
        env=own,
        args={},
        bind=terms.bind if file is None else (*terms.bind, str(file)),
        restart="always" if terms.restart == "next-game" else terms.restart,
    )
    return Launch(changed, name, [python, "-u", entry, NUMBER], DIALECTS[dialect].side, logs)


def _config(home: Path, settings: Path | None) -> Mapping[str, str]:
    """The variables that tell Akagi's bots and Mortal where their settings are."""
    found = {} if settings is None else {"AKAGI_BOT_CONFIG": str(settings)}
    mortal = home / "config.toml"
    return {**found, "MORTAL_CFG": str(mortal)} if (home / "mortal.py").is_file() and mortal.is_file() else found


def _home(path: Path) -> Path:
    """The folder with the entry point: this one, or the only one in it. Raises BadInput if neither has one."""
    if not path.is_dir():
        raise BadInput(f"there is no folder or zip {path}")
    found = [one for one in path.iterdir() if not one.name.startswith(".") and one.name not in _IGNORED]
    inside = found[0] if len(found) == 1 and found[0].is_dir() and not found[0].is_symlink() else path
    for one in (path, inside):
        if any((one / entry).is_file() for entry in ENTRIES):
            return one
    names = sorted(one.name for one in found)
    nested = next((one for one in names if one.lower().endswith(".zip")), "")
    wanted = f"{path.name} has no entry point: {' or '.join(ENTRIES)}, in it or in its only folder"
    raise BadInput(f"{wanted}; {f'unpack {nested}, which is in it' if nested else _listed(names)}")


def _listed(names: list[str]) -> str:
    return f"it has {', '.join(names[:8])}{' …' if len(names) > 8 else ''}" if names else "it is empty"


def _entry_of(home: Path) -> str:
    return next(entry for entry in ENTRIES if (home / entry).is_file())


def _unpacked(file: Path, tell: Tell) -> Path:
    """Unpack a zip once, and return the folder with its entry point."""

    def make(place: Path) -> None:
        unpack(file, place)
        try:
            _home(place)
        except BadInput as problem:
            raise BadInput(f"{file.name}{str(problem).removeprefix(place.name)}") from None

    return _home(made("bots", digest_of(file), make, tell))


def _kept(settings: dict[str, Any], tell: Tell) -> Path:
    """Return a file with these settings. All games share it, as the bot may be restarted at any time."""
    content = msgspec.json.encode(settings, order="sorted")
    name = "settings.json"
    key = hashlib.sha256(content).hexdigest()[:32]
    return made("settings", key, lambda place: _write(place / name, content), tell) / name


def _write(file: Path, content: bytes) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as opened:
        opened.write(content)
