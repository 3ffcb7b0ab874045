"""Commands that play: games, matches, exams, servers; and the lists of bots and rules."""
