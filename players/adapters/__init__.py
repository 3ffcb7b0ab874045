"""Remote players: programs in any language on their standard input and output, Python bots in their own processes, and,
for the other direction, our bots as such programs."""
