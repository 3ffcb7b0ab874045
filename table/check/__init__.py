"""Wing: is a bot, program or server sound? The exam, cards of conformance, and the pytest plugin."""
