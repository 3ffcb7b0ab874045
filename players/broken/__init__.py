"""Players with one fault each, for tests of how a table reacts.

Otherwise they discard what they draw. The installed ones (`jantaku bots`) misbehave at every question. Those in `once`
misbehave at one moment, and so do the programs and clients in `programs`. `catalogue` has all of these vices, with what
a player may be blamed for.
"""
