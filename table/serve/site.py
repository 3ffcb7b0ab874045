"""The pages of a server: files of `pages/` and some of the viewer's, each with its path."""

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jantaku.table.records.view.guard import policy
from jantaku.table.records.view.page import ASSETS, asset, folder_of
from jantaku.table.serve.net.web import Page, kind_of

LOBBY = "/lobby"
"""A second path of the page at `/`, for servers that have another page there."""
_PAGES = files("jantaku.table.serve") / "pages"
_SHARED = ("lib/templates.js", "ground.js")
"""Scripts of the viewer that all pages use."""
_VIEWED = re.compile(r'"/view/([\w/]+\.(?:css|js))"')
"""Matches the files of the viewer that a page names."""
_HEAD = "<!-- what all pages have -->"
_SCRIPTS = "<!-- what all scripts use -->"
_BEGINNING = """<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/view/colours.css">
<link rel="stylesheet" href="/{folder}/rooms.css">"""


def site(folder: str, first: Mapping[str, str]) -> dict[str, Page]:
    """Return the files of a folder and those that all pages share at /FOLDER/NAME, and the viewer's files that they
    name at /view/NAME. `first` maps paths of pages, `/` among them, to the names of their files. A page loads only from
    this server and connects only to it."""
    shared = _PAGES / "shared"
    own = [*folder_of(folder, _PAGES, "pages").iterdir(), *shared.iterdir(), *map(ASSETS.joinpath, _SHARED)]
    found = {f"/{folder}/{file.name}": _page(file) for file in own}
    head = _BEGINNING.format(folder=folder)
    names = ("templates.js", "ground.js", "visit.js")
    scripts = "\n".join(f'<script src="/{folder}/{name}"></script>' for name in names)
    rules = policy(["'self'"], ["'self'"], connect="'self'")
    for path, name in first.items():
        page = found.pop(f"/{folder}/{name}.html")
        text = page.content.decode().replace(_HEAD, head, 1).replace(_SCRIPTS, scripts, 1)
        found[path] = msgspec.structs.replace(page, content=text.encode(), policy=rules)
        found |= {f"/view/{name}": _page(asset(name)) for name in _VIEWED.findall(text)}
    return {**found, LOBBY: found["/"]}


def _page(file: Traversable) -> Page:
    return Page(kind_of(file.name), file.read_bytes())
