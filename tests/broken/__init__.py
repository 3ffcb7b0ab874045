"""Players with one fault each, at one moment, for tests of how a table reacts: bots, programs and clients.

Otherwise they play the default. `catalogue` says what a vice is; `bots`, `programs` and `clients` have those of each
way to sit, with the verdicts that a player may get for them. `python -m tests.broken VICE MOMENT [DIALECT]` is a
program with a vice.
"""
