"""Handles a program in a process of its own: pipes, lines, stderr, and a guardian process that outlives the table."""
