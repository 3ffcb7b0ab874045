"""Seats players: from a word or table that names a bot to the player that sits at the table."""
