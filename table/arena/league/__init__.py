"""A league: a pool of bots that play on for months, with all results and ratings."""
