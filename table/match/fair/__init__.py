"""Fair play: what hanchan say of players that collude or do not compete."""
