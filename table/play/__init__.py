"""Plays games: the roster, the runner, and each game with its records. Matches, rooms and exams build on it."""
