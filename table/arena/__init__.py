"""Wing: which bot is better? Matches, comparisons and tournaments, and their reports."""
