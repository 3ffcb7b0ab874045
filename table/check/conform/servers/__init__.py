"""Examines another author's server: our players join it, follow its games by jantaku's engine, and check all that it
says."""
