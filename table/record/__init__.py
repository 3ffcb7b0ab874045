"""A game on disk: journals, whole, sealed or growing, and 牌譜."""
