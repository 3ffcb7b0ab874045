"""The first bot of an author and its test, as `jantaku new` writes them."""
