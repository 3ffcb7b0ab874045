"""What chance gave the players of a match, and its figures without that."""
