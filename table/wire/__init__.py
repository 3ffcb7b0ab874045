"""Messages: events and questions of a game as bytes for a player elsewhere, and its bytes as answers. Pure."""
