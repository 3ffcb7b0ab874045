"""Clients that share no code with the doors that they come in by, and whole hanchan through each door."""
