"""Wing: which bot is better? Matches, comparisons, tournaments and leagues, and their reports."""
