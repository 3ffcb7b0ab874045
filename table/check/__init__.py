"""Wing: is a bot or program sound? The exam."""
