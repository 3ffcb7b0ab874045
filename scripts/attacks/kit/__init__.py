"""Tools of which attacks are made, and the runner."""
