"""How a program in a process of its own is held: pipes, lines, last words, and a guardian that outlives the table."""
