"""Tournaments of many players at tables of four: who meets whom, round by round, and how they stand."""
