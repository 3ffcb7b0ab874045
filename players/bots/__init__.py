"""Bots that play by the rules."""
