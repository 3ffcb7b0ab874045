"""Observations of ours beside what other programs write."""
