"""Records of games: journals, their replay through the rules, other programs' formats, and pages of them."""
