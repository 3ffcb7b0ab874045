"""How the site is built from this folder: `scripts/docs`. Sphinx reads this file; pages are Markdown (MyST).

Three pages come from outside: the README is the first one, so that no fact stands twice.
"""

import ast
import html
import inspect
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

os.environ["JANTAKU_PURE"] = "1"  # compiled modules hide the text of their attributes

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

project = "jantaku"
author = copyright = "jantaku contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples"]

myst_heading_anchors = 4
"""A link to a heading that is not there is a warning, and scripts/docs makes errors of those."""
myst_fence_as_directive = ["mermaid"]
myst_links_external_new_tab = True
myst_url_schemes = ["http", "https", "mailto"]

# Docstrings are plain text with `code` in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
highlight_language = "text"
toc_object_entries_show_parents = "hide"
maximum_signature_line_length = 70

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


def read_docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Indented lines are code. The text of an attribute may stand in any method that sets it."""
    if what == "attribute" and not any(lines):
        module, _, place = name.rpartition(".")[0].rpartition(".")
        lines[:] = [*_attributes(module, place).get(name.rpartition(".")[2], "").splitlines(), ""]
    for number in range(len(lines) - 2, 0, -1):
        above, here, below = lines[number - 1 : number + 2]
        if below.startswith("    ") and not here.strip() and above.strip() and not above.startswith("    "):
            lines[number:number] = ["", "::"]


@cache
def _attributes(module: str, class_name: str) -> dict[str, str]:
    """By name, the text behind `self.NAME = …` in the methods of a class."""
    found = {}
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    methods = [
        method
        for one in tree.body
        if isinstance(one, ast.ClassDef) and one.name == class_name
        for method in one.body
        if isinstance(method, ast.FunctionDef)
    ]
    for before, after in (pair for method in methods for pair in pairwise(method.body)):
        match before, after:
            case (
                ast.Assign(targets=[ast.Attribute(attr=name)]) | ast.AnnAssign(target=ast.Attribute(attr=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = inspect.cleandoc(text)
    return found


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
    app.connect("autodoc-process-docstring", read_docstring)
    if MERMAID.is_dir():
        app.add_js_file("mermaid.min.js")
