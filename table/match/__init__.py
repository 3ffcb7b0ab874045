"""Statistical matches: many games on paired walls, and what they say."""
