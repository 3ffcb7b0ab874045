"""Broken programs: `python -m tests.bots_broken VICE MOMENT` is a good player of majiang 1.x but for one vice, once.

Apart from its vice it always plays what the table would play for it. Moments: start (the first message), turn (its
first own turn), reaction (the first discard that it could call or win on), between (the first end of a kyoku).
"""
