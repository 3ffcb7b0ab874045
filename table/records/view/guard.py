"""Content-Security-Policy and the other security headers of our pages.

Names, titles and reasons are untrusted. The pages show them as text; the policy is the second line of defence: an
injected script would not run, and could not connect anywhere.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response."""
_ALWAYS = "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


def policy(scripts: Iterable[str] = (), styles: Iterable[str] = (), connect: str = "'none'") -> str:
    """The policy of a page: only these sources, and no markup made from text (Trusted Types)."""
    return (
        f"default-src 'none'; script-src {_sources(scripts)}; style-src {_sources(styles)}; img-src data:; "
        f"connect-src {connect}; {_ALWAYS}"
    )


def _sources(sources: Iterable[str]) -> str:
    return " ".join(sources) or "'none'"


def digest(content: str) -> str:
    """The policy's source that allows exactly this inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def headers(page_policy: str) -> dict[str, str]:
    """The headers of a page. frame-ancestors is only in a header: browsers ignore it in a meta element."""
    return {**HEADERS, "Content-Security-Policy": f"{page_policy}; frame-ancestors 'none'", "X-Frame-Options": "DENY"}
