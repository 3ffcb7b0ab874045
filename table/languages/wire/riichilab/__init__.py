"""RiichiLab's protocol 2, which riichi.dev uses to talk with bots."""
