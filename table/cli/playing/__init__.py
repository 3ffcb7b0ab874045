"""Commands that play: games, matches, exams and servers; and the lists of bots and rules."""
