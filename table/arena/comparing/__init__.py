"""Commands that compare players by their decisions as well as by their games."""
