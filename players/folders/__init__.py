"""Bots as arenas pack them: a folder or a zip with an entry point, which is started as it would be there.

cache      what is made once and kept in the user's cache folder
unpacking  a zip, which may be hostile, becomes a folder there
requirements  lines that name packages, read and written anew
needs      which packages and which Python a folder asks for
indexes    where the user's pip finds packages
building   an environment with these
settings   the settings that an Akagi folder declares
seating    all of it as a player
"""
