"""Bots as other arenas pack them: a folder or a zip with an entry point, started as it would be there.

cache      keeps what is made once in the user's cache folder
unpacking  unpacks a zip, which may be hostile, into a folder there
requirements  parses lines that name packages, and writes them anew
needs      the packages and the Python version that a folder asks for
indexes    where the user's pip finds packages
building   builds an environment with these
settings   the settings that an Akagi folder declares
seating    seats all of it as a player
"""
