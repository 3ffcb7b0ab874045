"""Faults that are planted in copies of the tree, one at a time: the simulation has to find each of them."""
