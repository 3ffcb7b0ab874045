"""Everything that decides the results of a match: its file, formats and bots."""
