"""The players that are included: bots that play, broken ones for tests, and the base class for your own."""
