"""A file for each command, with a click command named `command`, and what several of them share."""
