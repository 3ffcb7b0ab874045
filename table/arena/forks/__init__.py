"""Forks: asks bots beside a record, and estimates what their different answers are worth."""
