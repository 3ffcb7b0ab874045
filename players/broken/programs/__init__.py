"""Broken programs: `python -m players.broken.programs VICE MOMENT [DIALECT]` is a good player but for one vice.

Apart from its vice it always plays what the table would play for it. Moments: start (the first message), turn (its
first own turn), reaction (the first discard that it could call or win on), between (the first end of a kyoku), the
number of a decision (from 1), or every-N for every Nth. The environment variable JANTAKU_TOO_LONG says how many seconds
are too long for a decision. `--ws ws://HOST:PORT/play/ROOM?name=NAME` makes it a client, with the vices of one.
"""
