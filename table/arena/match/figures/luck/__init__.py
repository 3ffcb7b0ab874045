"""What chance gave the players of a match, and the figures without it."""
