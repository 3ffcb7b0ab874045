"""One turn, from the event that the seats share to the sealed sheet, in each of the three modes (`Mode`)."""
