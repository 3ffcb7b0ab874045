"""HTML that is made in Python: elements, faces of players, and the style sheet of all pages and notebooks."""
