"""A game on disk: journals (complete, sealed or growing) and 牌譜."""
