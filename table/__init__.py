"""A table (雀卓) at which programs play."""

from table import compiled

core = compiled.choose()
"""How the core runs: "compiled", or "plain Python" and why."""
