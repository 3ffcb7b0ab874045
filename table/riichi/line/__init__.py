"""One line of text for a decision: all that the seat asked may know, and no hidden tile.

    position = read_line(line_of(self.board, question.choice))  # in a bot
    position.board, position.choice.options

docs/position-fields.md specifies the format.
"""

from jantaku.table.riichi.line.position import Position as Position
from jantaku.table.riichi.line.position import line_of as line_of
from jantaku.table.riichi.line.position import read_line as read_line
