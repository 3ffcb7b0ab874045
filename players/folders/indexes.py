"""Where the user's pip looks for packages, for a pip that sees none of the user's files."""

import ast
import os
import subprocess
from urllib.parse import urlsplit
from urllib.request import url2pathname

import msgspec

from jantaku.players.sandbox.visible import is_broad
from jantaku.table.ground.errors import BadInput

_WHERE = ("index-url", "extra-index-url", "no-index", "find-links", "trusted-host", "cert", "proxy", "timeout")
_SECTIONS = ("global", "install", ":env:")
"""The sections of pip's settings, in ascending precedence."""
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_PASSED = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", *_CERTIFICATES, *_PROXIES, *map(str.upper, _PROXIES))


class Indexes(msgspec.Struct, frozen=True):
    """An environment that says where packages are, and the files and folders that it names."""

    env: dict[str, str]
    shown: tuple[str, ...]


def indexes_of(python: str) -> Indexes:
    """Return where this user's pip looks for packages; its other settings are left out. Raises BadInput if pip cannot
    read its settings."""
    found, env = _settings(python), passed()
    named = [found.get("cert", ""), *found.get("find-links", "").split(), *map(env.get, _CERTIFICATES)]
    simple = [_path_of(word) for key in ("index-url", "extra-index-url") for word in found.get(key, "").split()]
    above = map(os.path.dirname, simple)  # the pages of an index link to files beside it
    paths = {*map(_path_of, filter(None, named)), *simple, *above}
    shown = sorted(path for path in paths if os.path.exists(path) and not is_broad(path))
    pip = {f"PIP_{key.upper().replace('-', '_')}": " ".join(value.split()) for key, value in found.items()}
    return Indexes({**env, **pip, "PIP_CONFIG_FILE": os.devnull}, tuple(shown))


def passed() -> dict[str, str]:
    """The variables of this process's environment that are needed to build an environment."""
    return {name: os.environ[name] for name in _PASSED if name in os.environ}


def _settings(python: str) -> dict[str, str]:
    asked = subprocess.run([python, "-I", "-m", "pip", "config", "list"], capture_output=True, text=True)
    if asked.returncode:
        raise BadInput(f"pip cannot read its own settings: {' '.join(asked.stderr.split())[:300]}")
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in asked.stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.partition(".")
        if section in found and key in _WHERE:
            found[section][key] = str(ast.literal_eval(value))
    return {key: value for section in _SECTIONS for key, value in found[section].items()}


def _path_of(word: str) -> str:
    """The path that an address or a path names; empty if it is not on this machine."""
    address = urlsplit(word)
    if address.scheme == "file":
        return os.path.normpath(url2pathname(address.path))
    return "" if address.scheme or not os.path.isabs(word) else os.path.normpath(word)
