"""What options of several commands say and do."""

BOTS = (
    "names from `jantaku bots`, FILE.py:Class, module:Class, 'exec:PROGRAM WORDS' or ws:NAME, each with options behind "
    "it: ?name=deep&dialect=mjai&isolate=process"
)
"""How a player is written, in a sentence of `--help`."""
