"""Somebody's server: ours join it, follow its games by our own engine, and compare all that it says."""
