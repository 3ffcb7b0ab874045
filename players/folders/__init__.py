"""Bots as other arenas pack them: a folder or a zip with an entry point, started as it would be there.

cache      keeps what is made once in the user's cache folder
archive    unpacks a zip, which may be hostile, into a folder there
requirements  parses lines that name packages, and writes them anew
needs      the packages and the Python version that a folder asks for
indexes    where the user's pip finds packages
environment  builds an environment with these
akagi      the settings that an Akagi folder declares
transport  seats all of it as a player
"""
