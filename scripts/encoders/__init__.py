"""Compares our observations with those of other programs."""
