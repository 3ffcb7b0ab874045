"""Journals of 大富豪: written, read, played again, shown, and what they add up to."""
