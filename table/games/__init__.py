"""What each game brings, in one entry a game: commands ask the entry and never which game it is."""
