"""One entry per game, which commands ask instead of testing for a game's name."""
