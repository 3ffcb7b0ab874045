"""Laws of every 大富豪 series, by rules written a second time."""
