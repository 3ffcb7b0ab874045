"""Compares our hand values, payments, shanten and waits with other programs', hand by hand."""
