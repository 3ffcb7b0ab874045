"""Commands that play, and what they need: games, matches, exams, servers, bots and rules."""
