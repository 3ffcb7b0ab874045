"""Broken players in whole games: who is blamed, what it costs the others, and whether anything is left of them."""
