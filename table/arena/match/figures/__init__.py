"""Statistics of hanchan: sums, intervals, ratings, decision times, and early stopping."""
