"""Compares our hand values, payments, shanten and waits with other people's, hand by hand."""
