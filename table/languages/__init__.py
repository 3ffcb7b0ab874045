"""The languages in which other programs describe games, each read and written in one place: pure functions, no files,
no engine, no threads.

facts       the common model: the game's own events, and results with parts that may be unknown
majiang/    電脳麻将: items of a 牌譜, replies, hands and rules; our own journal is written in it
mjai/       one JSON event a line, in the dialects of several programs
mjlog/      XML of Tenhou's own logs, only read
tenhou6/    JSON of tenhou.net/6: takes and discards by player
"""
