"""A pool of bots that play on for months: who is in it, what they have played, and how strong they are."""
