"""Players with one vice each, to see what a table does about it. Apart from that vice they discard what they draw.

The installed ones (`jantaku bots`) have it in every question. Those of `once` have it at one moment, and so have the
programs and clients of `programs`.
"""
