"""Killing everything that plays with SIGKILL at random moments: nothing is lost that was promised."""
