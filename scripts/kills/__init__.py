"""Kills everything that plays with SIGKILL at random moments: nothing that was promised is lost."""
