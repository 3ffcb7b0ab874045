"""Forks: bots that are asked beside a record, and what their other answers are worth."""
