"""What a browser may do with a page of ours: its Content-Security-Policy and the headers that go with it.

Names, titles and reasons come from strangers. The pages show them as text; the policy is the second lock: a script
that got into a page all the same is not run, and reaches nobody.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Go with everything that is served."""
_ALWAYS = "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


def policy(scripts: Iterable[str] = (), styles: Iterable[str] = (), connect: str = "'none'") -> str:
    """The policy of a page: nothing but these sources, and no markup made of text (Trusted Types)."""
    return (
        f"default-src 'none'; script-src {_sources(scripts)}; style-src {_sources(styles)}; img-src data:; "
        f"connect-src {connect}; {_ALWAYS}"
    )


def _sources(sources: Iterable[str]) -> str:
    return " ".join(sources) or "'none'"


def digest(content: str) -> str:
    """The source that allows exactly this inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def headers(page_policy: str) -> dict[str, str]:
    """The headers of a page. That it cannot be framed is said by a header only: a meta element is not asked."""
    return {**HEADERS, "Content-Security-Policy": f"{page_policy}; frame-ancestors 'none'", "X-Frame-Options": "DENY"}
