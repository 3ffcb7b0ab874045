"""Wing: who is better? Matches, comparisons, tournaments and leagues of bots, and their reports."""
