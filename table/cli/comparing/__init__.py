"""Commands that compare players by more than their games."""
