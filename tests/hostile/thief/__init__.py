"""Hostile programs: each tries one way out of the sandbox, and plays on as if nothing had happened."""
