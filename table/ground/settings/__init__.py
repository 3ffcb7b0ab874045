"""Settings in layers, and rule files that start from presets. Knows no game."""
