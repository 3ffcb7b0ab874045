"""Remote players: programs in any language on their standard input and output, Python bots in a process of their own,
and the other side of that: our bots as such programs."""
