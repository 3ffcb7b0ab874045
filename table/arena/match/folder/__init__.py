"""The folder of a match on disk."""
