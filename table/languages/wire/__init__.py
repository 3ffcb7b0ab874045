"""Messages: events and questions of a game as bytes for a remote player, and its bytes as answers. Pure functions."""
