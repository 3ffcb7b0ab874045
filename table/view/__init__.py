"""Looking at games: the page for a browser, and the table in a terminal."""
