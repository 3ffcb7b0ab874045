"""Wing: is a bot, program or server sound? The exam, and cards of conformance."""
