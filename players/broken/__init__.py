"""Bots with one fault each, which shows at every question; otherwise they discard what they draw. Seat one to see what
the table does with such a bot."""
