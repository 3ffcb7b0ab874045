"""Tournaments of many players at tables of three or four: pairing, rounds and standings."""
