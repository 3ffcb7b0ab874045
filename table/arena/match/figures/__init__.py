"""Statistics of hanchan: sums, intervals, decision times, and early stopping."""
