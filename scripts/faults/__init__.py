"""Broken players in whole games: the blame, the cost for the others, and leftover processes."""
