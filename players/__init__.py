"""The players that are included: bots that play, broken ones for tests, and the base class for your own."""

if __name__ == "players":  # imported by its folder's name, from a clone
    raise ImportError("players is imported as jantaku.players: from jantaku.players import …")

from jantaku import table as table  # decides whether the compiled core is used, before any of it is imported
