"""Players with one fault each, for tests of how a table reacts.

Otherwise they discard what they draw. The installed ones (`jantaku bots`) misbehave in every question. Those of `once`
do at one moment, and so do the programs and clients of `programs`.
"""
