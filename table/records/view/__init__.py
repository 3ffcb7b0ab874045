"""Views of games: the page for a browser, and the table in a terminal."""
