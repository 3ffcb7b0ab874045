"""A table (雀卓) at which programs play."""

if __name__ == "table":  # imported by its folder's name, from a clone
    raise ImportError("table is imported as jantaku.table: from jantaku.table import …")

from jantaku.table import compiled

core = compiled.choose()
"""How the core runs: "compiled", or "plain Python" with the reason."""
