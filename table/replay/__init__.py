"""A record drives the engine: to verify it, to know what players could do, to play on from it."""
