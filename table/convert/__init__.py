"""Records carried from one format to another, with a word on everything that a format cannot hold."""
