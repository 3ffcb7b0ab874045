"""Collections of games that other programs played or recorded, read into one form (see `record`)."""
