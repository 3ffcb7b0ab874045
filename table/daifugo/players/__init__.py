"""The base of 大富豪's bots, the included bots, and the base of programs that connect to a room."""
