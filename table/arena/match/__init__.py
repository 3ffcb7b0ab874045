"""Statistical matches: many games on paired walls, and their figures."""
