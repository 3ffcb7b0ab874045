"""RiichiLab's protocol 2, in which riichi.dev speaks with bots."""
