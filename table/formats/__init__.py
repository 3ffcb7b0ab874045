"""The languages in which others tell of games, each read and written in one place: pure, no file, no engine, no thread.

facts       what all of them tell: the game's own events, and results with parts that may not be told
majiang/    電脳麻将: items of a 牌譜, replies, hands and rules; our own journal is written in it
mjai/       one JSON event a line, in the dialects of several programs
tenhou6/    JSON of tenhou.net/6: takes and discards by player
"""
