"""Records of games: journals, their replay through the rules, and other programs' formats."""
