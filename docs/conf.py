"""How the site is built from this folder: `scripts/docs`. Sphinx reads this file; pages are Markdown (MyST).

Three pages come from outside, so that no fact stands twice.
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
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["examples"]

myst_heading_anchors = 4
"""A link to a heading that is not there is a warning, and scripts/docs makes errors of those."""
myst_fence_as_directive = ["mermaid"]
myst_links_external_new_tab = True
myst_url_schemes = ["http", "https", "mailto"]

highlight_language = "text"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
"""A block with prompts is copied without them and without what the commands print."""

html_theme = "furo"
html_title = "jantaku 雀卓"
MERMAID = ROOT / os.environ.get("JANTAKU_MERMAID", "nowhere")
LOGOS = [f"pictures/logo-{scheme}.svg" for scheme in ("light", "dark")]
html_static_path = ["_static", *LOGOS, *([str(MERMAID)] if MERMAID.is_dir() else [])]
html_css_files = ["site.css"]
html_favicon = "pictures/mark.svg"
html_theme_options = {
    "light_logo": "logo-light.svg",
    "dark_logo": "logo-dark.svg",
    "sidebar_hide_name": True,
    "light_css_variables": {"color-brand-primary": "#115c2b", "color-brand-content": "#0b5a96"},
    "dark_css_variables": {"color-brand-primary": "#8fe3a8", "color-brand-content": "#7cc4ff"},
}
html_copy_source = html_show_sourcelink = False

OUTSIDE = {"tour": "README.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
"""By page, the file of the project that it shows; on a forge the page links to that file."""


def read_outside(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the text of a file outside of this folder into its page, and send links to such files to their pages."""
    if name := OUTSIDE.get(page):
        app.env.note_dependency(str(ROOT / name))
        source[0] = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
    source[0] = re.sub(r"\]\((?:\.\./)*(README|CONTRIBUTING|CHANGELOG)\.md", _page_of(page), source[0])


LISTED = re.compile(r"^<!-- contents:(.*) -->\n(?:.+\n)+", re.MULTILINE)
"""A paragraph of links that is also a part of the left column, under that caption."""


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Add what the left column needs to each paragraph of links, which a forge shows as it is."""
    source[0] = LISTED.sub(lambda found: f"{found[0]}{_contents(found[1], found[0])}", source[0])


def _contents(caption: str, links: str) -> str:
    caption = f":caption:{caption}\n" if caption else ""
    pages = ["The tour <tour>" if page == "tour" else page for page in re.findall(r"\]\(([\w./-]+)\.md\)", links)]
    return "\n".join(["", "```{toctree}", ":hidden:", caption, *pages, "```", ""])


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
    app.connect("source-read", add_contents)
    if MERMAID.is_dir():
        app.add_js_file("mermaid.min.js")
