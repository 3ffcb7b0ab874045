"""The pages of a server: files of `pages/` and some of the viewer's, each with its path."""

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jantaku.table.records.view.page import ASSETS, asset, policy
from jantaku.table.serve.net.web import Page

LOBBY = "/lobby"
"""A second path of the page at `/`, for servers that have another page there."""
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_TABLE = files("jantaku.table")
_PAGES = _TABLE / "serve" / "pages"
_SHARED = ("lib/preact.js", "lib/htm.js", "html.js", "token.js")
"""Files of the viewer that all pages use."""
_VIEWED = re.compile(r'"/view/([\w/]+\.(?:css|js))"')
"""Matches the files of the viewer that a page names."""
_HEAD = "<!-- what all pages have -->"
_SCRIPTS = "<!-- what all scripts use -->"


def site(folder: str, first: Mapping[str, str]) -> dict[str, Page]:
    """Return the files of a folder and those that all pages share at /FOLDER/NAME, and the viewer's files that they
    name at /view/NAME. `first` maps paths of pages, `/` among them, to the names of their files. A page loads only from
    this server and connects only to it."""
    shared = _PAGES / "shared"
    inside = _PAGES / folder
    home = inside if inside.is_dir() else _TABLE / folder / "pages"  # a game with a wing of its own
    own = [*home.iterdir(), *shared.iterdir()]
    own += map(ASSETS.joinpath, _SHARED)
    found = {f"/{folder}/{file.name}": Page(_kind(file), file.read_bytes()) for file in own}
    head = found.pop(f"/{folder}/head.html").content.decode().rstrip().replace("FOLDER", folder)
    names = ("preact.js", "htm.js", "html.js", "token.js", "follow.js", "seat.js", "invite.js")
    scripts = "\n".join(f'<script src="/{folder}/{name}"></script>' for name in names)
    rules = policy(["'self'"], ["'self'"], connect="'self'")
    for path, name in first.items():
        page = found.pop(f"/{folder}/{name}.html")
        text = page.content.decode().replace(_HEAD, head, 1).replace(_SCRIPTS, scripts, 1)
        found[path] = msgspec.structs.replace(page, content=text.encode(), policy=rules)
        found |= {f"/view/{name}": _of_viewer(name) for name in _VIEWED.findall(text)}
    return {**found, LOBBY: found["/"]}


def _of_viewer(name: str) -> Page:
    file = asset(name)
    return Page(_kind(file), file.read_bytes())


def _kind(file: Traversable) -> str:
    return _KINDS[file.name[file.name.rindex(".") :]]
