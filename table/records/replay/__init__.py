"""Drives the engine by a record: to verify it, to list the options of players, to continue from it."""
