"""Players that come with the table: bots that play, broken ones for tests, and the base to write one's own."""
