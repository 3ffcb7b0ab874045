"""What strangers give: remarks of players, files that a user names, names, and tracebacks of a player's code."""
