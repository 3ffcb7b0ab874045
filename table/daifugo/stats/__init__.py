"""Figures and reports of series of 大富豪."""
