"""Handles a program in its own process: pipes, lines, stderr, and a guardian process that outlives the table."""
