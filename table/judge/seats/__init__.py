"""One seat: its state, its account and its player."""
