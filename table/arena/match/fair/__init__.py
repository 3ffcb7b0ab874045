"""Fair play: which players collude or do not compete, as far as their hanchan show it."""
