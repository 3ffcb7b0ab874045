"""Broken programs: `python -m jantaku.players.broken.programs VICE MOMENT [DIALECT]` is a good player with one fault.

Otherwise it always plays the default. Moments: start (the first message), turn (its first own turn), reaction (the
first discard that it could call or win on), between (the first end of a kyoku), the number of a decision (from 1), or
every-N for every Nth. The environment variable JANTAKU_TOO_LONG says how many seconds are too long for a decision.

`--ws ws://HOST:PORT/play/ROOM?name=NAME` makes it a client, which also has the faults of a connection.
"""
