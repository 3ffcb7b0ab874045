"""What every series of 大富豪 must obey, by rules written a second time."""
