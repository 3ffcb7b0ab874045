"""Clients that share no code with the server's doors, and whole hanchan through each door."""
