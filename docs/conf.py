"""How the site is built from this folder: `scripts/docs`. Sphinx reads this file; pages are Markdown (MyST).

Three pages come from outside: the README is the first one, so that no fact stands twice.
"""

import html
import os
import re
from collections.abc import Callable
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]

project = "jantaku"
author = copyright = "jantaku contributors"
extensions = ["myst_parser"]
exclude_patterns = ["examples"]

myst_heading_anchors = 4
"""A link to a heading that is not there is a warning, and scripts/docs makes errors of those."""
myst_fence_as_directive = ["mermaid"]
myst_links_external_new_tab = True
myst_url_schemes = ["http", "https", "mailto"]

highlight_language = "text"

html_theme = "furo"
html_title = "jantaku 雀卓"
MERMAID = ROOT / os.environ.get("JANTAKU_MERMAID", "nowhere")
html_static_path = ["_static", *([str(MERMAID)] if MERMAID.is_dir() else [])]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False

OUTSIDE = {"index": "README.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
"""By page, the file of the project that it shows."""


def read_outside(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the text of a file outside of this folder into its page, and send links to such files to their pages."""
    if name := OUTSIDE.get(page):
        app.env.note_dependency(str(ROOT / name))
        source[0] = (ROOT / name).read_text("utf-8").replace("](docs/", "](") + "\n" + source[0]
    source[0] = re.sub(r"\]\((?:\.\./)*(README|CONTRIBUTING|CHANGELOG)\.md", _page_of(page), source[0])


def _page_of(page: str) -> Callable[[re.Match[str]], str]:
    pages = {name.removesuffix(".md"): one for one, name in OUTSIDE.items()}
    up = "../" * page.count("/")
    return lambda found: f"]({up}{pages[found[1]]}.md"


class Mermaid(Directive):
    """A diagram, drawn in the browser where scripts/docs has found the program for it, and else its text."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """See `Directive.run`."""
        text = html.escape("\n".join(self.content), quote=False)
        return [nodes.raw("", f'<pre class="mermaid">{text}</pre>', format="html")]


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_directive("mermaid", Mermaid)
    app.connect("source-read", read_outside)
    if MERMAID.is_dir():
        app.add_js_file("mermaid.min.js")
