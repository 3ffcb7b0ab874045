"""A disk that refuses, tears or ends everything at a chosen step, and what is left after it."""
